// The closed form of input pipelines against discrete events: every element is
// followed through queues with so many workers and so much room, and the events
// themselves are held against what is known of M/M/c and D/D/1.

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "hardware/target.h"
#include "sim/input_time.h"
#include "sim/stage_cost.h"

namespace tilewise {
namespace {

constexpr size_t kUnlimited = size_t{1} << 30;

// Takes elements in their order and hands them on in it.
struct Queue {
  size_t workers = 1;
  size_t room = kUnlimited;  // finished elements that wait for the next queue
  std::vector<double> service;
};

double At(const std::vector<double>& times, size_t i, size_t back) {
  return i >= back ? times[i - back] : 0;
}

// When each element leaves the last queue; it enters the first at `arrivals`.
std::vector<double> Leave(const std::vector<double>& arrivals, const std::vector<Queue>& queues) {
  const size_t elements = arrivals.size();
  std::vector<std::vector<double>> start(queues.size() + 1, std::vector<double>(elements));
  std::vector<std::vector<double>> left(queues.size(), std::vector<double>(elements));
  for (size_t n = 0; n < elements; ++n) {
    double ready = arrivals[n];
    for (size_t q = 0; q < queues.size(); ++q) {
      const Queue& queue = queues[q];
      start[q][n] = std::max(ready, At(left[q], n, queue.workers));
      const double room = q + 1 < queues.size() ? At(start[q + 1], n, queue.room) : 0;
      left[q][n] = std::max({start[q][n] + queue.service[n], n > 0 ? left[q][n - 1] : 0.0, room});
      ready = left[q][n];
    }
  }
  return left.back();
}

double PerElement(const std::vector<double>& left) {
  const size_t half = left.size() / 2;  // the first half fills the queues
  return (left.back() - left[half]) / static_cast<double>(left.size() - 1 - half);
}

class Draw {
 public:
  std::vector<double> Exponential(double mean, size_t n) {
    std::vector<double> values(n);
    // The library's distributions differ from one to the other.
    for (double& value : values) {
      const double share = (static_cast<double>(generator_()) + 1) / 4294967297.0;
      value = -mean * std::log(share);
    }
    return values;
  }

