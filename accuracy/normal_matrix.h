// Small symmetric positive definite systems, for normal equations.

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace tilewise {

// Dense, by rows; symmetric.
struct NormalMatrix {
  explicit NormalMatrix(size_t n) : size(n), cells(n * n) {}
  double& at(size_t row, size_t column) { return cells[row * size + column]; }
  double at(size_t row, size_t column) const { return cells[row * size + column]; }
  size_t size = 0;
  std::vector<double> cells;
};

// x with matrix x = right. None unless the matrix is positive definite, to
// within rounding.
std::optional<std::vector<double>> Solve(const NormalMatrix& matrix, std::vector<double> right);

// The diagonal of the inverse. None as above.
std::optional<std::vector<double>> InverseDiagonal(const NormalMatrix& matrix);

}  // namespace tilewise
