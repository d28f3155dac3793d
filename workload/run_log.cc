// What is chosen or added up over the whole of a log.

#include "workload/run_log.h"

#include <algorithm>
#include <iterator>

namespace tilewise {
namespace {

template <class T>
void Take(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

const LoggedSteps* RunLog::best_steps() const {
  const LoggedSteps* best = nullptr;
  for (const LoggedSteps& series : steps) {
    if (best == nullptr || series.settled > best->settled) best = &series;
  }
  return best;
}

const StatedMemory* RunLog::largest_need() const {
  const StatedMemory* largest = nullptr;
  for (const StatedMemory& stated : memory) {
    if (stated.kind == StatedMemory::Kind::kDenseGradient) continue;
    if (largest == nullptr || stated.total > largest->total) largest = &stated;
  }
  return largest;
}

Seconds RunLog::compile_time() const {
  Seconds total;
  for (const LoggedCompile& compile : compiles) {
    if (compile.kind == LoggedCompile::Kind::kModule) {
      total += std::max(compile.time, compile.at_least) * static_cast<double>(compile.times);
    }
  }
  return total;
}

void RunLog::Append(RunLog other) {
  Take(steps, other.steps);
  Take(compiles, other.compiles);
  Take(repeated, other.repeated);
  Take(traffic, other.traffic);
  Take(memory, other.memory);
  Take(failures, other.failures);
  Take(input, other.input);
  Take(metrics, other.metrics);
}

}  // namespace tilewise
