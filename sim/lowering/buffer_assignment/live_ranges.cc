// Live ranges from the kernel that writes a value to the last one that reads it
// before it is written again, and the peak of their sum by differences.

#include "sim/lowering/buffer_assignment/live_ranges.h"

#include <algorithm>
#include <map>
#include <utility>

#include "hardware/mesh.h"
#include "sim/lowering/buffer_assignment/in_place.h"
#include "sim/lowering/buffer_assignment/layer_loops.h"
#include "sim/lowering/buffer_assignment/second_runs.h"
#include "sim/lowering/memory_space_assignment/promote.h"

namespace tilewise {
namespace {

constexpr int32_t kAllOfHbm = 100;  // in percent

// Where an iteration over layers that keeps all that it makes has no room, the
// scheduler sums gradients as they come and frees other values early, but not all
// that it could: this share of what it could free stays. Fitted on what compilers
// reported of Hunyuan 3 with 10 and 12 sequences on v5p and 14 on v7x.
constexpr double kKeptUnderPressure = 0.9;

// Weights that lie in parts on the cores, whole for a layer.
bool GathersWeights(const Kernel& kernel) {
  return kernel.kind == KernelKind::kCollective && kernel.collective == OpKind::kAllGather &&
         kernel.phase != Phase::kUpdate && Covers(kernel.mesh_axis, MeshAxis::kFsdp);
}

// Returns whether it sums over cores that have examples of their own.
bool SumsGradients(const Kernel& kernel) {
  if (kernel.kind != KernelKind::kCollective || kernel.phase == Phase::kForward) return false;
  const bool sums =
      kernel.collective == OpKind::kReduceScatter || kernel.collective == OpKind::kAllReduce;
  return sums && (kernel.mesh_axis.empty() || Covers(kernel.mesh_axis, MeshAxis::kData) ||
                  Covers(kernel.mesh_axis, MeshAxis::kFsdp));
}

class BufferAssigner {
 public:
  BufferAssigner(Program& program, const Chip& chip, const XlaFlags& flags, bool drops_barriers)
      : program_(program),
        chip_(chip),
        flags_(flags),
        drops_barriers_(drops_barriers),
        loops_(program),
        end_(std::max<KernelId>(0, KernelId(program.kernels.size()) - 1)),
        arrays_(static_cast<size_t>(end_) + 2),
        newest_(Count(), -1),
        last_read_(Count()),
        copies_(Count(), 1),
        is_whole_gradient_(Count()),
        is_gathered_(Count()),
        role_(Count(), BufferUse::kTemporary) {}

  void Run() {
    ScanKernels();
    if (flags_.gathers_around_ring || flags_.scatters_around_ring) FindRingOperands();
    KeepThroughLoops();
    ScanOutputs();
    PlaceBuffers();
    if (drops_barriers_) StartSecondRuns();
    PromoteBuffers(program_, chip_);
    ReuseDyingOperands(program_);
    SetMemory();
    if (!program_.memory.fits() && !loops_.empty()) FreeEarly();
    StartAhead();
  }

 private:
  // A value from the kernel that writes it on.
  struct Range {
    OpId value = kNoOp;
    KernelId first = 0;
    KernelId last = 0;
    bool in_variable = false;  // it is written over the old value
  };

  size_t Count() const { return program_.graph.ops().size(); }
  const Op& op(OpId id) const { return program_.graph.op(id); }
  // The range that the value is in now, null before it is written.
  Range* Newest(OpId id) {
    const int32_t at = newest_[id];
    return at < 0 ? nullptr : &ranges_[at];
  }

  void ScanKernels() {
    for (KernelId k = 0; k < program_.kernels.size(); ++k) {
      const Kernel& kernel = program_.kernels[k];
      const bool sums_up = kernel.phase == Phase::kUpdate || kernel.kind == KernelKind::kCollective;
      const bool sums_gradients = SumsGradients(kernel);
      if (sums_gradients) sums_.push_back(k);
      const EnclosingLoop loop = op(kernel.root).loop;
      if (loop.id != 0) ends_[loop.id] = k;
      for (const OpId id : kernel.inputs) {
        if (Range* range = Newest(id)) range->last = k;
        NoteLoop(id, loop);
        last_read_[id] = k;
        if (sums_up) role_[id] = BufferUse::kGradient;
        if (sums_gradients) is_whole_gradient_[id] = true;
      }
      for (const OpId id : kernel.outputs) {
        is_gathered_[id] = GathersWeights(kernel);
        Write(id, k);
      }
    }
  }

