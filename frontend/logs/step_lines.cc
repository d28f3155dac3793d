// Lines about steps: progress bars (Keras, tqdm) and the training lines of
// MaxText, T5X, TPUEstimator, Hugging Face and examples of PyTorch/XLA.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/logs/kinds.h"
#include "frontend/logs/step_series.h"

namespace tilewise {
namespace {

constexpr int64_t kMostSteps = int64_t{1} << 40;

int64_t CountOrNone(std::optional<double> value, int64_t none = -1) {
  return value && *value >= 0 && *value < static_cast<double>(kMostSteps)
             ? static_cast<int64_t>(*value)
             : none;
}

// "20.0kit" as 20,000.
std::optional<double> ShortNumber(std::string_view text) {
  const std::optional<double> number = NumberAtStart(text);
  if (!number) return std::nullopt;
  const size_t end = Trimmed(text).find_first_not_of("0123456789.");
  const char unit = end == std::string_view::npos ? ' ' : Trimmed(text)[end];
  return *number * (unit == 'k' ? 1e3 : unit == 'M' ? 1e6 : 1);
}

// "62ms/step", "1s/step" as the time; none where the text has no such thing.
std::optional<Seconds> TimePerStep(std::string_view text) {
  const size_t end = text.find("/step");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view before = text.substr(0, end);
  return ParseDuration(before.substr(before.find_last_of(" \t") + 1));
}

class ProgressReader : public LogReader {
 public:
  bool Take(const LogLine& line) override;
  void Finish(Workload& workload) override;

 private:
  bool TakeKeras(const LogLine& line);
  void TakeEstimate(const LogLine& line);
  void TakeTqdm(const LogLine& line);

