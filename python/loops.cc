// for and while.

#include <algorithm>
#include <utility>

#include "python/branches.h"
#include "python/generator.h"
#include "python/open.h"

namespace tilewise::py {
namespace {

// Rounds of a loop whose condition is not known.
constexpr int kMaxRounds = 1'000'000;
// Rounds of a loop that does parts of a step; the last one is run as well.
constexpr int kPartRounds = 8;
// A loop of what has no part in a step is left after so many rounds and steps.
constexpr int kIdleRounds = 4;
constexpr int64_t kIdleSteps = 20'000;
// A loop of the program that makes no part of a model is left after a part of the
// work: one more round, which is watched, stands for those that are left out.
constexpr int64_t kPartOfWork = 8;

// A note that the rounds so far stand for all.
void StandForAll(Interpreter& in, OpenRun& open, const Location& at, std::string message,
                 Severity severity) {
  open.Stand({in.MakeUnknown("how often a loop runs").as<Unknown>(), false});
  in.Note("RD002", at, std::move(message), severity);
}

// Leaves out more and more rounds of a loop that has too many.
class Leaps {
 public:
  // What the rounds so far counted up is not known after a leap: a buffer that the program fills
  // before it trains may be full by then.
  // `cost`: the work of a round, `left`: that a loop may take from here.
  void AfterRound(Iterator& items, int64_t met, int64_t cost, int64_t left, OpenRun& open) {
    constexpr int64_t kBetweenLeaps = 32, kMostLeaps = 16;
    const int64_t most = left / kMostLeaps / std::max<int64_t>(1, cost);
    if (met % std::clamp<int64_t>(most, 1, kBetweenLeaps) != 0) return;
    items.Leap(met + leapt_);
    leapt_ += met + leapt_;
    open.End();
    open.Watch();
  }

 private:
  int64_t leapt_ = 0;
};

// Breaks under conditions that are not known are those of the innermost loop.
class BreaksOfLoop {
 public:
  explicit BreaksOfLoop(Frame& frame)
      : frame_(frame),
        outer_(std::exchange(frame.maybe_broke, Value())),
        outer_round_(frame.round) {}
  ~BreaksOfLoop() { End(); }
  BreaksOfLoop(const BreaksOfLoop&) = delete;
  BreaksOfLoop& operator=(const BreaksOfLoop&) = delete;
  void End() const {
    frame_.maybe_broke = outer_;
    frame_.round = outer_round_;
  }

