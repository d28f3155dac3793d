// Every setting that a finding can depend on goes into the key. Those that only
// choose what is done with findings (format, baseline, fixes) do not.

#include "cli/lint/cache_key.h"

#include <chrono>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "frontend/load.h"
#include "frontend/python/project_pins.h"
#include "lint/config_hash.h"
#include "lint/fingerprint.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

void Add(ContentHash& hash, const TargetOptions& options) {
  hash.Add(options.chip).Add(uint64_t{options.chip_given}).Add(options.host);
  for (const int64_t number : {options.cores, options.mesh.data, options.mesh.fsdp,
                               options.mesh.expert, options.mesh.tensor, options.mesh.slices}) {
    hash.Add(static_cast<uint64_t>(number));
  }
}

void Add(ContentHash& hash, const TrainingOptions& options) {
  Add(hash, options.training);
  hash.Add(uint64_t{options.shard_update}).Add(options.xla_flags);
  for (const int64_t number :
       {options.global_batch, options.batch_per_core, options.accumulation_steps}) {
    hash.Add(static_cast<uint64_t>(number));
  }
  hash.Add(options.optimizer).Add(options.remat);
  Add(hash, options.batch_dims);
}

void Add(ContentHash& hash, const LoopOptions& options) {
  for (const int64_t number :
       {options.steps_per_execution, options.steps_per_epoch, options.examples}) {
    hash.Add(static_cast<uint64_t>(number));
  }
}

void Add(ContentHash& hash, const RuleOptions& options) {
  const RuleOverrides& rules = options.overrides;
  for (const auto* words : {&rules.select, &rules.extend_select, &rules.ignore,
                            &rules.extend_ignore, &rules.severity, &rules.thresholds}) {
    Add(hash, *words);
  }
  Add(hash, rules.preview);
  Add(hash, options.fixed_dims);
}

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
  Add(hash, model.target);
  Add(hash, model.training);
  Add(hash, model.loop);
  hash.Add(model.inputs.format);
  Add(hash, options.rules);
  Add(hash, options.config());
  TW_RETURN_IF_ERROR(AddOwnFile(hash, model.target.chip, files, now_ns));
  TW_RETURN_IF_ERROR(AddOwnFile(hash, model.target.host, files, now_ns));
  for (const std::string& file : options.files()) {
    hash.Add(file).Add(RelativePath(file, options.config().root));
    if (IsZooSpec(file)) continue;
    TW_ASSIGN_OR_RETURN(const std::string content, files.HashOf(file, now_ns));
    hash.Add(content);
    TW_RETURN_IF_ERROR(AddReadWith(hash, file, files, now_ns));
  }
  return hash.Hex();
}

// Changes whenever the program is built anew, with its version or without.
std::string Identity() {
  std::string identity = TILEWISE_VERSION;
  const absl::StatusOr<FileStamp> stamp = StampOf("/proc/self/exe");
  if (stamp.ok()) {
    identity += fmt::format("-{}-{}", stamp->size, stamp->modified_ns);
  }
  return identity;
}

}  // namespace

std::unique_ptr<ResultCache> OpenCache(const LintOptions& options) {
  if (!options.cache.use) return nullptr;
  const std::string folder = options.cache.folder.empty()
                                 ? (fs::path(options.config().root) / kCacheFolderName).string()
                                 : options.cache.folder;
  return std::make_unique<ResultCache>(folder, Identity());
}

std::optional<std::string> CacheKeyOf(const LintOptions& options, FileStates& files,
                                      int64_t now_ns) {
  const absl::StatusOr<std::string> key = KeyOf(options, files, now_ns);
  if (!key.ok()) return std::nullopt;
  return *key;
}

int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace tilewise
