// Files of one module are grouped by its number and name; of each module only
// the start is looked at, but for the one that is read. The name of a module may
// have dots ("SyncTensorsGraph.27"), and so may that of the device in front of
// the stage ("sm_8.0_gpu_after_optimizations").

#include "frontend/files/xla_dump.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/units.h"
#include "frontend/files/shape_variants.h"
#include "frontend/mapped_file.h"
#include "workload/reader_note.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostFiles = 100'000;
constexpr size_t kNameStart = size_t{1} << 20;

// The files of one module; empty paths are not there.
struct Module {
  std::string function;
  std::string before, after;  // text where there is one, else protobuf
  bool before_is_text = false;
  bool after_is_text = false;
  int64_t bytes = 0;  // of `before`, else of `after`
};

// Modules are sorted by process ("module_0001") and function, in the order of the numbers.
using ModulesByName = std::map<std::pair<std::string, std::string>, Module>;

void Take(const fs::directory_entry& entry, const DumpName& name, ModulesByName& modules) {
  Module& module = modules[{name.number, name.function}];
  module.function = name.function;
  const bool before = name.stage == DumpStage::kBeforeOptimizations;
  std::string& path = before ? module.before : module.after;
  bool& is_text = before ? module.before_is_text : module.after_is_text;
  if (!path.empty() && (is_text || !name.text)) return;
  path = entry.path().string();
  is_text = name.text;
  std::error_code error;
  const auto size = static_cast<int64_t>(entry.file_size(error));
  if (!error && (before || module.before.empty())) module.bytes = size;
}

absl::StatusOr<ModulesByName> ListModules(const std::string& folder) {
  std::error_code error;
  fs::directory_iterator files(folder, error);
  if (error) {
    return absl::PermissionDeniedError(fmt::format("{}: cannot be opened for reading", folder));
  }
  ModulesByName modules;
  int64_t count = 0;
  for (const fs::directory_iterator end; files != end; files.increment(error)) {
    if (error || ++count > kMostFiles) {
      return InvalidInput(
          fmt::format("{}: found more than {} files, or one that cannot be listed, expected fewer",
                      folder, FormatCount(kMostFiles)));
    }
    const auto name = ParseDumpName(files->path().filename().string());
    if (name && files->is_regular_file(error)) Take(*files, *name, modules);
  }
  return modules;
}

// Tiles of a layout, "{1,0:T(8,128)}", which only compilers for TPUs write.
bool HasTpuLayouts(const std::string& path) {
  const auto file = MappedFile::Open(path);
  return file.ok() && file->bytes().substr(0, kNameStart).find(":T(") != std::string_view::npos;
}

// The file to read of a module.
std::string Chosen(const Module& module) {
  if (module.after.empty()) return module.before;
  if (module.before.empty()) return module.after;
  return module.after_is_text && HasTpuLayouts(module.after) ? module.after : module.before;
}

void CountVariants(const ModulesByName& modules, Workload& workload) {
  ShapeVariants variants;
  for (const auto& [key, module] : modules) {
    const bool before = module.before_is_text;
    const std::string& path = before ? module.before : module.after;
    std::vector<std::string> shapes;
    if (before || module.after_is_text) {
      const auto file = MappedFile::Open(path);
      if (file.ok()) shapes = EntryShapes(file->bytes().substr(0, kNameStart));
    }
    Location place;
    place.file = path.empty() ? Chosen(module) : path;
    variants.Add(module.function, std::move(shapes), place);
  }
  workload.recompiled = variants.Recompiled();
}

void NoteChoice(const std::string& folder, const std::string& chosen, const ModulesByName& modules,
                Workload& workload) {
  if (modules.size() < 2) return;
  workload.notes.push_back(NoteOnFile("RD003", "other-modules", folder,
                                      fmt::format("of {} modules the largest is read as the step, "
                                                  "{}; give the file of another to read that one",
                                                  FormatCount(static_cast<int64_t>(modules.size())),
                                                  fs::path(chosen).filename().string())));
  for (const RecompiledFunction& function : workload.recompiled) {
    if (function.shapes < 2) continue;
    workload.notes.push_back(NoteAt(
        "RD003", "shape-variants", function.location,
        fmt::format("{} stands in {} modules, for {} different shapes of its parameters",
                    function.name, FormatCount(function.modules), FormatCount(function.shapes))));
  }
}

constexpr std::string_view kPrefix = "module_";
constexpr std::string_view kBefore = "before_optimizations";
constexpr std::string_view kAfter = "after_optimizations";

// Whether `ending` is that of a whole module; empty: it is not.
std::optional<bool> IsText(std::string_view ending) {
  if (ending == ".txt" || ending == ".hlo") return true;
  if (ending == ".hlo.pb" || ending == ".pb") return false;
  return std::nullopt;
}

// "jit_step." of "jit_step.sm_8.0_gpu_".
std::string_view FunctionOf(std::string_view before_stage) {
  size_t dot = before_stage.rfind('.');
  if (dot == std::string_view::npos) return {};
  const size_t device = before_stage.rfind(".sm_");
  if (device != std::string_view::npos && device > 0) dot = device;
  return before_stage.substr(0, dot);
}

}  // namespace

bool LooksLikeXlaDump(const InputFile& file) {
  std::error_code error;
  if (!file.bytes.empty() || !fs::is_directory(file.path, error)) return false;
  const absl::StatusOr<ModulesByName> modules = ListModules(file.path);
  return !modules.ok() || !modules->empty();
}

absl::StatusOr<Workload> ReadXlaDump(const InputFile& file, const LoadOptions& options) {
  TW_ASSIGN_OR_RETURN(const ModulesByName modules, ListModules(file.path));
  const auto largest = std::max_element(
      modules.begin(), modules.end(),
      [](const auto& a, const auto& b) { return a.second.bytes < b.second.bytes; });
  if (largest == modules.end()) {
    return InvalidInput(
        fmt::format("{}: found no module, expected files as --xla_dump_to writes them "
                    "(module_0001.jit_step.before_optimizations.txt)",
                    file.path));
  }
  const std::string chosen = Chosen(largest->second);
  LoadOptions inner = options;
  inner.input_format.clear();
  TW_ASSIGN_OR_RETURN(Workload workload, LoadFiles({chosen}, inner));
  CountVariants(modules, workload);
  NoteChoice(file.path, chosen, modules, workload);
  workload.format = "xla-dump";
  return workload;
}

std::optional<DumpName> ParseDumpName(std::string_view file) {
  // A time stamp may stand before it.
  const size_t start = file.find(kPrefix);
  if (start == std::string_view::npos) return std::nullopt;
  file.remove_prefix(start + kPrefix.size());
  const size_t digits = file.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos || file[digits] != '.') {
    return std::nullopt;
  }
  DumpName name;
  name.number = std::string(file.substr(0, digits));
  file.remove_prefix(digits + 1);
  size_t stage = file.rfind(kBefore);
  size_t size = kBefore.size();
  if (stage == std::string_view::npos) {
    name.stage = DumpStage::kAfterOptimizations;
    stage = file.rfind(kAfter);
    size = kAfter.size();
  }
  if (stage == std::string_view::npos) return std::nullopt;
  const std::optional<bool> text = IsText(file.substr(stage + size));
  if (!text) return std::nullopt;
  name.text = *text;
  name.function = std::string(FunctionOf(file.substr(0, stage)));
  if (name.function.empty()) return std::nullopt;
  return name;
}

}  // namespace tilewise
