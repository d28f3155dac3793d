// The choice of seeds. A weight's dim can be followed through a graph as well
// as the batch can; but it is the batch that comes first in the results of most
// matmuls, forwards and for the gradients of inputs.

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "graph/batch_marks.h"
#include "graph/counters.h"
#include "graph/rebatch.h"

namespace tilewise {
namespace {

// Marks that all tries together may make, in parts of the graph's size.
constexpr size_t kTryBudget = 24;

// The graph has no input with dims: the error names the largest of what it
// computes from.
absl::Status NoInput(const Graph& graph) {
  const Op* largest = nullptr;
  for (const Op& op : graph.ops()) {
    if (!op.operands.empty() || op.shape.rank() == 0) continue;
    const bool is_larger = largest == nullptr || op.shape.elements() > largest->shape.elements();
    if (is_larger) largest = &op;
  }
  const std::string found = "found no input with dims, expected one that has the batch";
  if (largest == nullptr) return InvalidInput(found);
  const std::string location = FormatLocation(largest->location);
  return InvalidInput(fmt::format(
      "{}: the largest of what goes in is {} {}{}{}, which is made in the "
      "model; make it an input where it is the data",
      found, largest->name, FormatShape(largest->shape), location.empty() ? "" : " at ", location));
}

class Guesser {
 public:
  explicit Guesser(const Graph& graph)
      : graph_(graph), marks_(graph), tried_(graph.size(), false) {}

  absl::StatusOr<BatchGuess> Run() {
    if (!graph_.is_static()) {
      return InvalidInput("found dims that depend on the batch already");
    }
    // Recurrent models may have the steps first.
    for (const int64_t dim : {0, 1}) {
      if (!best_) TryAll(dim);
    }
    if (!best_) return failure_.ok() ? NoInput(graph_) : failure_;
    return WithOtherParts();
  }

 private:
  struct Score {
    int64_t products = 0;
    int64_t ops = 0;
    auto operator<=>(const Score&) const = default;
  };

  void TryAll(int64_t dim) {
    const int64_t products =
        std::count_if(graph_.ops().begin(), graph_.ops().end(),
                      [](const Op& op) { return ClassOf(op.kind) == OpClass::kMxu; });
    dim_ = dim;
    spent_ = 0;
    std::fill(tried_.begin(), tried_.end(), false);
    for (const OpId input : Candidates()) {
      if (spent_ > kTryBudget * static_cast<size_t>(graph_.size()) + 4096) {
        break;
      }
      if (!tried_[input]) Try({input, dim});
      if (best_ && 2 * best_score_.products > products) break;
    }
  }

  // Labels and ids come with examples, weights are no integers.
  std::vector<OpId> Candidates() const {
    std::vector<OpId> inputs;
    for (const Op& op : graph_.ops()) {
      if (op.kind == OpKind::kParameter && op.shape.rank() > dim_) {
        inputs.push_back(op.id);
      }
    }
    std::stable_partition(inputs.begin(), inputs.end(),
                          [&](OpId id) { return !IsFloat(graph_.op(id).shape.dtype); });
    return inputs;
  }

  void Try(const BatchSeed& seed) {
    const int64_t batch = graph_.op(seed.parameter).shape.size(dim_);
    marks_.Reset(batch);
    absl::Status status = marks_.Spread(seed);
    if (status.ok()) status = marks_.Check();
    spent_ += marks_.marked().size();
    const Score score = Count();
    if (!status.ok()) {
      if (failure_.ok() || score > failed_) {
        failure_ = Annotate(status, fmt::format("the batch of {} cannot be separated", batch));
        failed_ = score;
      }
    } else if (!best_ || score > best_score_) {
      best_ = seed;
      best_score_ = score;
    }
  }

