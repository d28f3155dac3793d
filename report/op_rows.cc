// Groups the kernels of a step by the layer of the user's model that they came
// from: forward, backward and what fused into them. The optimizer's update and
// the gradient all-reduce belong to no layer and get rows of their own. Splits
// the step and each of its kernels into what the time was spent on.

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "base/check.h"
#include "report/report.h"

namespace tilewise {
namespace {

constexpr size_t kBounds = static_cast<size_t>(Bound::kHostLink) + 1;

struct Group {
  OpRow row;
  double useful_flops = 0, padded_flops = 0;
  Seconds mxu_useful;
  Bytes padded, unpadded;
  std::array<Seconds, kBounds> by_bound;
  Seconds longest;  // of its kernels
};

// The op of the forward graph that the kernel was made for; null if none.
const Op* OriginOf(const Kernel& kernel, const Graph& source) {
  if (kernel.origin < 0 || kernel.origin >= source.size()) return nullptr;
  return &source.op(kernel.origin);
}

// The layer of each kernel. Layers come from the location's item; ops without
// one are named up to the first slash, and further where most of the step would
// be one layer: a model within a model.
class Layers {
 public:
  Layers(const Program& program, const Timeline& timeline, const Graph& source) : source_(source) {
    for (const KernelSpan& span : timeline.spans) {
      const Op* op = LayeredOp(program.kernels[span.kernel]);
      if (op == nullptr || !op->location.item.empty()) continue;
      step_ += span.duration;
      for (size_t end = op->name.find('/'); end != std::string::npos;
           end = op->name.find('/', end + 1)) {
        times_[op->name.substr(0, end)] += span.duration;
      }
    }
  }

  // Layer or op; "optimizer", "loss", the name of a collective, or "other" for
  // what belongs to none.
  std::string NameOf(const Kernel& kernel) const {
    if (kernel.kind == KernelKind::kCollective) {
      return std::string(OpName(kernel.collective));
    }
    if (kernel.phase == Phase::kUpdate) return "optimizer";
    if (kernel.phase == Phase::kLoss) return "loss";
    const Op* op = LayeredOp(kernel);
    return op != nullptr ? LayerOf(*op) : "other";
  }

 private:
  // Returns null for kernels that belong to no layer.
  const Op* LayeredOp(const Kernel& kernel) const {
    const bool of_layers = kernel.kind != KernelKind::kCollective &&
                           kernel.phase != Phase::kUpdate && kernel.phase != Phase::kLoss;
    return of_layers ? OriginOf(kernel, source_) : nullptr;
  }

  std::string LayerOf(const Op& op) const {
    constexpr std::string_view kPrefix = "layer ";
    constexpr double kMostOfStep = 0.5;
    const std::string& item = op.location.item;
    if (!item.empty()) {
      return item.starts_with(kPrefix) ? item.substr(kPrefix.size()) : item;
    }
    size_t end = op.name.find('/');
    while (end != std::string::npos) {
      const size_t next = op.name.find('/', end + 1);
      const auto time = times_.find(op.name.substr(0, end));
      const bool most = time != times_.end() && time->second > kMostOfStep * step_;
      if (next == std::string::npos || !most) break;
      end = next;
    }
    return op.name.substr(0, end);
  }

