// Flags stages of a data set that nothing takes: data sets do not change in place.

#include <algorithm>
#include <string>
#include <string_view>

#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::IP028 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "IP028",
    .name = "discarded-stage",
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "a stage is added to a data set, and nothing takes the result",
    .no_saving = "what follows from it depends on what the stage is for",
    .no_cost = "the program runs as without the line",
    .doc = R"(
What: ds.cache(), ds.prefetch(..), ds.shuffle(..) and other methods of a tf.data
data set as statements of their own.
Why: such a method returns a new data set and leaves the old one as it is. The
line does nothing: data is not cached, not made ready ahead, not shuffled.
Remedy: ds = ds.cache().
Ignore: the last line of a notebook's cell that shows what a data set is. At the
top of a file the rule speaks of stages that change no element alone.
Sources: tf.data guide.)",
};

constexpr std::string_view kChangesNoElement = "cache|prefetch|shuffle|repeat";
constexpr std::string_view kOfFunctions =
    "batch|padded_batch|map|filter|interleave|with_options|apply|unbatch";

// What makes a data set of tf.data, whatever stands behind it.
bool MakesDataset(std::string_view text) {
  constexpr std::string_view kMakers[] = {"tf.data.",       "data.Dataset", "TFRecordDataset(",
                                          "_dataset_from_", "tfds.load(",   "as_dataset("};
  return std::ranges::any_of(kMakers,
                             [&](std::string_view maker) { return Contains(text, maker); });
}

// Whether `variable` is bound to a data set where `function` can see it.
bool IsDataset(const SourceFacts& source, std::string_view variable, int32_t function) {
  return std::ranges::any_of(source.assignments, [&](const SourceAssignment& made) {
    const int32_t around = FunctionAround(source, made.context);
    if (around != function && around >= 0) return false;
    if (!IsOneOf(variable, made.targets)) return false;
    if (MakesDataset(made.text)) return true;
    // A parameter that another line makes a longer pipeline of.
    constexpr std::string_view kOnly[] = {".prefetch(", ".batch(", ".padded_batch("};
    return made.text.starts_with(std::string(variable) + ".") &&
           std::ranges::any_of(kOnly,
                               [&](std::string_view stage) { return Contains(made.text, stage); });
  });
}

bool IsExpectedToFail(const SourceFacts& source, int32_t context) {
  const int32_t with = Around(source, context, ContextKind::kWith);
  return with >= 0 && Mentions(source.contexts[with].name, "raises");
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsWritten(source)) return;
  if (!Imports(source, "tensorflow") && !Imports(source, "tensorflow_datasets")) return;
  for (const SourceCall& call : source.calls) {
    if (call.statement.begin >= call.statement.end) continue;
    const size_t dot = call.name.rfind('.');
    if (dot == std::string::npos || dot == 0) continue;
    const std::string variable = call.name.substr(0, dot);
    const std::string_view stage = LastName(call.name);
    const int32_t function = FunctionAround(source, call.context);
    const bool known = IsOneOfWords(stage, kChangesNoElement) ||
                       (function >= 0 && IsOneOfWords(stage, kOfFunctions));
    if (!known || !IsDataset(source, variable, function)) continue;
    if (IsExpectedToFail(source, call.context)) continue;
    Finding& found = sink.Report(
        call.location,
        "{}() returns a new data set and nothing takes it, so that the line does nothing; "
        "expected {} = {}()",
        call.name, variable, call.name);
    found.of_learning = true;
    found.fix.text = "bind the result to the variable, or take the line out";
  }
}

}  // namespace

TW_RULE(IP028)

}  // namespace tilewise::IP028
