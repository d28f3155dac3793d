// A shuffle gives nothing before its buffer is full. The stages above it make its
// elements at the pace of the slowest, as in the steady state; those below it make one
// batch, then.

#include "sim/first_batch.h"

#include <algorithm>
#include <vector>

#include "sim/feeding_hosts.h"
#include "sim/stage_cost.h"

namespace tilewise {
namespace {

// The batches that each stage makes before the first one is there.
std::vector<double> BatchesNeeded(const Pipeline& pipeline, int64_t batch, int64_t hosts) {
  const std::vector<Stage>& stages = pipeline.stages;
  std::vector<double> needed(stages.size(), 1);
  double batches = 1;
  bool of_batches = pipeline.batch() != nullptr;  // the elements there are batches
  for (size_t i = stages.size(); i-- > 0;) {
    const Stage& stage = stages[i];
    if (&stage == pipeline.batch()) of_batches = false;
    if (stage.kind == StageKind::kShuffle && stage.amount.kind == Count::Kind::kValue) {
      auto elements = static_cast<double>(stage.amount.value);
      const double each = of_batches ? 1 : static_cast<double>(std::max<int64_t>(1, batch));
      if (const std::optional<int64_t> read = pipeline.items_of_host(hosts)) {
        const auto items = static_cast<double>(*read);
        elements = std::min(elements, of_batches ? items / static_cast<double>(batch) : items);
      }
      batches += elements / each;
    }
    needed[i] = batches;
  }
  return needed;
}

// The slowest of the stages up to a shuffle, or to the end.
class Stretch {
 public:
  void Add(const StageCost& stage, double batches) {
    work_ += stage.work * batches;
    if (stage.asynchronous) {
      const Seconds own = std::max((stage.work + stage.wait) / stage.parallelism, stage.shared);
      slowest_ = std::max({slowest_, part_, own * batches});
      part_ = stage.hand_over * batches;
    } else {
      part_ += stage.per_batch() * batches;
    }
  }
  Seconds Time(const Host& host) const {
    return std::max({slowest_, part_, work_ / host.busy_cores()});
  }

 private:
  Seconds slowest_, part_, work_;
};

}  // namespace

FirstBatch TimeToFirstBatch(const Pipeline& pipeline, Framework framework, int64_t global_batch,
                            Bytes bytes_per_example, const Target& target) {
  const Host& host = target.host;
  const int64_t hosts = FeedingHosts(host.runtime(FrameworkName(framework)), target);
  const int64_t batch = pipeline.made_by_host(global_batch, hosts);
  const std::vector<StageCost> costs =
      CostStages(pipeline, batch, bytes_per_example, host, CacheState::kCold);
  const std::vector<double> needed = BatchesNeeded(pipeline, batch, hosts);
  FirstBatch first;
  Stretch stretch;
  for (size_t i = 0; i < costs.size(); ++i) {
    stretch.Add(costs[i], needed[i]);
    if (pipeline.stages[i].kind != StageKind::kShuffle) continue;
    first.time += stretch.Time(host);
    stretch = {};
    first.shuffles = first.time;
  }
  first.time += stretch.Time(host);
  return first;
}

}  // namespace tilewise
