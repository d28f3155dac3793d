// Windows that are read again are read again from where the value is.

#include "sim/lowering/memory_space_assignment/on_chip_traffic.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "sim/lowering/buffer_assignment/buffer_index.h"
#include "sim/lowering/tile_selection/block_tiles.h"
#include "sim/lowering/tile_selection/even_tiles.h"
#include "sim/lowering/tile_selection/operand_traffic.h"

namespace tilewise {
namespace {

auto OnChipBytes(const Kernel& kernel) {
  return std::tuple(kernel.on_chip_read.value, kernel.on_chip_write.value,
                    kernel.windows.first_on_chip_read.value);
}

class Mover {
 public:
  Mover(Program& program, const Chip& chip) : program_(program), chip_(chip), index_(program) {}

  void Run() {
    for (KernelId k = 0; k < program_.kernels.size(); ++k) {
      Kernel& kernel = program_.kernels[k];
      const auto before = OnChipBytes(kernel);
      SetOnChip(kernel, k);
      if (OnChipBytes(kernel) == before || !ChooseWindows(kernel, k)) continue;
      SetOnChip(kernel, k);
    }
  }

 private:
  // The buffer, or null for what is written in the place of a variable: in HBM.
  const Buffer* BufferAt(BufferId at) const { return at < 0 ? nullptr : &program_.buffers[at]; }
  bool IsRead(OpId id, KernelId k) const {
    const Buffer* buffer = BufferAt(index_.ReadAt(id, k));
    return buffer != nullptr && buffer->on_chip_until >= k;
  }
  bool IsWritten(OpId id, KernelId k) const {
    const Buffer* buffer = BufferAt(index_.WrittenAt(id, k));
    return buffer != nullptr && buffer->on_chip_until >= k && buffer->never_in_hbm();
  }

  // Returns the share of the values' bytes.
  template <class IsOnChip>
  double ShareOf(const std::vector<OpId>& ids, IsOnChip is_on_chip) const {
    Bytes on_chip, all;
    for (const OpId id : ids) {
      const Bytes size = ValueBytes(program_, id, chip_);
      all += size;
      if (is_on_chip(id)) on_chip += size;
    }
    return all > Bytes{} ? static_cast<double>(on_chip.value) / static_cast<double>(all.value) : 0;
  }
  double ShareRead(const Kernel& kernel, KernelId k) const {
    return ShareOf(kernel.inputs, [&](OpId id) { return IsRead(id, k); });
  }
  double ShareWritten(const Kernel& kernel, KernelId k) const {
    return ShareOf(kernel.outputs, [&](OpId id) { return IsWritten(id, k); });
  }
  static Bytes Part(Bytes bytes, double share) {
    return {static_cast<int64_t>(static_cast<double>(bytes.value) * share)};
  }

  void SetOnChip(Kernel& kernel, KernelId k) const {
    kernel.on_chip_read = kernel.on_chip_write = {};
    kernel.windows.first_on_chip_read = {};
    if (kernel.kind == KernelKind::kCollective || kernel.kind == KernelKind::kHostCopy) {
      return;
    }
    kernel.on_chip_write = Part(kernel.hbm_write, ShareWritten(kernel, k));
    if (kernel.traffic.empty()) {
      kernel.on_chip_read = Part(kernel.hbm_read, ShareRead(kernel, k));
    } else {
      AddReads(kernel, k);
    }
  }

  // Adds the reads where the kernel says how it reads each of its inputs.
  void AddReads(Kernel& kernel, KernelId k) const {
    for (size_t i = 0; i < kernel.inputs.size(); ++i) {
      const OpId id = kernel.inputs[i];
      if (!IsRead(id, k)) continue;
      const Bytes size = ValueBytes(program_, id, chip_);
      kernel.on_chip_read += Part(size, kernel.traffic[i].times);
      kernel.windows.first_on_chip_read += kernel.traffic[i].first_window;
    }
    kernel.on_chip_read = std::min(kernel.on_chip_read, kernel.hbm_read);
  }

  // Returns false for windows that do not depend on where values are: those
  // that a compiler chooses with its own cost model.
  bool ChooseWindows(Kernel& kernel, KernelId k) const {
    if (kernel.matrix.weight_tiles == 0 || kernel.kind != KernelKind::kMatrix) {
      TileEvenly(program_, kernel, chip_);
      return true;
    }
    if (kernel.matrix.feed_alu > 0 || kernel.windows.hand_written) return false;
    OnChip on_chip;
    for (const OpId id : kernel.inputs) {
      on_chip.inputs.push_back(IsRead(id, k));
    }
    on_chip.written = ShareWritten(kernel, k);
    TileBlocks(program_, kernel, on_chip, chip_);
    return true;
  }

  Program& program_;
  const Chip& chip_;
  const BufferIndex index_;
};

}  // namespace

void MoveOnChipTraffic(Program& program, const Chip& chip) { Mover(program, chip).Run(); }

}  // namespace tilewise