  // Counts the score and remembers which inputs the seed has led to.
  Score Count(size_t begin = 0) {
    Score score;
    for (const auto& [id, dim] : marks_.marked().subspan(begin)) {
      const Op& op = graph_.op(id);
      if (dim == dim_ && op.kind == OpKind::kParameter) {
        tried_[id] = true;
      }
      // Steps first: the batch is anywhere.
      if (op.operands.empty() || (dim_ == 0 && dim != 0)) continue;
      ++score.ops;
      if (ClassOf(op.kind) == OpClass::kMxu) ++score.products;
    }
    return score;
  }

  // Inputs that the first seed does not lead to, when nothing that they lead to
  // has the batch already: those of another tower, or of a loss alone.
  absl::StatusOr<BatchGuess> WithOtherParts() {
    std::vector<BatchSeed> seeds = {*best_};
    const int64_t batch = graph_.op(best_->parameter).shape.size(dim_);
    marks_.Reset(batch);
    TW_RETURN_IF_ERROR(marks_.Spread(seeds[0]));
    std::vector<bool> taken(tried_.size(), false);  // by op: has a mark
    Take(0, taken);
    std::fill(tried_.begin(), tried_.end(), false);
    for (const OpId input : Candidates()) {
      const bool is_free = !taken[input] && !tried_[input];
      if (!is_free || graph_.op(input).shape.size(dim_) != batch) {
        continue;
      }
      const size_t before = marks_.marked().size();
      const bool is_apart = marks_.Spread({input, dim_}).ok() && !Meets(before, taken);
      Count(before);
      if (is_apart && marks_.Check(before).ok()) {
        seeds.push_back({input, dim_});
        Take(before, taken);
      } else {
        marks_.Shrink(before);
      }
    }
    return marks_.Guess(std::move(seeds));
  }

  void Take(size_t begin, std::vector<bool>& taken) const {
    for (size_t i = begin; i < marks_.marked().size(); ++i) {
      taken[marks_.marked()[i].first] = true;
    }
  }

  bool Meets(size_t begin, const std::vector<bool>& taken) const {
    const auto added = marks_.marked().subspan(begin);
    return std::any_of(added.begin(), added.end(),
                       [&](const auto& mark) { return taken[mark.first]; });
  }

  const Graph& graph_;
  BatchMarks marks_;
  std::vector<bool> tried_;  // by op: inputs that a try has led to
  int64_t dim_ = 0;          // of inputs, that is tried
  size_t spent_ = 0;
  std::optional<BatchSeed> best_;
  Score best_score_;
  absl::Status failure_;
  Score failed_;
};

}  // namespace

// Lays counted numbers out anew where more follows from the batch then.
bool BatchGuess::holds_it_twice() const {
  const auto same = [](const BatchReason& a, const BatchReason& b) { return a.op == b.op; };
  return std::adjacent_find(dims.begin(), dims.end(), same) != dims.end();
}

std::vector<BatchSeed> RowsOfInputs(const Graph& graph) {
  std::vector<BatchSeed> seeds;
  int64_t most_dims = 0;
  for (const Op& op : graph.ops()) {
    if (op.kind != OpKind::kParameter || op.shape.rank() == 0) continue;
    most_dims = std::max<int64_t>(most_dims, op.shape.rank());
    const bool agrees =
        seeds.empty() || op.shape.size(0) == graph.op(seeds[0].parameter).shape.size(0);
    if (!agrees) return {};
    seeds.push_back({op.id, 0});
  }
  // A single example may be a vector.
  if (most_dims < 2) seeds.clear();
  return seeds;
}

absl::StatusOr<BatchGuess> GuessBatch(const Graph& static_graph) {
  absl::StatusOr<BatchGuess> guess = Guesser(static_graph).Run();
  const std::optional<Graph> laid_out = WithCountersLaidOut(static_graph);
  if (!laid_out) return guess;
  absl::StatusOr<BatchGuess> other = Guesser(*laid_out).Run();
  const bool is_more = other.ok() && (!guess.ok() || other->dims.size() > guess->dims.size());
  return is_more ? other : guess;
}

}  // namespace tilewise
