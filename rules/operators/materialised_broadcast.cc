// Flags broadcasts that are written to HBM instead of being fused away.

#include <algorithm>

#include <fmt/format.h>

#include "base/math.h"
#include "rules/cpp/written_layers.h"
#include "rules/host_loop/step_code.h"
#include "rules/operators/source.h"
#include "sim/lowering/layout.h"
#include "workload/blocks.h"

namespace tilewise::OP005 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP005",
    .name = "materialised-broadcast",
    .fix = Applicability::kShow,
    .needs = {.or_cpp = true},
    .summary = "a tensor is copied out many times before it is used",
    .no_saving =
        "where a consumer can broadcast the lowering lets it, and other users are not in the files",
    .doc = R"(
What: a broadcast whose result is at least 8 times its operand and 1 MiB, and
is written to HBM, as for a custom call, with which nothing fuses; or tf.tile,
tf.repeat and tf.broadcast_to in code that runs in every step (info: a consumer
that fuses with it makes it free); in C++ of which no model was read repeat(),
tile() and expand().contiguous() of LibTorch as well. What is only information
is said where the rule is asked for.
Why: elementwise ops and reductions broadcast while they read, for free. A
written broadcast costs HBM space and bandwidth for copies of the same data.
Remedy: leave the size-1 dim and let the consumer broadcast.
Numbers: the padded copies, written once and read once per kernel that uses them
at the HBM's nameplate bandwidth. Of a call: the same for one use, when the
model has the shape of its operand and the source its factors.
Ignore: when the consumer cannot broadcast, for example a concatenation.
Sources: Cloud TPU performance guide, pytorch/xla#3450.)",
};

constexpr int64_t kGrowth = 8;
constexpr Bytes kMinBytes = {int64_t{1} << 20};
constexpr std::string_view kCalls[] = {"tile", "repeat", "broadcast_to",
                                       "keras.backend.repeat_elements"};

// Time to write the broadcast and to read it back, per kernel that does.
Seconds TrafficTime(const Facts& facts, OpId value, Bytes padded) {
  int64_t moves = 0;
  for (const Kernel& kernel : facts.model->program.kernels) {
    moves += std::ranges::count(kernel.outputs, value);
    moves += std::ranges::count(kernel.inputs, value);
  }
  return padded * moves / facts.target.chip.hbm_bandwidth;
}

// The opaque op that reads the value, maybe as another shape; empty: none does.
std::string KernelThatReads(const Graph& graph, OpId value) {
  for (const OpId id : graph.users(value)) {
    const Op& user = graph.op(id);
    if (user.kind == OpKind::kOpaque) return user.as<OpaqueAttrs>().label;
    if (user.kind != OpKind::kReshape && user.kind != OpKind::kTranspose) continue;
    std::string kernel = KernelThatReads(graph, id);
    if (!kernel.empty()) return kernel;
  }
  return "";
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
    const std::string kernel = KernelThatReads(program.graph, op.id);
    Diagnostic& found = sink.Report(
        op.location, "{} is broadcast to {} and written to HBM ({} copies, {}){}, expected {}",
        FormatShape(program.graph.operand(op, 0).shape), FormatShape(op.shape),
        FormatCount(op.shape.elements() / before), FormatBytes(buffer.padded),
        kernel.empty() ? "" : fmt::format(" for {}, with which nothing fuses", kernel),
        kernel.empty() ? "its consumer to broadcast it" : "the kernel to read the one copy");
    found.cost = DeviceCost(facts, time, buffer.padded);
    found.fix.text =
        kernel.empty()
            ? "leave the dim at size 1 and let the next op broadcast it; of a result of the model, "
              "who reads it"
            : "hand the kernel the operand with dims of size 1 and let its block indices repeat "
              "it, or give the kernel what the operand is made of (positions, segment ids) instead";
  }
}

// `x` with dim `dim` `times` as long; none when it has no such dim.
std::optional<Shape> Longer(const Shape& x, int64_t dim, int64_t times) {
  if (dim < 0 || dim >= x.rank() || times < 1) return std::nullopt;
  const auto size = CheckedMul(x.size(dim), times);
  if (!size) return std::nullopt;
  Shape result = x;
  result.dims[dim].factor = *size;
  return result;
}

std::optional<Shape> Tiled(const Shape& x, const std::vector<int64_t>& times) {
  if (static_cast<int64_t>(times.size()) != x.rank()) return std::nullopt;
  std::optional<Shape> result = x;
  for (int64_t dim = 0; result && dim < x.rank(); ++dim) {
    result = Longer(*result, dim, times[dim]);
  }
  return result;
}

