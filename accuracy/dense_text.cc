// Fully connected networks: "FC net: 4x8192, input 2000, output 1000".

#include <fmt/format.h>

#include "accuracy/workload_text.h"

namespace tilewise {

WorkloadSpec ReadDenseText(const WorkloadWords& words) {
  const TextMatch& text = words.text;
  if (!text.HasAny({"fc net", "fully connected", "mlp"})) return {};
  const auto layers = text.Find("([0-9]+) ?x ?([0-9]+)");
  const auto input = text.First({"input ([0-9]+)"});
  const auto output = text.First({"output ([0-9]+)"});
  if (!layers || !input || !output) return {};
  WorkloadSpec spec;
  // Such sweeps declare f32 and compute in bf16 passes.
  spec.spec = fmt::format("zoo:mlp,layers={:.0f},nodes={:.0f},input={},output={}", (*layers)[0],
                          (*layers)[1], *input, *output);
  return spec;
}

}  // namespace tilewise
