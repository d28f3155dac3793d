// What a piece of code takes from the heap, by counting operator new of this
// test program.

#pragma once

#include <cstdint>
#include <functional>

namespace tilewise {

struct HeapUse {
  int64_t allocations = 0;
  int64_t peak_bytes = 0;  // in use at one time, beyond what was before
  bool operator==(const HeapUse&) const = default;
};

HeapUse HeapUseOf(const std::function<void()>& work);

}  // namespace tilewise
