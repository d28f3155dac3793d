// Questions about a simulated step that many rules ask.

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
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

OpLine LineOfOp(const Graph& graph, OpId id, int64_t dim) {
  const Op& op = graph.op(id);
  OpLine line;
  line.text = fmt::format("{}: {}[", op.name, DTypeName(op.shape.dtype));
  for (int64_t i = 0; i < op.shape.rank(); ++i) {
    if (i > 0) line.text += ',';
    if (i == dim) line.begin = line.text.size();
    const Dim& size = op.shape.dims[static_cast<size_t>(i)];
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

Sink::Sink(const RuleInfo& info, const RuleSettings* settings)
    : info_(info), settings_(settings) {}

Finding& Sink::Report(const Location& location, std::string message) {
  Finding& found = found_.emplace_back();
  found.rule = info_.id;
  found.name = info_.name;
  found.severity = info_.severity;
  found.location = location;
  found.message = std::move(message);
  found.fix.applicability = info_.fix;
  found.fix.changes_numerics = info_.changes_numerics;
  return found;
}

Finding& Sink::ReportOp(const Graph& graph, OpId op, int64_t dim,
                        std::string message) {
  Finding& found = Report(graph.op(op).location, std::move(message));
  found.op_line = LineOfOp(graph, op, dim);
  return found;
}

double Sink::threshold(std::string_view name) const {
  const auto stated =
      std::ranges::find(info_.thresholds, name, &Threshold::name);
  TW_CHECK(stated != info_.thresholds.end());
  if (settings_ == nullptr) return stated->value;
  const auto configured =
      settings_->thresholds.find(fmt::format("{}.{}", info_.id, name));
  return configured == settings_->thresholds.end() ? stated->value
                                                   : configured->second;
}

}  // namespace tilewise
