// The embedded machine files and those of users.

#include "hardware/catalog.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "base/check.h"
#include "base/nearest_name.h"
#include "base/read_file.h"
#include "hardware/embedded_data.h"
#include "hardware/text_file.h"

namespace tilewise {
namespace {

constexpr size_t kMaxFileBytes = 1 << 20;
constexpr size_t kShownName = 64;  // of a name that is not known

const std::vector<std::string_view>& MayLack() {
  static const std::vector<std::string_view> fields = {"base", "slice_host", "device_kind",
                                                       "top_clock_mhz", "measured_over_simulated"};
  return fields;
}

bool IsPath(std::string_view name) { return name.ends_with(".txtpb"); }

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  absl::StatusOr<std::string> text = ReadRegularFile(path, kMaxFileBytes);
  if (absl::IsNotFound(text.status())) {
    return absl::NotFoundError(
        fmt::format("{}: found no file, expected a chip or host file", path));
  }
  return text;
}

template <class File>
absl::StatusOr<File> Checked(std::string_view file, File parsed) {
  TW_RETURN_IF_ERROR(CheckComplete(file, parsed, MayLack()));
  if constexpr (std::is_same_v<File, proto::Chip>) {
    for (const proto::Machine& machine : parsed.machines()) {
      TW_RETURN_IF_ERROR(CheckComplete(file, machine, {}));
    }
  }
  if constexpr (std::is_same_v<File, proto::Host>) {
    if (parsed.runtimes().empty()) {
      return InvalidInput(fmt::format("{}: found no runtimes, expected at least one", file));
    }
    for (const proto::HostRuntime& runtime : parsed.runtimes()) {
      TW_RETURN_IF_ERROR(
          CheckComplete(file, runtime,
                        {"per_loop_ms", "feed_gb_per_s", "exposed_share", "combines_all_reduces",
                         "fuses_updates", "recomputes_weight_readers", "feeds_slice"}));
    }
  }
  return parsed;
}

template <class File>
absl::StatusOr<File> ParseChecked(std::string_view file, std::string_view text) {
  File parsed;
  TW_RETURN_IF_ERROR(ParseTextFile(file, text, parsed));
  return Checked(file, std::move(parsed));
}

template <class File>
std::vector<File> EmbeddedWithPrefix(std::string_view prefix) {
  std::vector<File> files;
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (!file.name.starts_with(prefix)) continue;
    absl::StatusOr<File> parsed = ParseChecked<File>(file.name, file.text);
    TW_CHECK(parsed.ok());
    files.push_back(*std::move(parsed));
  }
  return files;
}

// Names are written as "TPU v5 lite", "tpu-v3" and "TPUv3" as well.
std::string PlainName(std::string_view name) {
  std::string plain;
  for (const char letter : name) {
    if (letter == '-' || letter == '_' || letter == ' ') continue;
    plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  constexpr std::string_view kMaker = "tpu";
  if (plain.starts_with(kMaker) && plain.size() > kMaker.size()) plain.erase(0, kMaker.size());
  return plain;
}

template <class File>
bool Answers(const File& file, std::string_view name) {
  const std::string plain = PlainName(name);
  if (PlainName(file.name()) == plain) return true;
  return std::any_of(file.aliases().begin(), file.aliases().end(),
                     [&plain](const std::string& alias) { return PlainName(alias) == plain; });
}

template <class File>
absl::Status UnknownName(std::string_view what, std::string_view name,
                         const std::vector<File>& files) {
  std::vector<std::string> names;
  std::vector<std::string> answers;
  for (const File& file : files) {
    names.push_back(file.name());
    answers.push_back(file.name());
    answers.insert(answers.end(), file.aliases().begin(), file.aliases().end());
  }
  return absl::NotFoundError(
      fmt::format("found {} '{}', expected one of {} or the path of a .txtpb file{}", what,
                  name.substr(0, kShownName), fmt::join(names, ", "), DidYouMean(name, answers)));
}

template <class File>
absl::StatusOr<File> Find(std::string_view what, std::string_view name,
                          const std::vector<File>& files) {
  if (IsPath(name)) {
    TW_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(std::string(name)));
    return ParseChecked<File>(name, text);
  }
  for (const File& file : files) {
    if (Answers(file, name)) return file;
  }
  return UnknownName(what, name, files);
}

template <class File>
absl::StatusOr<File> ReadOwnFile(std::string_view path, FieldLocations* places) {
  TW_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(std::string(path)));
  File own;
  TW_RETURN_IF_ERROR(ParseTextFile(path, text, own, places));
  return own;
}

