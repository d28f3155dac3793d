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
What: a tensorflow::io::RecordReader without options, or with options of the source that set no
buffer_size, whose ReadRecord() a loop calls, by itself or through functions of the source.
Why: the default of RecordReaderOptions::buffer_size is 0: each record is two reads of the file,
which on remote storage are two requests.
Remedy: a buffer_size of 256 KiB or more, or SequentialRecordReader with one.
Ignore: reads at random offsets.
Sources: the comment of tensorflow::io::RecordReaderOptions.)",
};

// What the call's value is bound to, as it is or through `std::make_unique<RecordReader>(..)`.
std::vector<std::string> NamesOf(const SourceFacts& source, const SourceCall& reader) {
  const SourceCall* at = &reader;
  while (at->results.empty() && at->outer >= 0) at = &source.calls[at->outer];
  return at->results;
}

// Parameters of the function around.
const std::vector<std::string>& ParametersAt(const SourceFacts& source, int32_t context) {
  static const std::vector<std::string> kNone;
  const int32_t function = FunctionAround(source, context);
  return function < 0 ? kNone : source.contexts[function].targets;
}

// Whether each round, or each call of the function, says the offset: `for (uint64 at : offsets)`.
bool ReadsAtRandom(const SourceFacts& source, const SourceCall& read) {
  if (read.arguments.empty()) return false;
  const std::vector<std::string>& offset = read.arguments[0].names;
  const bool by_address = read.arguments[0].text.starts_with("&");
  if (by_address && HaveCommon(offset, ParametersAt(source, read.context))) return true;
  const int32_t loop = LoopAround(source, read.context);
  if (loop < 0) return false;
  if (HaveCommon(offset, source.contexts[loop].targets)) return true;
  return std::ranges::any_of(source.assignments, [&](const SourceAssignment& each) {
    return IsInside(source, each.context, loop) && HaveCommon(each.targets, offset);
  });
}

// Whether a loop reads the reader's records one after the other. A reader that a function gets as
// its parameter may be any of the source.
bool IsReadInLoop(const SourceFacts& source, const SourceCall& reader) {
  const std::vector<std::string> names = NamesOf(source, reader);
  return std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    if (LastName(call.name) != "ReadRecord" || ReadsAtRandom(source, call)) return false;
    const bool of_it = names.empty() || call.receiver_names.empty() ||
                       HaveCommon(call.receiver_names, names) ||
                       HaveCommon(call.receiver_names, ParametersAt(source, call.context));
    return of_it && MayRepeat(source, call.context);
  });
}

// Whether nothing that the source shows gives the options a buffer. Those that come as a
// parameter, of a member or of a function elsewhere may have one.
bool LeaveBufferOut(const SourceFacts& source, const SourceCall& reader,
                    const SourceArgument& options) {
  if (options.name.empty() || Contains(options.name, ".")) return false;
  if (IsOneOf(options.name, ParametersAt(source, reader.context))) return false;
  bool made_here = false;
  for (const SourceAssignment& each : source.assignments) {
    for (const std::string& target : each.targets) {
      if (target == options.name + ".buffer_size") return false;
      if (target != options.name) continue;
      // Options of CreateRecordReaderOptions("ZLIB") say how records are compressed alone.
      constexpr std::string_view kType = "tensorflow.io.RecordReaderOptions";
      if (each.call < 0 || !source.calls[each.call].name.starts_with(kType)) return false;
      made_here = true;
    }
  }
  const bool handed_on = std::ranges::any_of(source.calls, [&](const SourceCall& call) {
    return &call != &reader && call.name != "tensorflow.io.RecordReader" &&
           std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
             return IsOneOf(options.name, argument.names);
           });
  });
  return made_here && !handed_on;
}

void Report(const Facts& facts, const SourceCall& call, Sink& sink) {
  Finding& found = sink.Report(
      call.location,
      "this RecordReader has no buffer and is read in a loop; expected buffer_size = 262144");
  if (call.arguments.size() > 1) {
    const std::string& options = call.arguments[1].name;
    found.fix.text = fmt::format("set {}.buffer_size = 256 << 10", options);
    found.fix.edits = AddCppLine(facts.workload, call.arguments_span,
                                 fmt::format("{}.buffer_size = 256 << 10;", options));
    return;
  }
  found.fix.text = "give it RecordReaderOptions with buffer_size = 256 << 10";
  found.fix.edits =
      AddCppOptions(facts.workload, call.arguments_span, "tensorflow::io::RecordReaderOptions",
                    "record_options", "buffer_size = 256 << 10");
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsCpp(facts.workload)) return;
  for (const SourceCall& call : source.calls) {
    if (call.name != "tensorflow.io.RecordReader" || call.arguments.empty()) continue;
    const bool plain = call.arguments.size() == 1;
    if (!plain && !LeaveBufferOut(source, call, call.arguments[1])) continue;
    if (IsReadInLoop(source, call)) Report(facts, call, sink);
  }
}

}  // namespace

TW_RULE(CX006)

}  // namespace tilewise::CX006
