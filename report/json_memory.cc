// What HBM holds, and what would make it enough, as JSON.

#include "report/json_sections.h"
#include "report/rematerialization.h"

namespace tilewise {
namespace {

Json JsonMemoryUse(const MemoryUse& use) {
  Json json = {{"hbm_nameplate_bytes", use.nameplate.value},
               {"reserved_bytes", use.reserved.value},
               {"input_bytes", use.of(BufferUse::kInput).value},
               {"variable_bytes", use.of(BufferUse::kVariable).value},
               {"optimizer_state_bytes", use.of(BufferUse::kOptimizerState).value},
               {"activation_bytes", use.of(BufferUse::kActivation).value},
               {"gradient_bytes", use.of(BufferUse::kGradient).value},
               {"temporary_bytes", use.of(BufferUse::kTemporary).value},
               {"padding_bytes", use.padding.value}};
  if (use.fragmentation) {
    json["fragmentation_bytes"] = use.fragmentation->value;
  }
  return json;
}

Json JsonFitTrials(const std::vector<FitTrial>& trials) {
  Json json = Json::array();
  for (const FitTrial& trial : trials) {
    json.push_back({{"change", trial.change},
                    {"batch_per_core_examples", trial.batch_per_core},
                    {"fits", trial.fits()},
                    {"hbm_peak_bytes", trial.hbm_peak.value},
                    {"hbm_available_bytes", trial.hbm_available.value},
                    {"device_step_seconds", trial.device_step.value}});
  }
  return json;
}

}  // namespace

Json JsonMemory(const Report& report) {
  const Memory& memory = report.program->memory;
  Json json = {{"fits", memory.fits()},
               {"hbm_peak_bytes", memory.peak.value},
               {"hbm_available_bytes", memory.available.value},
               {"variables_bytes", memory.variables.value},
               {"optimizer_state_bytes", memory.optimizer_state.value},
               {"arguments_bytes", memory.arguments.value},
               {"largest_buffers", JsonBuffers(report.largest)}};
  if (report.memory_use) json["at_peak"] = JsonMemoryUse(*report.memory_use);
  if (const auto again = RematerializationOf(report)) {
    json["rematerialization"] = {{"kernel_count", again->kernels},
                                 {"seconds", again->time.value},
                                 {"hbm_peak_without_bytes", again->peak_without.value}};
  }
  if (!report.ways_to_fit.empty()) {
    json["ways_to_fit"] = JsonFitTrials(report.ways_to_fit);
  }
  return json;
}

}  // namespace tilewise
