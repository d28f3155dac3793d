// What the graph knows of an op kind beyond its name and class. Each kind has
// one record, at the end of the file of graph/ops that says what it means.

#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
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

// A LinkFunction says which dims of the result and the operands are one and the same.
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

// One field of a struct of attributes: what the graph's text calls it, and where
// it is in the attributes of an op that has that struct.
template <typename... Values>
struct FieldPointers {
  using Const = std::variant<const Values*...>;
  using Mutable = std::variant<Values*...>;
};
using AttributePointers =
    FieldPointers<bool, int64_t, double, std::string, std::vector<int64_t>, std::vector<WindowDim>,
                  Reducer, Comparison, CellKind, DType>;
struct AttributeField {
  std::string_view name;
  AttributePointers::Const (*read)(const Attributes& attrs);
  AttributePointers::Mutable (*edit)(Attributes& attrs);
};

// The struct that a kind has, and its fields in the order in which they print.
struct AttributeTraits {
  const char* id = nullptr;  // null: no attributes
  std::span<const AttributeField> fields;
};

template <typename Attrs, size_t kCount>
struct AttributeFields {
  std::array<AttributeField, kCount> fields;
  constexpr operator AttributeTraits() const {  // NOLINT(google-explicit-constructor)
    return {&kAttributesId<Attrs>, fields};
  }
};
// These members, by the names that the text has for them.
template <typename Attrs, auto... kMembers>
constexpr AttributeFields<Attrs, sizeof...(kMembers)> FieldsOf(
    decltype((void)kMembers, std::string_view())... names) {
  return {{AttributeField{names,
                          [](const Attributes& attrs) -> AttributePointers::Const {
                            return &(attrs.as<Attrs>().*kMembers);
                          },
                          [](Attributes& attrs) -> AttributePointers::Mutable {
                            return &(attrs.edit<Attrs>().*kMembers);
                          }}...}};
}

struct OpTraits {
  static constexpr int kAnyNumber = -1;
  static constexpr int kAtLeastOne = -2;

  int operands = 0;  // how many, or one of the two above
  AttributeTraits attributes = {};
  ShapeFunction shape = nullptr;
  GradientFunction gradient = nullptr;  // null: none
  // Kinds that have a gradient for some attributes only have this.
  bool (*has_gradient)(const Op& op) = nullptr;
  LinkFunction links = nullptr;   // null: no dims are linked
  SplatFunction splat = nullptr;  // null: the result is no splat
  // The op reads only operand 0; it waits for the others.
  bool waits = false;
};

const OpTraits& TraitsOf(OpKind kind);

// The attribute of that name; null where the kind has none of it.
template <typename Value>
const Value* FindAttribute(const Op& op, std::string_view name) {
  for (const AttributeField& field : TraitsOf(op.kind).attributes.fields) {
    if (field.name == name) return std::get<const Value*>(field.read(op.attrs));
  }
  return nullptr;
}
template <typename Value>
Value* FindAttribute(Op& op, std::string_view name) {
  for (const AttributeField& field : TraitsOf(op.kind).attributes.fields) {
    if (field.name == name) return std::get<Value*>(field.edit(op.attrs));
  }
  return nullptr;
}
// Returns whether all attributes but that one of two ops of one kind are equal.
bool AlikeBut(std::string_view name, const Op& a, const Op& b);
// Returns a hash that is equal where the kinds and attributes are.
size_t HashAttributes(const Op& op);

// Each enumerator has its traits.
namespace op_traits {
#define TW_OP(enumerator, name, op_class) extern const OpTraits enumerator;
#include "graph/op_kinds.def"
#undef TW_OP
}  // namespace op_traits

}  // namespace tilewise
