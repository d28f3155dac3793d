// What the graph knows of an op kind beyond its name and class. Each kind has
// one record, at the end of the file of graph/ops that says what it means.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/status.h"
#include "graph/op.h"

namespace tilewise {

using Shapes = std::span<const Shape* const>;
using ShapeOr = absl::StatusOr<Shape>;
// The result's shape from those of the operands, whose number is right, and
// every check that makes the op meaningful.
using ShapeFunction = ShapeOr (*)(const Op& op, Shapes operands);

// One gradient per operand, with the operand's shape and type; kNoOp where the
// operand wants none or its gradient is zero everywhere.
using Gradients = std::vector<OpId>;
struct GradientCall;  // graph/gradient.h
using GradientFunction = Gradients (*)(const GradientCall& call);

// Which dims of the result and the operands are one and the same.
struct LinkCall;  // graph/batch_links.h
using LinkFunction = void (*)(const LinkCall& call);

// An op on splats: values whose elements are all equal.
struct SplatCall {
  const Op& op;
  const Shape& operand;            // of the first operand
  std::span<const double> values;  // of the elements, by operand
};
// What every element of the result is; nothing when that is not known.
using SplatFunction = std::optional<double> (*)(const SplatCall& call);

struct OpTraits {
  static constexpr int kAnyNumber = -1;
  static constexpr int kAtLeastOne = -2;

  int operands = 0;  // how many, or one of the two above
  ShapeFunction shape = nullptr;
  GradientFunction gradient = nullptr;  // null: none
  // Of kinds that have a gradient for some attributes only.
  bool (*has_gradient)(const Op& op) = nullptr;
  LinkFunction links = nullptr;   // null: no dims are linked
  SplatFunction splat = nullptr;  // null: the result is no splat
  // Only operand 0 is read; the others are waited for.
  bool waits = false;
};

const OpTraits& TraitsOf(OpKind kind);

// By enumerator.
namespace op_traits {
#define TW_OP(enumerator, name, op_class) extern const OpTraits enumerator;
#include "graph/op_kinds.def"
#undef TW_OP
}  // namespace op_traits

}  // namespace tilewise
