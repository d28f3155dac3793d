// Flags readers of records that go to the file system for every record.

#include <algorithm>

#include <fmt/format.h>

#include "edit/cpp.h"
#include "rules/cpp/api_calls.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::CX006 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CX006",
    .name = "unbuffered-record-reader",
    .fix = Applicability::kSafe,
    .needs = {.script = true},
    .summary = "records are read one by one without a buffer",
    .no_cost = "how many records are read is not in the source",
    .doc = R"(
What: tensorflow::io::RecordReader without options, in a source that calls ReadRecord() in a loop
and sets no buffer_size.
Why: the default of RecordReaderOptions::buffer_size is 0: each record is two reads of the file,
which on remote storage are two requests.
Remedy: a buffer_size of 256 KiB or more, or SequentialRecordReader with one.
Ignore: reads at random offsets.
Sources: the comment of tensorflow::io::RecordReaderOptions.)",
};

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsCpp(facts.workload)) return;
  const bool buffered = std::ranges::any_of(source.assignments, [](const SourceAssignment& each) {
    return std::ranges::any_of(
        each.targets, [](const std::string& target) { return Contains(target, "buffer_size"); });
  });
  const bool sequential = std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return LastName(call.name) == "ReadRecord" && LoopAround(source, call.context) >= 0;
  });
  if (buffered || !sequential) return;
  for (const SourceCall& call : source.calls) {
    if (call.name != "tensorflow.io.RecordReader" || call.arguments.size() != 1) continue;
    Finding& found = sink.Report(
        call.location,
        "this RecordReader has no buffer and is read in a loop; expected buffer_size = 262144");
    found.fix.text = "give it RecordReaderOptions with buffer_size = 256 << 10";
    found.fix.edits =
        AddCppOptions(facts.workload, call.arguments_span, "tensorflow::io::RecordReaderOptions",
                      "record_options", "buffer_size = 256 << 10");
  }
}

}  // namespace

TW_RULE(CX006)

}  // namespace tilewise::CX006
