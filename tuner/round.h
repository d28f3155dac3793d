// The candidates that a strategy asked for at once: handed out one at a time to
// whoever evaluates, done in any order.

#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/status.h"
#include "tuner/evaluate.h"

namespace tilewise {

// A Round is safe to use from several threads.
class Round {
 public:
  // `log` may be null. All outlive the round.
  Round(const Space& space, std::span<const Candidate> candidates, TrialLog* log);

  const Space& space() const { return space_; }
  const Candidate& candidate(size_t index) const { return candidates_[index]; }

  enum class Taker : uint8_t { kThisProcess, kOther };
  // Which process was the first at candidates whose graph is partitioned alike: those of one
  // `Space::partition` and batch. Others than this process are 1, 2, ..
  using Owners = std::map<std::pair<int32_t, int64_t>, int64_t>;
  // `owners`, which may be of earlier rounds, outlives this one. To be called before any Take.
  void ShareOut(Owners* owners) { owners_ = owners; }
  // The index of a candidate to evaluate, which the log does not have; none:
  // there is none now. This process gets also one that another has been at for
  // so long that it may be lost. `process` (see Owners) gets first what it has partitioned, then
  // what nobody has, then what is left.
  std::optional<size_t> Take(Taker taker, int64_t process = 0);
  // Whoever took it is lost.
  void GiveBack(size_t index);
  // The first result of a candidate counts; they are all the same.
  void Finish(size_t index, Result result);
  // Everything is done, or the log has failed.
  bool has_ended() const;
  // Waits until a candidate may be there, or a moment at most.
  void Wait();

  absl::StatusOr<std::vector<Result>> Results() &&;

 private:
  using Clock = std::chrono::steady_clock;
  enum class State : uint8_t { kOpen, kTaken, kDone };
  struct Entry {
    State state = State::kOpen;
    Taker taker = Taker::kThisProcess;
    bool claimed = false;  // of the log
    Clock::time_point taken;
  };

  absl::StatusOr<bool> IsToEvaluate(size_t index);
  enum class Share : uint8_t { kOwn, kFree, kOfOthers };
  std::pair<int32_t, int64_t> PartOf(size_t index) const;
  Share ShareOf(size_t index, int64_t process) const;
  std::optional<size_t> Overdue();
  void Note(absl::Status status);
  bool EndedLocked() const { return !status_.ok() || done_ == entries_.size(); }

  const Space& space_;
  const std::span<const Candidate> candidates_;
  TrialLog* const log_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  Owners* owners_ = nullptr;
  std::vector<Entry> entries_;
  std::vector<Result> results_;
  size_t done_ = 0;
  Clock::duration longest_{};  // of those that are done
  absl::Status status_;
};

// Takes candidates until the round has ended.
void EvaluateHere(Round& round);

// Steps that are lowered side by side: of large graphs fewer, as each takes its memory.
size_t LoweredAtOnce(const Space& space);

// An executor is who evaluates.
class Executor {
 public:
  virtual ~Executor() = default;
  // Returns once the round has ended.
  virtual void Run(Round& round) = 0;
};

// Returns the results in the order of the candidates, whoever evaluates. `log`
// may be null; without an executor the threads of this process evaluate.
absl::StatusOr<std::vector<Result>> EvaluateAll(const Space& space,
                                                std::span<const Candidate> candidates,
                                                TrialLog* log, Executor* executor);

}  // namespace tilewise
