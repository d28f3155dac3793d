// Index arithmetic of row-major tensors.

#include "tests/reference/tensor.h"

#include <utility>

#include "base/check.h"

namespace tilewise::reference {
namespace {

size_t Elements(const Index& sizes) {
  size_t product = 1;
  for (const int64_t size : sizes) product *= static_cast<size_t>(size);
  return product;
}

}  // namespace

Tensor::Tensor(Index s, double value) : sizes(std::move(s)), data(Elements(sizes), value) {}

Tensor::Tensor(Index s, std::vector<double> values) : sizes(std::move(s)), data(std::move(values)) {
  TW_CHECK(data.size() == Elements(sizes));
}

size_t Tensor::Offset(const Index& index) const {
  TW_CHECK(index.size() == sizes.size());
  size_t offset = 0;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    TW_CHECK(index[dim] >= 0 && index[dim] < sizes[dim]);
    offset = offset * static_cast<size_t>(sizes[dim]) + static_cast<size_t>(index[dim]);
  }
  return offset;
}

void ForEachIndex(const Index& sizes, const std::function<void(const Index&)>& visit) {
  Index index(sizes.size(), 0);
  const size_t count = Elements(sizes);
  for (size_t i = 0; i < count; ++i) {
    visit(index);
    for (size_t dim = sizes.size(); dim-- > 0;) {
      if (++index[dim] < sizes[dim]) break;
      index[dim] = 0;
    }
  }
}

Index Picked(const Index& index, const std::vector<int64_t>& dims) {
  Index picked;
  for (const int64_t dim : dims) {
    picked.push_back(index[dim]);
  }
  return picked;
}

}  // namespace tilewise::reference
