// Work on many programs at once.

#pragma once

#include <cstdint>
#include <functional>

namespace tilewise {

// Calls work(0) .. work(count - 1), each once, on at most `jobs` threads (0:
// one per core that the process may use). `work` writes its result where its
// index says, so that the outcome does not depend on the order.
void ForEachInParallel(size_t count, int64_t jobs, const std::function<void(size_t)>& work);

}  // namespace tilewise
