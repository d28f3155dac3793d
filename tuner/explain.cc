// Why a point was chosen, in words with numbers.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tuner/tuner.h"

namespace tilewise {
namespace {

// A smaller difference is none.
constexpr double kSame = 0.005;
// A share of the step that is worth a word.
constexpr double kNoticed = 0.05;

// What the device waits for most, and what shortens it.
std::string HostLimit(const LoopTimeline& loop) {
  if (loop.transfer >= loop.input && loop.transfer >= loop.dispatch) {
    return fmt::format(
        "mostly for the transfer ({}): send smaller items, uint8 rather than float32",
        FormatSeconds(loop.transfer));
  }
  if (loop.input >= loop.dispatch) {
    return fmt::format("mostly for the input pipeline ({})", FormatSeconds(loop.input));
  }
  return fmt::format("mostly for the host's own work per step ({})", FormatSeconds(loop.dispatch));
}

std::string Limit(const Trial& best, const Tuning& tuning) {
  const LoopTimeline& loop = best.loop;
  const double waiting = loop.exposed_host / loop.step;
  if (waiting > kNoticed) {
    return fmt::format("the device still waits {} of each step, {}", FormatPercent(waiting),
                       HostLimit(loop));
  }
  for (const Trial& trial : tuning.curve) {
    if (trial.batch_per_core <= best.batch_per_core) continue;
    if (!trial.allowed) break;  // it is not the memory that ends the curve
    if (trial.fits && trial.sure) continue;
    const std::string certainty =
        trial.fits ? fmt::format(", which fits with {} certainty", FormatPercent(trial.certainty))
                   : "";
    return fmt::format("{} per {} would need {} of {} HBM{}", FormatCount(trial.batch_per_core),
                       tuning.device, FormatBytes(trial.hbm_peak), FormatBytes(trial.hbm_available),
                       certainty);
  }
  double beyond = 0;
  for (const Trial& trial : tuning.curve) {
    if (trial.batch_per_core > best.batch_per_core) beyond = std::max(beyond, Throughput(trial));
  }
  if (beyond * (1 - tuning.margin) > Throughput(best)) {
    return fmt::format("larger batches than the constraints allow are up to {} faster",
                       FormatPercent(beyond / Throughput(best) - 1));
  }
  return "the device is the limit and larger batches fill it no better";
}

// What the gain is counted in, as part of a sentence.
std::string_view GainUnit(Objective::Kind kind) {
  return kind == Objective::Kind::kCost ? "examples for the money" : "examples per second";
}

std::string GainInWords(const Tuning& tuning) {
  const double ratio = GainOf(tuning);
  if (ratio <= 0) return "";
  const bool same = std::abs(ratio - 1) < kSame;
  if (tuning.objective.kind == Objective::Kind::kLatency) {
    if (same) return "a step as long as that of the present setting; ";
    return fmt::format("a step of {} where the present setting takes {}; ",
                       FormatSeconds(tuning.best->loop.step),
                       FormatSeconds(tuning.current->loop.step));
  }
  const std::string_view unit = GainUnit(tuning.objective.kind);
  if (same) return fmt::format("as many {} as the present setting; ", unit);
  return fmt::format("{:.2f}x the {} of the present setting; ", ratio, unit);
}

}  // namespace

double GainOf(const Tuning& tuning) {
  if (!tuning.best || !tuning.current) return 0;
  const Trial& now = *tuning.current;
  const Trial& then = *tuning.best;
  if (tuning.objective.kind == Objective::Kind::kLatency) {
    return then.loop.step > Seconds{} ? now.loop.step / then.loop.step : 0;
  }
  if (Throughput(now) <= 0 || Throughput(then) <= 0) return 0;
  const double rates = Throughput(then) / Throughput(now);
  return tuning.objective.kind == Objective::Kind::kCost ? rates * tuning.cheaper : rates;
}

std::string Tuning::margin_in_words() const { return fmt::format("{:g} %", 100 * margin); }

std::string ExplainChoice(const Tuning& tuning) {
  if (!tuning.best) {
    if (tuning.curve.empty()) return "no batch size satisfies the constraints";
    const Trial& least = tuning.curve.front();
    if (least.fits && !least.allowed) {
      return fmt::format(
          "the smallest batch that was tried, {} ({} per {}), is beyond the constraints",
          FormatCount(least.global_batch), FormatCount(least.batch_per_core), tuning.device);
    }
    if (!tuning.effort.complete) {
      return fmt::format(
          "none of the {} candidates that were tried fits; more are left for --trials, or for "
          "--strategy grid",
          FormatCount(tuning.effort.candidates));
    }
    return fmt::format("no batch size fits: {} per {} already needs {} of {}",
                       FormatCount(least.batch_per_core), tuning.device,
                       FormatBytes(least.hbm_peak), FormatBytes(least.hbm_available));
  }
  const Trial& best = *tuning.best;
  const std::string gain = GainInWords(tuning);
  const std::string certainty = FormatPercent(tuning.certainty);
  if (!best.sure) {
    return fmt::format("{}no batch size is {} sure to fit the HBM: this one fits with {} certainty",
                       gain, certainty, FormatPercent(best.certainty));
  }
  if (tuning.gamble) {
    const Trial& gamble = *tuning.gamble;
    return fmt::format(
        "{}within {} of the fastest of the batches that are {} sure to fit; {} per {} would be "
        "{:.0f} % "
        "faster, but needs {} of {} HBM, which fits with {} certainty",
        gain, tuning.margin_in_words(), certainty, FormatCount(gamble.batch_per_core),
        tuning.device, 100 * (Throughput(gamble) / Throughput(best) - 1),
        FormatBytes(gamble.hbm_peak), FormatBytes(gamble.hbm_available),
        FormatPercent(gamble.certainty));
  }
  if (tuning.objective.kind == Objective::Kind::kLatency) {
    return fmt::format("{}no batch that was tried has a step that is more than {} shorter; {}",
                       gain, tuning.margin_in_words(), Limit(best, tuning));
  }
  return fmt::format("{}larger allowed batches{} gain under {}; {}", gain,
                     tuning.executions.size() > 1 ? " and more steps per execution" : "",
                     tuning.margin_in_words(), Limit(best, tuning));
}

std::string ExplainRunnerUp(const Tuning& tuning) {
  if (!tuning.runner_up) return "";
  const RunnerUp& next = *tuning.runner_up;
  std::string words = fmt::format("batch {} ({} per {})", FormatCount(next.trial.global_batch),
                                  FormatCount(next.trial.batch_per_core), tuning.device);
  if (next.machine != tuning.machine) words += " on " + next.machine;
  if (!next.changes.empty()) words += " with " + next.changes;
  if (next.changes.empty() && !tuning.changes.empty()) words += " without other changes";
  if (std::abs(next.score - 1) < kSame / 10) return words + ", as good";
  const double percent = 100 * std::abs(next.score - 1);
  const bool more = next.score > 1;
  switch (tuning.objective.kind) {
    case Objective::Kind::kThroughput:
      return fmt::format("{}: {:.1f} % {} examples per second", words, percent,
                         more ? "more" : "fewer");
    case Objective::Kind::kCost:
      return fmt::format("{}: {:.1f} % {} examples for the money", words, percent,
                         more ? "more" : "fewer");
    case Objective::Kind::kLatency:
      return fmt::format("{}: steps {:.1f} % {}", words, 100 * std::abs(1 / next.score - 1),
                         more ? "shorter" : "longer");
  }
  return words;
}

std::string EffortInWords(const Effort& effort) {
  std::string words = fmt::format("{} settings, {} candidates", FormatCount(effort.settings),
                                  FormatCount(effort.candidates));
  if (effort.pruned > 0) {
    words += fmt::format(", {} of them no better by their estimate", FormatCount(effort.pruned));
  }
  if (effort.recalled > 0) {
    words += fmt::format(", {} from the study", FormatCount(effort.recalled));
  }
  words += fmt::format("; {} of {} points simulated", FormatCount(effort.simulated),
                       FormatCount(effort.points));
  if (effort.untried_at_most) {
    words += fmt::format(
        "; what was not tried on the best machine is at most {:.2g}x as fast, all matmuls at peak",
        *effort.untried_at_most);
  }
  return words;
}

std::string ExplainLearningRate(int64_t from, int64_t to, const TrainingSpec& spec) {
  if (from <= 0 || from == to) return "";
  const double ratio = static_cast<double>(to) / static_cast<double>(from);
  const std::string change = fmt::format("{} -> {} examples per step ({:.3g}x)", FormatCount(from),
                                         FormatCount(to), ratio);
  switch (spec.optimizer) {
    case OptimizerKind::kSgd:
    case OptimizerKind::kMomentum:
      // Goyal et al. 2017, arXiv 1706.02677: linear scaling with warm-up, held
      // up to batch 8,192 on ImageNet.
      return fmt::format(
          "{}: scale the learning rate by the same factor and warm up over the first epochs "
          "(linear rule, shown to hold to about 8,192 on ImageNet; beyond that use LARS)",
          change);
    case OptimizerKind::kLars:
    case OptimizerKind::kLamb:
      // You et al. 2019, arXiv 1904.00962: square-root scaling with warm-up.
      return fmt::format(
          "{}: scale the learning rate by the square root, {:.3g}x, with a longer warm-up", change,
          std::sqrt(ratio));
    case OptimizerKind::kRmsProp:
    case OptimizerKind::kRmsPropMomentum:
    case OptimizerKind::kAdam:
    case OptimizerKind::kAdamW:
    case OptimizerKind::kLion:
    case OptimizerKind::kAdagrad:
    case OptimizerKind::kAdadelta:
    case OptimizerKind::kAdamax:
    case OptimizerKind::kAdafactor:
    case OptimizerKind::kAdafactorMomentum:
      // Malladi et al. 2022, arXiv 2205.10287: square-root scaling rule for
      // adaptive optimizers.
      return fmt::format(
          "{}: scale the learning rate by about the square root, {:.3g}x (adaptive optimizers), "
          "and watch validation accuracy: {} updates per epoch may need {} epochs",
          change, std::sqrt(ratio), ratio > 1 ? "fewer" : "more", ratio > 1 ? "more" : "fewer");
  }
  return "";
}

}  // namespace tilewise
