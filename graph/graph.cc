// Users of each op, and the graph at a known batch size.

#include "graph/graph.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/math.h"

namespace tilewise {
namespace {

// Returns whether the shape has at most kMaxElements elements at this batch
// size.
bool Fits(const Shape& shape, int64_t batch) {
  int64_t elements = 1;
  for (const Dim& dim : shape.dims) {
    std::optional<int64_t> next = CheckedMul(elements, dim.factor);
    if (next && dim.per_batch) next = CheckedMul(*next, batch);
    if (!next || *next > kMaxElements) return false;
    elements = *next;
  }
  return true;
}

void BindOp(Op& op, const Shape* first_operand, int64_t batch) {
  op.shape = op.shape.Bound(batch);
  if (op.kind != OpKind::kSlice && op.kind != OpKind::kGatherSlices) return;
  std::vector<int64_t>& sizes =
      op.kind == OpKind::kSlice ? op.edit<SliceAttrs>().limits : op.edit<SlicesAttrs>().slice_sizes;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    if (sizes[dim] == kWholeDim) sizes[dim] = first_operand->dims[dim].factor;
  }
}

}  // namespace

std::span<const OpId> Graph::users(OpId id) const {
  TW_CHECK(id >= 0 && id < size());
  const size_t i = id;
  const size_t begin = users_begin_[i];
  const size_t end = users_begin_[i + 1];
  return std::span<const OpId>(users_).subspan(begin, end - begin);
}

bool Graph::is_static() const {
  return std::all_of(ops_.begin(), ops_.end(), [](const Op& op) { return op.shape.is_static(); });
}

Graph Graph::Bind(int64_t batch) const {
  TW_CHECK(CheckBindable(*this, batch).ok());
  Graph bound = *this;
  for (Op& op : bound.ops_) {
    const Shape* first = op.operands.empty() ? nullptr : &bound.operand(op, 0).shape;
    BindOp(op, first, batch);
  }
  return bound;
}

void Graph::MapOrigins(const std::vector<OpId>& origins) {
  for (Op& op : ops_) {
    if (op.origin != kNoOp) op.origin = origins[op.origin];
  }
}

int64_t Graph::trainable_parameters() const {
  int64_t sum = 0;
  for (const Op& op : ops_) {
    if (op.kind != OpKind::kVariable || !op.as<VariableAttrs>().trainable) continue;
    if (__builtin_add_overflow(sum, op.shape.elements(), &sum)) {
      return std::numeric_limits<int64_t>::max();
    }
  }
  return sum;
}

// Counts the users of each op, turns the counts into offsets, then fills the
// slots in order of the users.
void Graph::IndexUsers() {
  std::vector<OpId> last_user(ops_.size(), kNoOp);
  const auto uses = [&](const Op& op, auto&& visit) {
    for (const OpId id : op.operands) {
      if (last_user[id] == op.id) continue;
      last_user[id] = op.id;
      visit(id);
    }
  };
  users_begin_.assign(ops_.size() + 1, 0);
  for (const Op& op : ops_) {
    uses(op, [&](OpId id) { ++users_begin_[id + 1]; });
  }
  for (size_t i = 0; i < ops_.size(); ++i) {
    users_begin_[i + 1] += users_begin_[i];
  }
  std::vector<int32_t> next(users_begin_.begin(), users_begin_.end() - 1);
  users_.assign(users_begin_.back(), kNoOp);
  last_user.assign(ops_.size(), kNoOp);
  for (const Op& op : ops_) {
    uses(op, [&](OpId id) { users_[next[id]++] = op.id; });
  }
}

absl::Status CheckBindable(const Graph& graph, int64_t batch) {
  if (batch < 1) {
    return InvalidInput(fmt::format("found batch size {}, expected 1 or more", batch));
  }
  for (const Op& op : graph.ops()) {
    if (Fits(op.shape, batch)) continue;
    const std::string location = FormatLocation(op.location);
    return InvalidInput(fmt::format(
        "{}{}{}: found {} at batch size {}, expected at most {} elements", location,
        location.empty() ? "" : ": ", op.name, FormatShape(op.shape), batch, kMaxElements));
  }
  return absl::OkStatus();
}

}  // namespace tilewise
