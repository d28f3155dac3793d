// oneTBB stays in this file. Parallel work inside of `work` runs on the same
// threads.

#include "lint/parallel.h"

#include <algorithm>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace tilewise {

void ForEachInParallel(size_t count, int64_t jobs, const std::function<void(size_t)>& work) {
  constexpr int64_t kMostThreads = 256;
  const int threads =
      jobs > 0 ? static_cast<int>(std::min(jobs, kMostThreads)) : tbb::info::default_concurrency();
  if (threads <= 1 || count <= 1) {
    // One program: what is parallel inside of it has all threads.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    static_cast<size_t>(std::max(threads, 1)));
    for (size_t i = 0; i < count; ++i) work(i);
    return;
  }
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute([&] { tbb::parallel_for(size_t{0}, count, work, tbb::simple_partitioner()); });
}

}  // namespace tilewise
