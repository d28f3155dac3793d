// Questions about a simulated step that many rules ask.

#include "rules/rule.h"

namespace tilewise {
namespace {

constexpr double kMinShare = 0.01;
constexpr double kMinMemoryShare = 0.01;
constexpr Bytes kMinBytes = {int64_t{1} << 20};

}  // namespace

Simulated Simulate(Program program, const Target& target, int32_t source_ops) {
  Simulated result;
  result.program = std::move(program);
  result.timeline = SimulateStep(result.program, target);
  result.estimate = EstimateProgram(result.program, target);
  result.kernels_of.resize(static_cast<size_t>(source_ops));
  for (size_t i = 0; i < result.program.kernels.size(); ++i) {
    const OpId origin = result.program.kernels[i].origin;
    if (origin == kNoOp || origin >= source_ops) continue;
    result.kernels_of[static_cast<size_t>(origin)].push_back(
        static_cast<int32_t>(i));
  }
  result.spans.resize(result.program.kernels.size());
  for (const KernelSpan& span : result.timeline.spans) {
    result.spans[static_cast<size_t>(span.kernel)] = span;
  }
  return result;
}

std::span<const int32_t> Simulated::KernelsOf(OpId source_op) const {
  const auto index = static_cast<size_t>(source_op);
  if (source_op < 0 || index >= kernels_of.size()) return {};
  return kernels_of[index];
}

Seconds Facts::TimeOf(OpId op) const {
  Seconds total;
  if (model == nullptr) return total;
  for (const int32_t kernel : model->KernelsOf(op)) {
    total += model->spans[static_cast<size_t>(kernel)].duration;
  }
  return total;
}

double Facts::ShareOf(OpId op) const {
  return StepTime().value > 0 ? TimeOf(op) / StepTime() : 0;
}

Seconds Facts::StepTime() const {
  return model == nullptr ? Seconds{} : model->timeline.step;
}

bool Facts::WorthSaying(Seconds time, Bytes bytes) const {
  if (time >= StepTime() * kMinShare) return true;
  if (bytes < kMinBytes || model == nullptr) return false;
  const Bytes peak = model->program.memory.peak;
  return static_cast<double>(bytes.value) >=
         kMinMemoryShare * static_cast<double>(peak.value);
}

Diagnostic& Sink::Report(const Location& location, std::string message) {
  Diagnostic found;
  found.rule = info_.id;
  found.name = info_.name;
  found.severity = info_.severity;
  found.location = location;
  found.message = std::move(message);
  found.fix.applicability = info_.fix;
  found_.push_back(std::move(found));
  return found_.back();
}

}  // namespace tilewise
