// Layouts are converted one by one. A kernel's ops become one fusion group; ops
// that are free belong to those that use them, as in `fuse`, but for a
// broadcast that the dump has as the result of a kernel: that one is written.

#include "sim/lowering/compiled.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/lowering/fusion/kernel_graph.h"
#include "sim/lowering/fusion/recompute.h"

namespace tilewise {
namespace {

// Memory spaces of XLA's layouts (tpu-lowering 1.1).
constexpr int64_t kVmem = 1;
constexpr int64_t kCmem = 3;

bool IsPermutation(std::vector<int64_t> dims, int64_t rank) {
  std::sort(dims.begin(), dims.end());
  for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i) {
    if (dims[i] != i) return false;
  }
  return static_cast<int64_t>(dims.size()) == rank;
}

// The first tile pads; those within it order what it holds.
absl::StatusOr<Layout> StatedLayout(const Op& op, const PhysicalLayout& stated, const Chip& chip) {
  if (!IsPermutation(stated.minor_to_major, op.shape.rank())) {
    return InvalidInput(fmt::format("{}: found layout {{{}}}, expected the dims of {}", op.name,
                                    fmt::join(stated.minor_to_major, ","), FormatShape(op.shape)));
  }
  Layout layout = MakeLayout(op.shape, stated.minor_to_major, chip);
  layout.on_chip = stated.memory_space == kVmem || stated.memory_space == kCmem;
  if (stated.tiles.empty() || op.shape.rank() == 0) return layout;
  const std::vector<int64_t>& tile = stated.tiles[0];
  const bool is_sane = !tile.empty() && tile.size() <= 2 &&
                       std::all_of(tile.begin(), tile.end(),
                                   [](int64_t size) { return size >= 1 && size <= 65536; });
  if (!is_sane) return layout;
  layout.tile_lanes = tile.back();
  layout.tile_sublanes = tile.size() == 2 ? tile[0] : 1;
  return layout;
}

class Adoption {
 public:
  Adoption(const Compilation& compilation, const Chip& chip, Program& program)
      : compilation_(compilation), chip_(chip), program_(program) {}

  absl::Status Run() {
    TW_RETURN_IF_ERROR(CheckSizes());
    TW_RETURN_IF_ERROR(TakeLayouts());
    TW_RETURN_IF_ERROR(CheckNeighbours());
    Group();
    program_.compiled = true;
    program_.kernels = MakeKernels(program_, chip_, groups_);
    NameKernels();
    return absl::OkStatus();
  }

 private:
  size_t Count() const { return program_.graph.ops().size(); }

  absl::Status CheckSizes() const {
    if (compilation_.kernel_of.size() == Count() && compilation_.layouts.size() == Count()) {
      return absl::OkStatus();
    }
    return InvalidInput(fmt::format("found kernels of {} ops, expected {}",
                                    compilation_.kernel_of.size(), Count()));
  }

  absl::Status TakeLayouts() {
    program_.layouts.reserve(Count());
    for (const Op& op : program_.graph.ops()) {
      const auto& stated = compilation_.layouts[op.id];
      if (!stated) {
        program_.layouts.push_back(DefaultLayout(op.shape, chip_));
        continue;
      }
      TW_ASSIGN_OR_RETURN(Layout layout, StatedLayout(op, *stated, chip_));
      program_.layouts.push_back(std::move(layout));
    }
    return absl::OkStatus();
  }

  // Checks that the ops of a kernel are neighbours: no kernel can then need one that needs it.
  absl::Status CheckNeighbours() const {
    std::vector<bool> ended(compilation_.kernels.size(), false);
    int32_t current = -1;
    for (const Op& op : program_.graph.ops()) {
      const int32_t kernel = compilation_.kernel_of[op.id];
      if (kernel < 0 || kernel == current) continue;
      if (static_cast<size_t>(kernel) >= ended.size() || ended[kernel]) {
        return InvalidInput(
            fmt::format("{}: found kernel {} again, expected its ops together", op.name, kernel));
      }
      if (current >= 0) ended[current] = true;
      current = kernel;
    }
    return absl::OkStatus();
  }

  void Group() {
    groups_.of_op.resize(Count());
    groups_.is_output.assign(Count(), false);
    group_of_.assign(compilation_.kernels.size(), -1);
    for (const Output& output : program_.graph.outputs()) {
      groups_.is_output[Stored(output.value)] = true;
    }
    for (OpId id(program_.graph.size() - 1); id >= 0; --id) {
      Place(program_.graph.op(id));
    }
  }

  // The name is that of the dump, and so of a profile of its run.
  void NameKernels() {
    std::vector<bool> named(compilation_.kernels.size(), false);
    for (Kernel& kernel : program_.kernels) {
      const int32_t number = compilation_.kernel_of[kernel.root];
      if (number < 0 || named[number]) continue;
      named[number] = true;
      kernel.name = compilation_.kernels[number];
    }
  }

  bool IsWrittenBroadcast(const Op& op) const {
    const int32_t kernel = compilation_.kernel_of[op.id];
    const auto users = program_.graph.users(op.id);
    if (op.kind != OpKind::kBroadcast || kernel < 0) return false;
    return std::any_of(users.begin(), users.end(), [&](OpId user) {
      const int32_t other = compilation_.kernel_of[user];
      return other >= 0 && other != kernel;
    });
  }

  // The value in memory that a bitcast stands for.
  OpId Stored(OpId id) const {
    const Op* op = &program_.graph.op(id);
    while (IsVirtual(program_, *op, chip_) && !op->operands.empty() &&
           op->kind != OpKind::kBroadcast) {
      op = &program_.graph.operand(*op, 0);
    }
    return op->id;
  }

  void Place(const Op& op) {
    if (IsArgument(op)) return;
    std::vector<int32_t>& mine = groups_.of_op[op.id];
    const int32_t kernel = compilation_.kernel_of[op.id];
    const bool is_written = IsWrittenBroadcast(op);
    if (is_written) groups_.is_output[op.id] = true;
    if (IsVirtual(program_, op, chip_) && !is_written) {
      mine = GroupsOfUsers(op.id);
      const bool leaves = groups_.is_output[op.id];
      if (leaves || mine.empty()) mine.push_back(Start(op));
    } else if (kernel < 0) {
      mine = {Start(op)};
    } else {
      int32_t& group = group_of_[kernel];
      if (group < 0) group = Start(op);
      if (ClassOf(op.kind) == OpClass::kMxu) {
        groups_.groups[group].has_matrix = true;
      }
      mine = {group};
    }
  }

  std::vector<int32_t> GroupsOfUsers(OpId id) const {
    std::vector<int32_t> groups;
    for (const OpId user : program_.graph.users(id)) {
      const auto& theirs = groups_.of_op[user];
      groups.insert(groups.end(), theirs.begin(), theirs.end());
    }
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
  }

  int32_t Start(const Op& op) {
    FusionGroup group;
    group.seed = op.id;
    group.phase = op.phase;
    group.loop = op.loop;
    group.has_matrix = ClassOf(op.kind) == OpClass::kMxu;
    group.has_data = ClassOf(op.kind) == OpClass::kData;
    groups_.groups.push_back(group);
    return static_cast<int32_t>(groups_.groups.size()) - 1;
  }

  const Compilation& compilation_;
  const Chip& chip_;
  Program& program_;
  FusionGroups groups_;
  std::vector<int32_t> group_of_;  // by kernel of the dump; -1: not yet
};

}  // namespace

absl::Status AdoptCompilation(const Compilation& compilation, const Chip& chip, Program& program) {
  return Adoption(compilation, chip, program).Run();
}

}  // namespace tilewise