  // A matmul in pieces around a ring of cores is a loop, which reads its operands from memory: what
  // the fusion of the whole matmul makes of other values is an array while it runs. Reports of
  // Qwen3-8B on v6e name the gradient of the logits beside them with it, and not without.
  void FindRingOperands() {
    for (KernelId k = 0; k < program_.kernels.size(); ++k) {
      const Kernel& kernel = program_.kernels[k];
      if (kernel.kind != KernelKind::kMatrix || !RunsAroundRing(kernel)) continue;
      for (const OpId id : op(kernel.root).operands) {
        const bool is_made_here = std::binary_search(kernel.ops.begin(), kernel.ops.end(), id);
        const Bytes bytes = PaddedBytes(op(id).shape, program_.layouts[id], chip_);
        if (is_made_here && bytes.value >> 20 >= flags_.least_ring_mib) AddArray(bytes, k, k);
      }
    }
  }

  bool RunsAroundRing(const Kernel& kernel) const {
    const auto any = [](const std::vector<OpId>& ids, const std::vector<bool>& is) {
      return std::any_of(ids.begin(), ids.end(), [&](OpId id) { return is[id]; });
    };
    return (flags_.gathers_around_ring && any(kernel.inputs, is_gathered_)) ||
           (flags_.scatters_around_ring && any(kernel.outputs, is_whole_gradient_));
  }

  // A value from before a loop is read in every iteration; one of each
  // iteration is kept for the loop that computes its gradients. A loop of which
  // the graph has each iteration reads a value when it does.
  void NoteLoop(OpId id, EnclosingLoop reader) {
    const EnclosingLoop maker = op(id).loop;
    if (maker == reader) return;
    if (reader.trip_count > 1) read_in_.emplace_back(id, reader.id);
    if (maker.id > 0 && reader.id < 0) {
      copies_[id] = maker.trip_count;
    }
  }

  void KeepThroughLoops() {
    if (flags_.sums_on_sparse_cores) KeepSumsBesideLoops();
    for (const auto& [id, loop] : read_in_) {
      KeepTo(id, ends_.at(loop));
    }
    if (!flags_.copies_across_trips) return;
    // An asynchronous copy reads its source until it is done.
    for (const Kernel& kernel : program_.kernels) {
      if (!kernel.goes_to_host()) continue;
      for (const OpId id : kernel.inputs) KeepTo(id, loops_.CopiedTo(kernel));
    }
  }

  // What SparseCores sum beside a loop over layers is whole before and after, until it ends.
  void KeepSumsBesideLoops() {
    const KernelId end = loops_.End();
    for (const KernelId k : sums_) {
      const Kernel& sum = program_.kernels[k];
      if (k > end || op(sum.root).loop.is_one_trip()) continue;
      for (const OpId id : sum.inputs) KeepTo(id, end);
      for (const OpId id : sum.outputs) {
        KeepTo(id, end);
        if (sum.collective == OpKind::kReduceScatter) copies_[id] = sum.participants;
      }
    }
  }

  void KeepTo(OpId id, KernelId kernel) {
    if (Range* range = Newest(id)) range->last = std::max(range->last, kernel);
  }

  // What goes to the host takes no HBM.
  void Write(OpId id, KernelId kernel) {
    if (op(id).kind == OpKind::kCopyToHost) return;
    newest_[id] = static_cast<int32_t>(ranges_.size());
    ranges_.push_back({id, kernel, kernel, false});
  }

  // The value in memory behind bitcasts.
  OpId Underlying(OpId id) {
    while (Newest(id) == nullptr) {
      const OpKind kind = op(id).kind;
      if (kind != OpKind::kReshape && kind != OpKind::kTranspose) break;
      id = op(id).operands[0];
    }
    return id;
  }

  void ScanOutputs() {
    for (const Output& output : program_.graph.outputs()) {
      const OpId id = Underlying(output.value);
      Range* range = Newest(id);
      if (range == nullptr) continue;
      if (output.role != Output::Role::kState) {
        range->last = end_;
        continue;
      }
      const Op& variable = op(output.variable);
      if (op(id).phase == Phase::kUpdate && !variable.as<VariableAttrs>().trainable) {
        role_[variable.id] = BufferUse::kOptimizerState;
      }
      range->in_variable = last_read_[variable.id] <= range->first;  // donated
      if (!range->in_variable) range->last = end_;
    }
  }

