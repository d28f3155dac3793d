// Grouping of ops into kernels by XLA's habits (tpu-lowering 4): elementwise
// producers join loops, reduces and matrix operands; a matrix op joins the
// elementwise epilogue or reduce that is its only user; two matrix ops never
// share a kernel; windows, gathers, loops and collectives stay alone.

#include "sim/lowering/fusion/fusion_groups.h"

#include <algorithm>

#include "sim/lowering/lowering_traits.h"
#include "sim/lowering/siblings.h"

namespace tilewise {
namespace {

bool TakesProducers(const Op& seed) {
  switch (ClassOf(seed.kind)) {
    case OpClass::kElementwise:
    case OpClass::kData:
    case OpClass::kReduce:
    case OpClass::kMxu:
      return true;
    default:
      return false;
  }
}

class Grouper {
 public:
  Grouper(const Program& program, const Chip& chip, bool fuse, bool fuse_updates)
      : program_(program),
        facts_(FindRecomputable(program, chip)),
        fuse_(fuse),
        fuse_updates_(fuse_updates) {
    const size_t size = program.graph.size();
    result_.of_op.resize(size);
    result_.is_output = facts_.is_output;
  }

  FusionGroups Run() {
    for (OpId id(program_.graph.size() - 1); id >= 0; --id) {
      Place(program_.graph.op(id));
    }
    return std::move(result_);
  }

 private:
  std::vector<int32_t> GroupsOfUsers(OpId id) const {
    std::vector<int32_t> groups;
    for (const OpId user : program_.graph.users(id)) {
      const auto& theirs = result_.of_op[user];
      groups.insert(groups.end(), theirs.begin(), theirs.end());
    }
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
  }

  void Place(const Op& op) {
    if (IsArgument(op)) return;
    std::vector<int32_t> users = GroupsOfUsers(op.id);
    std::vector<int32_t>& mine = result_.of_op[op.id];
    if (facts_.is_virtual[op.id]) {
      mine = std::move(users);
      if (result_.is_output[op.id]) mine.push_back(Start(op));
      return;
    }
    const OpId sibling = Siblings(program_.graph, op).back();
    if (sibling != op.id) {
      mine = result_.of_op[sibling];
      Lead(op, mine[0]);
    } else if (facts_.is_fenced[op.id]) {
      mine = {Start(op)};
    } else if (fuse_ && users.size() == 1 && MayJoin(op, users[0])) {
      Join(op, users[0]);
      mine = std::move(users);
    } else if (fuse_ && users.size() > 1 && MayRepeat(op, users)) {
      mine = std::move(users);
    } else {
      mine = {Start(op)};
    }
  }

  // The first of several results names the group.
  void Lead(const Op& op, int32_t number) {
    FusionGroup& group = result_.groups[number];
    group.seed = op.id;
    group.phase = op.phase;
    group.loop = op.loop;
  }

  int32_t Start(const Op& op) {
    FusionGroup group;
    group.seed = op.id;
    group.phase = op.phase;
    group.loop = op.loop;
    group.takes_producers = TakesProducers(op);
    group.has_matrix = ClassOf(op.kind) == OpClass::kMxu;
    group.has_data = ClassOf(op.kind) == OpClass::kData;
    group.single_output = !fuse_updates_ && op.phase == Phase::kUpdate;
    result_.groups.push_back(group);
    return static_cast<int32_t>(result_.groups.size()) - 1;
  }

  void Join(const Op& op, int32_t number) {
    FusionGroup& group = result_.groups[number];
    if (ClassOf(op.kind) == OpClass::kMxu) group.has_matrix = true;
    if (ClassOf(op.kind) == OpClass::kData) group.has_data = true;
  }

  bool MayJoin(const Op& op, int32_t number) const {
    const FusionGroup& group = result_.groups[number];
    if (!group.takes_producers || group.loop != op.loop) return false;
    const bool is_output = result_.is_output[op.id];
    if (group.single_output && is_output) return false;
    const bool takes_matrix = !group.has_matrix && !group.has_data;
    switch (ClassOf(op.kind)) {
      case OpClass::kElementwise:
        return !facts_.is_epilogue[op.id] || takes_matrix;
      case OpClass::kData:
        return LoweringTraitsOf(op.kind).joins_loops && !group.has_matrix;
      case OpClass::kRandom:
        return LoweringTraitsOf(op.kind).joins_loops && takes_matrix;
      case OpClass::kMxu:
        return takes_matrix && UsedInPlace(op);
      default:
        return false;
    }
  }

  // Every user works element by element on the whole value, or reduces it.
  bool UsedInPlace(const Op& op) const {
    for (const OpId id : program_.graph.users(op.id)) {
      const Op& user = program_.graph.op(id);
      if (facts_.is_virtual[id]) {
        if (user.kind == OpKind::kBroadcast || !UsedInPlace(user)) return false;
      } else if (ClassOf(user.kind) != OpClass::kElementwise && user.kind != OpKind::kReduce) {
        return false;
      }
    }
    return true;
  }

  bool MayRepeat(const Op& op, const std::vector<int32_t>& users) const {
    if (!ShouldRecompute(facts_, op.id, static_cast<int64_t>(users.size()))) {
      return false;
    }
    return std::all_of(users.begin(), users.end(), [&](int32_t number) {
      const FusionGroup& group = result_.groups[number];
      return group.takes_producers && group.loop == op.loop;
    });
  }

  const Program& program_;
  const RecomputeFacts facts_;
  const bool fuse_;
  const bool fuse_updates_;
  FusionGroups result_;
};

}  // namespace

bool FusionGroups::Contains(OpId op, int32_t group) const {
  const std::vector<int32_t>& theirs = of_op[op];
  return std::binary_search(theirs.begin(), theirs.end(), group);
}

int32_t FusionGroups::Owner(OpId op) const {
  const std::vector<int32_t>& theirs = of_op[op];
  return theirs.size() == 1 ? theirs[0] : -1;
}

FusionGroups GroupForFusion(const Program& program, const Chip& chip, bool fuse_updates) {
  return Grouper(program, chip, /*fuse=*/true, fuse_updates).Run();
}

FusionGroups GroupSingly(const Program& program, const Chip& chip) {
  return Grouper(program, chip, /*fuse=*/false, /*fuse_updates=*/true).Run();
}

}  // namespace tilewise
