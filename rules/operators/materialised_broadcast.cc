// Flags broadcasts that are written to HBM instead of being fused away.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "rules/operators/source_calls.h"

namespace tilewise {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP005",
    .name = "materialised-broadcast",
    .severity = Severity::kWarning,
    .fix = Applicability::kShow,
    .summary = "a tensor is copied out many times before it is used",
    .doc = R"(
What: a broadcast whose result is at least 8 times its operand and 1 MiB, and
is written to HBM; or tf.tile, tf.repeat and tf.broadcast_to in code that runs
in every step (info: the size is not known from the source).
Why: elementwise ops and reductions broadcast while they read, for free. A
written broadcast costs HBM space and bandwidth for copies of the same data.
Remedy: leave the size-1 dim and let the consumer broadcast.
Ignore: when the consumer cannot broadcast, for example a concatenation.
Sources: Cloud TPU performance guide, pytorch/xla#3450.)",
};

constexpr int64_t kGrowth = 8;
constexpr Bytes kMinBytes = {int64_t{1} << 20};
constexpr std::array<std::string_view, 4> kCalls = {
    "tile", "repeat", "broadcast_to", "keras.backend.repeat_elements"};

// Time to write the broadcast and to read it back, per kernel that does.
Seconds TrafficTime(const Facts& facts, OpId value, Bytes padded) {
  int64_t moves = 0;
  for (const Kernel& kernel : facts.model->program.kernels) {
    moves += std::ranges::count(kernel.outputs, value);
    moves += std::ranges::count(kernel.inputs, value);
  }
  return padded * moves / facts.target.chip.hbm_bandwidth;
}

void CheckLowered(const Facts& facts, Sink& sink) {
  const Program& program = facts.model->program;
  for (const Buffer& buffer : program.buffers) {
    if (buffer.value == kNoOp || buffer.padded < kMinBytes) continue;
    const Op& op = program.graph.op(buffer.value);
    if (op.kind != OpKind::kBroadcast || op.phase != Phase::kForward) continue;
    if (!op.location.known()) continue;
    const int64_t before = program.graph.operand(op, 0).shape.elements();
    if (before <= 1 || op.shape.elements() < kGrowth * before) continue;
    const Seconds time = TrafficTime(facts, op.id, buffer.padded);
    Diagnostic& found = sink.Report(
        op.location,
        fmt::format("{} is broadcast to {} and written to HBM ({}), expected "
                    "its consumer to broadcast it",
                    FormatShape(program.graph.operand(op, 0).shape),
                    FormatShape(op.shape), FormatBytes(buffer.padded)));
    found.cost.time_per_step = time;
    found.cost.share_of_step = time / facts.StepTime();
    found.cost.bytes = buffer.padded;
    found.fix.text = "leave the dim at size 1 and let the next op broadcast it";
  }
}

void CheckCalls(const Facts& facts, Sink& sink) {
  for (const SourceCall& call : facts.workload.facts.calls) {
    if (!RunsInStep(call)) continue;
    const bool copies = std::ranges::any_of(
        kCalls,
        [&call](std::string_view name) { return IsCallOf(call, name); });
    if (!copies) continue;
    Diagnostic& found = sink.Report(
        call.location,
        fmt::format("{} in {}() copies its operand out, expected implicit "
                    "broadcasting; sizes are not known from the source",
                    call.name, call.function));
    found.severity = Severity::kInfo;
    found.fix.text =
        "drop it where the next op is elementwise or a reduction: a size-1 "
        "dim broadcasts by itself";
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model != nullptr) CheckLowered(facts, sink);
  CheckCalls(facts, sink);
}

}  // namespace

TW_RULE(OP005)

}  // namespace tilewise
