// Flags parallelism that is written as a number which does not fit the host.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "edit/python.h"
#include "edit/setting.h"
#include "rules/input/feed.h"

namespace tilewise::IP015 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP015",
    .name = "fixed-parallelism",
    .severity = Severity::kInfo,
    .set = RuleSet::kPreview,
    .fix = Applicability::kSafe,
    .summary = "parallelism is a fixed number that does not fit the host",
    .doc = R"(
What: num_parallel_calls, num_parallel_reads or the cycle_length of a parallel
interleave is a number: 1, more than twice the host's cores (and at least 64), or
more than there are files.
Why: 1 is sequential with the cost of a thread. More calls than cores wait for
each other and hold more items in memory; more readers than files do nothing.
AUTOTUNE measures while the program runs; a number from another machine cannot.
Remedy: tf.data.AUTOTUNE, or the number of cores.
Numbers: cores of the host that is simulated.
Ignore: a number with a comment beside it that speaks of threads, cores, memory
or order, which is taken for a reason: the rule is silent then. Many streams
from remote storage only wait and may be more than the cores.
Sources: tf.data performance guide, Plumber.)",
    .thresholds = {{"max-per-core", 2, "parallel calls per core of the host that are sound"},
                   {"min-calls", 64, "parallel calls below which no number is too large"}},
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
    const size_t begin = stage.arguments.begin;
    const size_t end = stage.arguments.end;
    size_t first = text.rfind('\n', begin);
    if (first != std::string_view::npos && first > 0) {
      first = text.rfind('\n', first - 1);
    }
    const size_t last = text.find('\n', end);
    const size_t from = first == std::string_view::npos ? 0 : first + 1;
    return text.substr(from, last == std::string_view::npos ? last : last - from);
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
         {"thread", "parallel", "core", "cpu", "CPU", "worker", "memory", "RAM", "order"}) {
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
std::string Wrong(const Facts& facts, const Pipeline& pipeline, const Stage& stage, int64_t calls,
                  double most) {
  const int64_t cores = facts.target.host.vcpus;
  const bool reads = IsOneOf(stage.kind, {StageKind::kInterleave, StageKind::kRecordFiles});
  if (calls == 1) return "is sequential";
  const auto files = pipeline.stages.front().files;
  if (reads && files && calls > *files) {
    return fmt::format("is more than the {} there are",
                       *files == 1 ? "one file" : fmt::format("{} files", FormatCount(*files)));
  }
  if (!reads && static_cast<double>(calls) >= most) {
    return fmt::format("is more than the {} cores of the {} host can run", FormatCount(cores),
                       facts.target.host.name);
  }
  return "";
}

// A number of a stage, and the argument that it is.
struct Fixed {
  Count Stage::*count;
  std::string parameter;
};

// The numbers that say how much a stage does at once.
std::vector<Fixed> NumbersOf(const Stage& stage) {
  std::vector<Fixed> numbers;
  if (stage.parallel_calls.kind == Count::Kind::kValue) {
    numbers.push_back({&Stage::parallel_calls, stage.kind == StageKind::kRecordFiles
                                                   ? "num_parallel_reads"
                                                   : "num_parallel_calls"});
  }
  const bool cycles = stage.kind == StageKind::kInterleave &&
                      stage.amount.kind == Count::Kind::kValue &&
                      stage.parallel_calls.kind == Count::Kind::kAutotune;
  if (cycles) numbers.push_back({&Stage::amount, "cycle_length"});
  return numbers;
}

// Streams that mostly wait for storage may be more than the cores. The number
// is the default of num_readers in the Object Detection API.
constexpr int64_t kManyReaders = 64;

// Returns as many files at once as there are, within reason: a configuration
// can say that, but has no word for AUTOTUNE.
int64_t SoundNumber(const Pipeline& pipeline) {
  return std::min(kManyReaders, pipeline.stages.front().files.value_or(kManyReaders));
}

void WriteNumber(const Facts& facts, const Pipeline& pipeline, const Stage& stage,
                 const std::string& parameter, Finding& found) {
  if (const auto setting = SettingAt(facts.workload, stage.location)) {
    const int64_t sound = SoundNumber(pipeline);
    found.fix.edits = SetNumber(facts.workload, stage, parameter, sound);
    found.fix.text = found.fix.edits.empty() ? fmt::format("leave {} to the library", setting->name)
                                             : fmt::format("set {} to {}", setting->name, sound);
    return;
  }
  const std::string tune = AutotuneIn(facts.workload, stage.location.file);
  found.fix.text = fmt::format("pass {}={}", parameter, tune);
  const WrittenArgument* written = stage.Written(parameter);
  if (written == nullptr || tune.empty()) return;
  if (NumberIn(facts.workload, written->value)) {
    found.fix.edits = {{.span = written->value, .replacement = tune}};
  }
}

void Report(const Facts& facts, const Pipeline& pipeline, size_t at, const Fixed& number,
            const std::string& wrong, Sink& sink) {
  const Stage& stage = pipeline.stages[at];
  const auto setting = SettingAt(facts.workload, stage.location);
  const std::string name = setting ? std::string(setting->name)
                                   : fmt::format("{} of {}", number.parameter, NameOfStage(stage));
  Finding& found = sink.Report(stage.location, "{} is {}, which {}, expected {}", name,
                               FormatCount((stage.*number.count).value), wrong,
                               setting ? "as many as there are files" : "AUTOTUNE");
  AddLoopFix(facts, pipeline,
             EditingStage(
                 pipeline, at,
                 [count = number.count](Stage& s) { s.*count = {.kind = Count::Kind::kAutotune}; }),
             found);
  WriteNumber(facts, pipeline, stage, number.parameter, found);
}

void Check(const Facts& facts, Sink& sink) {
  const double most =
      std::max(sink.threshold("min-calls"),
               sink.threshold("max-per-core") * static_cast<double>(facts.target.host.vcpus) + 1);
  for (const Pipeline* pipeline : FeedPipelines(facts)) {
    for (size_t i = 0; i < pipeline->stages.size(); ++i) {
      const Stage& stage = pipeline->stages[i];
      // What a fused transformation stands for was not written as a number.
      if (!stage.legacy.empty() && !stage.Written("num_parallel_calls")) {
        continue;
      }
      for (const Fixed& number : NumbersOf(stage)) {
        const int64_t value = (stage.*number.count).value;
        const std::string wrong = Wrong(facts, *pipeline, stage, value, most);
        if (wrong.empty() || HasReason(facts, stage)) continue;
        Report(facts, *pipeline, i, number, wrong, sink);
      }
    }
  }
}

}  // namespace

TW_RULE(IP015)

}  // namespace tilewise::IP015
