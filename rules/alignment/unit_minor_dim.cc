// Flags large tensors that have a handful of elements in each row of 128 lanes.

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "rules/alignment/padding.h"
#include "rules/layout/channels_first.h"
#include "rules/rewrites.h"
#include "session/forward_values.h"

namespace tilewise::AL007 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "AL007",
    .name = "unit-minor-dim",
    .severity = Severity::kError,
    .fix = Applicability::kShow,
    .needs = {.model = true},
    .summary = "a large tensor holds 1 to 8 elements in each row of lanes",
    .no_saving = "all that reads the tensor would have to take its dims in another order",
    .doc = R"(
What: a tensor of at least 256 KiB of data whose minor dim has 1 to 8 elements, so
that HBM holds it, in 4 MiB or more, at 16 to 128 times its size.
Why: the minor dim is padded to the 128 lanes. [N, 1] takes as much as [N, 128]:
it is stored, moved and worked on so. The compiler puts another dim there when it
may; a gather from a table of short rows, a loop, a reshape or an entry parameter
with a fixed layout does not let it.
Remedy: drop the dim (ids as [N], not [N, 1]); move it outward, so that a large
dim is the minor one; pack several short rows into one.
Ignore: nothing that is written to HBM. Values that live in one fusion are not
reported, nor images of convolutions: the tiles hold their batch and channels,
which AL002 and AL005 speak of.
Numbers: padded and real bytes of the values that the lowered step keeps in HBM;
the time is that of moving the padding once for each kernel that reads or writes
it, at the chip's bandwidth, at most all of these kernels. The saving is that of
a table with several rows in one.
Sources: pytorch/xla#2016 (128 times), flowpm#27 (32 times).)",
    .thresholds = {{"max-size", 8, "largest minor dim that is said"},
                   {"min-expansion", 16, "padded over real bytes from which it is said"}},
};

constexpr Bytes kMinBytes = {int64_t{256} << 10};  // of real data

// Values of one op of the model.
struct Waste : PaddingWaste {
  std::set<OpId> values;
};

// Returns the time of the kernels that read or write the values: padding costs
// no more than all of them, as a lookup reads a few rows.
Seconds TimeOfKernels(const Facts& facts, const std::set<OpId>& values) {
  Seconds time;
  const std::vector<Kernel>& kernels = facts.model->program.kernels;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const auto touches = [&](const std::vector<OpId>& list) {
      return std::ranges::any_of(list, [&](OpId value) { return values.contains(value); });
    };
    if (!touches(kernels[i].inputs) && !touches(kernels[i].outputs)) continue;
    time += facts.model->spans[i].duration;
  }
  return time;
}

bool HasShortRows(const Program& program, const Buffer& buffer, int64_t max_size,
                  double min_expansion) {
  const Op& op = program.graph.op(buffer.value);
  const int64_t minor = LaneDim(program.layouts[buffer.value]);
  if (minor < 0 || op.shape.rank() < 2 || op.shape.size(minor) > max_size) {
    return false;
  }
  return static_cast<double>(buffer.padded.value) >=
         min_expansion * static_cast<double>(buffer.unpadded.value);
}

// Collects by location, so that a value and its gradient are one.
std::map<Location, Waste> Collect(const Facts& facts, const Sink& sink) {
  std::map<Location, Waste> wastes;
  const Program& program = facts.model->program;
  // Their batch and channels have to be in the tiles: AL002, AL005.
  const std::vector<bool> image = ConvolutionImages(program.graph);
  const auto max_size = static_cast<int64_t>(sink.threshold("max-size"));
  for (const Buffer& buffer : program.buffers) {
    if (buffer.value == kNoOp || buffer.never_in_hbm()) continue;
    if (buffer.unpadded < kMinBytes) continue;
    if (image[buffer.value]) continue;
    if (TouchesOpaque(program.graph, buffer.value)) continue;
    if (!HasShortRows(program, buffer, max_size, sink.threshold("min-expansion"))) {
      continue;
    }
    Waste& waste = wastes[program.graph.op(buffer.value).location];
    const Seconds time = (buffer.padded - buffer.unpadded) *
                         std::max<int64_t>(1, MovesOf(program, buffer.value)) /
                         facts.target.chip.hbm_bandwidth;
    waste.Add({buffer.padded, buffer.unpadded, time, &buffer});
    waste.values.insert(buffer.value);
  }
  for (auto& [location, waste] : wastes) {
    waste.time = std::min(waste.time, TimeOfKernels(facts, waste.values));
  }
  return wastes;
}

// The op that forces the order, if one that reads the value does.
std::string ForcedBy(const Graph& graph, OpId value) {
  for (const OpId id : graph.users(value)) {
    const Op& user = graph.op(id);
    const bool forces = ClassOf(user.kind) == OpClass::kIndex || user.kind == OpKind::kReshape ||
                        ClassOf(user.kind) == OpClass::kRecurrent;
    if (forces) return fmt::format(", as {} reads it", user.name);
  }
  return "";
}

std::string Advice(const Graph& graph, const Op& op, int64_t minor) {
  const int64_t size = op.shape.size(minor);
  if (size == 1) {
    return "drop that dim (squeeze it, [N] instead of [N, 1]), so that a large dim is the minor "
           "one";
  }
  const bool is_table = std::ranges::any_of(
      graph.users(op.id), [&](OpId id) { return graph.op(id).kind == OpKind::kGather; });
  if (is_table) {
    return fmt::format(
        "pack several rows of {} into one of 128 and pick the part after the lookup, or use wider "
        "rows",
        size);
  }
  return "move that dim outward (transpose where the tensor is made), so that a large dim is the "
         "minor one";
}

void Report(const Facts& facts, const Location& location, const Waste& waste, Sink& sink) {
  const Program& program = facts.model->program;
  const Op& op = program.graph.op(waste.largest->value);
  const int64_t minor = LaneDim(program.layouts[op.id]);
  Finding& found = sink.Report(
      location,
      "{} has {} in each row of {} lanes, so {} take {} in HBM ({:.0f} times){}, expected a large "
      "minor dim (simulated on {})",
      LaidOut(program, op.id),
      op.shape.size(minor) == 1 ? "1 element" : fmt::format("{} elements", op.shape.size(minor)),
      facts.target.chip.lanes, FormatBytes(waste.unpadded), FormatBytes(waste.padded),
      waste.ratio(), ForcedBy(program.graph, op.id), facts.target.chip.name);
  if (op.origin != kNoOp && op.origin < facts.source->size()) {
    const bool same = facts.source->op(op.origin).shape.dims == op.shape.dims;
    found.op_line = LineOfOp(*facts.source, op.origin, same ? minor : -1);
  }
  found.cost = DeviceCost(facts, waste.time, waste.bytes());
  found.fix.text = Advice(program.graph, op, minor);
  if (found.op_line && op.shape.size(minor) > 1) {
    found.change = PackedRows(*facts.source, op.origin, facts.target.chip.lanes);
  }
}

void Check(const Facts& facts, Sink& sink) {
  for (const auto& [location, waste] : Collect(facts, sink)) {
    if (!location.known()) continue;
    if (!facts.WorthSaying(waste.time, waste.bytes())) continue;
    Report(facts, location, waste, sink);
  }
}

}  // namespace

TW_RULE(AL007)

}  // namespace tilewise::AL007