  StepSeries epochs_{"Keras"};
  StepSeries unfinished_{"Keras"};  // bars of an epoch that did not end
  StepSeriesByWriter bars_;
  Seconds last_elapsed_;  // of the bar before
  double last_number_ = 0;
};

// "500/500 [====] - 31s 62ms/step - loss: ..", "500/500 ━━━━ 31s 62ms/step".
bool ProgressReader::TakeKeras(const LogLine& line) {
  const std::string_view text = line.text;
  const std::optional<Seconds> time = TimePerStep(text);
  if (!time) return false;
  const std::string_view before = Trimmed(text.substr(0, text.find("/step")));
  std::string_view elapsed = Trimmed(before.substr(0, before.find_last_of(" \t")));
  elapsed = elapsed.substr(elapsed.find_last_of(" \t") + 1);
  LoggedStep step;
  step.time = *time;
  step.location = line.place;
  const size_t slash = text.find('/');
  const std::optional<double> done = NumberEnding(text.substr(0, slash));
  const std::optional<double> all = NumberAtStart(text.substr(slash + 1));
  const bool bar = done && all && *all >= 1;
  step.count = std::max<int64_t>(1, CountOrNone(bar ? done : std::nullopt, 1));
  step.elapsed = ParseDuration(elapsed).value_or(Seconds{});
  step.number = step.count;
  // A bar of Keras 3 that is still running has both times, too.
  if (bar && *done < *all) {
    unfinished_.Add(std::move(step));
  } else {
    epochs_.series().averages = true;
    epochs_.Add(std::move(step));
  }
  return true;
}

// "10/1875 [>....] - ETA: 1:02 - loss: 2.3".
void ProgressReader::TakeEstimate(const LogLine& line) {
  const std::string_view text = line.text;
  const size_t slash = text.find('/');
  const std::optional<double> done = NumberEnding(text.substr(0, slash));
  const std::optional<double> all = NumberAtStart(text.substr(std::min(slash + 1, text.size())));
  const std::optional<Seconds> left = ParseDuration(After(text, "ETA: "));
  if (!done || !all || !left || *all <= *done) return;
  LoggedStep step;
  step.time = *left / (*all - *done);
  step.number = CountOrNone(done);
  step.count = std::max<int64_t>(1, step.number);
  step.location = line.place;
  unfinished_.Add(std::move(step));
}

// "17% 4/24 [03:56<17:13, 51.67s/it]"; "12.0it/20.0kit rate:9.1s/it .. elapsed:03:12".
void ProgressReader::TakeTqdm(const LogLine& line) {
  const std::string_view text = line.text;
  const bool slow = Has(text, "s/it");
  const size_t unit = text.find(slow ? "s/it" : "it/s");
  if (unit == std::string_view::npos) return;
  const std::optional<double> rate = NumberEnding(text.substr(0, unit));
  if (!rate || *rate <= 0) return;
  LoggedStep step;
  step.time = {slow ? *rate : 1 / *rate};
  step.location = line.place;
  const bool levanter = Has(text, "rate:");
  std::string_view counts = levanter ? After(text, "Progress on:") : Before(text, "[");
  if (levanter && Has(counts, " ")) counts = After(counts, " ");
  const size_t slash = counts.find('/');
  if (slash == std::string_view::npos) return;
  std::string_view done = Trimmed(counts.substr(0, slash));
  done = done.substr(done.find_last_of(" |%") + 1);
  const std::optional<double> number = ShortNumber(done);
  if (!number || *number < 1) return;
  step.number = CountOrNone(number);
  step.elapsed =
      ParseDuration(levanter ? After(text, "elapsed:") : After(text, "[")).value_or(Seconds{});
  // The first bar's mean is since the start. Later bars smooth or average theirs, so
  // that the clock between two of them tells more.
  StepSeries& series = bars_.Of(levanter ? "Levanter" : "tqdm");
  constexpr double kLeastSeconds = 2;  // of a clock of whole seconds
  constexpr double kLeastSteps = 5;
  const Seconds since = step.elapsed - last_elapsed_;
  const double steps = *number - last_number_;
  const bool follows = !series.empty() && steps >= kLeastSteps && since.value >= kLeastSeconds;
  if (follows && !levanter) step.time = since / steps;
  last_elapsed_ = step.elapsed;
  last_number_ = *number;
  if (follows) step.elapsed = {};
  step.count = series.empty() ? std::max<int64_t>(1, step.number) : 1;
  if (levanter && !Has(text, "Progress on:train")) return;
  if (!levanter && Has(text, "Loading") && Has(text, "shards")) return;
  series.Add(std::move(step));
}

bool ProgressReader::Take(const LogLine& line) {
  if (TakeKeras(line)) return false;
  if (Has(line.text, "ETA: ")) {
    TakeEstimate(line);
  } else {
    TakeTqdm(line);
  }
  return false;
}

void ProgressReader::Finish(Workload& workload) {
  std::vector<LoggedSteps>& to = workload.run_log.steps;
  if (!epochs_.empty()) {
    to.push_back(epochs_.Finish());
  } else if (!unfinished_.empty()) {
    to.push_back(unfinished_.Finish());
  }
  bars_.Finish(workload.run_log);
}

// A key whose number tells how long a step takes.
struct StepKey {
  std::string_view key;
  bool is_rate = false;  // steps per second, not seconds per step
  std::string_view writer;
};
constexpr std::array kStepKeys = {
    StepKey{"timing/steps_per_second=", true, "T5X"},
    StepKey{"global_step/sec:", true, "TPUEstimator"},
    StepKey{"train_steps_per_second", true, "Hugging Face's trainer"},
    StepKey{"steps_per_sec:", true, "training lines"},
    StepKey{"steps_per_sec=", true, "training lines"},
    StepKey{"steps_per_second:", true, "training lines"},
    StepKey{"steps_per_second=", true, "training lines"},
    StepKey{"steps/sec:", true, "training lines"},
    StepKey{"steps/sec=", true, "training lines"},
    StepKey{"steps/s:", true, "training lines"},
    StepKey{"sec/step:", false, "training lines"},
    StepKey{"s/step:", false, "training lines"},
    StepKey{"step_time:", false, "training lines"},
    StepKey{"step_time=", false, "training lines"},
    StepKey{"step_time_seconds:", false, "training lines"},
    StepKey{"step time:", false, "training lines"},
    StepKey{"time/step:", false, "training lines"},
};

class TrainingReader : public LogReader {
 public:
  bool Take(const LogLine& line) override;
  void Finish(Workload& workload) override;

 private:
  bool TakeMaxText(const LogLine& line);
  bool TakeExample(const LogLine& line);
  void TakeKeyed(const LogLine& line);