 private:
  Frame& frame_;
  Value outer_;
  int64_t outer_round_;
};

}  // namespace

bool Interpreter::Outlasts(std::optional<int64_t> rounds, int64_t met, const Limits& start) const {
  if (!rounds.has_value() || frames_.back()->module->origin != Module::Origin::kUser) return false;
  const double more = static_cast<double>(*rounds - met) / static_cast<double>(met);
  return more * static_cast<double>(steps_ - start.steps) > limits_.steps - steps_ ||
         more * static_cast<double>(bytes_ - start.bytes) > limits_.bytes - bytes_;
}

Flow Interpreter::ExecFor(const Node* node) {
  const Value iterable = EvalHead(node->b);
  // A generator that only the loop has is closed when the loop is left.
  const bool only = iterable.as<Iterator>() != nullptr && heap_.back().get() == iterable.object;
  Iterator* items = Iterate(iterable);
  int64_t left_out = 0, met = 0;
  int idle_rounds = 0;
  std::optional<Leaps> leaps;
  const Limits start{steps_, bytes_};
  const BreaksOfLoop breaks(*frames_.back());
  OpenRun open(*this, node->c);
  bool cuts = frame().module->origin == Module::Origin::kUser;
  const int64_t made = made_, trained = progress_ + parts_, built = host_.Built();
  bool watched = false;
  const auto end = [&] {
    open.End();
    if (!open.open().uncounted()) return Flow::kNext;
    if (made_ != made && progress_ + parts_ == trained) {
      host_.RoundsUncounted(*this, built, *open.open().why);
    }
    if (const Value last = items->Last(*this); last.set()) Assign(node->a, last);
    return Flow::kNext;
  };
  for (int rounds = 0;;) {
    const int64_t before = progress_, parts = parts_, elsewhere = frames_.back()->elsewhere;
    frames_.back()->at = node;
    frames_.back()->round = before;
    const Value item = items->Next(*this);
    if (!item.set()) break;
    Step(2);
    const Openness more = items->open();
    open.Round(more);
    if (more && running_ != nullptr) running_->Opened(frames_.back(), more);
    Assign(node->a, item);
    const Undecided maybe(*this, static_cast<bool>(more));
    const Flow flow = Exec(node->c);
    if (flow == Flow::kBreak || flow == Flow::kReturn) {
      if (auto* generator = only ? dynamic_cast<Generator*>(items) : nullptr) {
        generator->Close(*this);
      }
      return flow == Flow::kBreak ? Flow::kNext : flow;
    }
    // A round that trained a step stands for all that follow.
    if (progress_ - frames_.back()->elsewhere != before - elsewhere) {
      host_.LoopTrained(*this, node, items->Rounds());
      // What was left out held updates, maybe.
      parts_ -= left_out;
      return end();
    }
    if (parts_ != parts && ++rounds == kPartRounds) {
      left_out = items->SkipToLast() * (parts_ - parts);
      parts_ += left_out;
    }
    ++met;
    // A loop takes a part of what is left, so that several of them never take all.
    const bool too_long = steps_ - start.steps > (limits_.steps - start.steps) / kPartOfWork ||
                          bytes_ - start.bytes > (limits_.bytes - start.bytes) / kPartOfWork;
    if (!leaps && too_long && Outlasts(items->Rounds(), met, start)) {
      leaps.emplace();
      open.Watch();
      StandForAll(*this, open, UserLocation(),
                  "the rounds of this loop are more than are read; some of them are left out",
                  Severity::kInfo);
    }
    if (leaps) {
      leaps->AfterRound(*items, met, (steps_ - start.steps) / met,
                        (limits_.steps - steps_) / kPartOfWork, open);
    } else if (watched && made_ != made) {
      watched = cuts = false;
    } else if (watched) {
      StandForAll(*this, open, LocationOf(frame()),
                  "a loop over data runs for too long; its rounds so far stand for all",
                  Severity::kWarning);
      return end();
    } else if (cuts && made_ == made && too_long) {
      open.Watch();
      watched = true;
    }
    if (idle && ++idle_rounds >= kIdleRounds && steps_ - start.steps > kIdleSteps) return end();
  }
  end();
  breaks.End();
  return node->d == nullptr ? Flow::kNext : Exec(node->d);
}

Flow Interpreter::ExecWhile(const Node* node) {
  Frame& frame = *frames_.back();
  const BreaksOfLoop breaks(frame);
  OpenRun open(*this, node->b);
  // What waits for ever, for something outside to happen, is left after a part of the work.
  constexpr int64_t kPart = 4;
  const int64_t most = steps_ + (limits_.steps - steps_) / kPart;
  const int64_t most_bytes = bytes_ + (limits_.bytes - bytes_) / kPart;
  for (int round = 0; round < kMaxRounds; ++round) {
    const int64_t before = progress_, parts = parts_, built = host_.Built();
    const int64_t elsewhere = frame.elsewhere;
    frame.at = node;
    frame.round = before;
    const Value condition = EvalHead(node->a);
    const std::optional<bool> truth = Truth(condition);
    if (truth.has_value() && !*truth) {
      breaks.End();
      return node->c == nullptr ? Flow::kNext : Exec(node->c);
    }
    if (!truth.has_value()) {
      if (round > 0) return Flow::kNext;
      Openness more = OpennessOf(condition);
      if (!more) more.why = MakeUnknown("how often a loop runs").as<Unknown>();
      open.Round(more);
      if (running_ != nullptr) running_->Opened(&frame, more);
    } else if (round == 0 && node->a->kind == NodeKind::kConstant) {
      // It may end where a condition is not known.
      open.Watch();
    }
    Step(2);
    const Undecided maybe(*this, !truth.has_value());
    const size_t returns = frame.maybe_returned.size();
    const Flow flow = Exec(node->b);
    if (flow == Flow::kBreak) return Flow::kNext;
    if (flow == Flow::kReturn) return flow;
    // A loop that may have returned may have ended as well.
    const bool long_run = steps_ > most || bytes_ > most_bytes;
    if (long_run) Note("RD002", UserLocation(), "a loop runs for too long; it is left here");
    const bool ends = frame.maybe_returned.size() > returns || long_run;
    if (ends && !frame.maybe_broke.set()) {
      frame.maybe_broke = MakeUnknown("how often a loop runs");
    }
    const bool broke = frame.maybe_broke.set();
    if (broke) open.Stand({frame.maybe_broke.as<Unknown>(), false});
    const bool trained = progress_ - frame.elsewhere != before - elsewhere;
    if (!truth.has_value() || broke || trained) {
      open.End();
      if (trained) host_.LoopTrained(*this, node, std::nullopt);
      if (!trained && parts_ == parts && open.open().uncounted()) {
        host_.RoundsUncounted(*this, built, *open.open().why);
      }
      if (broke && running_ != nullptr) running_->Opened(&frame, open.open());
      if (broke || trained) return Flow::kNext;
    }
  }
  return Flow::kNext;
}

}  // namespace tilewise::py
