// The curve of a search on a terminal, and its best setting as code.

#include "report/curve.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/verdict.h"

namespace tilewise {

bool IsShown(size_t at, size_t count) {
  constexpr size_t kShown = 16;
  const size_t every = (count + kShown - 1) / kShown;
  return at % every == 0 || at + 1 == count;
}

std::vector<const Trial*> ShownTrials(const Tuning& tuning) {
  const auto is_one = [](const std::optional<Trial>& one, const Trial& trial) {
    return one && one->setting == trial.setting && one->batch_per_core == trial.batch_per_core;
  };
  constexpr size_t kAll = 32;
  std::vector<const Trial*> shown;
  const size_t count = tuning.curve.size();
  for (size_t i = 0; i < count; ++i) {
    const Trial& trial = tuning.curve[i];
    const bool matters =
        is_one(tuning.best, trial) || is_one(tuning.gamble, trial) || is_one(tuning.current, trial);
    if (count <= kAll || matters || IsShown(i, count)) shown.push_back(&trial);
  }
  return shown;
}

std::string TextCurve(const Tuning& tuning, int width) {
  double most = 0;
  for (const Trial& trial : tuning.curve) {
    if (trial.fits) most = std::max(most, Throughput(trial));
  }
  if (most <= 0) return "";
  constexpr int kLabels = 30;
  const int longest = std::max(10, width - kLabels);
  std::string text = fmt::format("  {:>8}  examples/s\n", fmt::format("per {}", tuning.device));
  for (const Trial* trial : ShownTrials(tuning)) {
    const std::string batch = FormatCount(trial->batch_per_core);
    if (!trial->fits) {
      text += fmt::format("  {:>8}  {:>10}\n", batch, "no memory");
      continue;
    }
    const auto length = static_cast<size_t>(std::lround(Throughput(*trial) / most * longest));
    const bool best = tuning.best && tuning.best->batch_per_core == trial->batch_per_core;
    // What may not fit, and what is no more than a bound, is drawn thinner.
    const char bar = trial->pruned ? '.' : trial->sure ? '#' : '-';
    text += fmt::format("  {:>8}  {:>10}  {}{}\n", batch, FormatShortCount(Throughput(*trial)),
                        std::string(length, bar), best ? " best" : "");
  }
  return text;
}

namespace {

// What a framework's program sets, where its own words for it are not known.
struct Snippet {
  std::string batch, steps;
};

Snippet KerasCode(const Trial& best) {
  return {fmt::format("dataset = dataset.batch({}, drop_remainder=True)\n", best.global_batch),
          fmt::format("model.compile(..., steps_per_execution={})\n", best.steps_per_execution)};
}

Snippet EstimatorCode(const Trial& best) {
  return {fmt::format("estimator = tf.compat.v1.estimator.tpu.TPUEstimator(..., "
                      "train_batch_size={})\n",
                      best.global_batch),
          fmt::format("tpu_config = tf.compat.v1.estimator.tpu.TPUConfig(iterations_per_loop={})\n",
                      best.steps_per_execution)};
}

Snippet CustomLoopCode(const Trial& best, const std::string& place) {
  return {fmt::format("dataset = dataset.batch({}, drop_remainder=True)\n", best.global_batch),
          fmt::format("@tf.function\n"
                      "def train_steps(iterator):\n"
                      "    for _ in tf.range({}):{}\n"
                      "        strategy.run(train_step, args=(next(iterator),))\n",
                      best.steps_per_execution, place.empty() ? "" : "  # " + place)};
}

std::string JaxCode(const Trial& best) {
  return fmt::format("batch_size = {}  # of all devices: {} for each shard of the batch\n",
                     best.global_batch, best.batch_per_core);
}

// A loader is named only where the program has it.
std::string TorchCode(const Trial& best, bool has_loader) {
  if (!has_loader) return fmt::format("batch_size = {}  # of each process\n", best.batch_per_core);
  return fmt::format(
      "loader = torch.utils.data.DataLoader(dataset, batch_size={}, drop_last=True)  # per "
      "process\n",
      best.batch_per_core);
}

Snippet CodeOf(const Report& report, const Trial& best) {
  const bool has_loader = report.written.loader == "DataLoader";
  switch (report.framework) {
    case Framework::kTpuEstimator:
      return EstimatorCode(best);
    case Framework::kCustomLoop:
      return CustomLoopCode(best, report.execution_place);
    case Framework::kJax:
      return {JaxCode(best), ""};
    case Framework::kTorchXla:
      return {TorchCode(best, has_loader), ""};
    case Framework::kKeras:
      return KerasCode(best);
    case Framework::kKerasTf1:
      return {fmt::format("model.fit(..., batch_size={})\n", best.global_batch), ""};
    case Framework::kUnknown:
      break;
  }
  const Snippet keras = KerasCode(best);
  return {"# Keras\n" + keras.batch + keras.steps + "# JAX\n" + JaxCode(best) + "# PyTorch\n" +
              TorchCode(best, true),
          ""};
}

std::string LineWith(const WrittenSetting& setting, int64_t value) {
  return value == setting.value ? "" : WithValue(setting, value) + "\n";
}

// The program's own line of the batch and of the parts that it runs in; nothing where
// they are not known, or take no such number.
std::optional<std::string> OwnBatch(const WrittenSettings& written, const Tuning& tuning) {
  if (!written.batch) return std::nullopt;
  const bool other_parts = tuning.parts != written.own_parts;
  std::string text;
  if (other_parts) {
    if (!written.parts || written.parts->value * tuning.parts % written.own_parts != 0) {
      return std::nullopt;
    }
    text = LineWith(*written.parts, written.parts->value * tuning.parts / written.own_parts);
  }
  const int64_t whole =
      written.batch->of_shard ? tuning.best->batch_per_core : tuning.best->global_batch;
  const int64_t parts = written.batch->of_part ? tuning.parts : 1;
  if (whole % parts != 0) return std::nullopt;
  return LineWith(*written.batch, whole / parts) + text;
}

std::string StepsCode(const WrittenSettings& written, const Trial& best, std::string snippet) {
  if (written.steps) return LineWith(*written.steps, best.steps_per_execution);
  const bool at_compile = written.compile.known() && snippet.find("compile(") != std::string::npos;
  if (!at_compile) return snippet;
  snippet.insert(snippet.size() - 1, "  # " + PlaceInWords(written.compile));
  return snippet;
}

}  // namespace

std::string CodeToPaste(const Report& report) {
  if (!report.tuning || !report.tuning->best || !report.training) return "";
  const Tuning& tuning = *report.tuning;
  const Trial& best = *tuning.best;
  const std::optional<Trial>& now = tuning.current;
  // There is nothing to paste when there is nothing to change.
  if (now && tuning.changes.empty() && SamePoint(*now, best)) return "";
  const bool is_surer = now && !now->sure && best.certainty > now->certainty;
  if (!is_surer && !IsWorthAChange(tuning)) return "";
  const Snippet snippet = CodeOf(report, best);
  const bool same_batch = now && now->global_batch == best.global_batch;
  std::string code = OwnBatch(report.written, tuning)
                         .value_or(same_batch && tuning.changes.empty() ? "" : snippet.batch);
  const bool same_steps = now && now->steps_per_execution == best.steps_per_execution;
  if (!snippet.steps.empty() && !same_steps) {
    code += StepsCode(report.written, best, snippet.steps);
  }
  return tuning.changes.empty() ? code : fmt::format("# with {}\n{}", tuning.changes, code);
}

}  // namespace tilewise