  StepSeriesByWriter series_;
  std::optional<double> example_clock_;
  int64_t example_step_ = -1;
  int32_t estimator_line_ = 0;
  double estimator_rate_ = 0;
};

// "completed step: 9, seconds: 5.667, TFLOP/s/device: 134.924, Tokens/s/device:
// 8672.758, .., loss: 10.374".
bool TrainingReader::TakeMaxText(const LogLine& line) {
  const std::string_view rest = After(line.text, "completed step: ");
  if (rest.empty()) return false;
  LoggedStep step;
  step.number = CountOrNone(NumberAtStart(rest));
  step.time = {NumberAfter(rest, "seconds: ").value_or(0)};
  const std::optional<double> flops = NumberAfter(rest, "TFLOP/s/device: ");
  step.flops = flops.value_or(NumberAfter(rest, "TFLOP/s: ").value_or(0)) * 1e12;
  step.tokens = NumberAfter(rest, "Tokens/s/device: ").value_or(0);
  step.location = line.place;
  series_.Of("MaxText").Add(std::move(step));
  return true;
}

// "| Training Device=xla:0/1 Epoch=1 Step=1160 Loss=0.001 Rate=430.41 GlobalRate=..
// Time=21:54:34".
bool TrainingReader::TakeExample(const LogLine& line) {
  const std::string_view text = line.text;
  const std::optional<double> rate = NumberAfter(text, " Rate=");
  if (!rate || !Has(text, "GlobalRate=")) return false;
  const std::optional<double> clock = ClockOf(After(text, "Time="));
  const int64_t number = CountOrNone(NumberAfter(text, " Step="));
  const bool follows = example_clock_ && clock && number > example_step_ && example_step_ >= 0;
  if (follows) {
    LoggedStep step;
    step.number = number;
    step.count = number - example_step_;
    step.time = Between(*example_clock_, *clock) / static_cast<double>(step.count);
    step.examples = *rate;
    step.location = line.place;
    series_.Of("PyTorch/XLA's example").Add(std::move(step));
  }
  example_clock_ = clock;
  example_step_ = number;
  return true;
}

void TrainingReader::TakeKeyed(const LogLine& line) {
  const std::string_view text = line.text;
  // TPUEstimator prints the examples on a line of their own.
  if (const auto examples = NumberAfter(text, "examples/sec: "); examples && estimator_rate_ > 0) {
    if (!Has(text, "global_step/sec") && line.place.line - estimator_line_ < 6) {
      series_.Of("TPUEstimator").series().batch = CountOrNone(*examples / estimator_rate_ + 0.5, 0);
      return;
    }
  }
  for (const StepKey& key : kStepKeys) {
    const size_t at = text.find(key.key);
    if (at == std::string_view::npos) continue;
    std::string_view value = text.substr(at + key.key.size());
    value.remove_prefix(std::min(value.find_first_not_of("'\": "), value.size()));
    const double number = NumberAtStart(value).value_or(0);
    if (!(number > 0)) return;
    LoggedStep step;
    const std::optional<Seconds> duration = ParseDuration(value);
    step.time = key.is_rate ? Seconds{1 / number} : duration.value_or(Seconds{number});
    step.location = line.place;
    if (key.writer == "T5X") {
      step.examples = NumberAfter(text, "timing/seqs_per_second=").value_or(0);
      step.tokens = NumberAfter(text, "timing/target_tokens_per_second_per_core=").value_or(0);
      const double seconds = NumberAfter(text, "timing/seconds=").value_or(0);
      step.count = std::max<int64_t>(1, CountOrNone(seconds * number, 1));
    } else if (key.writer == "TPUEstimator") {
      // Printed twice, by two loggers.
      if (number == estimator_rate_ && line.place.line - estimator_line_ <= 2) return;
      estimator_rate_ = number;
      estimator_line_ = line.place.line;
      step.count = 100;
    } else if (key.writer == "Hugging Face's trainer") {
      step.examples = NumberAfter(text, "train_samples_per_second': ").value_or(0);
      const double seconds = NumberAfter(text, "train_runtime': ").value_or(0);
      step.count = std::max<int64_t>(1, CountOrNone(seconds * number, 1));
      series_.Of(std::string(key.writer)).series().averages = true;
    }
    series_.Of(std::string(key.writer)).Add(std::move(step));
    return;
  }
}

bool TrainingReader::Take(const LogLine& line) {
  if (!TakeMaxText(line) && !TakeExample(line)) TakeKeyed(line);
  return false;
}

void TrainingReader::Finish(Workload& workload) { series_.Finish(workload.run_log); }

}  // namespace

std::unique_ptr<LogReader> ProgressBars() { return std::make_unique<ProgressReader>(); }
std::unique_ptr<LogReader> TrainingLines() { return std::make_unique<TrainingReader>(); }

}  // namespace tilewise
