// A value is written by one kernel and read by some later ones. It can stay
// on-chip for all of its life, which saves its write and its reads, or from its
// writer up to the reader before the longest gap in its use, which saves those
// reads while a copy goes to HBM for the late ones: activations that the
// backward pass needs again. As in XLA's memory space assignment
// (tpu-lowering 6), the choices that save most traffic for the room and time
// that they take come first, and each takes what fits together with those
// before it.
// Arguments and results of the step stay in HBM, but for one that is there
// before the step (prefetch.h); windows of kernels have their own budget.

#include "sim/lowering/memory_space_assignment/promote.h"

#include <algorithm>
#include <vector>

#include "sim/lowering/buffer_assignment/buffer_index.h"
#include "sim/lowering/kernels/unit_time.h"
#include "sim/lowering/memory_space_assignment/on_chip_traffic.h"
#include "sim/lowering/memory_space_assignment/prefetch.h"

namespace tilewise {
namespace {

// No value may take more than this share of the room, so that its producer and
// its consumer can both keep theirs.
constexpr int64_t kMostOfRoom = 2;

struct Choice {
  BufferId buffer;
  KernelId until;      // last kernel that finds it on-chip
  bool whole = false;  // never in HBM
  double density = 0;  // transfers saved for the time that it stays
};

// Bytes in use by kernel index: range add, range maximum, in O(log n).
class RoomInUse {
 public:
  explicit RoomInUse(size_t kernels) {
    while (leaves_ < kernels) leaves_ *= 2;
    most_.assign(2 * leaves_, 0);
    added_.assign(2 * leaves_, 0);
  }
  void Add(size_t first, size_t last, int64_t bytes) {
    Update(1, 0, leaves_ - 1, first, last, bytes);
  }
  int64_t Most(size_t first, size_t last) const { return Query(1, 0, leaves_ - 1, first, last); }

 private:
  void Update(size_t node, size_t low, size_t high, size_t first, size_t last, int64_t bytes) {
    if (last < low || high < first) return;
    if (first <= low && high <= last) {
      most_[node] += bytes;
      added_[node] += bytes;
      return;
    }
    const size_t middle = (low + high) / 2;
    Update(2 * node, low, middle, first, last, bytes);
    Update(2 * node + 1, middle + 1, high, first, last, bytes);
    most_[node] = std::max(most_[2 * node], most_[2 * node + 1]) + added_[node];
  }
  int64_t Query(size_t node, size_t low, size_t high, size_t first, size_t last) const {
    if (last < low || high < first) return 0;
    if (first <= low && high <= last) return most_[node];
    const size_t middle = (low + high) / 2;
    return added_[node] + std::max(Query(2 * node, low, middle, first, last),
                                   Query(2 * node + 1, middle + 1, high, first, last));
  }

  size_t leaves_ = 1;
  std::vector<int64_t> most_;   // of the node's range, below its ancestors' adds
  std::vector<int64_t> added_;  // to the node's whole range
};

class Promoter {
 public:
  Promoter(Program& program, const Chip& chip)
      : program_(program),
        chip_(chip),
        room_(chip.promotion_room().value),
        prefetched_(PrefetchedArgument(program, chip)),
        in_use_(std::max<size_t>(1, program.kernels.size())),
        index_(program),
        readers_(program.buffers.size()) {}

  void Run() {
    Clear();
    if (program_.compiled) {
      KeepStated();
      MoveOnChipTraffic(program_, chip_);
      return;
    }
    if (room_ <= 0) return;
    FindStarts();
    FindReaders();
    KeepPrefetched();
    std::vector<Choice> choices = FindChoices();
    std::stable_sort(choices.begin(), choices.end(),
                     [](const Choice& a, const Choice& b) { return a.density > b.density; });
    for (const Choice& choice : choices) Place(choice);
    MoveOnChipTraffic(program_, chip_);
  }

 private:
  void Clear() {
    for (Buffer& buffer : program_.buffers) buffer.on_chip_until = {};
    for (Buffer& buffer : program_.buffers) buffer.prefetched = false;
  }

  // Keeps what a compiler has said stays on-chip.
  void KeepStated() {
    for (Buffer& buffer : program_.buffers) {
      const Layout& layout = program_.layouts[buffer.value];
      if (!layout.on_chip) continue;
      buffer.prefetched = IsArgument(program_.graph.op(buffer.value));
      buffer.on_chip_until = buffer.last;
    }
  }

