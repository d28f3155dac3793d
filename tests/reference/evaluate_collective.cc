// Collectives over replicas that stand in groups of neighbours.

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

Tensor Sum(const std::vector<Tensor>& parts) {
  Tensor sum = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) {
    for (size_t e = 0; e < sum.data.size(); ++e) {
      sum.data[e] += parts[i].data[e];
    }
  }
  return sum;
}

// What member `place` of the group has afterwards.
Tensor Exchange(const Op& op, const std::vector<Tensor>& group, int64_t place) {
  const auto size = static_cast<int64_t>(group.size());
  const auto dim = [&](size_t i) {
    return static_cast<size_t>(op.attrs.dims[i]);
  };
  switch (op.kind) {
    case OpKind::kAllGather:
      return Joined(group, dim(0));
    case OpKind::kReduceScatter:
      return PartOf(Sum(group), dim(0), place, size);
    case OpKind::kAllToAll: {
      std::vector<Tensor> received;
      for (const Tensor& x : group) {
        received.push_back(PartOf(x, dim(0), place, size));
      }
      return Joined(received, dim(1));
    }
    case OpKind::kCollectivePermute: {
      const int64_t from = ((place - op.attrs.shift) % size + size) % size;
      return group[static_cast<size_t>(from)];
    }
    default:
      return Sum(group);
  }
}

}  // namespace

std::vector<Tensor> EvaluateCollective(const Op& op,
                                       const std::vector<Tensor>& replicas) {
  const size_t count = replicas.size();
  size_t size = static_cast<size_t>(op.attrs.group_size);
  // A sum over more replicas than there are is one over those.
  if (size == 0 || (op.kind == OpKind::kAllReduce && size > count)) {
    size = count;
  }
  TW_CHECK(count % size == 0);
  std::vector<Tensor> results;
  for (size_t replica = 0; replica < count; ++replica) {
    const auto first =
        replicas.begin() + static_cast<ptrdiff_t>(replica - replica % size);
    const std::vector<Tensor> group(first,
                                    first + static_cast<ptrdiff_t>(size));
    results.push_back(
        Exchange(op, group, static_cast<int64_t>(replica % size)));
  }
  return results;
}

}  // namespace tilewise::reference
