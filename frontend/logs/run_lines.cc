// Runs that ended for another reason than memory, and what logs say of the input.

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "frontend/logs/kinds.h"

namespace tilewise {
namespace {

// A message of the runtime, what it means and what to do.
struct FailureForm {
  std::string_view sign;
  std::string_view code;
  std::string_view what;
  std::string_view advice;
};
constexpr std::array kFailures = {
    FailureForm{"different launch id", "E0200",
                "a core halted because the hosts do not run the same program: their launches "
                "differ",
                "make releases, flags, environment and control flow equal on all hosts; it is "
                "neither memory nor speed"},
    FailureForm{"Core halted unexpectedly", "E0200", "a core halted while the program ran",
                "look for a check in a kernel of the program's own (Pallas), for hosts that run "
                "different programs, and at other hosts' logs for the first error"},
    FailureForm{"but got buffer with incompatible size", "E0102",
                "a program was given an array in another layout than it was compiled for",
                "export and load the array in the layout of the program that reads it, or compile "
                "the program on the machine that runs it"},
    FailureForm{"CompileTimeHostOffloadOutput", "E1200",
                "an output that lies in host memory is produced on the device",
                "give the output a memory kind of its own, or move it with an explicit device_put"},
    FailureForm{"Mosaic failed to compile", "E2000", "a Pallas kernel was not compiled",
                "see the operand types and block shapes that Mosaic names in the message"},
    FailureForm{"CompileTimeSparseCoreAllocationFailure", "E3000",
                "the SparseCore has no room for what it is given",
                "shard the embedding tables over more chips, or lower max_ids_per_partition and "
                "max_unique_ids_per_partition"},
};

class FailureReader : public LogReader {
 public:
  bool Take(const LogLine& line) override {
    const std::string text = line.Joined();
    const auto* form = std::ranges::find_if(
        kFailures, [&](const FailureForm& known) { return Has(text, known.sign); });
    if (form == kFailures.end()) return false;
    RunFailure failure;
    failure.code = form->code;
    failure.what = form->what;
    failure.advice = form->advice;
    failure.location = line.place;
    if (form->code == "E0102") TakeSizes(text, failure);
    const auto same = std::ranges::find_if(
        found_, [&](const RunFailure& other) { return other.code == failure.code; });
    if (same != found_.end()) {
      ++same->times;
    } else {
      found_.push_back(std::move(failure));
    }
    return false;
  }
  void Finish(Workload& workload) override {
    std::ranges::move(found_, std::back_inserter(workload.run_log.failures));
  }

 private:
  // "Executable(f) expected parameter 2482 of size 5242880 (bf16[..]{..}) but got
  // buffer with incompatible size 1638400 (bf16[..]{..})".
  static void TakeSizes(std::string_view text, RunFailure& failure) {
    const auto bytes = [&](std::string_view key) {
      const double value = NumberAfter(text, key).value_or(0);
      return Bytes{value > 0 && value < 9e18 ? static_cast<int64_t>(value) : 0};
    };
    failure.expected = bytes(" of size ");
    failure.found = bytes("incompatible size ");
    const auto shape = [](std::string_view rest) {
      const std::string_view inside = After(rest, "(");
      // A layout holds brackets of its own.
      int depth = 1;
      for (size_t i = 0; i < std::min<size_t>(inside.size(), 300); ++i) {
        depth += inside[i] == '(' ? 1 : inside[i] == ')' ? -1 : 0;
        if (depth == 0) return inside.substr(0, i);
      }
      return std::string_view();
    };
    const std::string_view want = shape(After(text, " of size "));
    const std::string_view got = shape(After(text, "incompatible size "));
    if (!want.empty() && !got.empty()) {
      failure.what += fmt::format(": {} instead of {}", got, want);
    }
  }

  std::vector<RunFailure> found_;
};

// Keras' slow hooks, shuffle buffers that fill, loops of TPUEstimator.
class InputReader : public LogReader {
 public:
  bool Take(const LogLine& line) override;
  void Finish(Workload& workload) override;

 private:
  void TakeHook(std::string_view text, const Location& place);
  void TakeFill(const LogLine& line);
  void TakeLoop(const LogLine& line);

