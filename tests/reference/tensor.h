// Dense tensors of doubles in row-major order, for the reference evaluator.

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace tilewise::reference {

using Index = std::vector<int64_t>;

struct Tensor {
  Index sizes;
  std::vector<double> data;

  Tensor() = default;
  explicit Tensor(Index s, double value = 0);
  Tensor(Index s, std::vector<double> values);
  bool operator==(const Tensor&) const = default;

  size_t Offset(const Index& index) const;
  double& operator[](const Index& index) { return data[Offset(index)]; }
  double operator[](const Index& index) const { return data[Offset(index)]; }
};

// Calls `visit` with every index of `sizes`, the last dim running fastest;
// once, with an empty index, for no sizes.
void ForEachIndex(const Index& sizes, const std::function<void(const Index&)>& visit);

// The parts of `index` that `dims` names, in that order.
Index Picked(const Index& index, const std::vector<int64_t>& dims);

}  // namespace tilewise::reference
