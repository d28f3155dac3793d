// Each sentence is made from one part of the report and left out without it.

#include "report/verdict.h"

#include <algorithm>

#include <fmt/format.h>

#include "tuner/tuner.h"

namespace tilewise {
namespace {

std::string Step(const Report& report) {
  return report.training ? "a training step" : "an inference step";
}

std::string StepSentence(const Report& report) {
  const std::string batch =
      FormatBatch(report.global_batch, report.batch_per_core, report.batch_share);
  if (report.loop && report.timeline) {
    const std::string step = FormatSeconds(report.loop->step);
    const std::string device = FormatSeconds(report.timeline->step);
    const std::string use = FormatPercent(report.loop->mxu_use);
    const std::string use_on_device = FormatPercent(report.timeline->mxu_use);
    return fmt::format(
        "{}: {} takes {} at {}, {} of it on the device; the MXU does useful "
        "work {} of the time{}.",
        report.target, Step(report), step, batch, step == device ? "all" : device, use,
        use == use_on_device ? "" : fmt::format(" ({} while the device runs)", use_on_device));
  }
  if (report.timeline) {
    return fmt::format("{}: {} takes {} of device time at {}; the MXU does useful work {} of it.",
                       report.target, Step(report), FormatSeconds(report.timeline->step), batch,
                       FormatPercent(report.timeline->mxu_use));
  }
  if (report.estimate) {
    return fmt::format(
        "{}: {} takes at least {} of device time at {} (closed form; the "
        "simulation is never faster).",
        report.target, Step(report), FormatSeconds(report.estimate->step), batch);
  }
  return "";
}

std::string IdleSentence(const Report& report) {
  if (report.needs_strategy && report.training) {
    return fmt::format(
        "The program names no TPUStrategy: as it is written one {} trains and takes the whole "
        "batch; the figures are those of {} that share it.",
        report.device, FormatCount(report.cores));
  }
  if (report.idle_cores <= 0) return "";
  return fmt::format("The program trains on one {}; the other {} of the slice are idle.",
                     report.device, FormatCount(report.idle_cores));
}

std::string EpochSentence(const LoopTimeline& loop, bool length_assumed) {
  if (loop.steps_per_epoch <= 0 || loop.epoch.value <= 0) {
    if (loop.step.value <= 0) return "";
    const std::string share = FormatPercent(loop.exposed_host / loop.step);
    return share == FormatPercent(0)
               ? "The device does not wait for the host."
               : fmt::format("The device waits for the host {} of each step.", share);
  }
  return fmt::format("An epoch of {} {}{} takes {}; {} of it is host time.",
                     FormatCount(loop.steps_per_epoch),
                     loop.steps_per_epoch == 1 ? "step" : "steps",
                     length_assumed ? " (assumed, as its files are not here: --examples)" : "",
                     FormatSeconds(loop.epoch), FormatPercent(loop.epoch_host / loop.epoch));
}

// Runs of days are counted in hours.
std::string RunSentence(const LoopTimeline& loop, std::optional<int64_t> steps) {
  constexpr double kHour = 3600;
  if (!steps || *steps < 2) return "";
  const Seconds run = loop.step * static_cast<double>(*steps);
  return fmt::format(
      "All {} steps of the run take {}.", FormatCount(*steps),
      run.value < kHour ? FormatSeconds(run) : fmt::format("{:.1f} h", run.value / kHour));
}

std::string MemorySentence(const Report& report) {
  const Memory& memory = report.program->memory;
  if (memory.without_barriers > memory.available && memory.fits()) {
    return fmt::format(
        "Whether it fits is too close to tell: the step needs {} of HBM per {}, and {} if XLA lets "
        "second runs of its layers, which are written out, go ahead "
        "(xla_tpu_aggressive_opt_barrier_removal; --xla-flags does not say); {} are available.",
        FormatBytes(memory.peak), report.device, FormatBytes(memory.without_barriers),
        FormatBytes(memory.available));
  }
  if (VerdictOn(report) == MemoryVerdict::kTooClose) {
    return fmt::format(
        "Whether it fits is too close to tell: the step needs {} of HBM per {} ({} to {} in 9 of "
        "10 published programs), and {} are available.",
        FormatBytes(memory.peak), report.device, FormatBytes(LowPeak(report)),
        FormatBytes(HighPeak(report)), FormatBytes(memory.available));
  }
  if (memory.fits()) return "";
  std::string before;
  if (memory.without_rematerialization > Bytes{}) {
    before = fmt::format(" ({} before XLA recomputes what it can)",
                         FormatBytes(memory.without_rematerialization));
  }
  return fmt::format("It does not fit: the step needs {} of HBM per {}{} and {} are available.",
                     FormatBytes(memory.peak), report.device, before,
                     FormatBytes(memory.available));
}

// How what is to be best changes; empty when there is nothing to compare.
std::string Gain(const Tuning& tuning) {
  if (!tuning.current) return "";
  if (!tuning.current->fits) return ", which fits";
  const double gain = GainOf(tuning);
  if (gain <= 0) return "";
  if (tuning.objective.kind == Objective::Kind::kLatency) {
    return fmt::format(": a step takes {} where the present setting takes {}",
                       FormatSeconds(tuning.best->loop.step),
                       FormatSeconds(tuning.current->loop.step));
  }
  const bool money = tuning.objective.kind == Objective::Kind::kCost;
  const char* unit = money ? "for the money" : "per second";
  constexpr double kTwice = 2;
  if (gain >= kTwice) {
    constexpr double kMany = 9.95;
    return fmt::format(": {:.{}f}x the examples {} of the present setting", gain,
                       gain < kMany ? 1 : 0, unit);
  }
  return fmt::format(": {:.0f} % more examples {} than the present setting", 100 * (gain - 1),
                     unit);
}

std::string PointOf(const Trial& trial, const RunSetting& setting) {
  std::string batch = FormatBatch(trial.global_batch, trial.batch_per_core, setting.batch_share);
  if (setting.execution_setting.empty()) return batch;
  return fmt::format("{} and {}={}", batch, setting.execution_setting, trial.steps_per_execution);
}

// What to do beside a present batch that may not fit and a slower one that is
// surer to.
std::string SurerSentence(const Trial& now, const Trial& best, const RunSetting& setting) {
  return fmt::format(
      "Keep {} if it runs: it fits with {} certainty; {} fits with {}, at {} of the examples per "
      "second.",
      PointOf(now, setting), FormatPercent(now.certainty), PointOf(best, setting),
      FormatPercent(best.certainty), FormatPercent(Throughput(best) / Throughput(now)));
}

std::string GambleSentence(const Tuning& tuning, const std::string& share) {
  const Trial& best = *tuning.best;
  if (!best.sure) {
    return fmt::format(" No batch size is {} sure to fit the HBM; this one fits with {} certainty.",
                       FormatPercent(tuning.certainty), FormatPercent(best.certainty));
  }
  if (!tuning.gamble) return "";
  const Trial& gamble = *tuning.gamble;
  return fmt::format(" Batch {} ({} per {}) would be {:.0f} % faster, but fits with {} certainty.",
                     FormatCount(gamble.global_batch), FormatCount(gamble.batch_per_core), share,
                     100 * (Throughput(gamble) / Throughput(best) - 1),
                     FormatPercent(gamble.certainty));
}

// Whether the present batch may not fit and a slower one is surer to.
bool HasSurer(const Tuning& tuning) {
  const std::optional<Trial>& now = tuning.current;
  return now && now->fits && !now->sure && tuning.best->certainty > now->certainty &&
         !IsWorthAChange(tuning);
}

std::string TuningSentence(const Tuning& tuning, const RunSetting& setting) {
  const bool constrained =
      !tuning.curve.empty() && tuning.curve.front().fits && !tuning.curve.front().allowed;
  if (!tuning.best && constrained) {
    return "No batch size of the search is within the constraints.";
  }
  if (!tuning.best && !tuning.effort.complete) {
    return "Nothing that was tried fits this target, and not all of the search was tried.";
  }
  if (!tuning.best) return "No batch size of the search fits this target.";
  const std::optional<Trial>& now = tuning.current;
  if (HasSurer(tuning)) {
    return SurerSentence(*now, *tuning.best, setting);
  }
  if (now && tuning.changes.empty() && SamePoint(*tuning.best, *now)) {
    return fmt::format("Keep {}: the search found nothing better.", PointOf(*now, setting));
  }
  if (now && !IsWorthAChange(tuning)) {
    const bool money = tuning.objective.kind == Objective::Kind::kCost;
    return fmt::format("Keep {}: nothing in the search is more than {} {}.", PointOf(*now, setting),
                       tuning.margin_in_words(), money ? "cheaper" : "faster");
  }
  const std::string changes = tuning.changes.empty() ? "" : " and " + tuning.changes;
  return fmt::format("{} with {}{}{}.{}", setting.training ? "Train" : "Run",
                     PointOf(*tuning.best, setting), changes, Gain(tuning),
                     GambleSentence(tuning, setting.batch_share));
}

std::string AssumptionSentence(const Report& report) {
  if (!report.batch_assumed) return "";
  return fmt::format("No file names a batch size: {} per {} stands in, set --batch.",
                     FormatCount(report.batch_per_core), report.batch_share);
}

std::string CoverageSentence(const Report& report) {
  if (report.costed_share >= 1) return "";
  return fmt::format("{} of the model's {} layers are costed; the notes name the others.",
                     FormatPercent(report.costed_share), FormatCount(report.layers));
}

std::string Plural(int count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

}  // namespace

namespace {

Bytes PartOf(Bytes peak, double part) {
  return {static_cast<int64_t>(part * static_cast<double>(peak.value))};
}

}  // namespace

bool IsWorthAChange(const Tuning& tuning) {
  const std::optional<Trial>& now = tuning.current;
  if (!tuning.best || !now || !now->fits) return true;
  const double gain = GainOf(tuning);
  return gain <= 0 || gain * (1 - tuning.margin) > 1;
}

bool SamePoint(const Trial& a, const Trial& b) {
  return a.global_batch == b.global_batch && a.steps_per_execution == b.steps_per_execution;
}

Bytes LowPeak(const Report& report) {
  const double low = report.memory_range ? std::min(1.0, report.memory_range->low) : 1;
  return PartOf(report.program->memory.peak, low);
}

Bytes HighPeak(const Report& report) {
  const double high = report.memory_range ? std::max(1.0, report.memory_range->high) : 1;
  const Memory& memory = report.program->memory;
  return PartOf(std::max(memory.peak, memory.without_barriers), high);
}

MemoryVerdict VerdictOn(const Report& report) {
  const Memory& memory = report.program->memory;
  return VerdictOf(FitCertainty(memory.peak, memory.available, memory.roomy_part(),
                                report.memory_range, memory.without_barriers));
}

std::string_view MemoryVerdictName(MemoryVerdict verdict) {
  switch (verdict) {
    case MemoryVerdict::kFits:
      return "fits";
    case MemoryVerdict::kTooClose:
      return "too close to tell";
    case MemoryVerdict::kDoesNotFit:
      break;
  }
  return "does not fit";
}

std::string EstimateLabel(const Report& report) {
  const std::optional<ErrorRange>& range = report.time_range;
  if (!range || !report.timeline) return std::string(kEstimateLabel);
  const std::string from =
      range->of_this_machine
          ? fmt::format(
                "by a profile of this machine ({} ops), nine tenths of "
                "its time",
                range->rows)
          : fmt::format("by {} published steps of this kind, 9 in 10", range->rows);
  return fmt::format(
      "simulated estimate, not a measurement; {} took {} to {} of the simulated device time: here "
      "{} to {}; see docs/accuracy.md",
      from, FormatPercent(range->low), FormatPercent(range->high),
      FormatSeconds(report.timeline->step * range->low),
      FormatSeconds(report.timeline->step * range->high));
}

std::optional<Rematerialization> RematerializationOf(const Report& report) {
  if (!report.program) return std::nullopt;
  const Program& program = *report.program;
  Rematerialization result;
  result.peak_without = program.memory.without_rematerialization;
  if (result.peak_without <= Bytes{}) return std::nullopt;
  for (const Kernel& kernel : program.kernels) {
    result.kernels += kernel.rematerialized ? 1 : 0;
  }
  if (!report.timeline) return result;
  for (const KernelSpan& span : report.timeline->spans) {
    const size_t kernel = span.kernel;
    if (program.kernels[kernel].rematerialized) result.time += span.duration;
  }
  return result;
}

std::string RematerializationSentence(const Report& report) {
  const auto found = RematerializationOf(report);
  if (!found || !report.program->memory.fits()) return "";
  const std::string peaks =
      fmt::format("the step would need {} of HBM per {} otherwise, and {} are available",
                  FormatBytes(found->peak_without), report.device,
                  FormatBytes(report.program->memory.available));
  if (found->kernels == 0) {
    return fmt::format("XLA runs kernels later to make it fit: {}.", peaks);
  }
  const std::string time =
      report.timeline ? fmt::format(" ({} a step)", FormatSeconds(found->time)) : std::string();
  return fmt::format("XLA runs {} {} again to make it fit{}: {}.", found->kernels,
                     found->kernels == 1 ? "kernel" : "kernels", time, peaks);
}

namespace {

// How a step is made to fit, where that is not by kernels that run again, and how sure it is to.
std::string CertaintySentence(const Report& report) {
  if (!report.program || !report.memory_range) return "";
  const Memory& memory = report.program->memory;
  if (!memory.fits() || !memory.roomy_part()) return "";
  std::string text;
  if (memory.without_rematerialization <= Bytes{}) {
    text = fmt::format(
        "Values of its loops over layers end early to make it fit: the step would need {} of HBM "
        "per {} otherwise, and {} are available. ",
        FormatBytes(memory.least + memory.freed_early), report.device,
        FormatBytes(memory.available));
  }
  const double certainty = FitCertainty(memory.peak, memory.available, memory.roomy_part(),
                                        report.memory_range, memory.without_barriers);
  return fmt::format("{}Such a step fits with {} certainty.", text, FormatPercent(certainty));
}

}  // namespace

std::string FormatBatch(int64_t global_batch, int64_t batch_per_core, std::string_view share) {
  return fmt::format("batch {} ({} per {})", FormatCount(global_batch), FormatCount(batch_per_core),
                     share);
}

std::string CountFindings(const std::vector<Diagnostic>& findings) {
  int errors = 0, warnings = 0, infos = 0;
  for (const Diagnostic& finding : findings) {
    errors += finding.severity == Severity::kError;
    warnings += finding.severity == Severity::kWarning;
    infos += finding.severity == Severity::kInfo;
  }
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (errors > 0) add(Plural(errors, "error"));
  if (warnings > 0) add(Plural(warnings, "warning"));
  if (infos > 0) add(fmt::format("{} info", infos));
  return text.empty() ? "no findings" : text;
}

std::vector<std::string> VerdictSentences(const Report& report) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string sentence) {
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  };
  add(StepSentence(report));
  if (!sentences.empty()) add(IdleSentence(report));
  if (!sentences.empty()) add(report.reservation);
  if (report.program) add(MemorySentence(report));
  add(RematerializationSentence(report));
  add(CertaintySentence(report));
  if (report.loop) add(EpochSentence(*report.loop, report.length_assumed));
  if (report.loop) add(RunSentence(*report.loop, report.run_steps));
  if (report.tuning) {
    add(TuningSentence(*report.tuning, report));
  }
  if (report.program || report.estimate) add(AssumptionSentence(report));
  add(CoverageSentence(report));
  return sentences;
}

}  // namespace tilewise