  void KeepPrefetched() {
    for (Buffer& buffer : program_.buffers) {
      if (buffer.value != prefetched_) continue;
      buffer.prefetched = true;
      buffer.on_chip_until = buffer.last;
      in_use_.Add(0, buffer.last, buffer.padded.value);
    }
  }

  void FindReaders() {
    for (KernelId k = 0; k < program_.kernels.size(); ++k) {
      for (const OpId id : program_.kernels[k].inputs) {
        const BufferId at = index_.ReadAt(id, k);
        if (at >= 0) readers_[at].push_back(k);
      }
    }
  }

  bool IsCandidate(BufferId i) const {
    const Buffer& buffer = program_.buffers[i];
    if (IsArgument(program_.graph.op(buffer.value))) return false;
    const std::vector<KernelId>& readers = readers_[i];
    const KernelKind writer = program_.kernels[buffer.first].kind;
    return !readers.empty() && readers.front() > buffer.first && buffer.padded.value > 0 &&
           buffer.padded.value * kMostOfRoom <= room_ && writer != KernelKind::kCollective &&
           writer != KernelKind::kHostCopy;
  }

  // Finds when each kernel would begin if all values were in HBM.
  void FindStarts() {
    starts_ = {0};
    for (const Kernel& kernel : program_.kernels) {
      const Seconds moved = (kernel.hbm_read + kernel.hbm_write) / chip_.hbm_bandwidth;
      const Seconds once = chip_.kernel_overhead + std::max(moved, ComputeTime(kernel, chip_));
      starts_.push_back(starts_.back() + once.value * static_cast<double>(kernel.repeat));
    }
  }

  // Returns the time from the begin of one kernel to the end of another.
  double Span(KernelId from, KernelId until) const {
    return starts_[static_cast<size_t>(until) + 1] - starts_[from];
  }

  double Density(size_t transfers, KernelId from, KernelId until) const {
    return static_cast<double>(transfers) / Span(from, until);
  }

  std::vector<Choice> FindChoices() const {
    std::vector<Choice> choices;
    for (BufferId i = 0; i < program_.buffers.size(); ++i) {
      const Buffer& buffer = program_.buffers[i];
      if (!IsCandidate(i)) continue;
      const std::vector<KernelId>& readers = readers_[i];
      // A result of the step alone lives on beyond its last reader.
      if (buffer.last == readers.back()) {
        choices.push_back(
            {i, buffer.last, true, Density(readers.size() + 1, buffer.first, buffer.last)});
      }
      const size_t near = BeforeLongestGap(buffer.first, readers);
      if (near == 0 || near == readers.size()) continue;
      const KernelId until = readers[near - 1];
      choices.push_back({i, until, false, Density(near, buffer.first, until)});
    }
    return choices;
  }

  // How many readers come before the longest pause in the value's use.
  size_t BeforeLongestGap(KernelId first, const std::vector<KernelId>& readers) const {
    size_t at = 0;
    double longest = 0;
    KernelId last = first;
    for (size_t i = 0; i < readers.size(); ++i) {
      const double gap = starts_[readers[i]] - starts_[static_cast<size_t>(last) + 1];
      if (gap > longest) {
        longest = gap;
        at = i;
      }
      last = readers[i];
    }
    return at;
  }

  void Place(const Choice& choice) {
    Buffer& buffer = program_.buffers[choice.buffer];
    if (buffer.on_chip_until >= 0) return;
    if (in_use_.Most(buffer.first, choice.until) + buffer.padded.value > room_) return;
    in_use_.Add(buffer.first, choice.until, buffer.padded.value);
    buffer.on_chip_until = choice.until;
  }

  Program& program_;
  const Chip& chip_;
  const int64_t room_;  // bytes
  const OpId prefetched_;
  RoomInUse in_use_;
  const BufferIndex index_;
  std::vector<double> starts_;                  // seconds, by kernel, and the end of the last
  std::vector<std::vector<KernelId>> readers_;  // kernels, ascending, by buffer
};

}  // namespace

void PromoteBuffers(Program& program, const Chip& chip) { Promoter(program, chip).Run(); }

}  // namespace tilewise
