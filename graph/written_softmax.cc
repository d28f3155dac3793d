// Softmax is exp(x - max(x)) / sum(exp(x - max(x))).

#include "graph/written_softmax.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"
#include "graph/moments.h"

namespace tilewise {
namespace {

constexpr int64_t kNowhere = -1;

// Wider types hold the same value.
OpId Unconverted(const Graph& graph, OpId id) {
  while (graph.op(id).kind == OpKind::kConvert) id = graph.op(id).operands[0];
  return id;
}

// The dims of a result that those of an operand become when a reshape only adds
// and drops dims of size 1; nothing when it does more.
std::optional<std::vector<int64_t>> ThroughUnitDims(const Shape& from, const Shape& to) {
  std::vector<int64_t> places;
  size_t at = 0;
  const auto skip_units = [&] {
    while (at < to.dims.size() && to.dims[at] == Dim{}) ++at;
  };
  for (const Dim& dim : from.dims) {
    if (dim == Dim{}) {
      places.push_back(kNowhere);
      continue;
    }
    skip_units();
    if (at == to.dims.size() || to.dims[at] != dim) return std::nullopt;
    places.push_back(static_cast<int64_t>(at++));
  }
  skip_units();
  if (at != to.dims.size()) return std::nullopt;
  return places;
}

// The operand of `op` that goes on to the reduction, with the positions of its
// dims in `places`, those of the dims of `op`; null behind anything that
// computes. A maximum with a constant is that of jax with the start of the
// reduction.
const Op* StepBack(const Graph& graph, const Op& op, std::vector<int64_t>& places) {
  const auto through = [&](const std::vector<int64_t>& dims) {
    std::vector<int64_t> before;
    before.reserve(dims.size());
    for (const int64_t dim : dims) {
      before.push_back(dim == kNowhere ? kNowhere : places[dim]);
    }
    places = std::move(before);
  };
  const auto is_constant = [&](OpId id) {
    while (graph.op(id).kind == OpKind::kBroadcast) id = graph.op(id).operands[0];
    return graph.op(id).kind == OpKind::kConstant;
  };
  switch (op.kind) {
    case OpKind::kConvert:
      break;
    case OpKind::kBroadcast:
      through(op.as<BroadcastAttrs>().dims);
      break;
    case OpKind::kReshape: {
      const auto dims = ThroughUnitDims(graph.operand(op, 0).shape, op.shape);
      if (!dims) return nullptr;
      through(*dims);
      break;
    }
    case OpKind::kMaximum:
      if (is_constant(op.operands[0])) return &graph.operand(op, 1);
      if (!is_constant(op.operands[1])) return nullptr;
      break;
    default:
      return nullptr;
  }
  return &graph.operand(op, 0);
}

// The dims over which `id` is the reduction of `x`, spread over them again;
// empty when it is something else.
std::vector<int64_t> SpreadDims(const Graph& graph, OpId id, Reducer reducer, OpId x) {
  const Op* op = &graph.op(id);
  std::vector<int64_t> places(op->shape.dims.size());
  std::iota(places.begin(), places.end(), 0);
  while (op != nullptr && op->kind != OpKind::kReduce) op = StepBack(graph, *op, places);
  if (op == nullptr || op->as<ReduceAttrs>().reducer != reducer ||
      Unconverted(graph, op->operands[0]) != Unconverted(graph, x) ||
      graph.operand(*op, 0).shape.dims != graph.op(id).shape.dims) {
    return {};
  }
  const std::vector<int64_t> kept =
      OtherDims(graph.op(id).shape.rank(), op->as<ReduceAttrs>().dims);
  for (size_t i = 0; i < kept.size(); ++i) {
    const bool unit = op->shape.dims[i] == Dim{};
    if (places[i] != kept[i] && !(unit && places[i] == kNowhere)) return {};
  }
  return op->as<ReduceAttrs>().dims;
}

struct Softmax {
  OpId root = kNoOp;  // the division
  OpId x = kNoOp;
  std::vector<int64_t> dims;
};

std::optional<Softmax> FindSoftmax(const Graph& graph, const Op& op) {
  if (op.kind != OpKind::kDivide) return std::nullopt;
  const Op& exp = graph.operand(op, 0);
  if (exp.kind != OpKind::kExp) return std::nullopt;
  const Op& shifted = graph.operand(exp, 0);
  if (shifted.kind != OpKind::kSubtract) return std::nullopt;
  const OpId x = shifted.operands[0];
  std::vector<int64_t> dims = SpreadDims(graph, op.operands[1], Reducer::kSum, exp.id);
  if (dims.size() != 1) return std::nullopt;
  if (SpreadDims(graph, shifted.operands[1], Reducer::kMax, x) != dims) return std::nullopt;
  return Softmax{op.id, x, std::move(dims)};
}

}  // namespace

std::optional<Graph> WithSoftmaxes(const Graph& forward) {
  std::vector<Softmax> found;
  for (const Op& op : forward.ops()) {
    if (auto softmax = FindSoftmax(forward, op)) found.push_back(*std::move(softmax));
  }
  if (found.empty()) return std::nullopt;
  OpList ops = Graph(forward).TakeOps();
  for (Softmax& softmax : found) {
    Op& op = ops[softmax.root];
    op.kind = OpKind::kSoftmax;
    op.operands = {softmax.x};
    op.attrs = DimsAttrs{std::move(softmax.dims)};
  }
  auto graph = GraphBuilder::Assemble(forward.name(), std::move(ops), forward.outputs());
  TW_CHECK(graph.ok());
  return *std::move(graph);
}

}  // namespace tilewise
