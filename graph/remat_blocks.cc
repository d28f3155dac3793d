// Cuts by the last use of each value: an op ends a block when no other value
// made so far is used later. Cuts within one named layer are dropped, and what
// follows the last layer (its norm) is no part of it: the layer hands out its result.

#include "graph/remat_blocks.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace tilewise {
namespace {

// A stretch with more matmuls than this is cut again with the value it
// starts from exempt: residual blocks have up to a dozen.
constexpr int64_t kLongStretch = 16;

// "layer1/output" of "layer1/output/add", and "layer1" of that.
std::string_view Parent(std::string_view path) {
  const size_t end = path.rfind('/');
  return end == std::string_view::npos ? std::string_view() : path.substr(0, end);
}

// Whether `path` is a part of `layer`, on whatever level: "layer1/shared/down"
// of "layer1".
bool IsPartOf(std::string_view path, std::string_view layer) {
  return path.size() > layer.size() && path.starts_with(layer) && path[layer.size()] == '/';
}

bool IsHeavy(OpKind kind) {
  return ClassOf(kind) == OpClass::kMxu || kind == OpKind::kAttention ||
         kind == OpKind::kFlashAttention || kind == OpKind::kRecurrent;
}

class Cutter {
 public:
  explicit Cutter(const Graph& forward)
      : forward_(forward),
        last_use_(forward_.size(), kNoOp),
        flows_(forward_.size(), false),
        exempt_(forward_.size(), false) {
    FindFlow();
    FindLastUses();
  }

  std::vector<RematBlock> Run() {
    std::vector<OpId> cuts;
    CutStretch(0, OpId(forward_.size()), cuts);
    cuts = EndsOfLayers(cuts);
    std::vector<RematBlock> blocks;
    OpId begin = 0;
    for (const OpId cut : cuts) {
      RematBlock block;
      for (OpId id = begin; id <= cut; ++id) {
        if (flows_[id]) block.ops.push_back(id);
      }
      blocks.push_back(std::move(block));
      begin = cut + 1;
    }
    return blocks;
  }

 private:
  // Returns the last of the cuts in the same layer ("layer1": after attention,
  // after the dense layers), as a layer as a whole is what is checkpointed. A
  // layer that is used again starts when a part of it comes a second time.
  std::vector<OpId> EndsOfLayers(const std::vector<OpId>& cuts) const {
    std::vector<OpId> ends;
    std::set<std::string_view> parts;
    for (size_t i = 0; i < cuts.size(); ++i) {
      const std::string_view part = Parent(forward_.op(cuts[i]).name);
      parts.insert(part);
      const std::string_view next =
          i + 1 < cuts.size() ? Parent(forward_.op(cuts[i + 1]).name) : std::string_view();
      const bool goes_on =
          !Parent(part).empty() && IsPartOf(next, Parent(part)) && !parts.contains(next);
      if (goes_on || (i + 1 < cuts.size() && AreOfOneIteration(cuts[i], cuts[i + 1]))) continue;
      ends.push_back(cuts[i]);
      parts.clear();
    }
    return ends;
  }

  // The body of a scan over layers is checkpointed as a whole.
  bool AreOfOneIteration(OpId a, OpId b) const {
    const EnclosingLoop& loop = forward_.op(a).loop;
    return loop.is_one_trip() && loop == forward_.op(b).loop &&
           loop.layer == forward_.op(b).loop.layer;
  }

  // What a matmul of the data leads to, or rows that were looked up.
  void FindFlow() {
    std::vector<bool> has_data(forward_.size(), false);
    for (const Op& op : forward_.ops()) {
      has_data[op.id] = op.kind == OpKind::kParameter;
      for (const OpId operand : op.operands) {
        has_data[op.id] = has_data[op.id] || has_data[operand];
        flows_[op.id] = flows_[op.id] || flows_[operand] ||
                        (forward_.op(operand).kind == OpKind::kGather && has_data[operand]);
      }
      flows_[op.id] = flows_[op.id] || (has_data[op.id] && IsHeavy(op.kind));
    }
  }

  void FindLastUses() {
    for (const Op& op : forward_.ops()) {
      for (const OpId operand : op.operands) last_use_[operand] = op.id;
    }
    for (const Output& output : forward_.outputs()) {
      last_use_[output.value] = OpId(forward_.size());
    }
  }

  // Appends the ops of [begin, end) that end a block.
  void CutStretch(OpId begin, OpId end, std::vector<OpId>& cuts) {
    std::vector<OpId> found;
    OpId candidate = kNoOp;
    std::string_view layer;  // of the newest matmul
    OpId end_of_layer = kNoOp;
    OpId reach = kNoOp;  // the last use of any value but the newest
    int64_t heavy = 0;
    for (OpId id = begin; id < end; ++id) {
      const Op& op = forward_.op(id);
      if (!flows_[id] || exempt_[id]) continue;
      if (IsHeavy(op.kind)) {
        if (heavy > 0 && candidate != kNoOp) {
          found.push_back(end_of_layer != kNoOp ? end_of_layer : candidate);
          heavy = 0;
        }
        candidate = end_of_layer = kNoOp;
        layer = Parent(Parent(op.name));
        ++heavy;
      }
      if (reach <= id && last_use_[id] > id) {
        candidate = id;
        if (!layer.empty() && IsPartOf(op.name, layer)) end_of_layer = id;
      }
      reach = std::max(reach, last_use_[id]);
    }
    AddCuts(begin, end, found, cuts);
  }

  // `found` and, within long stretches between them, further cuts.
  void AddCuts(OpId begin, OpId end, const std::vector<OpId>& found, std::vector<OpId>& cuts) {
    OpId from = begin;
    for (size_t i = 0; i <= found.size(); ++i) {
      const OpId to = i < found.size() ? found[i] + 1 : end;
      const OpId entry = i > 0 ? found[i - 1] : kNoOp;
      if (entry != kNoOp && Heavy(from, to) > kLongStretch) {
        exempt_[entry] = true;
        CutStretch(from, to, cuts);
      }
      if (i < found.size() && (cuts.empty() || cuts.back() < found[i])) {
        cuts.push_back(found[i]);
      }
      from = to;
    }
  }

  int64_t Heavy(OpId begin, OpId end) const {
    int64_t heavy = 0;
    for (OpId id = begin; id < end; ++id) {
      if (IsHeavy(forward_.op(id).kind)) ++heavy;
    }
    return heavy;
  }

  const Graph& forward_;
  std::vector<OpId> last_use_;  // by op; size(): leaves the graph
  std::vector<bool> flows_;     // by op: depends on a matmul of data
  std::vector<bool> exempt_;    // by op: may be used later than a cut
};

}  // namespace

std::vector<RematBlock> FindRematBlocks(const Graph& forward) { return Cutter(forward).Run(); }

}  // namespace tilewise