  std::vector<SlowBatchHook> hooks_;
  struct Fill {
    double first = 0, last = 0, size = 0;
    double since = 0, until = 0;
    int64_t lines = 0;
    Location location;
  };
  std::map<std::string, Fill> fills_;
  std::map<int64_t, std::vector<double>> loops_;  // clocks by batches of a loop
  std::map<int64_t, Location> loop_places_;
};

// "Method (on_train_batch_end) is slow compared to the batch update (0.12)."
// "Callback method `on_train_batch_end` is slow compared to the batch time (batch
// time: 0.0013s vs `on_train_batch_end` time: 0.0047s)".
void InputReader::TakeHook(std::string_view text, const Location& place) {
  constexpr size_t kMost = 100;
  constexpr std::string_view kSlow = " is slow compared to the batch ";
  const size_t end = text.find(kSlow);
  if (end == std::string_view::npos || hooks_.size() >= kMost) return;
  std::string_view method = text.substr(0, end);
  while (!method.empty() && (method.back() == ')' || method.back() == '`')) {
    method.remove_suffix(1);
  }
  const size_t begin = method.find_last_of(" (`");
  if (begin != std::string_view::npos) method.remove_prefix(begin + 1);
  if (!method.starts_with("on_") || method.size() > 64) return;
  SlowBatchHook hook;
  hook.method = method;
  hook.location = place;
  const std::string_view rest = text.substr(end);
  hook.batch = {NumberAfter(rest, "batch time: ").value_or(0)};
  hook.hook = {NumberAfter(After(rest, " vs "), " time: ").value_or(0)};
  if (Has(rest, "batch update (")) hook.hook = {NumberAfter(rest, "update (").value_or(0)};
  hooks_.push_back(std::move(hook));
}

// "ShuffleDatasetV3:14: Filling up shuffle buffer (this may take a while): 1214 of
// 50000", every ten seconds.
void InputReader::TakeFill(const LogLine& line) {
  constexpr size_t kMost = 100;
  const std::string_view counts = After(line.text, "a while): ");
  const std::optional<double> done = NumberAtStart(counts);
  const std::optional<double> size = NumberAfter(counts, " of ");
  if (!done || !size || fills_.size() > kMost) return;
  std::string name(Before(line.text, ": Filling").substr(0, 80));
  Fill& fill = fills_[std::move(name)];
  const double clock = ClockOf(line.raw).value_or(-1);
  if (fill.lines++ == 0) {
    fill.first = *done;
    fill.since = clock;
    fill.location = line.place;
  }
  fill.last = *done;
  fill.until = clock;
  fill.size = *size;
}

// "Enqueue next (100) batch(es) of data to infeed."
void InputReader::TakeLoop(const LogLine& line) {
  constexpr size_t kMostClocks = 10'000;
  const auto batches = static_cast<int64_t>(
      std::clamp(NumberAfter(line.text, "nqueue next (").value_or(0), 0., 1e9));
  if (batches <= 0) return;
  loop_places_.try_emplace(batches, line.place);
  // Printed twice, once without a time.
  const std::optional<double> clock = ClockOf(line.raw);
  std::vector<double>& clocks = loops_[batches];
  if (clock && clocks.size() < kMostClocks) clocks.push_back(*clock);
}

bool InputReader::Take(const LogLine& line) {
  TakeHook(line.Joined(), line.place);
  if (Has(line.text, "Filling up shuffle buffer")) TakeFill(line);
  if (Has(line.text, "Enqueue next (")) TakeLoop(line);
  return false;
}

void InputReader::Finish(Workload& workload) {
  std::ranges::move(hooks_, std::back_inserter(workload.slow_batch_hooks));
  std::vector<InputWait>& to = workload.run_log.input;
  for (const auto& [name, fill] : fills_) {
    if (fill.lines == 0) continue;
    InputWait wait;
    wait.size = static_cast<int64_t>(fill.size);
    wait.location = fill.location;
    // One line alone was printed ten seconds after the start.
    constexpr double kEvery = 10;
    const bool clocked = fill.since >= 0 && fill.until >= 0 && fill.lines > 1;
    const double seconds = clocked
                               ? Between(fill.since, fill.until).value
                               : kEvery * static_cast<double>(std::max<int64_t>(1, fill.lines - 1));
    const double examples = fill.lines > 1 ? fill.last - fill.first : fill.last;
    if (seconds > 0 && examples > 0) wait.rate = examples / seconds;
    to.push_back(std::move(wait));
  }
  for (const auto& [batches, clocks] : loops_) {
    InputWait wait;
    wait.kind = InputWait::Kind::kLoop;
    wait.size = batches;
    wait.location = loop_places_[batches];
    std::vector<double> gaps;
    for (size_t i = 1; i < clocks.size(); ++i) {
      gaps.push_back(Between(clocks[i - 1], clocks[i]).value);
    }
    std::ranges::sort(gaps);
    if (!gaps.empty()) wait.gap = {gaps[gaps.size() / 2]};
    to.push_back(std::move(wait));
  }
}

}  // namespace

std::unique_ptr<LogReader> FailureLines() { return std::make_unique<FailureReader>(); }
std::unique_ptr<LogReader> InputLines() { return std::make_unique<InputReader>(); }

}  // namespace tilewise
