// A candidate that another process evaluates for the same study stays open until
// the log has its result, or that process is lost.

#include "tuner/round.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

namespace tilewise {
namespace {

// A process that takes so many times as long as the slowest evaluation so far may
// be lost, but not before the second time.
constexpr int kOverdueTimes = 10;
constexpr std::chrono::seconds kNeverOverdueBefore{10};
// How often a log that others write to is asked.
constexpr std::chrono::milliseconds kMoment{20};

}  // namespace

Round::Round(const Space& space, std::span<const Candidate> candidates, TrialLog* log)
    : space_(space),
      candidates_(candidates),
      log_(log),
      entries_(candidates.size()),
      results_(candidates.size()) {}

// False: the log has its result, or another process is at it.
absl::StatusOr<bool> Round::IsToEvaluate(size_t index) {
  Entry& entry = entries_[index];
  if (log_ == nullptr || entry.claimed) return true;
  const Candidate& candidate = candidates_[index];
  TW_ASSIGN_OR_RETURN(entry.claimed, log_->Claim(space_, candidate));
  if (!entry.claimed) return false;
  TW_ASSIGN_OR_RETURN(const bool known, log_->Find(space_, candidate, results_[index]));
  if (!known) return true;
  results_[index].recalled = true;
  entry.state = State::kDone;
  ++done_;
  TW_RETURN_IF_ERROR(log_->Release(space_, candidate));
  return false;
}

std::optional<size_t> Round::Overdue() {
  const Clock::time_point now = Clock::now();
  const auto most = std::max<Clock::duration>(kOverdueTimes * longest_, kNeverOverdueBefore);
  for (size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (entry.state != State::kTaken || entry.taker == Taker::kThisProcess) continue;
    if (now - entry.taken < most) continue;
    entry.taker = Taker::kThisProcess;
    return i;
  }
  return std::nullopt;
}

void Round::Note(absl::Status status) {
  if (status_.ok()) status_ = std::move(status);
}

std::pair<int32_t, int64_t> Round::PartOf(size_t index) const {
  const Candidate& candidate = candidates_[index];
  return {space_.partition(candidate.setting), candidate.batch_per_core};
}

Round::Share Round::ShareOf(size_t index, int64_t process) const {
  if (owners_ == nullptr) return Share::kOwn;
  const auto owner = owners_->find(PartOf(index));
  if (owner == owners_->end()) return Share::kFree;
  return owner->second == process ? Share::kOwn : Share::kOfOthers;
}

std::optional<size_t> Round::Take(Taker taker, int64_t process) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const Share share : {Share::kOwn, Share::kFree, Share::kOfOthers}) {
    for (size_t i = 0; i < entries_.size() && !EndedLocked(); ++i) {
      if (entries_[i].state != State::kOpen || ShareOf(i, process) != share) continue;
      const absl::StatusOr<bool> is_to_evaluate = IsToEvaluate(i);
      if (!is_to_evaluate.ok()) {
        Note(is_to_evaluate.status());
      } else if (*is_to_evaluate) {
        Entry& entry = entries_[i];
        entry.state = State::kTaken;
        entry.taker = taker;
        entry.taken = Clock::now();
        if (owners_ != nullptr) owners_->emplace(PartOf(i), process);
        return i;
      }
    }
  }
  if (EndedLocked()) changed_.notify_all();
  if (taker == Taker::kOther || EndedLocked()) return std::nullopt;
  return Overdue();
}

void Round::GiveBack(size_t index) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Entry& entry = entries_[index];
  const bool is_with_other = entry.taker == Taker::kOther;
  if (entry.state == State::kTaken && is_with_other) entry.state = State::kOpen;
  changed_.notify_all();
}

void Round::Finish(size_t index, Result result) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Entry& entry = entries_[index];
  if (entry.state == State::kDone || !status_.ok()) return;
  if (log_ != nullptr) {
    const Candidate& candidate = candidates_[index];
    absl::Status status = log_->Add(space_, candidate, result);
    if (status.ok()) status = log_->Release(space_, candidate);
    Note(std::move(status));
  }
  entry.state = State::kDone;
  longest_ = std::max(longest_, Clock::now() - entry.taken);
  results_[index] = std::move(result);
  ++done_;
  changed_.notify_all();
}

bool Round::has_ended() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return EndedLocked();
}

void Round::Wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!EndedLocked()) changed_.wait_for(lock, kMoment);
}

absl::StatusOr<std::vector<Result>> Round::Results() && {
  TW_RETURN_IF_ERROR(status_);
  return std::move(results_);
}

void EvaluateHere(Round& round) {
  while (!round.has_ended()) {
    if (const std::optional<size_t> index = round.Take(Round::Taker::kThisProcess)) {
      round.Finish(*index, Evaluate(round.space(), round.candidate(*index)));
    } else {
      round.Wait();
    }
  }
}

size_t LoweredAtOnce(const Space& space) {
  constexpr size_t kMostOps = 150'000;
  const std::optional<Graph>& graph = space.own().workload().graph;
  return std::max<size_t>(
      1, kMostOps / std::max<size_t>(1, graph ? static_cast<size_t>(graph->size()) : 0));
}

absl::StatusOr<std::vector<Result>> EvaluateAll(const Space& space,
                                                std::span<const Candidate> candidates,
                                                TrialLog* log, Executor* executor) {
  Round round(space, candidates, log);
  if (executor != nullptr) {
    executor->Run(round);
  } else {
    const size_t threads = std::min(
        {candidates.size(), static_cast<size_t>(oneapi::tbb::this_task_arena::max_concurrency()),
         LoweredAtOnce(space)});
    oneapi::tbb::parallel_for(
        size_t{0}, threads, [&](size_t) { EvaluateHere(round); },
        oneapi::tbb::simple_partitioner());
  }
  return std::move(round).Results();
}

}  // namespace tilewise