  BufferUse UseOf(const Op& op) const {
    const BufferUse marked = role_[op.id];
    if (op.kind == OpKind::kParameter) return BufferUse::kInput;
    if (op.kind == OpKind::kVariable) {
      return marked == BufferUse::kOptimizerState ? marked : BufferUse::kVariable;
    }
    if (op.phase == Phase::kUpdate) return BufferUse::kTemporary;
    if (op.phase == Phase::kBackward) {
      return marked == BufferUse::kGradient ? marked : BufferUse::kTemporary;
    }
    return BufferUse::kActivation;
  }

  void PlaceBuffers() {
    program_.buffers.clear();
    for (const Op& op : program_.graph.ops()) {
      if (IsArgument(op) && !StaysOnHost(op)) AddBuffer(op, 0, end_);
    }
    for (const Range& range : ranges_) {
      if (range.in_variable) continue;
      const KernelId last = std::max(range.last, loops_.ReadTo(range.value));
      AddBuffer(op(range.value), range.first, last);
      Buffer& buffer = program_.buffers.back();
      buffer.held_from = std::min(range.first, loops_.FilledFrom(range.value));
      // Second runs of kernels are there to free memory, not to keep more.
      if (program_.kernels[range.first].rematerialized) continue;
      const KernelId end = HeldTo(range, last);
      if (end > last) buffer.held_to = end;
    }
    std::stable_sort(program_.buffers.begin(), program_.buffers.end(),
                     [](const Buffer& a, const Buffer& b) { return a.value < b.value; });
  }

  // What barriers hold back is there from the first gradient to its last reader, an array of its
  // own where a fusion made it.
  void StartSecondRuns() {
    const std::vector<bool> held = FindHeldByBarriers(program_.graph);
    std::vector<KernelId> last_use(Count());
    KernelId first = end_;
    for (KernelId k = 0; k <= end_; ++k) {
      if (program_.kernels[k].phase == Phase::kBackward) first = std::min(first, k);
      for (const OpId id : program_.kernels[k].ops) {
        for (const OpId operand : op(id).operands) last_use[operand] = k;
      }
    }
    std::vector<bool> has_buffer(Count());
    for (Buffer& buffer : program_.buffers) {
      has_buffer[buffer.value] = true;
      if (held[buffer.value] && buffer.first > first) buffer.held_from = first;
    }
    for (const Op& op : program_.graph.ops()) {
      if (!held[op.id] || has_buffer[op.id] || last_use[op.id] < first) continue;
      AddArray(PaddedBytes(op.shape, program_.layouts[op.id], chip_), first, last_use[op.id]);
    }
  }

  // Memory in use beside the buffers of values.
  void AddArray(Bytes bytes, KernelId first, KernelId last) {
    arrays_[first] += bytes.value;
    arrays_[last + 1] -= bytes.value;
  }

  // Returns the kernel to which an iteration over layers holds what it made: none outside of one,
  // or where the scheduler tracks memory. A scheduler that works layer by layer holds a whole
  // gradient until the next one that is as large is summed, and the last of them to the end.
  KernelId HeldTo(const Range& range, KernelId last) const {
    if (flags_.ends_values_early()) return {};
    const KernelId end = loops_.IterationEnd(range.first);
    if (!flags_.schedules_by_layer || !is_whole_gradient_[range.value]) return end;
    const int64_t bytes = op(range.value).shape.unpadded_bytes().value;
    const auto first = std::upper_bound(sums_.begin(), sums_.end(), last);
    const auto next = std::find_if(
        first, sums_.end(), [&](KernelId sum) { return sum >= end || SummedBytes(sum) >= bytes; });
    return next == sums_.end() ? end : std::min(end, *next);
  }

  // The bytes of the gradients that a collective sums.
  int64_t SummedBytes(KernelId sum) const {
    int64_t bytes = 0;
    for (const OpId id : program_.kernels[sum].inputs) bytes += op(id).shape.unpadded_bytes().value;
    return bytes;
  }

  // An argument that only copies from the host read is in the host's memory.
  bool StaysOnHost(const Op& argument) const {
    const auto users = program_.graph.users(argument.id);
    return !users.empty() && std::ranges::all_of(users, [&](OpId user) {
      return op(user).kind == OpKind::kCopyFromHost;
    });
  }

  void AddBuffer(const Op& op, KernelId first, KernelId last) {
    Buffer buffer;
    buffer.value = op.id;
    buffer.use = UseOf(op);
    buffer.padded = PaddedBytes(op.shape, program_.layouts[op.id], chip_);
    const int64_t copies = copies_[op.id];
    buffer.padded = buffer.padded * copies;
    buffer.unpadded = op.shape.unpadded_bytes() * copies;
    buffer.first = first;
    buffer.last = last;
    program_.buffers.push_back(buffer);
  }

