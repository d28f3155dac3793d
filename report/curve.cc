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
  std::string text = "  per core  examples/s\n";
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

std::string KerasCode(const Trial& best) {
  return fmt::format(
      "dataset = dataset.batch({}, drop_remainder=True)\n"
      "model.compile(..., steps_per_execution={})\n",
      best.global_batch, best.steps_per_execution);
}

std::string EstimatorCode(const Trial& best) {
  return fmt::format(
      "tpu_config = tf.compat.v1.estimator.tpu.TPUConfig(iterations_per_loop={})\n"
      "estimator = tf.compat.v1.estimator.tpu.TPUEstimator(..., train_batch_size={})\n",
      best.steps_per_execution, best.global_batch);
}

std::string CustomLoopCode(const Trial& best) {
  return fmt::format(
      "dataset = dataset.batch({}, drop_remainder=True)\n"
      "@tf.function\n"
      "def train_steps(iterator):\n"
      "    for _ in tf.range({}):\n"
      "        strategy.run(train_step, args=(next(iterator),))\n",
      best.global_batch, best.steps_per_execution);
}

std::string JaxCode(const Trial& best) {
  return fmt::format("batch_size = {}  # of all devices: {} for each shard of the batch\n",
                     best.global_batch, best.batch_per_core);
}

std::string TorchCode(const Trial& best) {
  return fmt::format(
      "loader = torch.utils.data.DataLoader(dataset, batch_size={}, drop_last=True)  # per "
      "process\n",
      best.batch_per_core);
}

}  // namespace

std::string CodeToPaste(const Report& report) {
  if (!report.tuning || !report.tuning->best || !report.training) return "";
  const Trial& best = *report.tuning->best;
  const std::optional<Trial>& now = report.tuning->current;
  // Nothing to change is nothing to paste.
  if (now && report.tuning->changes.empty() && SamePoint(*now, best)) return "";
  const std::string code = [&] {
    switch (report.framework) {
      case Framework::kTpuEstimator:
        return EstimatorCode(best);
      case Framework::kCustomLoop:
        return CustomLoopCode(best);
      case Framework::kJax:
        return JaxCode(best);
      case Framework::kTorchXla:
        return TorchCode(best);
      case Framework::kKeras:
        return KerasCode(best);
      case Framework::kKerasTf1:
        return fmt::format("model.fit(..., batch_size={})\n", best.global_batch);
      case Framework::kUnknown:
        return "# Keras\n" + KerasCode(best) + "# JAX\n" + JaxCode(best) + "# PyTorch\n" +
               TorchCode(best);
    }
    return std::string();
  }();
  const std::string& changes = report.tuning->changes;
  return changes.empty() ? code : fmt::format("# with {}\n{}", changes, code);
}

}  // namespace tilewise
