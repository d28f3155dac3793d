// Flags parallelism that is written as a number which does not fit the host.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "rules/edits.h"
#include "rules/input/chain.h"
#include "rules/input/loop_cost.h"

namespace tilewise {
namespace {

constexpr Threshold kThresholds[] = {
    {"max-per-core", 2, "parallel calls per core of the host that are sound"},
    {"min-calls", 64, "parallel calls below which no number is too large"},
};

constexpr RuleInfo kInfo = {
    .id = "IP015",
    .name = "fixed-parallelism",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kSafe,
    .summary = "parallelism is a fixed number that does not fit the host",
    .doc = R"(
What: num_parallel_calls or num_parallel_reads is a number: 1, more than twice
the host's cores (and at least 64), or more than there are files.
Why: 1 is sequential with the cost of a thread. More calls than cores wait for
each other and hold more items in memory; more readers than files do nothing.
AUTOTUNE measures while the program runs; a number from another machine cannot.
Remedy: tf.data.AUTOTUNE, or the number of cores.
Numbers: cores of the host that is simulated.
Ignore: a number with a comment beside it that speaks of threads, cores, memory
or order, which is taken for a reason: the rule is silent then. Many streams from remote storage only wait and may be more than
the cores.
Sources: tf.data performance guide, Plumber.)",
    .thresholds = kThresholds,
};

// The lines on which the call's arguments stand, and the one above them.
std::string_view LinesAround(const Facts& facts, const Stage& stage) {
  Span whole = stage.arguments;
  if (whole.begin >= whole.end) return {};
  // The longest text from the start of the file that has a line's rest.
  for (int64_t extra = 200; extra >= 0; --extra) {
    whole.begin = 0;
    whole.end = stage.arguments.end + extra;
    const std::string_view text = TextOf(facts.workload, whole);
    if (text.empty()) continue;
    const auto begin = static_cast<size_t>(stage.arguments.begin);
    const auto end = static_cast<size_t>(stage.arguments.end);
    size_t first = text.rfind('\n', begin);
    if (first != std::string_view::npos && first > 0) {
      first = text.rfind('\n', first - 1);
    }
    const size_t last = text.find('\n', end);
    const size_t from = first == std::string_view::npos ? 0 : first + 1;
    return text.substr(from,
                       last == std::string_view::npos ? last : last - from);
  }
  return {};
}

// A comment beside the number that speaks of why it is one.
bool HasReason(const Facts& facts, const Stage& stage) {
  std::string_view lines = LinesAround(facts, stage);
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    const size_t comment = line.find('#');
    for (const std::string_view word :
         {"thread", "parallel", "core", "cpu", "CPU", "worker", "memory", "RAM",
          "order"}) {
      const size_t at = line.find(word, std::min(comment, line.size()));
      if (comment != std::string_view::npos && at != std::string_view::npos) {
        return true;
      }
    }
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
  }
  return false;
}

// What is wrong with the number; empty: nothing.
std::string Wrong(const Facts& facts, const Pipeline& pipeline,
                  const Stage& stage, double most) {
  const int64_t calls = stage.parallel_calls.value;
  const int64_t cores = facts.target.host.vcpus;
  const bool reads =
      IsOneOf(stage.kind, {StageKind::kInterleave, StageKind::kRecordFiles});
  if (calls == 1) return "is sequential";
  const auto files = pipeline.stages.front().files;
  if (reads && files && calls > *files) {
    return fmt::format("is more than the {} there are",
                       *files == 1
                           ? "one file"
                           : fmt::format("{} files", FormatCount(*files)));
  }
  if (!reads && static_cast<double>(calls) >= most) {
    return fmt::format("is more than the {} cores of the {} host can run",
                       FormatCount(cores), facts.target.host.name);
  }
  return "";
}

bool IsNumber(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789_") == std::string_view::npos;
}

void Report(const Facts& facts, const Pipeline& pipeline, size_t at,
            const std::string& wrong, Sink& sink) {
  const Stage& stage = pipeline.stages[at];
  const std::string parameter = stage.kind == StageKind::kRecordFiles
                                    ? "num_parallel_reads"
                                    : "num_parallel_calls";
  Finding& found =
      sink.Report(stage.location,
                  fmt::format("{} of {} is {}, which {}, expected AUTOTUNE",
                              parameter, NameOfStage(stage),
                              FormatCount(stage.parallel_calls.value), wrong));
  AddLoopFix(facts, pipeline,
             EditingStage(pipeline, at,
                          [](Stage& s) {
                            s.parallel_calls = {.kind = Count::Kind::kAutotune};
                          }),
             found);
  const std::string tune = AutotuneIn(facts.workload, stage.location.file);
  found.fix.text = fmt::format("pass {}={}", parameter, tune);
  const WrittenArgument* written = stage.Written(parameter);
  if (written == nullptr) return;
  if (IsNumber(TextOf(facts.workload, written->value))) {
    found.fix.edits = {{.span = written->value, .replacement = tune}};
  }
}

void Check(const Facts& facts, Sink& sink) {
  const double most =
      std::max(sink.threshold("min-calls"),
               sink.threshold("max-per-core") *
                       static_cast<double>(facts.target.host.vcpus) +
                   1);
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    for (size_t i = 0; i < pipeline->stages.size(); ++i) {
      const Stage& stage = pipeline->stages[i];
      if (stage.parallel_calls.kind != Count::Kind::kValue) continue;
      // What a fused transformation stands for was not written as a number.
      if (!stage.legacy.empty() && !stage.Written("num_parallel_calls")) {
        continue;
      }
      const std::string wrong = Wrong(facts, *pipeline, stage, most);
      if (wrong.empty() || HasReason(facts, stage)) continue;
      Report(facts, *pipeline, i, wrong, sink);
    }
  }
}

}  // namespace

TW_RULE(IP015)

}  // namespace tilewise