  void SetMemory() {
    Memory memory;
    memory.available = chip_.usable_hbm();
    std::vector<int64_t> change = arrays_;
    for (const Buffer& buffer : program_.buffers) {
      if (buffer.never_in_hbm()) continue;
      change[buffer.adds_from()] += buffer.padded.value;
      change[buffer.ends() + 1] -= buffer.padded.value;
      if (buffer.use == BufferUse::kVariable) memory.variables += buffer.padded;
      if (buffer.use == BufferUse::kInput) memory.arguments += buffer.padded;
      if (buffer.use == BufferUse::kOptimizerState) {
        memory.optimizer_state += buffer.padded;
      }
    }
    int64_t live = 0;
    for (KernelId k = 0; k <= end_; ++k) {
      live += change[k];
      if (live <= memory.peak.value) continue;
      memory.peak = {live};
      memory.peak_at = k;
    }
    program_.memory = std::move(memory);
  }

  // Values of an iteration over layers end with their last reader.
  void FreeEarly() {
    const Bytes kept = program_.memory.peak;
    for (Buffer& buffer : program_.buffers) {
      if (is_whole_gradient_[buffer.value]) buffer.held_to = {};
    }
    SetMemory();
    const Bytes with_others = program_.memory.peak;
    for (Buffer& buffer : program_.buffers) buffer.held_to = {};
    ReuseDyingOperands(program_);
    SetMemory();
    Memory& memory = program_.memory;
    const auto others = static_cast<double>((with_others - memory.peak).value);
    memory.least = memory.peak + Bytes{static_cast<int64_t>(kKeptUnderPressure * others)};
    memory.freed_early = kept - memory.least;
    memory.peak = std::max(std::min(kept, memory.available), memory.least);
  }

  // What layers that are written out fetch from the host waits for nothing, and so do gathers of
  // their weights: the scheduler starts them as early as its limit allows, gathers where it is one
  // that the runtime does not know of. The arguments do not count against it.
  void StartAhead() {
    Memory& memory = program_.memory;
    const int32_t percent = flags_.memory_percent > 0 ? flags_.memory_percent : kAllOfHbm;
    const bool fetches = OffloadsWrittenOutLayers(program_);
    const bool gathers = percent > kAllOfHbm && loops_.empty();
    Bytes ahead;
    for (const Kernel& kernel : program_.kernels) {
      const bool is_fetch = kernel.kind == KernelKind::kHostCopy && !kernel.goes_to_host();
      if (!(fetches && is_fetch) && !(gathers && GathersWeights(kernel))) continue;
      for (const OpId id : kernel.outputs) {
        ahead += PaddedBytes(op(id).shape, program_.layouts[id], chip_);
      }
    }
    const Bytes limit = Bytes{memory.available.value / kAllOfHbm * percent} + ArgumentsInHbm();
    memory.peak = std::max(memory.peak, std::min(memory.peak + ahead, limit));
  }

  Bytes ArgumentsInHbm() const {
    Bytes bytes;
    for (const Buffer& buffer : program_.buffers) {
      if (IsArgument(op(buffer.value)) && !buffer.never_in_hbm()) bytes += buffer.padded;
    }
    return bytes;
  }

  Program& program_;
  const Chip& chip_;
  const XlaFlags& flags_;
  const bool drops_barriers_;
  const LayerLoops loops_;
  const KernelId end_;           // last kernel
  std::vector<int64_t> arrays_;  // see AddArray: bytes more than at the kernel before
  std::vector<Range> ranges_;
  std::vector<int32_t> newest_;                    // range, by op; -1: none
  std::vector<KernelId> last_read_;                // by op
  std::vector<int64_t> copies_;                    // kept at a time, by op
  std::map<int32_t, KernelId> ends_;               // last kernel, by loop
  std::vector<std::pair<OpId, int32_t>> read_in_;  // values of before a loop
  std::vector<bool> is_whole_gradient_;            // of a weight, by op
  std::vector<bool> is_gathered_;                  // weights, by op
  std::vector<KernelId> sums_;                     // of gradients over cores, in order
  std::vector<BufferUse> role_;                    // by op
};

}  // namespace

void AssignBuffers(Program& program, const Chip& chip, const XlaFlags& flags, bool drops_barriers) {
  BufferAssigner(program, chip, flags, drops_barriers).Run();
}

}  // namespace tilewise
