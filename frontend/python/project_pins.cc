// Lines are read one by one: what matters of these formats is one requirement a
// line, or a list of quoted ones.

#include "frontend/python/project_pins.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <map>
#include <system_error>
#include <tuple>

#include "base/read_file.h"
#include "frontend/python/package_versions.h"

namespace tilewise::python {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestFile = size_t{1} << 20;
// Folders between a script and the root of its checkout.
constexpr int kMostFolders = 64;

enum class PinFormat { kNone, kRequirements, kToml, kConda };

PinFormat FormatOf(const std::string& name) {
  const bool requirements =
      name.ends_with(".txt") && (name == "requirements.txt" || name.starts_with("requirements-") ||
                                 name.starts_with("requirements_"));
  if (requirements) return PinFormat::kRequirements;
  if (name == "pyproject.toml") return PinFormat::kToml;
  if (name == "environment.yml" || name == "environment.yaml") {
    return PinFormat::kConda;
  }
  return PinFormat::kNone;
}

// The script's folder and those above it, to the root of the checkout.
std::vector<fs::path> FoldersOf(const std::string& script) {
  std::error_code error;
  std::vector<fs::path> folders;
  fs::path folder = fs::absolute(script, error).lexically_normal().parent_path();
  for (int i = 0; i < kMostFolders && !folder.empty(); ++i) {
    folders.push_back(folder);
    if (fs::exists(folder / ".git", error)) return folders;
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  if (folders.size() > 1) folders.resize(1);
  return folders;
}

std::string AsSeenFromHere(const fs::path& path) {
  std::error_code error;
  const fs::path below = path.lexically_relative(fs::current_path(error));
  const bool inside = !below.empty() && *below.begin() != "..";
  return inside ? below.generic_string() : path.generic_string();
}

std::vector<std::string> ListFiles(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (FormatOf(it->path().filename().string()) == PinFormat::kNone) continue;
    std::error_code kind;
    if (it->is_regular_file(kind)) files.push_back(AsSeenFromHere(it->path()));
  }
  std::ranges::sort(files);
  return files;
}

// A folder is listed once for the programs in it, unless it changed just now.
std::vector<std::string> FilesIn(const fs::path& folder) {
  struct Listed {
    fs::file_time_type changed;
    std::vector<std::string> files;
  };
  constexpr size_t kMostFoldersKept = 256;
  constexpr auto kSettled = std::chrono::seconds(2);
  thread_local std::map<fs::path, Listed> known;
  std::error_code error;
  const fs::file_time_type changed = fs::last_write_time(folder, error);
  if (error || fs::file_time_type::clock::now() - changed < kSettled) return ListFiles(folder);
  const auto at = known.find(folder);
  if (at != known.end() && at->second.changed == changed) return at->second.files;
  if (known.size() >= kMostFoldersKept) known.clear();
  return (known[folder] = {changed, ListFiles(folder)}).files;
}

std::string ReadSmallFile(const std::string& path) {
  return ReadRegularFile(path, kLargestFile).value_or("");
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

// "tensorflow = \"^2.15\"" of Poetry as pip would write it:
// "tensorflow>=2.15,<3". Other lines stay as they are.
std::string PipForm(const std::string& line) {
  const size_t equals = line.find('=');
  const size_t quote = line.find_first_of("\"'");
  if (equals == std::string::npos || quote == std::string::npos || quote < equals) {
    return line;
  }
  // { version = "^2.15", extras = [..] }
  const size_t version = line.find("version");
  const size_t open = version == std::string::npos ? quote : line.find_first_of("\"'", version);
  if (open == std::string::npos) return line;
  std::string name = line.substr(0, equals);
  name.erase(name.find_last_not_of(" \t") + 1);
  const std::string spec = line.substr(open + 1, line.find_first_of("\"'", open + 1) - open - 1);
  if (spec.empty()) return line;
  if (std::isdigit(static_cast<unsigned char>(spec[0])) != 0) {
    return name + "==" + spec;
  }
  if (spec.starts_with("^0.")) return name + "==" + spec.substr(1);
  if (spec[0] == '^') {
    const size_t patch = spec.find('.', spec.find('.') + 1);
    return name + "~=" + spec.substr(1, patch - 1);
  }
  if (spec[0] == '~' && !spec.starts_with("~=")) {
    return name + "==" + spec.substr(1);
  }
  return name + spec;
}

// "- conda-forge::tensorflow=2.15.0=gpu" -> "-
// conda-forge::tensorflow==2.15.0=gpu".
std::string WithTwoEquals(std::string line) {
  const size_t equals = line.find('=');
  if (equals == std::string::npos || equals == 0) return line;
  constexpr std::string_view kRelation = "=<>~!";
  const bool alone =
      kRelation.find(line[equals - 1]) == std::string_view::npos &&
      (equals + 1 == line.size() || kRelation.find(line[equals + 1]) == std::string_view::npos);
  if (alone) line.insert(equals, "=");
  return line;
}

bool Contradicts(const PackageVersion& a, const PackageVersion& b) {
  return a.package == b.package && a.relation == "==" && b.relation == "==" &&
         std::tie(a.major, a.minor) != std::tie(b.major, b.minor);
}

std::vector<PackageVersion> WithoutContradictions(std::vector<PackageVersion> pins) {
  std::vector<PackageVersion> kept;
  for (const PackageVersion& pin : pins) {
    const bool doubtful = std::ranges::any_of(
        pins, [&](const PackageVersion& other) { return Contradicts(pin, other); });
    if (!doubtful) kept.push_back(pin);
  }
  return kept;
}

}  // namespace

std::vector<std::string> PinFiles(const std::string& script) {
  std::vector<std::string> files;
  for (const fs::path& folder : FoldersOf(script)) {
    std::ranges::move(FilesIn(folder), std::back_inserter(files));
  }
  return files;
}

std::vector<PackageVersion> PinsOf(std::string_view text, const std::string& path) {
  const PinFormat format = FormatOf(fs::path(path).filename().string());
  std::vector<PackageVersion> pins;
  if (format == PinFormat::kNone) return pins;
  Location place;
  place.file = path;
  bool poetry = false;
  while (!text.empty()) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(whole.size() + 1, text.size()));
    ++place.line;
    std::string line = Lower(whole.substr(0, whole.find('#')));
    if (format == PinFormat::kToml && line.starts_with('[')) {
      poetry = line.starts_with("[tool.poetry") && line.find("dependencies]") != std::string::npos;
    }
    if (poetry) line = PipForm(line);
    if (format == PinFormat::kConda) line = WithTwoEquals(std::move(line));
    CollectRequirements(line, place, pins);
  }
  return pins;
}

std::vector<PackageVersion> ProjectPins(const std::string& script) {
  for (const fs::path& folder : FoldersOf(script)) {
    std::vector<PackageVersion> pins;
    for (const std::string& file : FilesIn(folder)) {
      std::ranges::move(PinsOf(ReadSmallFile(file), file), std::back_inserter(pins));
    }
    if (!pins.empty()) return WithoutContradictions(std::move(pins));
  }
  return {};
}

void AddProjectPins(const std::string& script, SourceFacts& facts) {
  const size_t own = facts.versions.size();
  for (PackageVersion& pin : ProjectPins(script)) {
    const bool settled = std::any_of(
        facts.versions.begin(), facts.versions.begin() + static_cast<std::ptrdiff_t>(own),
        [&](const PackageVersion& version) {
          return version.package == pin.package && version.relation == "==";
        });
    if (!settled) facts.versions.push_back(std::move(pin));
  }
}

}  // namespace tilewise::python
