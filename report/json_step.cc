// The simulated step, its memory and the loop around it as JSON.

#include "report/json_sections.h"

namespace tilewise {

Json JsonStep(const Report& report) {
  Json json = Json::object();
  if (report.timeline) {
    const Timeline& timeline = *report.timeline;
    json["device_seconds"] = timeline.step.value;
    json["mxu_busy_seconds"] = timeline.mxu_busy.value;
    json["vector_busy_seconds"] = timeline.vector_busy.value;
    json["dma_busy_seconds"] = timeline.dma_busy.value;
    json["collective_seconds"] = timeline.collective.value;
    json["useful_flops_per_core"] = timeline.useful_flops;
    json["mxu_use_ratio"] = timeline.mxu_use;
  }
  if (report.estimate) {
    const Estimate& estimate = *report.estimate;
    json["lower_bound_seconds"] = estimate.step.value;
    json["lower_bound_hbm_traffic_bytes"] = estimate.hbm_traffic.value;
  }
  if (report.program) json["kernel_count"] = report.program->kernels.size();
  return json;
}

Json JsonOps(const std::vector<OpRow>& ops) {
  Json json = Json::array();
  for (const OpRow& row : ops) {
    json.push_back({{"layer", row.name},
                    {"op", row.kind},
                    {"location", JsonLocation(row.location)},
                    {"seconds", row.total().value},
                    {"forward_seconds", row.forward.value},
                    {"backward_seconds", row.backward.value},
                    {"update_seconds", row.update.value},
                    {"share_of_step", row.share},
                    {"mxu_use_ratio", row.mxu_use},
                    {"padding_ratio", row.padding},
                    {"bound_by", BoundName(row.bound)}});
  }
  return json;
}

Json JsonBuffers(const std::vector<LargeBuffer>& buffers) {
  Json json = Json::array();
  for (const LargeBuffer& buffer : buffers) {
    json.push_back({{"name", buffer.name},
                    {"shape", buffer.shape},
                    {"padded_bytes", buffer.padded.value},
                    {"unpadded_bytes", buffer.unpadded.value}});
  }
  return json;
}

Json JsonLoop(const LoopTimeline& loop) {
  return {{"wall_step_seconds", loop.step.value},
          {"device_step_seconds", loop.device_step.value},
          {"input_seconds", loop.input.value},
          {"input_overlaps_device", loop.input_overlaps},
          {"transfer_seconds", loop.transfer.value},
          {"dispatch_seconds", loop.dispatch.value},
          {"exposed_host_seconds", loop.exposed_host.value},
          {"steps_per_epoch_count", loop.steps_per_epoch},
          {"epoch_seconds", loop.epoch.value},
          {"first_epoch_seconds", loop.first_epoch.value},
          {"epoch_host_seconds", loop.epoch_host.value},
          {"mxu_use_ratio", loop.mxu_use},
          {"examples_per_second", loop.examples_per_second}};
}

Json JsonStages(const std::vector<StageRow>& stages) {
  Json json = Json::array();
  for (const StageRow& stage : stages) {
    json.push_back({{"stage", stage.stage},
                    {"location", JsonLocation(stage.location)},
                    {"seconds_per_batch", stage.per_batch.value},
                    {"parallelism_cores", stage.parallelism}});
  }
  return json;
}

}  // namespace tilewise
