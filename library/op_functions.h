// Functions of ops that say the same in several formats: rows of their tables.
// R and Ctx are those of the table's function type.

#pragma once

#include <algorithm>
#include <string_view>
#include <tuple>

#include "library/broadcast.h"
#include "library/reader_context.h"
#include "library/term.h"

namespace tilewise {

// Result 0 is operand 0, whatever that is.
template <typename R, typename Ctx>
R FirstOperand(Ctx& ctx) {
  ctx.Forward(0, 0);
  return R();
}

// One graph op of one operand.
template <OpKind kKind, typename R, typename Ctx>
R UnaryOp(Ctx& ctx) {
  ctx.Set(0, ctx.builder().Unary(kKind, ctx.AnyInput(0)));
  return R();
}

// A function of the library of one operand, of two.
template <OpId (*kMake)(GraphBuilder&, OpId), typename R, typename Ctx>
R OfOne(Ctx& ctx) {
  ctx.Set(0, kMake(ctx.builder(), ctx.AnyInput(0)));
  return R();
}
template <OpId (*kMake)(GraphBuilder&, OpId, OpId), typename R, typename Ctx>
R OfTwo(Ctx& ctx) {
  const OpId x = ctx.AnyInput(0);
  ctx.Set(0, kMake(ctx.builder(), x, ctx.AnyInput(1)));
  return R();
}

// The same in the notation of formulas.
template <Term (*kFormula)(Term), typename R, typename Ctx>
R OfTerm(Ctx& ctx) {
  ctx.Set(0, kFormula({ctx.builder(), ctx.AnyInput(0)}).id);
  return R();
}
template <Term (*kFormula)(Term, Term), typename R, typename Ctx>
R OfTerms(Ctx& ctx) {
  const Term x(ctx.builder(), ctx.AnyInput(0));
  ctx.Set(0, kFormula(x, {ctx.builder(), ctx.AnyInput(1)}).id);
  return R();
}

// A row of a schema: a function of the library on operands and attributes, in
// the order of its parameters.
//
//   {"LeakyRelu", Row<LeakyRelu, Operand<0>, RealAttr<"alpha", 0.01>>}
template <size_t kSize>
struct AttributeName {
  constexpr AttributeName(const char (&name)[kSize]) { std::copy_n(name, kSize, text); }  // NOLINT
  operator std::string_view() const { return {text, kSize - 1}; }                         // NOLINT
  char text[kSize];
};
template <int kOperand>
struct Operand {
  static OpId Of(ReaderContext& ctx) { return ctx.Input(kOperand); }
};
template <AttributeName kName, int64_t kOtherwise>
struct IntAttr {
  static int64_t Of(ReaderContext& ctx) { return ctx.Int(kName, kOtherwise); }
};
template <AttributeName kName, double kOtherwise>
struct RealAttr {
  static double Of(ReaderContext& ctx) { return ctx.Float(kName, kOtherwise); }
};
template <auto kValue>
struct Always {
  static auto Of(ReaderContext&) { return kValue; }
};
template <auto kMake, typename... Parameters, typename R, typename Ctx>
R Row(Ctx& ctx) {
  const std::tuple<decltype(Parameters::Of(ctx))...> values{Parameters::Of(ctx)...};
  ctx.Set(0, std::apply([&](auto... each) { return kMake(ctx.builder(), each...); }, values));
  return R();
}

// Element by element, operands stretched as numpy does and of their common type.
template <OpKind kKind, typename R, typename Ctx>
R BinaryOp(Ctx& ctx) {
  const OpId x = ctx.AnyInput(0);
  ctx.Set(0, BinaryOf(ctx.builder(), kKind, x, ctx.AnyInput(1)));
  return R();
}
template <Comparison kComparison, typename R, typename Ctx>
R CompareOp(Ctx& ctx) {
  const OpId x = ctx.AnyInput(0);
  ctx.Set(0, CompareOf(ctx.builder(), kComparison, x, ctx.AnyInput(1)));
  return R();
}
// Works on truth values.
template <OpKind kKind, typename R, typename Ctx>
R LogicalOp(Ctx& ctx) {
  const OpId x = AsPred(ctx.builder(), ctx.AnyInput(0));
  ctx.Set(0, BinaryOf(ctx.builder(), kKind, x, AsPred(ctx.builder(), ctx.AnyInput(1))));
  return R();
}
template <typename R, typename Ctx>
R LogicalNot(Ctx& ctx) {
  ctx.Set(0, ctx.builder().Unary(OpKind::kNot, AsPred(ctx.builder(), ctx.AnyInput(0))));
  return R();
}
// Operand 0 chooses between 1 and 2.
template <typename R, typename Ctx>
R SelectOp(Ctx& ctx) {
  const OpId pred = ctx.AnyInput(0), x = ctx.AnyInput(1);
  ctx.Set(0, SelectOf(ctx.builder(), pred, x, ctx.AnyInput(2)));
  return R();
}
// Joins all operands, one after the other.
template <OpKind kKind, typename R, typename Ctx>
R VariadicOp(Ctx& ctx) {
  if (ctx.num_inputs() == 1) return FirstOperand<R>(ctx);
  OpId all = ctx.AnyInput(0);
  for (int64_t i = 1; i < ctx.num_inputs() && ctx.ok(); ++i) {
    all = BinaryOf(ctx.builder(), kKind, all, ctx.AnyInput(i));
  }
  ctx.Set(0, all);
  return R();
}

}  // namespace tilewise
