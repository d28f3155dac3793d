// What the time of the step and of each kernel was spent on, as JSON.

#include <fmt/format.h>

#include "report/json_sections.h"

namespace tilewise {

Json JsonLosses(const LossSplit& split) {
  Json json = Json::object();
  for (const LossPart& part : kLossParts) {
    json[fmt::format("{}_seconds", part.key)] = (split.*part.seconds).value;
  }
  return json;
}

Json JsonKernels(const std::vector<KernelRow>& kernels) {
  Json json = Json::array();
  for (const KernelRow& row : kernels) {
    const Roofline& roofline = row.roofline;
    json.push_back({{"name", row.name},
                    {"layer", row.layer},
                    {"kind", KernelKindName(row.kind)},
                    {"phase", PhaseName(row.phase)},
                    {"start_seconds", row.start.value},
                    {"seconds", row.duration.value},
                    {"overlapped", row.overlapped},
                    {"bound_by", BoundName(row.bound)},
                    {"losses", JsonLosses(row.split)},
                    {"roofline",
                     {{"intensity_flops_per_byte", roofline.intensity},
                      {"attainable_flops_per_second", roofline.attainable},
                      {"achieved_flops_per_second", roofline.achieved},
                      {"hbm_bandwidth_share", roofline.hbm_share}}}});
  }
  return json;
}

}  // namespace tilewise
