// Writes a configuration to start from: every key with its meaning, those set
// that the folder's files tell.

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/options/arguments.h"
#include "cli/output.h"
#include "frontend/mapped_file.h"
#include "hardware/default_chip.h"
#include "hardware/target.h"
#include "lint/config.h"
#include "lint/config_keys.h"

namespace tilewise {
namespace {

struct InitOptions {
  std::string folder = ".";
  bool force = false;
  bool print = false;
};

namespace fs = std::filesystem;

// What is looked at for a hint: enough for a project's own scripts.
constexpr size_t kMostFiles = 200;
constexpr uintmax_t kLargestScript = uintmax_t{256} << 10;

// "v3-8" in a script that starts a machine.
struct Slice {
  std::string chip;
  int64_t cores = 0;
  std::string file;
};

bool IsScript(const fs::path& path) {
  const std::set<std::string> endings = {".py", ".sh", ".yaml", ".yml", ".ipynb", ".cfg"};
  return endings.contains(path.extension().string()) || path.filename() == "Makefile";
}

bool IsWordLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::optional<Slice> SliceIn(std::string_view text) {
  for (const std::string& chip : ChipNames()) {
    const std::string start = chip + "-";
    for (size_t at = text.find(start); at != std::string::npos; at = text.find(start, at + 1)) {
      size_t end = at + start.size();
      while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) {
        ++end;
      }
      const bool number = end > at + start.size() && end < at + start.size() + 6;
      const bool word =
          (at > 0 && IsWordLetter(text[at - 1])) || (end < text.size() && IsWordLetter(text[end]));
      if (!number || word) continue;
      const int64_t tensor_cores =
          std::stoll(std::string(text.substr(at + start.size(), end - at - start.size())));
      const absl::StatusOr<Chip> found = FindChip(chip);
      if (!found.ok()) continue;
      // Names of slices count TensorCores.
      const int64_t cores = tensor_cores / found->tensor_cores_per_device;
      if (cores > 0 && MakeTarget(chip, cores, "").ok()) {
        return Slice{chip, cores, ""};
      }
    }
  }
  return std::nullopt;
}

// The folder's scripts and those of its folders, in the order of their names.
std::vector<fs::path> Scripts(const fs::path& folder) {
  std::vector<fs::path> scripts;
  std::error_code error;
  fs::recursive_directory_iterator walk(folder, fs::directory_options::skip_permission_denied,
                                        error);
  for (; !error && walk != fs::recursive_directory_iterator() && scripts.size() < 10 * kMostFiles;
       walk.increment(error)) {
    const fs::path& path = walk->path();
    const bool hidden = path.filename().string().starts_with('.');
    if (walk->is_directory(error) && (hidden || walk.depth() >= 2)) {
      walk.disable_recursion_pending();
    }
    if (hidden || !IsScript(path) || !walk->is_regular_file(error)) continue;
    if (walk->file_size(error) <= kLargestScript) scripts.push_back(path);
  }
  std::ranges::sort(scripts);
  if (scripts.size() > kMostFiles) scripts.resize(kMostFiles);
  return scripts;
}

std::optional<Slice> FindSlice(const fs::path& folder) {
  for (const fs::path& path : Scripts(folder)) {
    const absl::StatusOr<MappedFile> file = MappedFile::Open(path.string());
    std::optional<Slice> slice = file.ok() ? SliceIn(file->bytes()) : std::nullopt;
    if (!slice) continue;
    slice->file = path.lexically_relative(folder).generic_string();
    return slice;
  }
  return std::nullopt;
}

std::string TargetLines(const std::optional<Slice>& slice) {
  if (slice) {
    return fmt::format("chip: {}    # as {} says\ncores: {}\n", slice->chip, slice->file,
                       slice->cores);
  }
  return fmt::format("chip: {}    # 'tilewise list chips'\n", DefaultChipName());
}

std::string TestLines(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder / "tests", error)) return "";
  return "\nper-path:\n"
         "  # What tests feed a model is small on purpose.\n"
         "  - paths: [\"tests/**\"]\n"
         "    ignore: [IP, HL]\n";
}

// Returns all keys but those that stand above, as comments.
std::string OtherKeys() {
  std::string text;
  for (const ConfigKey& key : ConfigKeys()) {
    if (key.kind == KeyKind::kSection || key.name == "chip") continue;
    const std::string value = key.standard.empty() ? "..." : std::string(key.standard);
    text += fmt::format("# {:<30} # {}\n", fmt::format("{}: {}", key.name, value), key.summary);
  }
  return text;
}

std::string StartingConfig(const fs::path& folder) {
  return fmt::format(
      "# Settings of tilewise for this folder and all below it. What they are and where\n# each "
      "comes from: tilewise lint --show-config\n\n{}{}\n"
      "# What else can be set here; docs/configuration.md has all of it.\n{}\n"
      "# severity: {{IP002: error, HL: off}}\n"
      "# thresholds: {{RULE.name: 0.5}}   # 'tilewise explain RULE' names them\n"
      "# per-path:                      # other rules for some files\n"
      "#   - {{paths: [\"notebooks/**\"], ignore: [IP], severity: {{AL: info}}}}\n"
      "# suppress:                      # for files that hold no comments\n"
      "#   - {{rule: OP001, path: \"*.onnx\", node: \"encoder/*\", reason: frozen}}\n"
      "# workloads:                     # files that are one program\n"
      "#   - {{name: train, files: [model.json, train.py], batch: 4096}}\n"
      "# extends: [../shared.yaml]\n",
      TargetLines(FindSlice(folder)), TestLines(folder), OtherKeys());
}

void Add(Arguments& arguments, InitOptions& options) {
  arguments.Text({.name = "FOLDER", .help = "where it is for (default: here)"}, options.folder);
  arguments.Flag({.name = "--force", .help = "replace the one that is there"}, options.force);
  arguments.Flag({.name = "--print", .help = "print it instead of writing it"}, options.print);
}

absl::StatusOr<int> RunInit(const InitOptions& options) {
  std::error_code error;
  const fs::path folder(options.folder);
  if (!fs::is_directory(folder, error)) {
    return absl::NotFoundError(fmt::format("{}: found no folder, expected one", options.folder));
  }
  const std::string text = StartingConfig(folder);
  if (options.print) {
    TW_RETURN_IF_ERROR(WriteOutput(text, ""));
    return kExitClean;
  }
  const std::string path = (folder / kConfigFileName).lexically_normal();
  if (!options.force && fs::symlink_status(path, error).type() != fs::file_type::not_found) {
    return absl::AlreadyExistsError(
        fmt::format("{}: found one already, expected none; --force replaces it", path));
  }
  TW_RETURN_IF_ERROR(WriteOutput(text, path));
  TW_RETURN_IF_ERROR(WriteOutput(fmt::format("wrote {}\n", path), ""));
  return kExitClean;
}

}  // namespace

TW_RUNS_COMMAND(Init, RunInit)

}  // namespace tilewise
