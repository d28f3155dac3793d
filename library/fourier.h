// Discrete Fourier transforms as matmuls with matrices of cosines and sines.
// How the compiler for TPUs lowers an fft is not published; this is how its
// authors wrote transforms for TPUs by hand (Lu, Chen, Hechtman, Wang,
// Anderson: "Large-Scale Discrete Fourier Transform on TPUs", 2020): short ones
// are one dense matmul, long ones go by Cooley and Tukey in passes of at most
// 128, the width of the matrix unit, with factors between them. Lengths of a
// large prime factor become a convolution (Bluestein). Matmuls are of the
// highest precision. The matrices are constants of the program.

#pragma once

#include <cstdint>
#include <span>

#include "graph/graph_builder.h"

namespace tilewise {

enum class FourierKind : uint8_t {
  kForward,
  kInverse,
  kRealForward,  // of real numbers: the first length / 2 + 1 results
  kRealInverse,  // from those: real numbers
};

// A complex array as two of real numbers. kNoOp: all are 0.
struct ComplexParts {
  OpId real = kNoOp;
  OpId imaginary = kNoOp;
};

// Whether transforms of such an array and such lengths of its last dims are
// written out: sizes known, not too long.
bool TakesFourier(const Shape& shape, std::span<const int64_t> lengths);

// Transforms along `dim`, which is cut or filled up with zeros to `length`, or
// to length / 2 + 1 for kRealInverse.
ComplexParts FourierAlong(GraphBuilder& builder, ComplexParts x, FourierKind kind, int64_t dim,
                          int64_t length);

// Transforms the last dims of complex numbers, or of real ones for
// kRealForward.
OpId Fourier(GraphBuilder& builder, OpId x, FourierKind kind, std::span<const int64_t> lengths);

}  // namespace tilewise
