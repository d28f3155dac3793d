// One op at a time on all cores; a collective reads the values of its group.

#include "tests/reference/mesh_evaluator.h"

#include <cmath>
#include <string>

#include "base/check.h"
#include "graph/graph_builder.h"
#include "tests/reference/kinds.h"

namespace tilewise::reference {
namespace {

struct CorePlace {
  int64_t data, fsdp, tensor;
};

// One value on all cores.
using OnCores = std::vector<Tensor>;

Tensor Block(const Tensor& whole, const Index& sizes, const Index& block) {
  Tensor part(sizes);
  ForEachIndex(sizes, [&](const Index& index) {
    Index from = index;
    for (size_t i = 0; i < from.size(); ++i) from[i] += block[i] * sizes[i];
    part[index] = whole[from];
  });
  return part;
}

class MeshEvaluator {
 public:
  MeshEvaluator(const Graph& graph, const Tensors& leaves,
                const MeshSizes& mesh)
      : graph_(graph), leaves_(leaves), mesh_(mesh) {}

  std::vector<Tensor> Run() {
    for (const Op& op : graph_.ops()) values_.push_back(Evaluate(op));
    std::vector<Tensor> outputs;
    for (const Output& output : graph_.outputs()) {
      outputs.push_back(Joined(output));
    }
    return outputs;
  }

 private:
  CorePlace PlaceOf(int64_t core) const {
    return {core / (mesh_.fsdp * mesh_.tensor),
            core / mesh_.tensor % mesh_.fsdp, core % mesh_.tensor};
  }

  // Position of a core in its group on `axis`, and the number of the group.
  int64_t PositionOf(int64_t core, const std::string& axis) const {
    const CorePlace at = PlaceOf(core);
    if (axis == "data") return at.data;
    if (axis == "fsdp") return at.fsdp;
    if (axis == "tensor") return at.tensor;
    if (axis == "data+fsdp") return at.data * mesh_.fsdp + at.fsdp;
    return core;
  }
  int64_t GroupOf(int64_t core, const std::string& axis) const {
    const CorePlace at = PlaceOf(core);
    if (axis == "data") return at.fsdp * mesh_.tensor + at.tensor;
    if (axis == "fsdp") return at.data * mesh_.tensor + at.tensor;
    if (axis == "tensor") return at.data * mesh_.fsdp + at.fsdp;
    if (axis == "data+fsdp") return at.tensor;
    return 0;
  }

  // Which block of a dim a core has when it has 1 / `ratio` of it.
  int64_t BlockOf(int64_t core, int64_t ratio) const {
    const CorePlace at = PlaceOf(core);
    int64_t block = 0;
    const auto take = [&](int64_t size, int64_t position) {
      if (size < 2 || ratio % size != 0) return;
      block = block * size + position;
      ratio /= size;
    };
    take(mesh_.tensor, at.tensor);
    take(mesh_.fsdp, at.fsdp);
    take(mesh_.data, at.data);
    TW_CHECK(ratio == 1);
    return block;
  }

  Index BlocksOf(int64_t core, const Index& whole, const Index& part) const {
    Index blocks;
    for (size_t i = 0; i < whole.size(); ++i) {
      TW_CHECK(whole[i] % part[i] == 0);
      blocks.push_back(BlockOf(core, whole[i] / part[i]));
    }
    return blocks;
  }

  // Examples lie with data outermost.
  Index BatchBlock(int64_t core, size_t rank) const {
    Index blocks(rank, 0);
    const CorePlace at = PlaceOf(core);
    if (rank > 0) blocks[0] = at.data * mesh_.fsdp + at.fsdp;
    return blocks;
  }

  OnCores Evaluate(const Op& op) const {
    if (ClassOf(op.kind) == OpClass::kCollective) return Exchange(op);
    GraphBuilder builder("op");
    std::vector<OpId> operands;
    for (const OpId id : op.operands) {
      operands.push_back(builder.Parameter(
          graph_.op(id).shape, "operand/" + std::to_string(operands.size())));
    }
    builder.AddOutput(builder.Clone(op, operands), Output::Role::kResult);
    const auto alone = builder.Build();
    TW_CHECK(alone.ok());
    OnCores values;
    for (int64_t core = 0; core < mesh_.cores(); ++core) {
      if (op.kind == OpKind::kPartitionId) {
        values.push_back(Tensor(
            Index{}, static_cast<double>(PositionOf(core, op.attrs.axis))));
        continue;
      }
      values.push_back(reference::Evaluate(*alone, OperandsOf(op, core))[0]);
    }
    return values;
  }

  Tensors OperandsOf(const Op& op, int64_t core) const {
    Tensors operands;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      operands["operand/" + std::to_string(i)] = At(op.operands[i], core);
    }
    const auto leaf = leaves_.find(op.name);
    if (op.operands.empty() && leaf != leaves_.end()) {
      const Tensor& whole = leaf->second;
      const Index part = op.shape.sizes();
      operands[op.name] = Block(whole, part,
                                op.kind == OpKind::kParameter
                                    ? BatchBlock(core, part.size())
                                    : BlocksOf(core, whole.sizes, part));
    }
    return operands;
  }

  const Tensor& At(OpId id, int64_t core) const {
    return values_[static_cast<size_t>(id)][static_cast<size_t>(core)];
  }

