// Live ranges from the first writing to the last reading kernel, and the peak
// of their sum by differences.

#include "sim/lowering/passes/live_ranges.h"

#include <algorithm>

#include "sim/lowering/passes/promote.h"

namespace tilewise {
namespace {

constexpr size_t kLargest = 8;

class BufferAssigner {
 public:
  BufferAssigner(Program& program, const Chip& chip)
      : program_(program),
        chip_(chip),
        end_(std::max<int32_t>(
            0, static_cast<int32_t>(program.kernels.size()) - 1)),
        first_(Count(), -1),
        last_(Count(), -1),
        writer_(Count(), -1),
        role_(Count(), BufferUse::kTemporary) {}

  void Run() {
    ScanKernels();
    ScanOutputs();
    program_.buffers.clear();
    for (const Op& op : program_.graph.ops()) AddBuffer(op);
    PromoteBuffers(program_, chip_);
    SetMemory();
  }

 private:
  size_t Count() const { return static_cast<size_t>(program_.graph.size()); }
  static bool IsState(const Op& op) { return op.kind == OpKind::kVariable; }

  void ScanKernels() {
    for (int32_t k = 0; k < static_cast<int32_t>(program_.kernels.size());
         ++k) {
      const Kernel& kernel = program_.kernels[static_cast<size_t>(k)];
      for (const OpId id : kernel.inputs) {
        const auto i = static_cast<size_t>(id);
        last_[i] = std::max(last_[i], k);
        if (kernel.phase == Phase::kUpdate ||
            kernel.kind == KernelKind::kCollective) {
          role_[i] = BufferUse::kGradient;
        }
      }
      for (const OpId id : kernel.outputs) {
        const auto i = static_cast<size_t>(id);
        first_[i] = writer_[i] = k;
        last_[i] = std::max(last_[i], k);
      }
    }
  }

  // The value in memory behind bitcasts.
  OpId Underlying(OpId id) const {
    while (writer_[static_cast<size_t>(id)] < 0) {
      const Op& op = program_.graph.op(id);
      if (op.kind != OpKind::kReshape && op.kind != OpKind::kTranspose) break;
      id = op.operands[0];
    }
    return id;
  }

  void ScanOutputs() {
    for (const Output& output : program_.graph.outputs()) {
      const OpId id = Underlying(output.value);
      const auto i = static_cast<size_t>(id);
      if (writer_[i] < 0) continue;
      if (output.role != Output::Role::kState) {
        last_[i] = end_;
        continue;
      }
      const Op& variable = program_.graph.op(output.variable);
      const auto v = static_cast<size_t>(variable.id);
      if (program_.graph.op(id).phase == Phase::kUpdate &&
          !variable.attrs.trainable) {
        role_[v] = BufferUse::kOptimizerState;
      }
      const bool in_place = last_[v] <= writer_[i];
      if (in_place) {
        first_[i] = -1;  // donated
      } else {
        last_[i] = end_;
      }
    }
  }

  BufferUse UseOf(const Op& op) const {
    const BufferUse marked = role_[static_cast<size_t>(op.id)];
    if (op.kind == OpKind::kParameter) return BufferUse::kInput;
    if (IsState(op)) {
      return marked == BufferUse::kOptimizerState ? marked
                                                  : BufferUse::kVariable;
    }
    if (op.phase == Phase::kUpdate) return BufferUse::kTemporary;
    if (op.phase == Phase::kBackward) {
      return marked == BufferUse::kGradient ? marked : BufferUse::kTemporary;
    }
    return BufferUse::kActivation;
  }

  void AddBuffer(const Op& op) {
    const auto i = static_cast<size_t>(op.id);
    const bool is_argument = IsState(op) || op.kind == OpKind::kParameter;
    if (!is_argument && first_[i] < 0) return;
    Buffer buffer;
    buffer.value = op.id;
    buffer.use = UseOf(op);
    buffer.padded = PaddedBytes(op.shape, program_.layouts[i], chip_);
    buffer.unpadded = op.shape.unpadded_bytes();
    buffer.first = is_argument ? 0 : first_[i];
    buffer.last = is_argument ? end_ : last_[i];
    program_.buffers.push_back(buffer);
  }

  void SetMemory() {
    Memory memory;
    memory.available = chip_.usable_hbm();
    std::vector<int64_t> change(static_cast<size_t>(end_) + 2, 0);
    for (const Buffer& buffer : program_.buffers) {
      if (buffer.never_in_hbm()) continue;
      change[static_cast<size_t>(buffer.first)] += buffer.padded.value;
      change[static_cast<size_t>(buffer.last) + 1] -= buffer.padded.value;
      if (buffer.use == BufferUse::kVariable) memory.variables += buffer.padded;
      if (buffer.use == BufferUse::kInput) memory.arguments += buffer.padded;
      if (buffer.use == BufferUse::kOptimizerState) {
        memory.optimizer_state += buffer.padded;
      }
    }
    int64_t live = 0;
    for (int32_t k = 0; k <= end_; ++k) {
      live += change[static_cast<size_t>(k)];
      if (live <= memory.peak.value) continue;
      memory.peak = {live};
      memory.peak_at = k;
    }
    memory.largest = LargestAt(memory.peak_at);
    program_.memory = std::move(memory);
  }

  std::vector<int32_t> LargestAt(int32_t kernel) const {
    std::vector<int32_t> live;
    for (size_t i = 0; i < program_.buffers.size(); ++i) {
      const Buffer& buffer = program_.buffers[i];
      if (!buffer.never_in_hbm() && buffer.first <= kernel &&
          kernel <= buffer.last) {
        live.push_back(static_cast<int32_t>(i));
      }
    }
    std::stable_sort(live.begin(), live.end(), [&](int32_t a, int32_t b) {
      return program_.buffers[static_cast<size_t>(a)].padded >
             program_.buffers[static_cast<size_t>(b)].padded;
    });
    if (live.size() > kLargest) live.resize(kLargest);
    return live;
  }

  Program& program_;
  const Chip& chip_;
  const int32_t end_;                           // last kernel
  std::vector<int32_t> first_, last_, writer_;  // kernels, by op; -1: none
  std::vector<BufferUse> role_;                 // by op
};

}  // namespace

void AssignBuffers(Program& program, const Chip& chip) {
  BufferAssigner(program, chip).Run();
}

}  // namespace tilewise
