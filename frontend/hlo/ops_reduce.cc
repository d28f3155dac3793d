// Reductions. What starts them is joined only where it is not the identity; an
// argmax or argmin is told from its computation; other computations over
// several arrays are a reduction of each.

#include <algorithm>

#include "frontend/hlo/ops.h"
#include "frontend/hlo/reducer.h"
#include "frontend/hlo/shapes.h"
#include "library/broadcast.h"

namespace tilewise::hlo {
namespace {

constexpr int kMaxReducerOps = 16;

OpKind JoinKind(Reducer reducer) {
  switch (reducer) {
    case Reducer::kMax:
      return OpKind::kMaximum;
    case Reducer::kMin:
      return OpKind::kMinimum;
    case Reducer::kProduct:
      return OpKind::kMultiply;
    case Reducer::kAnd:
      return OpKind::kAnd;
    case Reducer::kOr:
      return OpKind::kOr;
    case Reducer::kXor:
      return OpKind::kXor;
    default:
      return OpKind::kAdd;
  }
}

// Whether `id` counts along `dim` of its shape.
bool CountsAlong(const GraphBuilder& e, OpId id, int64_t dim) {
  for (int step = 0; step < kMaxReducerOps && id != kNoOp; ++step) {
    const Op& op = e.op(id);
    switch (op.kind) {
      case OpKind::kIota:
        return op.as<DimsAttrs>().dims[0] == dim;
      case OpKind::kConvert:
      case OpKind::kCopy:
        break;
      case OpKind::kBroadcast: {
        const std::vector<int64_t>& dims = op.as<BroadcastAttrs>().dims;
        const auto at = std::find(dims.begin(), dims.end(), dim);
        if (at == dims.end()) return false;
        dim = at - dims.begin();
        break;
      }
      case OpKind::kTranspose:
        dim = op.as<TransposeAttrs>().dims[dim];
        break;
      case OpKind::kReshape: {
        // All other dims are of size 1, so the long dim is the one.
        const Shape& from = e.shape(op.operands[0]);
        int64_t found = -1;
        for (int64_t i = 0; i < from.rank(); ++i) {
          if (from.dims[i] != Dim{}) found = i;
        }
        if (found < 0 || from.dims[found] != op.shape.dims[dim]) {
          return false;
        }
        dim = found;
        break;
      }
      default:
        return false;
    }
    id = op.operands[0];
  }
  return false;
}

// `reduced` joined with what the reduction starts from.
OpId WithStart(GraphBuilder& e, Reducer reducer, OpId reduced, OpId start) {
  if (reduced == kNoOp || start == kNoOp) return reduced;
  const DType dtype = e.shape(reduced).dtype;
  const std::optional<double> value = ConstantValue(e, start);
  if (value && IsIdentity(reducer, dtype, *value)) return reduced;
  if (reducer == Reducer::kOther) return reduced;
  return BinaryOf(e, JoinKind(reducer), reduced, e.Convert(start, dtype));
}

// Array `i` of `count`, reduced on its own.
OpId ReduceOne(Translation& t, const Site& site, const Computation& callee, size_t i,
               size_t count) {
  GraphBuilder& e = t.emit();
  const Reducer reducer = JoinOf(t.module(), callee, i, count);
  OpId x = site.operand(i);
  const OpId start = site.operand(count + i);
  const HloShape& shape =
      count == 1 || i >= site.shape.elements.size() ? site.shape : site.shape.elements[i];
  // There is nothing to join: the start is the result.
  if (x == kNoOp) return e.BroadcastTo(start, GraphDims(shape));
  if (shape.kind == HloShape::Kind::kArray) x = e.Convert(x, shape.dtype);
  const OpId reduced =
      site.instruction.dims.empty() ? x : e.Reduce(reducer, x, site.instruction.dims);
  return WithStart(e, reducer, reduced, start);
}

std::optional<Value> ArgReduction(Translation& t, const Site& site, const Computation& callee) {
  GraphBuilder& e = t.emit();
  if (site.instruction.dims.size() != 1 || site.operand(0) == kNoOp || site.operand(1) == kNoOp ||
      site.shape.elements.size() != 2) {
    return std::nullopt;
  }
  const int64_t dim = site.instruction.dims[0];
  if (dim < 0 || dim >= e.shape(site.operand(1)).rank() || !CountsAlong(e, site.operand(1), dim)) {
    return std::nullopt;
  }
  const std::optional<Reducer> extreme = PicksExtreme(t.module(), callee);
  if (!extreme) return std::nullopt;
  const OpId value = e.Reduce(*extreme, site.operand(0), {dim});
  const OpId place = e.Add(OpKind::kArgReduce, {site.operand(0)}, ReduceAttrs{{dim}, *extreme});
  return Value::Tuple({value, e.Convert(place, site.shape.elements[1].dtype)});
}

}  // namespace

Value TranslateReduce(Translation& t, const Site& site) {
  const Computation* callee = t.Callee(site, 0);
  if (callee == nullptr) return {};
  const size_t count = site.operands.size() / 2;
  if (count == 2) {
    if (std::optional<Value> pair = ArgReduction(t, site, *callee)) {
      return *std::move(pair);
    }
  }
  if (count == 1 && site.shape.kind == HloShape::Kind::kArray) {
    return ReduceOne(t, site, *callee, 0, 1);
  }
  std::vector<Value> results;
  results.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    results.emplace_back(ReduceOne(t, site, *callee, i, count));
  }
  return Value::Tuple(std::move(results));
}

}  // namespace tilewise::hlo
