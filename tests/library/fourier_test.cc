// Fourier transforms, evaluated against the sums that define them.

#include "library/fourier.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/evaluator.h"

namespace tilewise {
namespace {

using testing::HasSubstr;

using Complexes = std::vector<std::complex<double>>;

double Sample(int64_t i) { return std::sin(0.7 * static_cast<double>(i * i)); }

// Tables are named for what they hold: "cos_4x8_of_32".
reference::Tensor TableNamed(const std::string& name, const Shape& shape) {
  reference::Tensor table({shape.size(0), shape.size(1)});
  const double period = std::stod(name.substr(name.rfind('_') + 1));
  for (int64_t i = 0; i < shape.size(0); ++i) {
    for (int64_t j = 0; j < shape.size(1); ++j) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i * j) / period;
      table[{i, j}] = name.starts_with("cos") ? std::cos(angle) : std::sin(angle);
    }
  }
  return table;
}

// The transform of `given` samples to `length` points, along dim 1 of [2, n]
// (both rows alike) or dim 0 of its transpose.
Complexes Computed(FourierKind kind, int64_t given, int64_t length, bool along_first = false) {
  GraphBuilder b("test");
  std::vector<int64_t> dims = {2, given};
  if (along_first) dims = {given, 2};
  ComplexParts x;
  x.real = b.Parameter(Shape::Of(DType::kF32, dims), "re");
  if (kind != FourierKind::kRealForward) {
    x.imaginary = b.Parameter(Shape::Of(DType::kF32, dims), "im");
  }
  const ComplexParts y = FourierAlong(b, x, kind, along_first ? 0 : 1, length);
  b.AddOutput(y.real, Output::Role::kResult);
  if (y.imaginary != kNoOp) b.AddOutput(y.imaginary, Output::Role::kResult);
  const absl::StatusOr<Graph> graph = b.Build();
  if (!graph.ok()) {
    ADD_FAILURE() << Message(graph.status());
    return {};
  }
  reference::Tensors leaves;
  for (const Op& op : graph->ops()) {
    if (op.kind == OpKind::kVariable) {
      leaves[op.name] = TableNamed(op.name, op.shape);
    } else if (op.kind == OpKind::kParameter) {
      reference::Tensor values(dims);
      for (int64_t row = 0; row < 2; ++row) {
        for (int64_t i = 0; i < given; ++i) {
          const int64_t number = op.name == "re" ? i : i + 1000;
          values[along_first ? reference::Index{i, row} : reference::Index{row, i}] =
              Sample(number);
        }
      }
      leaves[op.name] = values;
    }
  }
  const std::vector<reference::Tensor> made = reference::Evaluate(*graph, leaves);
  Complexes results;
  const int64_t count = made[0].sizes[along_first ? 0 : 1];
  for (int64_t i = 0; i < count; ++i) {
    const reference::Index at = along_first ? reference::Index{i, 1} : reference::Index{1, i};
    results.emplace_back(made[0][at], made.size() > 1 ? made[1][at] : 0);
  }
  return results;
}

// As the definition says, of the samples cut or filled up to `length`.
Complexes Defined(FourierKind kind, int64_t given, int64_t length) {
  const bool from_half = kind == FourierKind::kRealInverse;
  const bool inverse = from_half || kind == FourierKind::kInverse;
  Complexes x(static_cast<size_t>(length));
  const int64_t read = from_half ? length / 2 + 1 : length;
  for (int64_t i = 0; i < std::min(given, read); ++i) {
    x[i] = {Sample(i), kind == FourierKind::kRealForward ? 0 : Sample(i + 1000)};
  }
  for (int64_t i = read; i < length; ++i) {
    x[i] = std::conj(x[length - i]);
  }
  const int64_t kept = kind == FourierKind::kRealForward ? length / 2 + 1 : length;
  Complexes results;
  for (int64_t k = 0; k < kept; ++k) {
    std::complex<double> sum;
    for (int64_t j = 0; j < length; ++j) {
      const double angle =
          2 * std::numbers::pi * static_cast<double>(j * k % length) / static_cast<double>(length);
      sum += x[j] * std::polar(1.0, inverse ? angle : -angle);
    }
    if (inverse) sum /= static_cast<double>(length);
    if (from_half) sum = sum.real();
    results.push_back(sum);
  }
  return results;
}

