// A worklist of ops around a newly marked dim: each carries marks between the
// dims that it links, and a reshape to the dim whose strides the batch falls
// into. Every dim is marked at most once.

#include "graph/batch_marks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tilewise {
namespace {

// Elements between neighbours along `dim`.
int64_t StrideOf(const Shape& shape, int64_t dim) {
  int64_t stride = 1;
  for (int64_t i = dim + 1; i < shape.rank(); ++i) stride *= shape.size(i);
  return stride;
}

std::string Described(const Op& op) { return fmt::format("{} {}", op.name, FormatShape(op.shape)); }

}  // namespace

BatchMarks::BatchMarks(const Graph& graph) : graph_(graph) {
  begin_.reserve(static_cast<size_t>(graph.size()) + 1);
  size_t count = 0;
  for (const Op& op : graph.ops()) {
    begin_.push_back(count);
    count += op.shape.dims.size();
  }
  begin_.push_back(count);
  marks_.resize(count);
  queued_.assign(graph.size(), false);
}

void BatchMarks::Reset(int64_t batch, Followed followed) {
  Shrink(0);
  batch_ = batch;
  followed_ = followed;
}

void BatchMarks::Shrink(size_t count) {
  for (size_t i = count; i < marked_.size(); ++i) {
    const auto& [op, dim] = marked_[i];
    marks_[begin_[op] + static_cast<size_t>(dim)] = {};
  }
  marked_.resize(count);
  for (const OpId id : queue_) queued_[id] = false;
  queue_.clear();
}

bool BatchMarks::any(OpId op) const {
  const size_t i = op;
  for (size_t at = begin_[i]; at < begin_[i + 1]; ++at) {
    if (marks_[at].inner != 0) return true;
  }
  return false;
}

bool BatchMarks::touches(const Op& op) const {
  return any(op.id) ||
         std::any_of(op.operands.begin(), op.operands.end(), [&](OpId id) { return any(id); });
}

absl::Status BatchMarks::Stopped(const Op& op, const std::string& why) const {
  const std::string location = FormatLocation(op.location);
  return InvalidInput(
      fmt::format("{}{}{}: {}", location, location.empty() ? "" : ": ", op.name, why));
}

void BatchMarks::Queue(OpId op) {
  if (queued_[op]) return;
  queued_[op] = true;
  queue_.push_back(op);
}

absl::Status BatchMarks::CheckLeaf(const Op& op, int64_t dim, const Source& source) const {
  if (source.via == kNoOp) return absl::OkStatus();
  if (followed_ == Followed::kWidth && op.kind == OpKind::kParameter) {
    return Stopped(graph_.op(source.via),
                   fmt::format("dim {} of the input {} would have to change "
                               "with dim {} of {}",
                               dim, Described(op), source.dim, Described(graph_.op(source.from))));
  }
  if (followed_ == Followed::kBatch && op.kind == OpKind::kVariable) {
    return Stopped(graph_.op(source.via),
                   fmt::format("dim {} of the variable {} is the batch, as dim "
                               "{} of {}",
                               dim, Described(op), source.dim, Described(graph_.op(source.from))));
  }
  return absl::OkStatus();
}

absl::Status BatchMarks::Mark(OpId id, int64_t dim, int64_t inner, const Source& source) {
  BatchMark& mark = marks_[begin_[id] + static_cast<size_t>(dim)];
  if (mark.inner != 0) return absl::OkStatus();
  const Op& op = graph_.op(id);
  TW_RETURN_IF_ERROR(CheckLeaf(op, dim, source));
  if (op.shape.size(dim) % (batch_ * inner) != 0) {
    if (source.via == kNoOp) {
      return Stopped(op, fmt::format("dim {} of {} is no multiple of the batch of {}", dim,
                                     Described(op), batch_));
    }
    return Stopped(graph_.op(source.via),
                   fmt::format("dim {} of {} is no multiple of the batch, but "
                               "dim {} of {} is",
                               dim, Described(op), source.dim, Described(graph_.op(source.from))));
  }
  mark = {inner, source.via, source.from, static_cast<int32_t>(source.dim)};
  marked_.emplace_back(id, dim);
  if (batch_ > 1) Queue(id);
  for (const OpId user : graph_.users(id)) Queue(user);
  return absl::OkStatus();
}

