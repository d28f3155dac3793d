// Every setting that a finding can depend on goes into the key. Those that only
// choose what is done with findings (format, baseline, fixes) do not.

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/content_hash.h"
#include "cli/lint/run.h"
#include "cli/output.h"
#include "frontend/files/cpp_files.h"
#include "frontend/load.h"
#include "frontend/python/project_pins.h"
#include "lint/fingerprint.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

// A chip or host of the user's own.
absl::Status AddOwnFile(ContentHash& hash, const std::string& name, FileStates& files,
                        int64_t now_ns) {
  if (!name.ends_with(".txtpb")) return absl::OkStatus();
  TW_ASSIGN_OR_RETURN(const std::string content, files.HashOf(name, now_ns));
  hash.Add(content);
  return absl::OkStatus();
}

// What a script's project asks for decides what is said of the script, and what
// a framework writes beside a model where findings on it stand.
std::vector<std::string> ReadWith(const std::string& file) {
  if (file.ends_with(".py") || file.ends_with(".ipynb")) {
    return python::PinFiles(file);
  }
  const std::optional<std::string> beside = FileBeside(file);
  return beside ? std::vector<std::string>{*beside} : std::vector<std::string>{};
}

absl::Status AddReadWith(ContentHash& hash, const std::string& program, FileStates& files,
                         int64_t now_ns) {
  for (const std::string& file : ReadWith(program)) {
    TW_ASSIGN_OR_RETURN(const std::string content, files.HashOf(file, now_ns));
    hash.Add(file).Add(content);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> KeyOf(const LintOptions& options, FileStates& files, int64_t now_ns) {
  const ModelOptions& model = options.model;
  ContentHash hash;
  hash.AddAll(model.target)
      .AddAll(model.training)
      .AddAll(model.loop)
      .Add(model.inputs.format)
      .AddAll(model.inputs.program);
  hash.AddAll(options.rules.overrides).AddAll(options.rules.fixed_dims);
  // Settings of the configuration that stand for options are in these.
  const LintConfig& config = options.config();
  hash.Add(config.root).AddAll(config.rules).AddAll(config.per_path).AddAll(config.suppress);
  TW_RETURN_IF_ERROR(AddOwnFile(hash, model.target.chip, files, now_ns));
  TW_RETURN_IF_ERROR(AddOwnFile(hash, model.target.host, files, now_ns));
  for (const std::string& file : options.files()) {
    hash.Add(file).Add(RelativePath(file, config.root));
    if (IsZooSpec(file)) continue;
    TW_ASSIGN_OR_RETURN(const std::string content, files.HashOf(file, now_ns));
    hash.Add(content);
    TW_RETURN_IF_ERROR(AddReadWith(hash, file, files, now_ns));
  }
  return hash.Hex();
}

// Changes whenever the program or the reader of C++ is built anew, with its version or without.
std::string Identity() {
  std::string identity = TILEWISE_VERSION;
  for (const std::string& part : {std::string("/proc/self/exe"), CppPluginPath()}) {
    const absl::StatusOr<FileStamp> stamp = StampOf(part);
    if (stamp.ok()) identity += fmt::format("-{}-{}", stamp->size, stamp->modified_ns);
  }
  return identity;
}

}  // namespace

std::unique_ptr<ResultCache> OpenCache(const LintOptions& options) {
  if (!options.cache.use) return nullptr;
  const bool named = !options.cache.folder.empty();
  const std::string folder =
      named ? options.cache.folder : (fs::path(options.config().root) / kCacheFolderName).string();
  auto cache = std::make_unique<ResultCache>(folder, Identity());
  std::error_code error;
  if (named && !cache->usable() && fs::exists(folder, error)) {
    Say("warning", fmt::format("{}: found {}, a link or a folder in use, expected a cache or an "
                               "empty folder; nothing is kept",
                               options.model.config.FromOf("cache-dir"), folder));
  }
  return cache;
}

std::optional<std::string> CacheKeyOf(const LintOptions& options, FileStates& files,
                                      int64_t now_ns) {
  const absl::StatusOr<std::string> key = KeyOf(options, files, now_ns);
  if (!key.ok()) return std::nullopt;
  return *key;
}

}  // namespace tilewise
