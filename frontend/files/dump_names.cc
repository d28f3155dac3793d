// The name of a module may have dots ("SyncTensorsGraph.27"), and so may that
// of the device in front of the stage ("sm_8.0_gpu_after_optimizations").

#include "frontend/files/dump_names.h"

namespace tilewise {
namespace {

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