// The base, called after the file that is put on it.
template <class File>
absl::StatusOr<File> BaseOf(std::string_view what, std::string_view path, const File& own,
                            const std::vector<File>& embedded) {
  if (IsPath(own.base())) {
    return InvalidInput(
        fmt::format("{}: found base '{}', expected the name of a {} that comes with tilewise", path,
                    own.base(), what));
  }
  absl::StatusOr<File> base = Find(what, own.base(), embedded);
  if (!base.ok()) return Annotate(base.status(), std::string(path) + ": base");
  const std::filesystem::path file{std::string(path)};
  base->clear_aliases();
  base->set_name(file.stem().string());
  base->set_description(fmt::format("{}, with {}", base->description(), file.filename().string()));
  return base;
}

// A host's file stands beside the chip's.
void SetHostFolder(std::string_view path, proto::Chip& chip) {
  const std::filesystem::path folder = std::filesystem::path{std::string(path)}.parent_path();
  const auto beside = [&](const std::string& host) {
    return IsPath(host) ? (folder / host).string() : host;
  };
  chip.set_default_host(beside(chip.default_host()));
  if (chip.has_slice_host()) chip.set_slice_host(beside(chip.slice_host()));
}

// Runtimes are told apart by their framework.
void MergeHost(const proto::Host& own, proto::Host& host) {
  proto::Host rest = own;
  rest.clear_runtimes();
  host.MergeFrom(rest);
  for (const proto::HostRuntime& runtime : own.runtimes()) {
    auto* const all = host.mutable_runtimes();
    const auto same = std::find_if(all->begin(), all->end(), [&](const proto::HostRuntime& other) {
      return other.framework() == runtime.framework();
    });
    (same == all->end() ? *host.add_runtimes() : *same).MergeFrom(runtime);
  }
}

}  // namespace

std::vector<proto::Chip> EmbeddedChips() {
  std::vector<proto::Chip> chips = EmbeddedWithPrefix<proto::Chip>("chip_");
  std::sort(chips.begin(), chips.end(), [](const proto::Chip& a, const proto::Chip& b) {
    const double ga = a.generation().value();
    const double gb = b.generation().value();
    return ga != gb ? ga < gb : a.name() < b.name();
  });
  return chips;
}

std::vector<proto::Host> EmbeddedHosts() { return EmbeddedWithPrefix<proto::Host>("host_"); }

proto::Catalog EmbeddedCatalog() {
  const auto catalogs = EmbeddedWithPrefix<proto::Catalog>("catalog.");
  TW_CHECK(catalogs.size() == 1);
  return catalogs.front();
}

proto::PipelineCosts EmbeddedPipelineCosts() {
  const auto costs = EmbeddedWithPrefix<proto::PipelineCosts>("pipeline_costs.");
  TW_CHECK(costs.size() == 1);
  return costs.front();
}

absl::StatusOr<proto::Chip> FindOwnChipFile(std::string_view name) {
  if (IsPath(name)) return ReadOwnFile<proto::Chip>(name, nullptr);
  TW_ASSIGN_OR_RETURN(const proto::Chip found, Find("chip", name, EmbeddedChips()));
  proto::Chip own;
  own.set_base(found.name());
  return own;
}

absl::StatusOr<proto::Chip> FindChipFile(std::string_view name, FieldLocations* places) {
  if (!IsPath(name)) return Find("chip", name, EmbeddedChips());
  TW_ASSIGN_OR_RETURN(const proto::Chip own, ReadOwnFile<proto::Chip>(name, places));
  proto::Chip chip = own;
  if (own.has_base()) {
    TW_ASSIGN_OR_RETURN(chip, BaseOf("chip", name, own, EmbeddedChips()));
    chip.MergeFrom(own);
  }
  TW_RETURN_IF_ERROR(CheckComplete(name, chip, MayLack()));
  SetHostFolder(name, chip);
  return chip;
}

absl::StatusOr<proto::Host> FindOwnHostFile(std::string_view name) {
  if (IsPath(name)) return ReadOwnFile<proto::Host>(name, nullptr);
  TW_ASSIGN_OR_RETURN(const proto::Host found, Find("host", name, EmbeddedHosts()));
  proto::Host own;
  own.set_base(found.name());
  return own;
}

absl::StatusOr<proto::Host> FindHostFile(std::string_view name) {
  if (!IsPath(name)) return Find("host", name, EmbeddedHosts());
  TW_ASSIGN_OR_RETURN(proto::Host own, ReadOwnFile<proto::Host>(name, nullptr));
  if (!own.has_base()) return Checked(name, std::move(own));
  TW_ASSIGN_OR_RETURN(proto::Host host, BaseOf("host", name, own, EmbeddedHosts()));
  MergeHost(own, host);
  return Checked(name, std::move(host));
}

}  // namespace tilewise
