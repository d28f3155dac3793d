// Multi-output fusion. Every kernel has a level, larger than that of all
// kernels it needs. Two kernels of one level cannot need each other, and a
// kernel may sink into the one it needs when all others it needs are on lower
// levels than that one: both keep the levels valid, so no cycle arises. A
// matrix kernel that could as well run later is lifted to a higher level first.

#include "sim/lowering/fusion/multi_output.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace tilewise {
namespace {

constexpr size_t kMaxOperands = 19;  // of a multi-output fusion (tpu-lowering 3)

class Merger {
 public:
  Merger(const Program& program, FusionGroups& groups)
      : program_(program),
        groups_(groups),
        graph_(ConnectKernels(program, groups)),
        into_(groups.groups.size()),
        level_(groups.groups.size(), 0),
        users_(groups.groups.size()),
        members_(groups.groups.size()),
        inputs_(groups.groups.size()),
        has_matrix_(groups.groups.size()) {
    std::iota(into_.begin(), into_.end(), 0);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      inputs_[i] = graph_.inputs[i].size();
      has_matrix_[i] = groups.groups[i].has_matrix;
      members_[i] = {static_cast<int32_t>(i)};
      for (const int32_t needed : graph_.needs[i]) {
        users_[needed].push_back(static_cast<int32_t>(i));
      }
    }
  }

  void Run() {
    for (const int32_t group : graph_.order) SetLevel(group);
    for (const int32_t group : graph_.order) SinkReduce(group);
    MergeSiblings();
    Apply();
  }

 private:
  const FusionGroup& Group(int32_t group) const { return groups_.groups[group]; }
  const Op& Seed(int32_t group) const { return program_.graph.op(Group(group).seed); }
  int32_t& Level(int32_t group) { return level_[group]; }
  int32_t Find(int32_t group) const {
    while (into_[group] != group) {
      group = into_[group];
    }
    return group;
  }

  void SetLevel(int32_t group) {
    for (const int32_t needed : graph_.needs[group]) {
      Level(group) = std::max(Level(group), Level(needed) + 1);
    }
  }

  // Elements that the kernel loops over.
  int64_t Elements(int32_t group) const {
    const Op& seed = Seed(group);
    if (seed.kind != OpKind::kReduce) return seed.shape.elements();
    return program_.graph.operand(seed, 0).shape.elements();
  }

  bool MayMerge(int32_t a, int32_t b) const {
    return Group(a).takes_producers && Group(b).takes_producers && !Group(a).single_output &&
           !Group(b).single_output && Group(a).phase == Group(b).phase &&
           Group(a).loop == Group(b).loop && Elements(a) == Elements(b) &&
           inputs_[a] + inputs_[b] <= kMaxOperands;
  }

  void Merge(int32_t from, int32_t to) {
    into_[from] = to;
    inputs_[to] += inputs_[from];
    if (has_matrix_[from]) {
      has_matrix_[to] = true;
    }
    std::vector<int32_t>& joined = members_[from];
    std::vector<int32_t>& all = members_[to];
    all.insert(all.end(), joined.begin(), joined.end());
    joined.clear();
  }

  // Returns whether the group is a reduce, or what is left of one over dims of
  // size 1: a reshape that drops them.
  bool IsReduce(int32_t group) const {
    const Op& seed = Seed(group);
    if (seed.kind != OpKind::kReshape) return seed.kind == OpKind::kReduce;
    const auto without_ones = [](const Op& op) {
      std::vector<int64_t> dims;
      for (int64_t dim = 0; dim < op.shape.rank(); ++dim) {
        if (op.shape.size(dim) != 1) dims.push_back(op.shape.size(dim));
      }
      return dims;
    };
    return without_ones(seed) == without_ones(program_.graph.operand(seed, 0));
  }

  void SinkReduce(int32_t group) {
    if (!IsReduce(group) || Group(group).has_matrix) return;
    if (SinkIntoHighest(group)) return;
    for (const int32_t needed : graph_.needs[group]) {
      const int32_t matrix = Find(needed);
      if (!has_matrix_[matrix]) continue;
      if (!MayMerge(group, matrix) || NeedsReduceOf(group, matrix)) continue;
      if (!LiftAbove(matrix, group)) continue;
      Merge(group, matrix);
      return;
    }
  }