absl::Status BatchMarks::Spread(const BatchSeed& seed) {
  TW_RETURN_IF_ERROR(Mark(seed.parameter, seed.dim, 1, {}));
  while (!queue_.empty()) {
    const OpId next = queue_.front();
    queue_.pop_front();
    queued_[next] = false;
    const Op& op = graph_.op(next);
    TW_RETURN_IF_ERROR(op.kind == OpKind::kReshape ? FollowReshape(op) : Follow(op));
  }
  return absl::OkStatus();
}

absl::Status BatchMarks::Follow(const Op& op) {
  FindLinks(graph_, op, links_);
  if (followed_ == Followed::kPositions) LinkPositions(graph_, op, links_);
  for (size_t i = 0; i < links_.size(); ++i) {
    const std::span<const DimSlot> group = links_.group(i);
    const auto found = std::find_if(group.begin(), group.end(), [&](const DimSlot& slot) {
      return holds(ValueOf(op, slot), slot.dim);
    });
    if (found == group.end()) continue;
    const OpId from = ValueOf(op, *found);
    const int64_t inner = at(from, found->dim).inner;
    for (const DimSlot& slot : group) {
      if (batch_ == 1 && slot.operand != DimSlot::kResult) continue;
      TW_RETURN_IF_ERROR(Mark(ValueOf(op, slot), slot.dim, inner, {op.id, from, found->dim}));
    }
  }
  return absl::OkStatus();
}

// False: a longer array is written part by part along that dim, of which this
// is one, as the results of the iterations of a loop are.
bool BatchMarks::IsWhole(OpId value, int64_t dim) const {
  return std::ranges::none_of(graph_.users(value), [&](OpId id) {
    const Op& user = graph_.op(id);
    return user.kind == OpKind::kDynamicUpdateSlice && user.operands[1] == value &&
           graph_.operand(user, 0).shape.size(dim) > 1;
  });
}

// Only one dim has strides that the batch falls into, unless the batch is 1:
// then a dim of size 1 is taken, best at the same index.
std::optional<int64_t> BatchMarks::Holder(const Shape& from, int64_t dim, int64_t inner, OpId value,
                                          int64_t& inner_there) const {
  const Shape& to = graph_.op(value).shape;
  const int64_t low = inner * StrideOf(from, dim);
  std::optional<int64_t> best;
  bool best_is_one = false;
  int64_t stride = 1;
  for (int64_t i = to.rank() - 1; i >= 0; --i) {
    const int64_t end = stride * to.size(i);
    const bool fits = low % stride == 0 && end % (low * batch_) == 0 && end >= low * batch_;
    const bool is_one = to.size(i) == 1;
    const bool is_whole = batch_ > 1 || !is_one || IsWhole(value, i);
    const bool is_better =
        !best || (is_one && (!best_is_one || *best != dim)) || (!is_one && !best_is_one);
    if (fits && is_whole && is_better) {
      best = i;
      best_is_one = is_one;
      inner_there = low / stride;
    }
    stride = end;
  }
  return best;
}

absl::Status BatchMarks::CarryOver(const Op& op, OpId from, OpId to) {
  const Shape& a = graph_.op(from).shape;
  const Shape& b = graph_.op(to).shape;
  std::vector<int64_t> origin(b.dims.size(), -1);
  for (int64_t dim = 0; dim < a.rank(); ++dim) {
    if (!holds(from, dim)) continue;
    int64_t inner = 0;
    const std::optional<int64_t> there = Holder(a, dim, at(from, dim).inner, to, inner);
    if (!there) {
      return Stopped(op, fmt::format("reshape {} -> {} spreads dim {} of the "
                                     "first, a batch of {}, over several dims",
                                     FormatShape(graph_.operand(op, 0).shape),
                                     FormatShape(op.shape), dim, batch_));
    }
    int64_t& earlier = origin[*there];
    if (earlier >= 0) {
      return Stopped(op, fmt::format("reshape {} -> {} merges dims {} and {}, "
                                     "which both hold the batch",
                                     FormatShape(a), FormatShape(b), earlier, dim));
    }
    earlier = dim;
    TW_RETURN_IF_ERROR(Mark(to, *there, inner, {op.id, from, dim}));
  }
  return absl::OkStatus();
}

absl::Status BatchMarks::FollowReshape(const Op& op) {
  TW_RETURN_IF_ERROR(CarryOver(op, op.operands[0], op.id));
  return batch_ == 1 ? absl::OkStatus() : CarryOver(op, op.id, op.operands[0]);
}

}  // namespace tilewise