  const Graph& source_;
  std::map<std::string, Seconds> times_;  // by the starts of names
  Seconds step_;
};

// "convolution 3x3", "max pool 2x2", "dot".
std::string DescribeOp(const Op& op) {
  const auto with_window = [&](std::string text) {
    std::string_view separator = " ";
    for (const WindowDim& dim : WindowOf(op).window) {
      text += fmt::format("{}{}", std::exchange(separator, "x"), dim.size);
    }
    return text;
  };
  if (op.kind == OpKind::kReduceWindow) {
    const bool max = op.as<PoolAttrs>().reducer == Reducer::kMax;
    return with_window(max ? "max pool" : "average pool");
  }
  if (op.kind == OpKind::kConvolution) return with_window("convolution");
  if (op.kind == OpKind::kOpaque) return op.as<OpaqueAttrs>().label;
  return std::string(OpName(op.kind));
}

std::string KindOf(const Kernel& kernel, const Op* source, const Program& program) {
  if (kernel.kind == KernelKind::kCollective) return "collective";
  if (kernel.phase == Phase::kUpdate) return "update";
  if (source != nullptr) return DescribeOp(*source);
  return DescribeOp(program.graph.op(kernel.root));
}

void AddBytes(const Kernel& kernel, const Program& program, const Chip& chip, Group& group) {
  for (const OpId id : kernel.outputs) {
    const Shape& shape = program.graph.op(id).shape;
    const Layout& layout = program.layouts[id];
    group.padded += PaddedBytes(shape, layout, chip);
    group.unpadded += shape.unpadded_bytes();
  }
}

void AddSpan(const KernelSpan& span, const Kernel& kernel, Group& group) {
  OpRow& row = group.row;
  switch (kernel.phase) {
    case Phase::kForward:
    case Phase::kLoss:
      row.forward += span.duration;
      break;
    case Phase::kBackward:
      row.backward += span.duration;
      break;
    case Phase::kUpdate:
      row.update += span.duration;
      break;
  }
  group.useful_flops += kernel.matrix.useful_flops;
  group.padded_flops += kernel.matrix.padded_flops;
  group.mxu_useful += span.mxu_useful;
  group.by_bound[static_cast<size_t>(span.bound)] += span.duration;
}

double Ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

OpRow Finish(const Group& group, Seconds step) {
  OpRow row = group.row;
  const Seconds total = row.total();
  row.share = Ratio(total.value, step.value);
  row.mxu_use = Ratio(group.mxu_useful.value, total.value);
  if (group.useful_flops > 0) {
    row.padding = group.padded_flops / group.useful_flops;
  } else if (group.unpadded.value > 0) {
    row.padding =
        Ratio(static_cast<double>(group.padded.value), static_cast<double>(group.unpadded.value));
  }
  const auto most = std::max_element(group.by_bound.begin(), group.by_bound.end());
  row.bound = static_cast<Bound>(most - group.by_bound.begin());
  return row;
}

}  // namespace

std::vector<OpRow> MakeOpRows(const Program& program, const Timeline& timeline, const Graph& source,
                              const Target& target) {
  const Layers layers(program, timeline, source);
  std::map<std::string, Group> groups;
  for (const KernelSpan& span : timeline.spans) {
    const Kernel& kernel = program.kernels[span.kernel];
    const Op* op = OriginOf(kernel, source);
    const std::string name = layers.NameOf(kernel);
    Group& group = groups[name];
    group.row.name = name;
    AddSpan(span, kernel, group);
    group.row.split += SplitKernel(kernel, span, target.chip);
    AddBytes(kernel, program, target.chip, group);
    if (group.row.kind.empty() || span.duration > group.longest) {
      group.longest = span.duration;
      group.row.kind = KindOf(kernel, op, program);
      if (op != nullptr && kernel.phase != Phase::kUpdate &&
          kernel.kind != KernelKind::kCollective) {
        group.row.location = op->location;
      }
    }
  }
  std::vector<OpRow> rows;
  for (const auto& [name, group] : groups) {
    rows.push_back(Finish(group, timeline.step));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const OpRow& a, const OpRow& b) { return a.total() > b.total(); });
  return rows;
}

void AddLosses(const Graph& source, const Target& target, Report& report) {
  TW_CHECK(report.program && report.timeline);
  const Program& program = *report.program;
  report.split = SplitStep(program, *report.timeline, target.chip);
  if (report.loop) report.split = SplitWallStep(*report.split, *report.loop);
  report.kernels.clear();
  const Layers layers(program, *report.timeline, source);
  for (const KernelSpan& span : report.timeline->spans) {
    const Kernel& kernel = program.kernels[span.kernel];
    report.kernels.push_back({.name = kernel.name,
                              .layer = layers.NameOf(kernel),
                              .kind = kernel.kind,
                              .phase = kernel.phase,
                              .start = span.start,
                              .duration = span.duration,
                              .overlapped = kernel.overlappable,
                              .bound = span.bound,
                              .split = SplitKernel(kernel, span, target.chip),
                              .roofline = RooflineOf(kernel, span, target.chip)});
  }
}

}  // namespace tilewise