void ExpectAsDefined(FourierKind kind, int64_t given, int64_t length, bool along_first = false) {
  const Complexes found = Computed(kind, given, length, along_first);
  const Complexes expected = Defined(kind, given, length);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_LT(std::abs(found[i] - expected[i]), 1e-6) << length << " " << i;
  }
}

TEST(Fourier, ShortOnesAreOneProduct) {
  for (const int64_t n : {1, 2, 7, 12}) {
    ExpectAsDefined(FourierKind::kForward, n, n);
    ExpectAsDefined(FourierKind::kInverse, n, n);
    ExpectAsDefined(FourierKind::kRealForward, n, n);
  }
}

TEST(Fourier, LongOnesGoInPasses) {
  ExpectAsDefined(FourierKind::kForward, 600, 600);
  ExpectAsDefined(FourierKind::kInverse, 1024, 1024);
  ExpectAsDefined(FourierKind::kRealForward, 1023, 1023);
  ExpectAsDefined(FourierKind::kRealForward, 1024, 1024);
}

TEST(Fourier, RealNumbersComeBackFromHalfASpectrum) {
  ExpectAsDefined(FourierKind::kRealInverse, 5, 8);
  ExpectAsDefined(FourierKind::kRealInverse, 5, 9);
  ExpectAsDefined(FourierKind::kRealInverse, 301, 600);
}

TEST(Fourier, AnyDimIsCutOrFilledUp) {
  ExpectAsDefined(FourierKind::kForward, 10, 16, true);
  ExpectAsDefined(FourierKind::kForward, 16, 10, true);
}

TEST(Fourier, ALargePrimeIsAConvolutionOfAPowerOfTwo) {
  GraphBuilder b("test");
  const OpId x = b.Parameter(Shape::Of(DType::kC64, {3, 1009}), "x");
  const std::vector<int64_t> lengths = {1009};
  const OpId y = Fourier(b, x, FourierKind::kForward, lengths);
  ASSERT_TRUE(b.ok()) << b.status();
  EXPECT_EQ(FormatShape(b.shape(y)), "c64[3,1009]");
  bool pads = false;
  for (OpId id = 0; id < b.size(); ++id) {
    pads |= b.op(id).kind == OpKind::kPad && b.shape(id).size(1) == 2048;
  }
  EXPECT_TRUE(pads);
}

TEST(Fourier, TheRealDimIsTheLastOfSeveral) {
  GraphBuilder b("test");
  const OpId x = b.Parameter({DType::kF32, {BatchDim(), {16, false}, {32, false}}}, "x");
  const std::vector<int64_t> lengths = {16, 32};
  const OpId y = Fourier(b, x, FourierKind::kRealForward, lengths);
  EXPECT_EQ(FormatShape(b.shape(y)), "c64[N,16,17]");
  const OpId z = Fourier(b, y, FourierKind::kRealInverse, lengths);
  EXPECT_EQ(FormatShape(b.shape(z)), "f32[N,16,32]");
  EXPECT_TRUE(b.ok()) << b.status();
}

TEST(Fourier, ABatchIsNotTransformed) {
  GraphBuilder b("test");
  const OpId x = b.Parameter({DType::kC64, {{4, false}, BatchDim()}}, "x");
  const std::vector<int64_t> lengths = {4};
  EXPECT_FALSE(TakesFourier(b.shape(x), lengths));
  Fourier(b, x, FourierKind::kForward, lengths);
  EXPECT_THAT(Message(b.status()), HasSubstr("found a transform of 1 dims"));
}

}  // namespace
}  // namespace tilewise
