// Cuts the leaves for every core, evaluates the cores as replicas whose groups
// lie along the mesh's axes, and puts the outputs together.

#include "tests/reference/mesh_evaluator.h"

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace tilewise::reference {
namespace {

struct CorePosition {
  int64_t data, fsdp, expert, heads, tensor;
};

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
  MeshEvaluator(const Graph& graph, const Tensors& leaves, const MeshSizes& mesh)
      : graph_(graph), leaves_(leaves), mesh_(mesh) {}

  std::vector<Tensor> Run() {
    std::vector<Tensors> leaves;
    for (int64_t core = 0; core < mesh_.cores(); ++core) {
      leaves.push_back(LeavesOf(core));
    }
    values_ = EvaluateReplicas(graph_, leaves, [this](const Op& op) {
      return GroupsAlong(op.as<CollectiveAttrs>().axis);
    });
    std::vector<Tensor> outputs;
    for (const Output& output : graph_.outputs()) {
      outputs.push_back(Joined(output));
    }
    return outputs;
  }

 private:
  CorePosition PlaceOf(int64_t core) const {
    const int64_t shard = core / mesh_.tensor / mesh_.heads;
    return {shard / (mesh_.fsdp * mesh_.expert), shard / mesh_.expert % mesh_.fsdp,
            shard % mesh_.expert, core / mesh_.tensor % mesh_.heads, core % mesh_.tensor};
  }

  // The number of a core's group on `axis`. Inside a group the cores stand in
  // the order of their numbers.
  int64_t GroupOf(int64_t core, const std::string& axis) const {
    const CorePosition at = PlaceOf(core);
    if (axis.empty()) return 0;
    const auto has = [&axis](std::string_view part) {
      return axis.find(part) != std::string::npos;
    };
    const bool has_heads = has("tensor") && !has(".copies");
    const bool has_tensor = has("tensor") && !has(".heads");
    int64_t group = has("data") ? 0 : at.data;
    group = group * mesh_.fsdp + (has("fsdp") ? 0 : at.fsdp);
    group = group * mesh_.expert + (has("expert") ? 0 : at.expert);
    group = group * mesh_.heads + (has_heads ? 0 : at.heads);
    return group * mesh_.tensor + (has_tensor ? 0 : at.tensor);
  }
  Groups GroupsAlong(const std::string& axis) const {
    std::map<int64_t, std::vector<size_t>> groups;
    for (int64_t core = 0; core < mesh_.cores(); ++core) {
      groups[GroupOf(core, axis)].push_back(static_cast<size_t>(core));
    }
    Groups result;
    for (auto& [number, members] : groups) {
      result.push_back(std::move(members));
    }
    return result;
  }

  // Which block of a dim a core has when it has 1 / `ratio` of it.
  int64_t BlockOf(int64_t core, int64_t ratio) const {
    const CorePosition at = PlaceOf(core);
    int64_t block = 0;
    const auto take = [&](int64_t size, int64_t position) {
      if (size < 2 || ratio % size != 0) return;
      block = block * size + position;
      ratio /= size;
    };
    take(mesh_.heads, at.heads);
    take(mesh_.tensor, at.tensor);
    take(mesh_.fsdp, at.fsdp);
    take(mesh_.expert, at.expert);
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
    const CorePosition at = PlaceOf(core);
    if (rank > 0) {
      blocks[0] = (at.data * mesh_.fsdp + at.fsdp) * mesh_.expert + at.expert;
    }
    return blocks;
  }

  Tensors LeavesOf(int64_t core) const {
    Tensors leaves;
    for (const Op& op : graph_.ops()) {
      const auto leaf = leaves_.find(op.name);
      if (!op.operands.empty() || leaf == leaves_.end()) continue;
      const Tensor& whole = leaf->second;
      const Index part = op.shape.sizes();
      leaves[op.name] = Block(whole, part,
                              op.kind == OpKind::kParameter ? BatchBlock(core, part.size())
                                                            : BlocksOf(core, whole.sizes, part));
    }
    return leaves;
  }

  const Tensor& At(OpId id, int64_t core) const { return values_[core][id]; }

  Tensor Joined(const Output& output) const {
    const Op& op = graph_.op(output.value);
    Index sizes = op.shape.sizes();
    const bool is_state = output.role == Output::Role::kState;
    if (output.role == Output::Role::kLoss) return MeanLoss(output.value);
    if (is_state) {
      sizes = leaves_.at(graph_.op(output.variable).name).sizes;
    } else if (!sizes.empty()) {
      sizes[0] *= mesh_.shards();
    }
    Tensor whole(sizes, std::nan(""));
    for (int64_t core = 0; core < mesh_.cores(); ++core) {
      const Tensor& part = At(output.value, core);
      const Index blocks =
          is_state ? BlocksOf(core, sizes, part.sizes) : BatchBlock(core, sizes.size());
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
      mean.data[0] += At(value, core).data[0] / static_cast<double>(mesh_.cores());
    }
    return mean;
  }

  const Graph& graph_;
  const Tensors& leaves_;
  const MeshSizes mesh_;
  std::vector<std::vector<Tensor>> values_;  // by core, then by op
};

}  // namespace

std::vector<Tensor> EvaluateOnMesh(const Graph& graph, const Tensors& leaves,
                                   const MeshSizes& mesh) {
  return MeshEvaluator(graph, leaves, mesh).Run();
}

}  // namespace tilewise::reference
