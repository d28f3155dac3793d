// Formulas as ops.

#include "library/term.h"

#include <utility>

#include "library/broadcast.h"

namespace tilewise {

Term Term::Like(double value) const { return Of(FilledLike(b(), id, value)); }

Term Binary(OpKind kind, Term x, Term y) { return x.Of(BinaryOf(x.b(), kind, x.id, y.id)); }
Term Unary(OpKind kind, Term x) { return x.Of(x.b().Unary(kind, x.id)); }

Term operator+(Term x, Term y) { return Binary(OpKind::kAdd, x, y); }
Term operator-(Term x, Term y) { return Binary(OpKind::kSubtract, x, y); }
Term operator*(Term x, Term y) { return Binary(OpKind::kMultiply, x, y); }
Term operator/(Term x, Term y) { return Binary(OpKind::kDivide, x, y); }
Term operator-(Term x) { return Unary(OpKind::kNegate, x); }
Term operator+(Term x, double y) { return x + x.Like(y); }
Term operator-(Term x, double y) { return x - x.Like(y); }
Term operator*(Term x, double y) { return x * x.Like(y); }
Term operator/(Term x, double y) { return x / x.Like(y); }
Term operator+(double x, Term y) { return y + x; }
Term operator-(double x, Term y) { return y.Like(x) - y; }
Term operator*(double x, Term y) { return y * x; }
Term operator/(double x, Term y) { return y.Like(x) / y; }

Term Square(Term x) { return x * x; }
Term Sqrt(Term x) { return Unary(OpKind::kSqrt, x); }
Term Rsqrt(Term x) { return Unary(OpKind::kRsqrt, x); }
Term Exp(Term x) { return Unary(OpKind::kExp, x); }
Term Log(Term x) { return Unary(OpKind::kLog, x); }
Term Abs(Term x) { return Unary(OpKind::kAbs, x); }
Term Sign(Term x) { return Unary(OpKind::kSign, x); }
Term Tanh(Term x) { return Unary(OpKind::kTanh, x); }
Term Sigmoid(Term x) { return Unary(OpKind::kLogistic, x); }
Term Max(Term x, Term y) { return Binary(OpKind::kMaximum, x, y); }
Term Max(Term x, double y) { return Max(x, x.Like(y)); }
Term Min(Term x, Term y) { return Binary(OpKind::kMinimum, x, y); }
Term Min(Term x, double y) { return Min(x, x.Like(y)); }
Term Power(Term x, Term y) { return Binary(OpKind::kPower, x, y); }

Term Compared(Comparison comparison, Term x, Term y) {
  return x.Of(CompareOf(x.b(), comparison, x.id, y.id));
}
Term Compared(Comparison comparison, Term x, double y) {
  return Compared(comparison, x, x.Like(y));
}
Term Where(Term pred, Term x, Term y) { return x.Of(SelectOf(x.b(), pred.id, x.id, y.id)); }
Term Cast(Term x, DType dtype) { return x.Of(x.b().Convert(x.id, dtype)); }
Term Sum(Term x, std::vector<int64_t> dims) {
  if (dims.empty()) return x;
  return x.Of(x.b().Reduce(Reducer::kSum, x.id, std::move(dims)));
}

}  // namespace tilewise