 private:
  std::mt19937 generator_{7};
};

// Mean wait of M/M/c (Erlang's C).
double ErlangWait(double arrival_rate, double service, int workers) {
  const double load = arrival_rate * service;
  double term = 1, sum = 0;
  for (int k = 0; k < workers; ++k) {
    sum += term;
    term *= load / (k + 1);
  }
  const double use = load / workers;
  const double waiting = term / (1 - use) / (sum + term / (1 - use));
  return waiting * service / (workers * (1 - use));
}

TEST(Events, WaitAsLongAsErlangSays) {
  constexpr size_t kElements = 400000;
  for (const int workers : {1, 4}) {
    Draw draw;
    const double rate = 0.8 * workers;
    std::vector<double> arrivals = draw.Exponential(1 / rate, kElements);
    for (size_t n = 1; n < kElements; ++n) arrivals[n] += arrivals[n - 1];
    const std::vector<double> service = draw.Exponential(1, kElements);
    // The one who is free first takes the next, in any order of leaving.
    std::deque<double> free(static_cast<size_t>(workers), 0.0);
    double waited = 0;
    for (size_t n = 0; n < kElements; ++n) {
      const auto first = std::ranges::min_element(free);
      const double start = std::max(arrivals[n], *first);
      waited += start - arrivals[n];
      *first = start + service[n];
    }
    EXPECT_NEAR(waited / kElements, ErlangWait(rate, 1, workers),
                0.08 * ErlangWait(rate, 1, workers));
  }
}

TEST(Events, OfFixedTimesNeverWait) {
  std::vector<double> arrivals(1000);
  for (size_t n = 0; n < arrivals.size(); ++n) arrivals[n] = static_cast<double>(n);
  const std::vector<double> left = Leave(arrivals, {{.service = std::vector<double>(1000, 0.9)}});
  for (size_t n = 0; n < left.size(); ++n) EXPECT_NEAR(left[n] - arrivals[n], 0.9, 1e-9);
}

Stage StageOf(StageKind kind, double milliseconds, Count calls = {}) {
  Stage stage;
  stage.kind = kind;
  stage.parallel_calls = calls;
  stage.measured.per_example = Seconds{milliseconds * 1e-3};
  return stage;
}

Count Calls(int64_t value) { return {Count::Kind::kValue, value}; }

// A source, a parallel map, a map in line and a prefetch; times in ms an example.
struct Chain {
  double source, parallel;
  int64_t calls;
  double in_line, device;
};

Host ManyCores() {
  Host host = MakeTarget("v3", 8, "tpu-vm")->host;
  host.vcpus = 1000;
  return host;
}

double ClosedForm(const Chain& chain) {
  Pipeline pipeline;
  pipeline.stages = {StageOf(StageKind::kRange, chain.source),
                     StageOf(StageKind::kMap, chain.parallel, Calls(chain.calls)),
                     StageOf(StageKind::kMap, chain.in_line), StageOf(StageKind::kPrefetch, 0)};
  pipeline.item_bytes = Bytes{1};
  const Host host = ManyCores();
  const InputTime time =
      TimeInput(CostStages(pipeline, 1, Bytes{1}, host), pipeline, host, CacheState::kWarm);
  const Seconds loop = time.in_line + Seconds{chain.device * 1e-3};
  return 1e3 * std::max(time.ahead, loop).value;
}

constexpr size_t kSteps = 40000;

std::vector<Queue> QueuesOf(const Chain& chain, size_t room, Draw* draw) {
  const auto times = [&](double mean) {
    return draw == nullptr ? std::vector<double>(kSteps, mean) : draw->Exponential(mean, kSteps);
  };
  return {
      {.room = 1, .service = times(chain.source)},
      {.workers = static_cast<size_t>(chain.calls), .room = room, .service = times(chain.parallel)},
      {.room = room, .service = times(chain.in_line)},
      {.service = times(chain.device)}};
}

double ByEvents(const Chain& chain, size_t room, Draw* draw) {
  return PerElement(Leave(std::vector<double>(kSteps, 0.0), QueuesOf(chain, room, draw)));
}

constexpr Chain kChains[] = {
    {0.1, 8, 4, 0.5, 1},   // the parallel map binds
    {0.1, 8, 16, 1.5, 1},  // the map in line
    {3, 8, 16, 1.5, 1},    // the source
    {0.1, 8, 16, 0.5, 4},  // the device
};

TEST(TimeInput, IsWhatEventsOfFixedTimesTake) {
  for (const Chain& chain : kChains) {
    const double closed = ClosedForm(chain);
    // What is not measured of a stage, the hand-over, is part of the closed form alone.
    EXPECT_NEAR(ByEvents(chain, 2, nullptr), closed, 0.03 * closed + 0.02);
  }
}

// Workers hand on in order, so a slow element holds up those behind it: where the
// parallel map itself binds, its closed form is a bound.
TEST(TimeInput, IsWhatEventsOfUnevenTimesTakeWhereThereIsRoom) {
  for (const Chain& chain : std::span(kChains).subspan(1)) {
    Draw draw;
    const double closed = ClosedForm(chain);
    EXPECT_NEAR(ByEvents(chain, 1000, &draw), closed, 0.05 * closed);
  }
}

TEST(TimeInput, IsABoundWhereUnevenTimesMeetLittleRoom) {
  for (const Chain& chain : kChains) {
    Draw draw;
    const double events = ByEvents(chain, 2, &draw);
    EXPECT_GT(events, 0.97 * ClosedForm(chain));
    EXPECT_LT(events, 3 * ClosedForm(chain));
  }
}

}  // namespace
}  // namespace tilewise