  std::vector<const Tensor*> GroupValues(const Op& op, int64_t core) const {
    const std::string& axis = op.attrs.axis;
    std::vector<const Tensor*> values;
    for (int64_t other = 0; other < mesh_.cores(); ++other) {
      if (GroupOf(other, axis) != GroupOf(core, axis)) continue;
      TW_CHECK(PositionOf(other, axis) == static_cast<int64_t>(values.size()));
      values.push_back(&At(op.operands[0], other));
    }
    const auto size = static_cast<int64_t>(values.size());
    TW_CHECK(op.attrs.group_size == 0 || op.attrs.group_size == size);
    return values;
  }

  static Tensor Reduce(const std::vector<const Tensor*>& group,
                       Reducer reducer) {
    Tensor sum = *group[0];
    for (size_t i = 1; i < group.size(); ++i) {
      for (size_t k = 0; k < sum.data.size(); ++k) {
        sum.data[k] = Reduced(reducer, sum.data[k], group[i]->data[k]);
      }
    }
    return sum;
  }

  static Tensor Part(const Tensor& whole, size_t dim, int64_t parts,
                     int64_t position) {
    Index sizes = whole.sizes;
    sizes[dim] /= parts;
    Index block(sizes.size(), 0);
    block[dim] = position;
    return Block(whole, sizes, block);
  }

  static Tensor Join(const std::vector<Tensor>& parts, size_t dim) {
    Index sizes = parts[0].sizes;
    sizes[dim] *= static_cast<int64_t>(parts.size());
    Tensor whole(sizes);
    for (size_t i = 0; i < parts.size(); ++i) {
      ForEachIndex(parts[i].sizes, [&](const Index& index) {
        Index to = index;
        to[dim] += static_cast<int64_t>(i) * parts[i].sizes[dim];
        whole[to] = parts[i][index];
      });
    }
    return whole;
  }

  OnCores Exchange(const Op& op) const {
    OnCores results;
    for (int64_t core = 0; core < mesh_.cores(); ++core) {
      results.push_back(ExchangeOn(op, core));
      TW_CHECK(results.back().sizes == op.shape.sizes());
    }
    return results;
  }

  Tensor ExchangeOn(const Op& op, int64_t core) const {
    const std::vector<const Tensor*> group = GroupValues(op, core);
    const auto size = static_cast<int64_t>(group.size());
    const int64_t position = PositionOf(core, op.attrs.axis);
    const auto dim = [&](size_t i) {
      return static_cast<size_t>(op.attrs.dims[i]);
    };
    std::vector<Tensor> parts;
    switch (op.kind) {
      case OpKind::kAllGather:
        for (const Tensor* value : group) parts.push_back(*value);
        return Join(parts, dim(0));
      case OpKind::kReduceScatter:
        return Part(Reduce(group, Reducer::kSum), dim(0), size, position);
      case OpKind::kAllToAll:
        for (const Tensor* value : group) {
          parts.push_back(Part(*value, dim(0), size, position));
        }
        return Join(parts, dim(1));
      case OpKind::kCollectivePermute:
        return *group[static_cast<size_t>(
            ((position - op.attrs.shift) % size + size) % size)];
      default:
        return Reduce(group, op.attrs.reducer);
    }
  }

  Tensor Joined(const Output& output) const {
    const Op& op = graph_.op(output.value);
    Index sizes = op.shape.sizes();
    const bool is_state = output.role == Output::Role::kState;
    if (output.role == Output::Role::kLoss) return MeanLoss(output.value);
    if (is_state) {
      sizes = leaves_.at(graph_.op(output.variable).name).sizes;
    } else if (!sizes.empty()) {
      sizes[0] *= mesh_.data * mesh_.fsdp;
    }
    Tensor whole(sizes, std::nan(""));
    for (int64_t core = 0; core < mesh_.cores(); ++core) {
      const Tensor& part = At(output.value, core);
      const Index blocks = is_state ? BlocksOf(core, sizes, part.sizes)
                                    : BatchBlock(core, sizes.size());
      Place(part, blocks, whole);
    }
    return whole;
  }

  static void Place(const Tensor& part, const Index& blocks, Tensor& whole) {
    ForEachIndex(part.sizes, [&](const Index& index) {
      Index to = index;
      for (size_t i = 0; i < to.size(); ++i) to[i] += blocks[i] * part.sizes[i];
      const double before = whole[to];
      const double now = part[index];
      TW_CHECK(std::isnan(before) || std::isnan(now) ||
               std::abs(before - now) <= 1e-9 * (1 + std::abs(now)));
      whole[to] = now;
    });
  }

  Tensor MeanLoss(OpId value) const {
    Tensor mean(Index{});
    for (int64_t core = 0; core < mesh_.cores(); ++core) {
      mean.data[0] +=
          At(value, core).data[0] / static_cast<double>(mesh_.cores());
    }
    return mean;
  }

  const Graph& graph_;
  const Tensors& leaves_;
  const MeshSizes mesh_;
  std::vector<OnCores> values_;  // by op
};

}  // namespace

std::vector<Tensor> EvaluateOnMesh(const Graph& graph, const Tensors& leaves,
                                   const MeshSizes& mesh) {
  return MeshEvaluator(graph, leaves, mesh).Run();
}

}  // namespace tilewise::reference
