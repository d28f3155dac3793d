// operator new and delete with a size in front of each block.

#include "tests/sim/heap_use.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace tilewise {
namespace {

constexpr std::size_t kHeader = alignof(std::max_align_t);

struct Counter {
  int64_t allocations = 0;
  int64_t in_use = 0;
  int64_t peak = 0;
};

Counter& TheCounter() {
  static Counter counter;
  return counter;
}

void* Allocate(std::size_t size) {
  void* block = std::malloc(size + kHeader);
  if (block == nullptr) std::abort();
  *static_cast<std::size_t*>(block) = size;
  Counter& counter = TheCounter();
  ++counter.allocations;
  counter.in_use += static_cast<int64_t>(size);
  counter.peak = std::max(counter.peak, counter.in_use);
  return static_cast<char*>(block) + kHeader;
}

void Free(void* pointer) {
  if (pointer == nullptr) return;
  void* block = static_cast<char*>(pointer) - kHeader;
  TheCounter().in_use -= static_cast<int64_t>(*static_cast<std::size_t*>(block));
  std::free(block);
}

}  // namespace

HeapUse HeapUseOf(const std::function<void()>& work) {
  Counter& counter = TheCounter();
  const Counter before = counter;
  counter.peak = counter.in_use;
  work();
  return {counter.allocations - before.allocations, counter.peak - before.in_use};
}

}  // namespace tilewise

void* operator new(std::size_t size) { return tilewise::Allocate(size); }
void* operator new[](std::size_t size) { return tilewise::Allocate(size); }
// Sanitizers have ones of their own, which do not call those above.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return tilewise::Allocate(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return tilewise::Allocate(size);
}
void operator delete(void* pointer) noexcept { tilewise::Free(pointer); }
void operator delete[](void* pointer) noexcept { tilewise::Free(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { tilewise::Free(pointer); }
void operator delete[](void* pointer, std::size_t) noexcept { tilewise::Free(pointer); }
