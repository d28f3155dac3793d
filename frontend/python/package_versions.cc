// Requirements have one form in setup files, pip lines, comments and asserts:
// the package, a relation, a number.

#include "frontend/python/package_versions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "workload/blocks.h"

namespace tilewise::python {
namespace {

struct Spelling {
  std::string_view written;
  std::string_view package;
};
constexpr std::array<Spelling, 13> kPackages = {{
    {"tensorflow-gpu", "tensorflow"},
    {"tensorflow-cpu", "tensorflow"},
    {"tensorflow-tpu", "tensorflow"},
    {"tensorflow.__version__", "tensorflow"},
    {"tf.__version__", "tensorflow"},
    {"tensorflow", "tensorflow"},
    {"keras.__version__", "keras"},
    {"keras", "keras"},
    {"jax.__version__", "jax"},
    {"jax", "jax"},
    {"jaxlib", "jax"},
    {"torch_xla", "torch_xla"},
    {"torch-xla", "torch_xla"},
}};
constexpr std::array<std::string_view, 6> kRelations = {"==", ">=", "<=", "~=", "<", ">"};

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
}

void SkipBlanks(std::string_view& text) {
  const size_t first = text.find_first_not_of(" \t");
  text.remove_prefix(first == std::string_view::npos ? text.size() : first);
}

std::optional<int32_t> TakeNumber(std::string_view& text) {
  int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0) return std::nullopt;
  text.remove_prefix(end - text.data());
  return value;
}

// "2.3", "'2.3.1'": what follows the relation.
bool TakeRelease(std::string_view& rest, PackageVersion& version) {
  if (rest.starts_with('"') || rest.starts_with('\'')) rest.remove_prefix(1);
  const std::optional<int32_t> major = TakeNumber(rest);
  if (!major) return false;
  version.major = *major;
  if (!rest.starts_with('.')) return true;
  rest.remove_prefix(1);
  version.minor = TakeNumber(rest).value_or(-1);
  // "~=2.3.1" stays with 2.3, "~=2.3" goes on to the end of 2.
  const bool patch = rest.size() > 1 && rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9';
  if (patch && version.relation == "~=") version.relation = "==";
  return true;
}

// ">=2.3", " == '2.3'"
std::optional<PackageVersion> TakeRelation(std::string_view& rest) {
  SkipBlanks(rest);
  const auto relation = std::ranges::find_if(
      kRelations, [&](std::string_view each) { return rest.starts_with(each); });
  if (relation == kRelations.end()) return std::nullopt;
  PackageVersion version;
  version.relation = *relation;
  rest.remove_prefix(relation->size());
  SkipBlanks(rest);
  if (!TakeRelease(rest, version)) return std::nullopt;
  return version;
}

// "[tpu]>=2.3,<2.16", ".startswith('2.3')"
std::vector<PackageVersion> Requirements(std::string_view rest) {
  constexpr std::string_view kStarts = ".startswith(";
  std::vector<PackageVersion> versions;
  if (rest.starts_with(kStarts)) {
    PackageVersion version;
    version.relation = "==";
    rest.remove_prefix(kStarts.size());
    if (TakeRelease(rest, version)) versions.push_back(std::move(version));
    return versions;
  }
  if (rest.starts_with('[')) {
    rest.remove_prefix(std::min(rest.find(']'), rest.size() - 1) + 1);
  }
  while (std::optional<PackageVersion> version = TakeRelation(rest)) {
    versions.push_back(*std::move(version));
    // The rest of a number: ".1", ".*", "rc1".
    rest.remove_prefix(std::min(rest.find_first_of(" ,;\"')"), rest.size()));
    SkipBlanks(rest);
    if (!rest.starts_with(',')) break;
    rest.remove_prefix(1);
  }
  return versions;
}

// "%tensorflow_version 1.x", "%env A=b"
void ReadMagic(std::string_view line, const Location& place, SourceFacts& facts) {
  SkipBlanks(line);
  constexpr std::string_view kVersion = "%tensorflow_version ";
  if (line.starts_with(kVersion)) {
    line.remove_prefix(kVersion.size());
    SkipBlanks(line);
    if (const std::optional<int32_t> major = TakeNumber(line)) {
      facts.versions.push_back({"tensorflow", "==", *major, -1, place});
    }
  }
  constexpr std::string_view kEnvironment = "%env ";
  if (!line.starts_with(kEnvironment)) return;
  line.remove_prefix(kEnvironment.size());
  SkipBlanks(line);
  const size_t equal = line.find('=');
  if (equal == std::string_view::npos) return;
  std::string_view value = line.substr(equal + 1);
  value = value.substr(0, value.find_last_not_of(" \t\r") + 1);
  facts.environment.push_back({std::string(line.substr(0, equal)), std::string(value), place});
}

std::string Unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  return quoted ? std::string(text.substr(1, text.size() - 2)) : "";
}

}  // namespace

void CollectRequirements(std::string_view line, const Location& place,
                         std::vector<PackageVersion>& versions) {
  for (size_t at = 0; at < line.size(); ++at) {
    if (at > 0 && IsWord(line[at - 1])) continue;
    for (const Spelling& spelling : kPackages) {
      const std::string_view rest = line.substr(at);
      if (!rest.starts_with(spelling.written)) continue;
      std::vector<PackageVersion> required = Requirements(rest.substr(spelling.written.size()));
      if (required.empty()) continue;
      // `if tf.__version__ < "2"` runs on both sides of it.
      if (Contains(spelling.written, "__version__") && !Contains(line, "assert")) {
        break;
      }
      for (PackageVersion& version : required) {
        version.package = spelling.package;
        version.location = place;
        version.location.column = static_cast<int32_t>(at) + 1;
        versions.push_back(std::move(version));
      }
      break;
    }
  }
}

void CollectVersions(std::string_view text, const std::string& path, int32_t cell,
                     SourceFacts& facts) {
  Location place;
  place.file = path;
  place.cell = cell;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++place.line;
    place.column = 1;
    if (line.find_first_of("=<>(") != std::string_view::npos) {
      CollectRequirements(line, place, facts.versions);
    }
    if (cell > 0) ReadMagic(line, place, facts);
  }
}

void CollectEnvironment(SourceFacts& facts) {
  constexpr std::string_view kEnvironment = "os.environ[";
  for (const SourceAssignment& assignment : facts.assignments) {
    if (assignment.targets.size() != 1) continue;
    const std::string_view target = assignment.targets[0];
    if (!target.starts_with(kEnvironment) || !target.ends_with("]")) continue;
    const std::string name =
        Unquoted(target.substr(kEnvironment.size(), target.size() - kEnvironment.size() - 1));
    const std::string value = Unquoted(assignment.text);
    if (name.empty() || value.empty()) continue;
    facts.environment.push_back({name, value, assignment.location});
  }
  for (const SourceCall& call : facts.calls) {
    if (call.name != "os.environ.setdefault" && call.name != "os.putenv") {
      continue;
    }
    if (call.arguments.size() != 2 || !call.arguments[0].string || !call.arguments[1].string) {
      continue;
    }
    facts.environment.push_back(
        {*call.arguments[0].string, *call.arguments[1].string, call.location});
  }
}

}  // namespace tilewise::python
