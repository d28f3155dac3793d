// Allocations with a mark before them that tells where they begin.

#include "python/parser_memory.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <tree_sitter/api.h>

namespace tilewise::python {
namespace {

constexpr size_t kMarkBytes = alignof(std::max_align_t);
constexpr uint64_t kMark = 0x74726565736d656d;

thread_local bool fault = false;

uint64_t MarkAt(const char* block) { return kMark ^ reinterpret_cast<uintptr_t>(block); }

void* Marked(char* block) {
  // The parser's own allocator ends the program as well.
  if (block == nullptr) std::abort();
  const uint64_t mark = MarkAt(block);
  std::memcpy(block, &mark, sizeof(mark));
  return block + kMarkBytes;
}

// The block that an address of the parser's begins; null: there is none.
char* BlockOf(void* address) {
  char* block = static_cast<char*>(address) - kMarkBytes;
  uint64_t mark = 0;
  std::memcpy(&mark, block, sizeof(mark));
  return mark == MarkAt(block) ? block : nullptr;
}

void* Allocate(size_t bytes) { return Marked(static_cast<char*>(std::malloc(bytes + kMarkBytes))); }
void* AllocateZeroed(size_t count, size_t bytes) {
  if (bytes > 0 && count > (std::numeric_limits<size_t>::max() - kMarkBytes) / bytes) std::abort();
  return Marked(static_cast<char*>(std::calloc(1, count * bytes + kMarkBytes)));
}
void Free(void* address) {
  if (address == nullptr) return;
  char* block = BlockOf(address);
  if (block == nullptr) {
    fault = true;
    return;
  }
  std::memset(block, 0, sizeof(uint64_t));
  std::free(block);
}
void* Reallocate(void* address, size_t bytes) {
  if (address == nullptr) return Allocate(bytes);
  char* block = BlockOf(address);
  // What an address inside of a block holds is not known; the parser gets new memory.
  if (block == nullptr) {
    fault = true;
    return AllocateZeroed(1, bytes);
  }
  return Marked(static_cast<char*>(std::realloc(block, bytes + kMarkBytes)));
}

}  // namespace

ParserMemory::ParserMemory() {
  static const bool once = [] {
    ts_set_allocator(Allocate, AllocateZeroed, Reallocate, Free);
    return true;
  }();
  (void)once;
  fault = false;
}

bool ParserMemory::faulty() const { return fault; }

}  // namespace tilewise::python