// What the call makes of `x`; none when its arguments are not literals.
std::optional<Shape> ResultOf(const SourceCall& call, const Shape& x) {
  if (IsCallOf(call, "tile")) {
    return Tiled(x, LiteralArgument(call, 1, "multiples"));
  }
  if (IsCallOf(call, "broadcast_to")) {
    const std::vector<int64_t> sizes = LiteralArgument(call, 1, "shape");
    if (sizes.empty() || std::ranges::min(sizes) < 1) return std::nullopt;
    return Shape::Of(x.dtype, sizes);
  }
  std::vector<int64_t> times = LiteralArgument(call, 1, "repeats");
  if (times.empty()) times = LiteralArgument(call, 1, "rep");
  const std::vector<int64_t> axis = LiteralArgument(call, 2, "axis");
  if (times.size() != 1 || axis.size() != 1) return std::nullopt;
  return Longer(x, axis[0], times[0]);
}

bool IsAcceptable(const Shape& shape) {
  int64_t elements = 1;
  for (const int64_t size : shape.sizes()) {
    const auto product = CheckedMul(elements, size);
    if (!product || *product > kMaxElements) return false;
    elements = *product;
  }
  return true;
}

// Padded bytes of all results that are large compared with their operand; none when
// one is not known.
std::optional<Bytes> CopiesOf(const Facts& facts, const SourceCall& call) {
  const Chip& chip = facts.target.chip;
  std::optional<Bytes> total;
  for (const Shape& x : OperandShapes(facts, call)) {
    const std::optional<Shape> copy = ResultOf(call, x);
    if (!copy || !IsAcceptable(*copy)) return std::nullopt;
    total = total.value_or(Bytes{});
    if (copy->elements() < kGrowth * x.elements()) continue;
    *total += PaddedBytes(*copy, DefaultLayout(*copy, chip), chip);
  }
  return total;
}

void ReportCall(const Facts& facts, const SourceCall& call, Sink& sink) {
  const std::optional<Bytes> copies = CopiesOf(facts, call);
  if (copies && *copies < kMinBytes) return;
  Diagnostic& found = sink.Report(
      call.location, "{} in {} copies its operand out{}, expected implicit broadcasting", call.name,
      CallerOf(call),
      copies ? fmt::format(" to {} when its consumer does not fuse with it", FormatBytes(*copies))
             : "");
  found.severity = Severity::kInfo;
  if (copies) {
    const Seconds time = *copies * 2 / facts.target.chip.hbm_bandwidth;
    found.cost = DeviceCost(facts, time);
    found.cost.bytes = *copies;
  } else {
    found.cost.unknown = WhyNoShape(facts, "its operand and how often it is copied");
  }
  found.fix.text =
      "drop it where the next op is elementwise or a reduction: a size-1 dim broadcasts by itself";
}

// `x.repeat({1, 8})` and torch::tile(x, ..) of LibTorch, which write the copies; expand() makes a
// view, which contiguous() and clone() write.
bool CopiesInCpp(const SourceCall& call) {
  const std::string_view name = LastName(call.name);
  const bool method = !call.receiver.empty();
  if (!method && !call.name.starts_with("torch.")) return false;
  if (method && (name == "contiguous" || name == "clone")) {
    return Contains(call.receiver, ".expand(") || Contains(call.receiver, ".expand_as(");
  }
  if (name != "repeat" && name != "tile" && name != "repeat_interleave") return false;
  const size_t at = method ? 0 : 1;
  if (call.arguments.size() <= at) return false;
  int64_t copies = 1;
  for (const int64_t times : call.arguments[at].sizes)
    copies *= std::clamp<int64_t>(times, 1, kGrowth);
  return call.arguments[at].sizes.empty() || copies >= kGrowth;
}

void CheckCpp(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  const StepCode code(source);
  for (const SourceCall& call : source.calls) {
    if (!CopiesInCpp(call) || code.At(call.context) == StepCodeKind::kNone) continue;
    Finding& found = sink.Report(
        call.location, "{}() in {} copies its operand out, expected implicit broadcasting",
        LastName(call.name), CallerOf(call));
    found.severity = Severity::kInfo;
    found.cost.unknown = kNoStepInCpp;
    found.fix.text =
        "drop it where the next op is elementwise or a reduction: a size-1 dim broadcasts by "
        "itself";
  }
}

void CheckCalls(const Facts& facts, Sink& sink) {
  for (const SourceCall& call : facts.workload.facts.calls) {
    if (!IsCallOfOne(call, kCalls) || IsFollowed(facts, call)) continue;
    if (RunsInStep(facts, call)) ReportCall(facts, call, sink);
  }
}

void Check(const Facts& facts, Sink& sink) {
  if (facts.model != nullptr) CheckLowered(facts, sink);
  CheckCalls(facts, sink);
  if (SpeaksWithoutModel(facts)) CheckCpp(facts, sink);
}

}  // namespace

TW_RULE(OP005)

}  // namespace tilewise::OP005
