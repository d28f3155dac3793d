// Collectives over groups of replicas.

#include "base/check.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

// Part `number` of `parts` equal ones along `dim`.
Tensor PartOf(const Tensor& x, size_t dim, int64_t number, int64_t parts) {
  Index sizes = x.sizes;
  sizes[dim] /= parts;
  Tensor part(sizes);
  ForEachIndex(sizes, [&](const Index& index) {
    Index from = index;
    from[dim] += number * sizes[dim];
    part[index] = x[from];
  });
  return part;
}

Tensor Joined(const std::vector<Tensor>& parts, size_t dim) {
  Index sizes = parts[0].sizes;
  sizes[dim] *= static_cast<int64_t>(parts.size());
  Tensor whole(sizes);
  for (size_t i = 0; i < parts.size(); ++i) {
    ForEachIndex(parts[i].sizes, [&](const Index& index) {
      Index to = index;
      to[dim] += static_cast<int64_t>(i) * parts[i].sizes[dim];
      whole[to] = parts[i][index];
    });
  }
  return whole;
}

Tensor ReducedOver(const std::vector<Tensor>& parts, Reducer reducer) {
  Tensor result = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) {
    for (size_t e = 0; e < result.data.size(); ++e) {
      result.data[e] = Reduced(reducer, result.data[e], parts[i].data[e]);
    }
  }
  return result;
}

// What member `place` of the group has afterwards.
Tensor Exchange(const Op& op, const std::vector<Tensor>& group, int64_t place) {
  const auto size = static_cast<int64_t>(group.size());
  const auto dim = [&](size_t i) { return static_cast<size_t>(op.as<CollectiveAttrs>().dims[i]); };
  switch (op.kind) {
    case OpKind::kAllGather:
      return Joined(group, dim(0));
    case OpKind::kReduceScatter:
      return PartOf(ReducedOver(group, Reducer::kSum), dim(0), place, size);
    case OpKind::kAllToAll: {
      std::vector<Tensor> received;
      for (const Tensor& x : group) {
        received.push_back(PartOf(x, dim(0), place, size));
      }
      return Joined(received, dim(1));
    }
    case OpKind::kCollectivePermute: {
      const int64_t from = ((place - op.as<CollectiveAttrs>().shift) % size + size) % size;
      return group[from];
    }
    default:
      return ReducedOver(group, op.as<CollectiveAttrs>().reducer);
  }
}

}  // namespace

std::vector<Tensor> EvaluateCollective(const Op& op, const std::vector<Tensor>& replicas,
                                       const std::vector<std::vector<size_t>>& groups) {
  std::vector<Tensor> results(replicas.size());
  for (const std::vector<size_t>& members : groups) {
    const auto size = static_cast<int64_t>(members.size());
    TW_CHECK(op.as<CollectiveAttrs>().group_size == 0 ||
             op.as<CollectiveAttrs>().group_size == size ||
             (op.kind == OpKind::kAllReduce && op.as<CollectiveAttrs>().group_size > size));
    std::vector<Tensor> group;
    for (const size_t replica : members) group.push_back(replicas[replica]);
    for (int64_t place = 0; place < size; ++place) {
      results[members[place]] = Exchange(op, group, place);
    }
  }
  return results;
}

}  // namespace tilewise::reference
