// Cholesky's factorisation.

#include "accuracy/normal_matrix.h"

#include <cmath>

namespace tilewise {
namespace {

// Below this share of its diagonal cell a pivot is rounding.
constexpr double kSmallestPivot = 1e-12;

// The lower factor, in place of the lower half.
std::optional<NormalMatrix> Factor(NormalMatrix matrix) {
  for (size_t column = 0; column < matrix.size; ++column) {
    const double whole = matrix.at(column, column);
    double pivot = whole;
    for (size_t i = 0; i < column; ++i) {
      pivot -= matrix.at(column, i) * matrix.at(column, i);
    }
    if (!(pivot > kSmallestPivot * whole)) return std::nullopt;
    const double root = std::sqrt(pivot);
    matrix.at(column, column) = root;
    for (size_t row = column + 1; row < matrix.size; ++row) {
      double sum = matrix.at(row, column);
      for (size_t i = 0; i < column; ++i) {
        sum -= matrix.at(row, i) * matrix.at(column, i);
      }
      matrix.at(row, column) = sum / root;
    }
  }
  return matrix;
}

void SolveWith(const NormalMatrix& factor, std::vector<double>& x) {
  for (size_t row = 0; row < factor.size; ++row) {
    for (size_t i = 0; i < row; ++i) x[row] -= factor.at(row, i) * x[i];
    x[row] /= factor.at(row, row);
  }
  for (size_t row = factor.size; row-- > 0;) {
    for (size_t i = row + 1; i < factor.size; ++i) {
      x[row] -= factor.at(i, row) * x[i];
    }
    x[row] /= factor.at(row, row);
  }
}

}  // namespace

std::optional<std::vector<double>> Solve(const NormalMatrix& matrix, std::vector<double> right) {
  const std::optional<NormalMatrix> factor = Factor(matrix);
  if (!factor) return std::nullopt;
  SolveWith(*factor, right);
  return right;
}

std::optional<std::vector<double>> InverseDiagonal(const NormalMatrix& matrix) {
  const std::optional<NormalMatrix> factor = Factor(matrix);
  if (!factor) return std::nullopt;
  std::vector<double> diagonal;
  for (size_t i = 0; i < matrix.size; ++i) {
    std::vector<double> unit(matrix.size);
    unit[i] = 1;
    SolveWith(*factor, unit);
    diagonal.push_back(unit[i]);
  }
  return diagonal;
}

}  // namespace tilewise
