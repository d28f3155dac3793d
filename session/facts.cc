// Questions about a simulated step that many rules ask.

#include "session/facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "session/session.h"

namespace tilewise {
namespace {

constexpr double kMinShare = 0.01;
constexpr double kMinMemoryShare = 0.01;
constexpr Bytes kMinBytes = {int64_t{1} << 20};

double CostedShare(const Workload& workload) {
  int64_t opaque = 0;
  for (const auto& [name, count] : workload.opaque_layers) opaque += count;
  if (workload.layers <= 0) return 1;
  return 1 - static_cast<double>(opaque) / static_cast<double>(workload.layers);
}

}  // namespace

Seconds Facts::TimeOf(OpId op) const {
  Seconds total;
  if (model == nullptr) return total;
  for (const KernelId kernel : model->KernelsOf(op)) {
    total += model->spans[kernel].duration;
  }
  return total;
}

double Facts::ShareOf(OpId op) const { return StepTime().value > 0 ? TimeOf(op) / StepTime() : 0; }

Seconds Facts::StepTime() const { return model == nullptr ? Seconds{} : model->timeline.step; }

bool Facts::WorthSaying(Seconds time, Bytes bytes) const {
  if (time >= StepTime() * kMinShare) return true;
  if (bytes < kMinBytes || model == nullptr) return false;
  const Bytes peak = model->program.memory.peak;
  return static_cast<double>(bytes.value) >= kMinMemoryShare * static_cast<double>(peak.value);
}

bool Facts::IsFixed(const Op& op, int64_t dim) const {
  const auto& fixed = session.options().fixed_dim;
  return fixed && fixed(op, dim);
}

namespace {

std::string BatchShare(const Target& target) {
  const int64_t sharing = target.extent(MeshAxis::kContext) * target.extent(MeshAxis::kTensor);
  if (sharing < 2) return std::string(target.device());
  return fmt::format("group of {} {}s", sharing, target.device());
}

}  // namespace

bool HoldsWholeBatch(const Facts& facts) {
  const Workload& workload = facts.workload;
  const bool traced = workload.step == StepKind::kTraining && !workload.facts.calls.empty();
  return traced && !workload.per_core && facts.target.batch_shards() > 1 && workload.graph &&
         workload.graph->is_static();
}

namespace {

std::string ReservationOn(const Facts& facts) {
  const Workload& workload = facts.workload;
  if (HoldsWholeBatch(facts)) {
    return fmt::format(
        "The figures are too high: which size of the model is the batch is not known, so that each "
        "{} is given all of it (--verbose says why).",
        facts.target.device());
  }
  if (!workload.lower_bound.empty()) {
    // What a package holds, or a loss, is no number that the user could state.
    const auto says = [&](std::string_view words) {
      return workload.lower_bound.find(words) != std::string::npos;
    };
    const bool states = !says("the loss is not known") && !says("--python-path");
    return fmt::format("The figures are a lower bound: {}{}.", workload.lower_bound,
                       states ? "; give it with --assume NAME=VALUE" : "");
  }
  if (!workload.sizes_assumed) return "";
  return "The figures are not those of the program: sizes that are not known stand in (--verbose "
         "says which).";
}

// What a workload without a model has.
std::string ReadBesides(const Workload& workload) {
  size_t stages = 0;
  for (const Pipeline& pipeline : workload.pipelines) stages += pipeline.stages.size();
  if (workload.pipelines.size() == 1)
    return fmt::format("an input pipeline of {} stage{}", stages, stages == 1 ? "" : "s");
  if (stages > 0)
    return fmt::format("{} input pipelines with {} stages", workload.pipelines.size(), stages);
  int64_t ops = 0;
  for (const auto& [name, count] : workload.source_ops) ops += count;
  if (ops > 0) return fmt::format("a graph of {} ops", FormatCount(ops));
  return workload.facts.calls.empty() ? "" : "the text of a program";
}

}  // namespace

RunSetting SettingOf(const Facts& facts) {
  return {.workload = facts.workload.name,
          .target = facts.target.description(),
          .chip = facts.target.chip.name,
          .batch_per_core = facts.batch_per_core,
          .global_batch = facts.global_batch,
          .cores = facts.target.cores,
          .idle_cores = facts.target.idle_cores,
          .device = std::string(facts.target.device()),
          .batch_share = BatchShare(facts.target),
          .steps_per_execution = facts.session.steps_per_execution(),
          .execution_setting = std::string(ExecutionSetting(facts.workload.host_loop.framework)),
          .framework = facts.workload.host_loop.framework,
          .training = facts.training,
          .reservation = ReservationOn(facts),
          .batch_assumed = facts.batch_assumed,
          .layers = facts.workload.layers,
          .read_besides = facts.workload.layers > 0 ? "" : ReadBesides(facts.workload),
          .costed_share = CostedShare(facts.workload),
          .measured_range = facts.target.chip.measured_range};
}

OpLine LineOfOp(const Graph& graph, OpId id, int64_t dim) {
  const Op& op = graph.op(id);
  OpLine line;
  line.text = fmt::format("{}: {}[", op.name, DTypeName(op.shape.dtype));
  for (int64_t i = 0; i < op.shape.rank(); ++i) {
    if (i > 0) line.text += ',';
    if (i == dim) line.begin = line.text.size();
    const Dim& size = op.shape.dims[i];
    if (!size.per_batch || size.factor != 1) {
      line.text += fmt::format("{}", size.factor);
    }
    if (size.per_batch) line.text += 'N';
    if (i == dim) line.end = line.text.size();
  }
  line.text += fmt::format("] {}(", OpName(op.kind));
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (i > 0) line.text += ", ";
    line.text += graph.op(op.operands[i]).name;
  }
  line.text += ')';
  return line;
}

}  // namespace tilewise