  // Lifts `matrix` above all other kernels that `group` needs, unless a kernel
  // that needs it is not above them: the others may need it through that one.
  bool LiftAbove(int32_t matrix, int32_t group) {
    int32_t level = Level(matrix);
    for (const int32_t needed : graph_.needs[group]) {
      const int32_t other = Find(needed);
      if (other != matrix) level = std::max(level, Level(other) + 1);
    }
    for (const int32_t member : members_[matrix]) {
      for (const int32_t user : users_[member]) {
        const int32_t now = Find(user);
        if (now == matrix || now == group) continue;
        if (Level(now) <= level) return false;
      }
    }
    Level(matrix) = level;
    return true;
  }

  bool SinkIntoHighest(int32_t group) {
    int32_t highest = -1;
    bool is_alone = true;
    for (const int32_t needed : graph_.needs[group]) {
      const int32_t now = Find(needed);
      if (now == highest) continue;
      if (highest >= 0 && Level(now) == Level(highest)) is_alone = false;
      if (highest < 0 || Level(now) > Level(highest)) {
        highest = now;
        is_alone = true;
      }
    }
    if (highest < 0 || !is_alone || !MayMerge(group, highest)) return false;
    if (NeedsReduceOf(group, highest)) return false;
    Merge(group, highest);
    return true;
  }

  // The sum that a kernel makes is there only when its loop has ended, too late
  // for a reduce in the same loop: a variance about the mean, the sum of a
  // softmax about its maximum.
  bool NeedsReduceOf(int32_t group, int32_t merged) const {
    const std::vector<int32_t>& needs = graph_.needs[group];
    return std::any_of(needs.begin(), needs.end(), [&](int32_t needed) {
      return Find(needed) == merged && Seed(needed).kind == OpKind::kReduce;
    });
  }

  // The input with the most bytes, the first of equals.
  OpId LargestInput(int32_t group) const {
    OpId largest = kNoOp;
    int64_t most = 0;
    for (const OpId id : graph_.inputs[group]) {
      const int64_t bytes = program_.graph.op(id).shape.unpadded_bytes().value;
      if (bytes <= most) continue;
      most = bytes;
      largest = id;
    }
    return largest;
  }

  void MergeSiblings() {
    std::map<std::tuple<int32_t, OpId>, std::vector<int32_t>> siblings;
    for (const int32_t group : graph_.order) {
      if (Find(group) != group) continue;
      const OpId input = LargestInput(group);
      if (input == kNoOp || !Group(group).takes_producers) continue;
      std::vector<int32_t>& row = siblings[{Level(group), input}];
      const auto partner = std::find_if(row.begin(), row.end(), [&](int32_t other) {
        return MayMerge(group, other) && !(has_matrix_[group] || has_matrix_[other]);
      });
      if (partner == row.end()) {
        row.push_back(group);
      } else {
        Merge(group, *partner);
      }
    }
  }

  // Renumbers the groups without gaps.
  void Apply() {
    std::vector<int32_t> number(into_.size(), -1);
    std::vector<FusionGroup> kept;
    for (size_t i = 0; i < into_.size(); ++i) {
      if (into_[i] != static_cast<int32_t>(i)) continue;
      number[i] = static_cast<int32_t>(kept.size());
      FusionGroup group = groups_.groups[i];
      group.has_matrix = has_matrix_[i];
      kept.push_back(group);
    }
    for (std::vector<int32_t>& theirs : groups_.of_op) {
      for (int32_t& group : theirs) {
        group = number[Find(group)];
      }
      std::sort(theirs.begin(), theirs.end());
      theirs.erase(std::unique(theirs.begin(), theirs.end()), theirs.end());
    }
    groups_.groups = std::move(kept);
  }

  const Program& program_;
  FusionGroups& groups_;
  KernelGraph graph_;
  std::vector<int32_t> into_;  // by group: what it was merged into
  std::vector<int32_t> level_;
  std::vector<std::vector<int32_t>> users_;    // by group, as graph_.needs
  std::vector<std::vector<int32_t>> members_;  // merged into the group
  std::vector<size_t> inputs_;
  std::vector<bool> has_matrix_;
};

}  // namespace

void MergeMultiOutput(const Program& program, FusionGroups& groups) {
  Merger(program, groups).Run();
}

}  // namespace tilewise
