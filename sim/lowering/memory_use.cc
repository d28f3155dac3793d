// Sums over the buffers that are live at the peak, and a packing of all.

#include "sim/lowering/memory_use.h"

#include <algorithm>

namespace tilewise {
namespace {

constexpr size_t kMostPacked = 8192;

struct Placed {
  const Buffer* buffer;
  int64_t begin, end;  // bytes
};

bool LiveTogether(const Buffer& a, const Buffer& b) {
  return a.begins() <= b.ends() && b.begins() <= a.ends();
}

// Returns where `buffer` goes among those that are live with it, ordered by
// offset.
int64_t OffsetFor(const Buffer& buffer, const std::vector<Placed>& beside) {
  int64_t free_from = 0;
  int64_t best = -1, best_gap = 0;
  for (const Placed& other : beside) {
    const int64_t gap = other.begin - free_from;
    if (gap >= buffer.padded.value && (best < 0 || gap < best_gap)) {
      best = free_from;
      best_gap = gap;
    }
    free_from = std::max(free_from, other.end);
  }
  return best < 0 ? free_from : best;
}

// Buffers that share memory have one offset, from the first to the last.
std::vector<Buffer> JoinInPlace(const std::vector<Buffer>& buffers) {
  std::vector<Buffer> joined;
  std::vector<size_t> place(buffers.size());  // in `joined`, by buffer
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Buffer& buffer = buffers[i];
    if (buffer.in_place_of >= 0 && buffer.in_place_of < i) {
      place[i] = place[buffer.in_place_of];
      Buffer& whole = joined[place[i]];
      whole.held_to = std::max(whole.ends(), buffer.ends());
    } else {
      place[i] = joined.size();
      joined.push_back(buffer);
    }
  }
  return joined;
}

std::vector<const Buffer*> LargestFirst(const std::vector<Buffer>& buffers) {
  std::vector<const Buffer*> order;
  for (const Buffer& buffer : buffers) {
    if (!buffer.never_in_hbm()) order.push_back(&buffer);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const Buffer* a, const Buffer* b) { return a->padded > b->padded; });
  return order;
}

}  // namespace

std::optional<Bytes> PackedSize(const std::vector<Buffer>& buffers) {
  const std::vector<Buffer> joined = JoinInPlace(buffers);
  const std::vector<const Buffer*> order = LargestFirst(joined);
  if (order.size() > kMostPacked) return std::nullopt;
  std::vector<Placed> placed;  // by offset
  std::vector<Placed> beside;
  int64_t end = 0;
  for (const Buffer* buffer : order) {
    beside.clear();
    for (const Placed& other : placed) {
      if (LiveTogether(*other.buffer, *buffer)) beside.push_back(other);
    }
    const int64_t begin = OffsetFor(*buffer, beside);
    const Placed here = {buffer, begin, begin + buffer->padded.value};
    placed.insert(
        std::upper_bound(placed.begin(), placed.end(), here,
                         [](const Placed& a, const Placed& b) { return a.begin < b.begin; }),
        here);
    end = std::max(end, here.end);
  }
  return Bytes{end};
}

MemoryUse MemoryUseAtPeak(const Program& program, const Chip& chip) {
  MemoryUse use;
  use.nameplate = chip.hbm;
  use.reserved = chip.hbm_reserved;
  const KernelId peak = program.memory.peak_at;
  for (const Buffer& buffer : program.buffers) {
    if (!buffer.adds_at(peak)) continue;
    use.by_use[static_cast<size_t>(buffer.use)] += buffer.padded;
    use.padding += buffer.padded - buffer.unpadded;
  }
  // What a scheduler short of memory keeps longer than it must.
  Bytes counted;
  for (const Bytes bytes : use.by_use) counted += bytes;
  if (counted < program.memory.peak) {
    use.by_use[static_cast<size_t>(BufferUse::kTemporary)] += program.memory.peak - counted;
  }
  if (const std::optional<Bytes> packed = PackedSize(program.buffers)) {
    use.fragmentation = *packed - counted;
  }
  return use;
}

}  // namespace tilewise
