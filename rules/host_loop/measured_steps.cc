// Says what the steps of a run took by its log, next to the peak of the chip
// and the simulated step.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::HL014 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "HL014",
    .name = "measured-steps",
    .severity = Severity::kInfo,
    .summary = "how long steps took by the log of the run",
    .no_saving = "it is a measurement",
    .no_cost = "it is a measurement",
    .doc = R"(
What: times of steps in a log: Keras' ms/step, lines of MaxText, T5X, Levanter,
TPUEstimator and Hugging Face's trainer, bars of tqdm.
Why: the first lines mislead. The first step holds the compilation; one of the
next ends before the device does, because steps are dispatched ahead and the
first that is not waited for shows the time of the dispatch.
Remedy: compare with what is simulated, or with another run ('tilewise diff'); a
step time that varies points at the input or the host.
Ignore: always possible; it changes no exit code.
Numbers: the median of the lines that are alike. FLOP rates are the log's own,
against the peak of bf16 on a core of the target.
Sources: MaxText understand_logs_and_metrics.md, keras progbar.py.)",
};

constexpr double kUneven = 1.5;  // slowest over median: something waits now and then

std::string AsideText(const LoggedSteps& series) {
  std::string text;
  if (series.compilation > Seconds{}) {
    text += fmt::format("; the first {} about {} of compilation",
                        series.averages ? "epoch holds" : "steps hold",
                        FormatSeconds(series.compilation));
  } else if (series.slow_first > 0) {
    text += fmt::format("; {} at the start left out, as they hold compilation",
                        FormatCount(series.slow_first));
  }
  if (series.too_fast > 0) {
    text += fmt::format("; {} left out that was not waited for (asynchronous dispatch)",
                        FormatCount(series.too_fast));
  }
  return text;
}

std::string RateText(const Facts& facts, const LoggedSteps& series) {
  std::string text;
  const double peak = facts.target.chip.peak_flops();
  if (series.flops > 0 && peak > 0) {
    const double share = series.flops / peak;
    text += fmt::format("; {:.4g} TFLOP/s per device, {}", series.flops / 1e12,
                        share <= 1 ? fmt::format("{} of the peak of {}", FormatPercent(share),
                                                 facts.target.chip.name)
                                   : fmt::format("more than the peak of {}: it ran on another chip",
                                                 facts.target.chip.name));
  }
  if (series.tokens > 0) text += fmt::format("; {:.6g} tokens/s per device", series.tokens);
  if (series.examples > 0) text += fmt::format("; {:.5g} examples/s", series.examples);
  if (series.batch > 0) text += fmt::format("; batch {}", FormatCount(series.batch));
  return text;
}

std::string SpreadText(const LoggedSteps& series) {
  if (series.settled < 3) return "";
  if (series.most > series.steady * kUneven) {
    return fmt::format("; the slowest took {}: the input or the host holds some up",
                       FormatSeconds(series.most));
  }
  return fmt::format(" ({} to {}, so nothing waits now and then)", FormatSeconds(series.least),
                     FormatSeconds(series.most));
}

std::string BesideSimulated(const Facts& facts, const LoggedSteps& series) {
  if (facts.loop == nullptr || facts.model == nullptr) return "";
  const Seconds simulated = facts.StepTime();
  if (simulated <= Seconds{}) return "";
  return fmt::format("; simulated on the device: {} at batch {}, so measured is {:.2f} times that",
                     FormatSeconds(simulated), FormatCount(facts.global_batch),
                     series.steady / simulated);
}

void Check(const Facts& facts, Sink& sink) {
  const LoggedSteps* series = facts.workload.run_log.best_steps();
  if (series == nullptr || series->lines.empty()) return;
  if (series->settled == 0) {
    const LoggedStep& last = series->lines.back();
    Finding& found = sink.Report(
        last.location,
        "{}: {} a step so far, and the log ends before steps are alike: this is compilation, for "
        "every step or still for the first ones, and not the speed of the device",
        series->writer, FormatSeconds(last.time));
    found.measured = true;
    constexpr Seconds kLong{10};
    if (last.time > kLong) found.severity = Severity::kWarning;
    found.fix.text =
        "let the run go on for some ten steps; if they stay as slow, each of them is compiled: pad "
        "all batches to one length";
    return;
  }
  Finding& found =
      sink.Report(series->location, "{}: a step takes {}{}{}{}{}", series->writer,
                  FormatSeconds(series->steady), SpreadText(*series), AsideText(*series),
                  RateText(facts, *series), BesideSimulated(facts, *series));
  found.measured = true;
  found.fix.text = "compare it with another run or with the program: 'tilewise diff OLD NEW'";
}

}  // namespace

TW_RULE(HL014)

}  // namespace tilewise::HL014
