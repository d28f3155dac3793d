// Walks a graph in order and evaluates each op by its class.

#include "tests/reference/evaluator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

// `position` is that of the replica in its group.
Tensor Leaf(const Op& op, const Tensors& leaves, size_t position) {
  if (op.kind == OpKind::kConstant) return Tensor(op.shape.sizes(), op.as<ConstantAttrs>().value);
  Tensor out(op.shape.sizes());
  if (op.kind == OpKind::kIota) {
    const size_t dim = op.as<DimsAttrs>().dims[0];
    ForEachIndex(out.sizes,
                 [&](const Index& index) { out[index] = static_cast<double>(index[dim]); });
    return out;
  }
  if (op.kind == OpKind::kPartitionId) {
    out.data[0] = static_cast<double>(position);
    return out;
  }
  const auto found = leaves.find(op.name);
  TW_CHECK(found != leaves.end());
  TW_CHECK(found->second.sizes == out.sizes);
  return found->second;
}

void Elementwise(const Graph& graph, const Op& op, Operands in, Tensor& out) {
  std::vector<double> elements(in.size());
  const DType dtype = graph.operand(op, 0).shape.dtype;
  for (size_t i = 0; i < out.data.size(); ++i) {
    for (size_t j = 0; j < in.size(); ++j) elements[j] = in[j]->data[i];
    out.data[i] = ElementOf(op, dtype, elements);
  }
}

Tensor EvaluateOp(const Graph& graph, const Op& op, Operands in, const Tensors& leaves,
                  size_t position) {
  Tensor out(op.shape.sizes());
  switch (ClassOf(op.kind)) {
    case OpClass::kLeaf:
      return Leaf(op, leaves, position);
    case OpClass::kElementwise:
      Elementwise(graph, op, in, out);
      break;
    case OpClass::kData:
      EvaluateData(op, in, out);
      break;
    case OpClass::kReduce:
      EvaluateReduce(op, in, out);
      break;
    case OpClass::kWindow:
      op.kind == OpKind::kCumulative ? EvaluateCumulative(op, in, out)
                                     : EvaluateWindow(op, in, out);
      break;
    case OpClass::kMxu:
      op.kind == OpKind::kDot ? EvaluateDot(op, in, out) : EvaluateConvolution(op, in, out);
      break;
    case OpClass::kIndex:
      EvaluateIndexed(op, in, out);
      break;
    case OpClass::kRandom:
    case OpClass::kOpaque:
      EvaluateRandom(op, in, out);
      break;
    case OpClass::kRecurrent:
      op.kind == OpKind::kRecurrent ? EvaluateRecurrent(op, in, out)
                                    : EvaluateRecurrentGrad(op, in, out);
      break;
    case OpClass::kSort:
      EvaluateSort(op, in, out);
      break;
    case OpClass::kAttention:
      EvaluateAttention(graph, op, in, out);
      break;
    case OpClass::kTransfer:
      out.data = in[0]->data;
      break;
    case OpClass::kCollective:
      TW_CHECK(false);  // needs all replicas
      break;
    case OpClass::kComposite:
      op.kind == OpKind::kAttention ? EvaluateAttention(graph, op, in, out)
                                    : EvaluateComposite(op, in, out);
      break;
  }
  return out;
}

size_t PositionOf(size_t replica, const Groups& groups) {
  for (const std::vector<size_t>& group : groups) {
    const auto at = std::find(group.begin(), group.end(), replica);
    if (at != group.end()) return static_cast<size_t>(at - group.begin());
  }
  TW_CHECK(false);
  return 0;
}

}  // namespace

GroupsOf Neighbours(size_t replicas) {
  return [replicas](const Op& op) {
    size_t size = op.as<CollectiveAttrs>().group_size;
    if (size == 0 || (op.kind == OpKind::kAllReduce && size > replicas)) {
      size = replicas;
    }
    Groups groups;
    for (size_t replica = 0; replica < replicas; ++replica) {
      if (replica % size == 0) groups.emplace_back();
      groups.back().push_back(replica);
    }
    return groups;
  };
}

std::vector<std::vector<Tensor>> EvaluateReplicas(const Graph& graph,
                                                  const std::vector<Tensors>& leaves,
                                                  const GroupsOf& groups_of) {
  TW_CHECK(graph.is_static());
  std::vector<std::vector<Tensor>> values(leaves.size());
  for (const Op& op : graph.ops()) {
    const bool exchanges = ClassOf(op.kind) == OpClass::kCollective;
    const bool counts = op.kind == OpKind::kPartitionId;
    const Groups groups = exchanges || counts ? groups_of(op) : Groups();
    std::vector<Tensor> results;
    for (size_t replica = 0; replica < leaves.size(); ++replica) {
      std::vector<const Tensor*> in;
      for (const OpId id : op.operands) {
        in.push_back(&values[replica][id]);
      }
      const size_t position = counts ? PositionOf(replica, groups) : 0;
      results.push_back(exchanges ? *in[0] : EvaluateOp(graph, op, in, leaves[replica], position));
    }
    if (exchanges) results = EvaluateCollective(op, results, groups);
    for (size_t replica = 0; replica < leaves.size(); ++replica) {
      TW_CHECK(results[replica].sizes == op.shape.sizes());
      values[replica].push_back(std::move(results[replica]));
    }
  }
  return values;
}

std::vector<Tensor> EvaluateAll(const Graph& graph, const Tensors& leaves) {
  return EvaluateReplicas(graph, {leaves}, Neighbours(1))[0];
}

std::vector<Tensor> Evaluate(const Graph& graph, const Tensors& leaves) {
  const std::vector<Tensor> values = EvaluateAll(graph, leaves);
  std::vector<Tensor> outputs;
  for (const Output& output : graph.outputs()) {
    outputs.push_back(values[output.value]);
  }
  return outputs;
}

}  // namespace tilewise::reference
