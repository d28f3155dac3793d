// Steps as the passes on the graph leave them, for lowerings that differ in the chip alone.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "graph/training.h"
#include "hardware/mesh.h"
#include "sim/lowering/program.h"
#include "sim/lowering/repeats/fold.h"

namespace tilewise {

struct PartitionedStep {
  FoldedGraph folded;  // has no repeats where the graph was taken as it is
  Graph source;        // the forward graph before pass 1, bound; of the kept layers
  Program program;     // without layouts
};

// The steps of a search: a few at a time, the oldest make room. It is safe to use from several
// threads; one that asks for what another is making waits for it.
class PartitionedSteps {
 public:
  // All that the passes on a graph depend on.
  struct Settings {
    int64_t batch_per_core = 0;
    bool folds = false;
    bool training = false;
    bool shard_update = false;
    TrainingSpec spec;
    Mesh mesh;
    int64_t cores = 0;
    std::vector<std::string> disabled_passes;
  };
  using Step = absl::StatusOr<std::shared_ptr<PartitionedStep>>;

  // The graph outlives the steps.
  Step Find(const Graph& forward, const Settings& settings, const std::function<Step()>& make);

 private:
  using Key = std::pair<const Graph*, std::string>;  // with a hash of the settings
  struct Entry {
    Key key;
    std::once_flag made;
    Step step = absl::UnknownError("not made yet");
    int64_t ops = 0;
  };
  std::shared_ptr<Entry> EntryOf(const Key& key);
  void MakeRoom();

  std::mutex mutex_;                            // guards what follows
  std::deque<std::shared_ptr<Entry>> entries_;  // the latest last
};

}  // namespace tilewise
