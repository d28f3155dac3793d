// Arithmetic on ops in the notation of formulas: update rules, gradients and
// cells read as they are printed in papers. Operands are broadcast as numpy
// does; numbers take the type of the term next to them.

#pragma once

#include <vector>

#include "graph/graph_builder.h"

namespace tilewise {

class Term {
 public:
  Term() = default;
  Term(GraphBuilder& builder, OpId op) : builder_(&builder), id(op) {}

  GraphBuilder& b() const { return *builder_; }
  const Shape& shape() const { return builder_->shape(id); }
  Term Of(OpId op) const { return {*builder_, op}; }
  // A constant of this term's type and dims.
  Term Like(double value) const;

 private:
  GraphBuilder* builder_ = nullptr;

 public:
  OpId id = kNoOp;
};

Term Binary(OpKind kind, Term x, Term y);
Term Unary(OpKind kind, Term x);

Term operator+(Term x, Term y);
Term operator-(Term x, Term y);
Term operator*(Term x, Term y);
Term operator/(Term x, Term y);
Term operator-(Term x);
Term operator+(Term x, double y);
Term operator-(Term x, double y);
Term operator*(Term x, double y);
Term operator/(Term x, double y);
Term operator+(double x, Term y);
Term operator-(double x, Term y);
Term operator*(double x, Term y);
Term operator/(double x, Term y);

Term Square(Term x);
Term Sqrt(Term x);
Term Rsqrt(Term x);
Term Exp(Term x);
Term Log(Term x);
Term Abs(Term x);
Term Sign(Term x);
Term Tanh(Term x);
Term Sigmoid(Term x);
Term Max(Term x, Term y);
Term Max(Term x, double y);
Term Min(Term x, Term y);
Term Min(Term x, double y);
Term Power(Term x, Term y);
Term Compared(Comparison comparison, Term x, Term y);
Term Compared(Comparison comparison, Term x, double y);
Term Where(Term pred, Term x, Term y);
Term Cast(Term x, DType dtype);
Term Sum(Term x, std::vector<int64_t> dims);

}  // namespace tilewise
