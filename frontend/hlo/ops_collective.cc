// Collectives, and what comes from or goes to the host. A collective over a
// group of one is what it gets.

#include <algorithm>

#include <fmt/format.h>

#include "base/math.h"
#include "frontend/hlo/ops.h"
#include "frontend/hlo/shapes.h"

namespace tilewise::hlo {
namespace {

int64_t AllDevices(const Translation& t) {
  return CheckedMul(std::max<int64_t>(1, t.module().num_partitions),
                    std::max<int64_t>(1, t.module().replica_count))
      .value_or(1);
}

// Devices of one group; 0: not stated.
int64_t GroupSize(const Translation& t, const Site& site) {
  const InstructionExtras& more = site.more();
  if (more.devices->group_size > 0) return more.devices->group_size;
  if (!more.devices->groups.empty()) {
    return static_cast<int64_t>(more.devices->groups[0].size());
  }
  const int64_t all = AllDevices(t);
  return all > 1 ? all : 0;
}

// The array shapes of the result, one for each operand.
std::vector<const HloShape*> Results(const Site& site) {
  const HloShape* shape = &site.shape;
  // The start of an all-gather has (operands, results, ..).
  const bool is_start = site.instruction.opcode == Opcode::kAllGatherStart ||
                        site.instruction.opcode == Opcode::kCollectivePermuteStart;
  if (is_start && shape->elements.size() >= 2) shape = &shape->elements[1];
  std::vector<const HloShape*> results;
  if (shape->kind == HloShape::Kind::kArray) return {shape};
  results.reserve(shape->elements.size());
  for (const HloShape& element : shape->elements) results.push_back(&element);
  return results;
}

// `make` for each operand, with the shape of its result.
template <typename Make>
Value ForEach(const Site& site, const Make& make) {
  const std::vector<const HloShape*> shapes = Results(site);
  std::vector<Value> results;
  results.reserve(site.operands.size());
  for (size_t i = 0; i < site.operands.size(); ++i) {
    const bool counts = site.operands[i].is_op() && i < shapes.size();
    results.emplace_back(counts ? Value(make(site.operand(i), *shapes[i])) : site.operands[i]);
  }
  // All results are in one tuple, which is not the pair of a start.
  const bool in_tuple = site.shape.kind == HloShape::Kind::kTuple && !shapes.empty() &&
                        shapes[0] == site.shape.elements.data();
  const bool is_tuple = results.size() != 1 || in_tuple;
  return is_tuple ? Value::Tuple(std::move(results)) : results[0];
}

int64_t FirstDim(const Site& site) {
  return site.instruction.dims.empty() ? 0 : site.instruction.dims[0];
}

int64_t SizeOf(const Shape& shape, int64_t dim) {
  const bool known = dim >= 0 && dim < shape.rank();
  return known ? shape.dims[dim].factor : 1;
}

int64_t SizeOf(const HloShape& shape, int64_t dim) {
  const size_t place = dim;
  return place < shape.dims.size() ? std::max<int64_t>(1, shape.dims[place]) : 1;
}

// Rows in parts of different lengths, which are data: as many as there are go
// out. What comes in is written over operand 1.
Value ExchangeRagged(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const OpId sent = site.operand(0), into = site.operand(1);
  if (sent == kNoOp || into == kNoOp) return {};
  OpId received = e.Add(
      OpKind::kAllToAll, {sent},
      CollectiveAttrs{.dims = {0, 0}, .group_size = std::max<int64_t>(1, GroupSize(t, site))});
  const Shape from = e.shape(received), to = e.shape(into);
  if (from == to) return received;
  if (from.rank() < 1 || from.rank() != to.rank() || from.dims[0].per_batch ||
      to.dims[0].per_batch) {
    e.Fail("found rows that do not fit the result");
    return {};
  }
  if (from.size(0) >= to.size(0)) {
    return e.SliceDim(received, 0, 0, to.size(0));
  }
  return e.Add(OpKind::kDynamicUpdateSlice, {into, received, e.Scalar(0, DType::kS32)},
               DimsAttrs{{0}});
}

}  // namespace

Value TranslateAllReduce(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  CollectiveAttrs attrs;
  attrs.group_size = GroupSize(t, site);
  return ForEach(site, [&](OpId x, const HloShape&) {
    return attrs.group_size == 1 ? x : e.Add(OpKind::kAllReduce, {x}, attrs);
  });
}

Value TranslateAllGather(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const int64_t dim = FirstDim(site);
  return ForEach(site, [&](OpId x, const HloShape& shape) {
    CollectiveAttrs attrs;
    attrs.dims = {dim};
    attrs.group_size = SizeOf(shape, dim) / SizeOf(e.shape(x), dim);
    return attrs.group_size == 1 ? x : e.Add(OpKind::kAllGather, {x}, attrs);
  });
}

Value TranslateReduceScatter(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const int64_t dim = FirstDim(site);
  return ForEach(site, [&](OpId x, const HloShape& shape) {
    CollectiveAttrs attrs;
    attrs.dims = {dim};
    attrs.group_size = SizeOf(e.shape(x), dim) / SizeOf(shape, dim);
    return attrs.group_size == 1 ? x : e.Add(OpKind::kReduceScatter, {x}, attrs);
  });
}

// Translates either one array whose dim is split over the group, or an array
// for each device of it, which are sent and received whole.
Value TranslateAllToAll(Translation& t, const Site& site) {
  if (site.instruction.opcode == Opcode::kRaggedAllToAll) {
    return ExchangeRagged(t, site);
  }
  GraphBuilder& e = t.emit();
  const std::vector<OpId> arrays = site.arrays();
  CollectiveAttrs attrs;
  attrs.group_size = GroupSize(t, site);
  if (site.shape.kind == HloShape::Kind::kArray) {
    attrs.dims = {FirstDim(site), FirstDim(site)};
    attrs.group_size = std::max<int64_t>(1, attrs.group_size);
    return e.Add(OpKind::kAllToAll, {site.operand(0)}, std::move(attrs));
  }
  const auto parts = static_cast<int64_t>(arrays.size());
  if (parts != static_cast<int64_t>(site.operands.size()) || parts == 0) {
    e.Fail("found operands without elements, expected arrays to exchange");
    return {};
  }
  // Joined along a new dim, exchanged, and taken apart.
  std::vector<OpId> rows;
  rows.reserve(arrays.size());
  for (const OpId array : arrays) {
    std::vector<Dim> dims = e.shape(array).dims;
    dims.insert(dims.begin(), Dim{});
    rows.push_back(e.Reshape(array, std::move(dims)));
  }
  attrs.dims = {0, 0};
  attrs.group_size = parts;
  const OpId all = e.Add(OpKind::kAllToAll, {e.Concatenate(rows, 0)}, attrs);
  std::vector<Value> results;
  results.reserve(arrays.size());
  for (int64_t i = 0; i < parts; ++i) {
    const OpId row = e.SliceDim(all, 0, i, i + 1);
    results.emplace_back(e.Reshape(row, e.shape(arrays[i]).dims));
  }
  return Value::Tuple(std::move(results));
}

Value TranslateCollectivePermute(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  CollectiveAttrs attrs;
  attrs.shift = 1;
  const auto& pairs = site.more().devices->source_target;
  attrs.group_size = std::max<int64_t>({2, GroupSize(t, site), static_cast<int64_t>(pairs.size())});
  if (!pairs.empty()) {
    const int64_t size = attrs.group_size;
    attrs.shift = (pairs[0].second % size - pairs[0].first % size + size) % size;
  }
  // An in-place permute has buffers and offsets after what it sends.
  if (site.operands.size() > 1 && site.shape.kind == HloShape::Kind::kArray) {
    return e.Add(OpKind::kCollectivePermute, {site.operand(0)}, attrs);
  }
  return ForEach(
      site, [&](OpId x, const HloShape&) { return e.Add(OpKind::kCollectivePermute, {x}, attrs); });
}

Value TranslateDeviceId(Translation& t, const Site& site) {
  const bool replicas = site.instruction.opcode == Opcode::kReplicaId;
  CollectiveAttrs attrs;
  attrs.group_size =
      std::max<int64_t>(1, replicas ? t.module().replica_count : t.module().num_partitions);
  return t.emit().Convert(t.emit().Add(OpKind::kPartitionId, {}, std::move(attrs)),
                          site.shape.dtype);
}

// What the host feeds is an input of the program.
Value TranslateInfeed(Translation& t, const Site& site) {
  GraphBuilder& e = t.emit();
  const auto feed = [&](const HloShape& shape, const auto& self) -> Value {
    if (shape.kind == HloShape::Kind::kTuple) {
      std::vector<Value> elements;
      elements.reserve(shape.elements.size());
      for (const HloShape& element : shape.elements) {
        elements.push_back(self(element, self));
      }
      return Value::Tuple(std::move(elements));
    }
    if (HoldsNothing(shape)) return {};
    return e.Add(OpKind::kParameter, {}, {}, GraphShape(shape));
  };
  return feed(site.shape, feed);
}

// What goes to the host is a result of the program.
Value TranslateOutfeed(Translation& t, const Site& site) {
  for (const OpId op : site.arrays()) t.AddResult(op);
  return {};
}

// Receiving from another device takes as long as sending to it.
Value TranslateReceive(Translation& t, const Site& site) {
  if (site.shape.elements.empty() || HoldsNothing(site.shape)) return {};
  const Shape shape = GraphShape(site.shape.elements[0]);
  CollectiveAttrs attrs;
  attrs.shift = 1;
  attrs.group_size = std::max<int64_t>(2, AllDevices(t));
  const OpId zeros = t.emit().Constant(0, shape);
  const OpId got = t.emit().Add(OpKind::kCollectivePermute, {zeros}, attrs);
  return Value::Tuple({got, Value()});
}

}  // namespace tilewise::hlo
