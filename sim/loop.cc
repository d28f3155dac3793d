// The host loop around the device step, in its steady state and while caches
// are filled.
//
// Input that works ahead (after a prefetch or a parallel stage) runs beside
// everything else and only sets a pace. What the loop does itself comes on top
// of each other: the input stages in line, the dispatch, and the longer of
// device step and transfer - the infeed of the next batch runs while the device
// works. Where a thread of its own feeds the device (TPUEstimator), all of its
// work for the next step runs beside the device; a share of the shorter of the
// two is not hidden. That share is one where each batch is fed and then waited
// for (keras_to_tpu_model). Arrays given to fit() are copied once per batch,
// ahead of the step except in such a loop. Each host of a slice does this for
// the chips that it holds. The compilation is left out.

#include <algorithm>

#include "base/math.h"
#include "sim/feeding_hosts.h"
#include "sim/input_time.h"
#include "sim/simulate.h"
#include "sim/stage_cost.h"

namespace tilewise {
namespace {

const HostRuntime& RuntimeOf(const LoopInput& input, const Host& host) {
  return host.runtime(FrameworkName(input.framework));
}

InputTime TimeArrays(const LoopInput& input, const Host& host) {
  const Seconds copy = input.global_batch * input.bytes_per_example / host.memory_copy_bandwidth;
  const bool waits = RuntimeOf(input, host).exposed_share == 1.0;
  InputTime time;
  (waits ? time.in_line : time.ahead) = copy;
  return time;
}

// One pass over the labels on the thread that feeds the device.
Seconds OneHotTime(const LoopInput& input, const Host& host) {
  return input.global_batch * input.one_hot_bytes_per_example / host.memory_copy_bandwidth;
}

double StepsOfExecution(const LoopInput& input) {
  return static_cast<double>(std::max<int64_t>(input.steps_per_execution, 1));
}

// What the host does for each step. Where it starts steps ahead of the device, that is to start
// their execution, and the steps of one (a scan over batches) share it.
Seconds StartOfStep(const LoopInput& input, const HostRuntime& runtime) {
  const double steps = RunsAhead(input.framework) ? StepsOfExecution(input) : 1;
  return runtime.per_step / steps;
}

// Returns the dispatch time of each step.
Seconds Dispatch(const LoopInput& input, const HostRuntime& runtime) {
  const Seconds execution = input.steps_per_execution > 1
                                ? runtime.per_loop.value_or(runtime.per_execution)
                                : runtime.per_execution;
  return execution / StepsOfExecution(input) + StartOfStep(input, runtime);
}

std::vector<StageCost> CostInput(const LoopInput& input, const Host& host, CacheState caches) {
  return CostStages(*input.pipeline, input.global_batch, input.bytes_per_example, host, caches);
}

InputTime TimeOfInput(const LoopInput& input, const Host& host, CacheState caches) {
  if (input.pipeline == nullptr) return TimeArrays(input, host);
  return TimeInput(CostInput(input, host, caches), *input.pipeline, host, caches);
}

std::vector<StageTime> TimeStages(const LoopInput& input, const Host& host) {
  std::vector<StageTime> stages;
  if (!input.pipeline) return stages;
  for (const StageCost& cost : CostInput(input, host, CacheState::kWarm)) {
    stages.push_back({.stage = stages.size(),
                      .per_batch = cost.per_batch(),
                      .work = cost.work,
                      .parallelism = cost.parallelism,
                      .shared = cost.shared,
                      .unknown_ops = cost.unknown_ops});
  }
  return stages;
}

Seconds TransferTime(const LoopInput& input, const HostRuntime& runtime, const Host& host) {
  const bool own_path = runtime.feed_bandwidth.value > 0;
  const BytesPerSecond rate = own_path ? runtime.feed_bandwidth : host.feed_bandwidth;
  // Batches that a scan goes over are sent as rows of one array.
  const double steps = RunsAhead(input.framework) ? StepsOfExecution(input) : 1;
  return host.feed_latency / steps + input.global_batch * input.bytes_per_example / rate;
}

bool DropsRemainder(const LoopInput& input) {
  const Stage* batch = input.pipeline ? input.pipeline->batch() : nullptr;
  return batch != nullptr && batch->drop_remainder.value_or(false);
}

int64_t StepsPerEpoch(const LoopInput& input) {
  if (input.steps_per_epoch) return *input.steps_per_epoch;
  if (!input.examples_per_epoch) return 0;
  const int64_t examples = *input.examples_per_epoch;
  return DropsRemainder(input) ? examples / input.global_batch
                               : CeilDiv(examples, input.global_batch);
}

// Batches of an epoch in terms of full ones: the last may be cut.
double FullBatches(const LoopInput& input, int64_t steps) {
  const auto whole = static_cast<double>(steps);
  if (input.steps_per_epoch || !input.examples_per_epoch) return whole;
  const double batches =
      static_cast<double>(*input.examples_per_epoch) / static_cast<double>(input.global_batch);
  return std::min(whole, batches);
}

Seconds WallStep(const LoopInput& input, const HostRuntime& runtime, const LoopTimeline& loop,
                 const InputTime& time) {
  if (!runtime.exposed_share) {
    const Seconds on_device = std::max(loop.device_step, loop.transfer);
    return std::max(on_device + loop.dispatch + time.in_line, time.ahead);
  }
  const Seconds start = StartOfStep(input, runtime);
  const Seconds feeding = start + loop.transfer + time.in_line;
  const Seconds starting = loop.dispatch - start;
  const Seconds both = std::max(loop.device_step, feeding) +
                       std::min(loop.device_step, feeding) * *runtime.exposed_share;
  return std::max(starting + both, time.ahead);
}

// A cut batch costs as much to dispatch as a full one, and the rest in
// proportion.
void FillEpoch(const LoopInput& input, const HostRuntime& runtime, LoopTimeline& loop) {
  if (loop.steps_per_epoch == 0) return;
  const double full = FullBatches(input, loop.steps_per_epoch);
  const double cut = static_cast<double>(loop.steps_per_epoch) - full;
  const Seconds fixed = loop.dispatch * cut + runtime.per_epoch;
  loop.epoch = loop.step * full + fixed;
  loop.first_epoch = loop.first_step * full + fixed;
  loop.epoch_host = loop.epoch - loop.device_step * full;
}

// What one of the machines that feed the chips sends of each batch, and what it makes for that.
struct ShareOfHost {
  LoopInput sent, made;
  ShareOfHost(const LoopInput& input, int64_t hosts) : sent(input), made(input) {
    sent.global_batch = CeilDiv(input.global_batch, hosts);
    made.global_batch = input.pipeline ? input.pipeline->made_by_host(input.global_batch, hosts)
                                       : sent.global_batch;
  }
  InputTime Time(const Host& host, CacheState caches) const {
    InputTime time = TimeOfInput(made, host, caches);
    time.in_line += OneHotTime(sent, host);
    return time;
  }
};

}  // namespace

LoopTimeline SimulateLoop(const LoopInput& input, const Target& target) {
  const Host& host = target.host;
  const HostRuntime& runtime = RuntimeOf(input, host);
  const ShareOfHost share(input, FeedingHosts(runtime, target));
  LoopTimeline loop;
  loop.device_step = input.step ? input.step->step : Seconds{};
  loop.stages = TimeStages(share.made, host);
  const InputTime time = share.Time(host, CacheState::kWarm);
  loop.input = time.slowest();
  loop.input_overlaps = time.in_line == Seconds{} || runtime.exposed_share.value_or(1) < 1;
  loop.transfer = TransferTime(share.sent, runtime, host);
  loop.dispatch = Dispatch(input, runtime);
  loop.step = WallStep(input, runtime, loop, time);
  loop.first_step = WallStep(input, runtime, loop, share.Time(host, CacheState::kCold));
  loop.exposed_host = loop.step - loop.device_step;
  loop.steps_per_epoch = StepsPerEpoch(input);
  FillEpoch(input, runtime, loop);
  if (loop.step > Seconds{}) {
    loop.examples_per_second = static_cast<double>(input.global_batch) / loop.step.value;
    if (input.step) {
      loop.mxu_use = input.step->mxu_use * (loop.device_step / loop.step);
    }
  }
  return loop;
}

}  // namespace tilewise
