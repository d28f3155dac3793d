// The evaluation of each class of op kinds. Operands and result are tensors of
// the sizes that the graph says.

#pragma once

#include <span>

#include "graph/graph.h"
#include "tests/reference/tensor.h"

namespace tilewise::reference {

using Operands = std::span<const Tensor* const>;

// One element of an elementwise op from its operands' elements there.
double ElementOf(const Op& op, DType operand_dtype, const std::vector<double>& in);

void EvaluateData(const Op& op, Operands in, Tensor& out);
void EvaluateReduce(const Op& op, Operands in, Tensor& out);
void EvaluateWindow(const Op& op, Operands in, Tensor& out);
void EvaluateDot(const Op& op, Operands in, Tensor& out);
void EvaluateConvolution(const Op& op, Operands in, Tensor& out);
void EvaluateIndexed(const Op& op, Operands in, Tensor& out);
void EvaluateSlices(const Op& op, Operands in, Tensor& out);
void EvaluateRandom(const Op& op, Operands in, Tensor& out);
void EvaluateRecurrent(const Op& op, Operands in, Tensor& out);
void EvaluateRecurrentGrad(const Op& op, Operands in, Tensor& out);
void EvaluateComposite(const Op& op, Operands in, Tensor& out);
void EvaluateSort(const Op& op, Operands in, Tensor& out);
void EvaluateCumulative(const Op& op, Operands in, Tensor& out);
// Whole, as a flash kernel, or its gradient.
void EvaluateAttention(const Graph& graph, const Op& op, Operands in, Tensor& out);
// The results on all replicas, from the operand on each.
std::vector<Tensor> EvaluateCollective(const Op& op, const std::vector<Tensor>& replicas,
                                       const std::vector<std::vector<size_t>>& groups);

// The identity of a reducer, and one step of it.
double ReducerStart(Reducer reducer);
double Reduced(Reducer reducer, double a, double b);

double Logistic(double x);

}  // namespace tilewise::reference
