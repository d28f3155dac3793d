// Flags host buffers that go to the device in each round although they stay the same, or that are
// copied once more on the way.

#include <algorithm>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/cpp/api_calls.h"
#include "rules/rule.h"
#include "workload/blocks.h"

namespace tilewise::CX003 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "CX003",
    .name = "upload-in-loop",
    .fix = Applicability::kShow,
    .needs = {.script = true},
    .summary = "a C++ loop uploads the same buffer in every round, or copies it on the way",
    .no_cost = "the size of the buffer is not in the source",
    .doc = R"(
What: BufferFromHostBuffer() or BufferFromHostLiteral() in a C++ loop that executes a program, of
data that nothing in the loop changes (a warning); or of changing data with
kImmutableOnlyDuringCall (information).
Why: an upload takes the host's link, which is slow beside HBM, in every round. With
kImmutableOnlyDuringCall the runtime must copy the data on the host before the call returns.
Remedy: upload what does not change once, before the loop, and pass its buffer again; else take
kImmutableUntilTransferCompletes or kImmutableZeroCopy and keep the data until the callback.
Ignore: data that is overwritten right after the call; buffers that the program takes as donated.
Sources: the comments of PjRtClient::HostBufferSemantics.)",
};

bool Uploads(const SourceCall& call) {
  return IsMethodOf(call, "xla.PjRtClient",
                    "BufferFromHostBuffer|BufferFromHostLiteral|TransferToServer");
}

// Whether something in the loop may change one of the variables: an assignment, another call that
// takes it, the loop itself.
bool Changes(const SourceFacts& facts, int32_t loop, const std::vector<std::string>& names,
             const SourceCall& upload) {
  for (size_t i = 0; i < facts.contexts.size(); ++i) {
    const auto context = static_cast<int32_t>(i);
    if (IsInside(facts, context, loop) && HaveCommon(facts.contexts[i].targets, names)) return true;
  }
  for (const SourceAssignment& each : facts.assignments) {
    if (!IsInside(facts, each.context, loop)) continue;
    for (const std::string& target : each.targets) {
      // "batch[i]", "batch.data" are parts of it.
      const std::string_view whole =
          std::string_view(target).substr(0, target.find_first_of("[.-"));
      if (IsOneOf(whole, names)) return true;
    }
  }
  return std::ranges::any_of(facts.calls, [&](const SourceCall& call) {
    if (&call == &upload || !IsInside(facts, call.context, loop)) return false;
    for (int32_t at = call.outer; at >= 0; at = facts.calls[at].outer) {
      if (&facts.calls[at] == &upload) return false;  // a part of the upload: data.data()
    }
    return HaveCommon(call.receiver_names, names) ||
           std::ranges::any_of(call.arguments, [&](const SourceArgument& argument) {
             return HaveCommon(argument.names, names);
           });
  });
}

void Check(const Facts& facts, Sink& sink) {
  const SourceFacts& source = facts.workload.facts;
  if (!IsCpp(facts.workload)) return;
  for (const SourceCall& call : source.calls) {
    if (!Uploads(call) || call.arguments.empty()) continue;
    const int32_t loop = LoopThatRuns(source, call);
    if (loop < 0 || !RunsPrograms(source, loop)) continue;
    const std::vector<std::string>& names = call.arguments[0].names;
    const std::string at = LineText(source.contexts[loop].location, call.location);
    if (!names.empty() && !Changes(source, loop, names, call)) {
      Finding& found = sink.Report(
          call.location,
          "{}() uploads {} in every round of the loop at {}, which does not change it{}; expected "
          "one upload",
          LastName(call.name), names.front(), at, ByNameText(call));
      found.fix.text = "upload it once before the loop, and pass the same buffer to each execution";
      continue;
    }
    const bool copies = std::ranges::any_of(call.arguments, [](const SourceArgument& argument) {
      return Contains(argument.text, "kImmutableOnlyDuringCall");
    });
    if (!copies) continue;
    Finding& found = sink.Report(
        call.location,
        "{}() with kImmutableOnlyDuringCall copies the data on the host in every round of the loop "
        "at {}{}",
        LastName(call.name), at, ByNameText(call));
    found.severity = Severity::kInfo;
    found.fix.text =
        "take kImmutableUntilTransferCompletes or kImmutableZeroCopy, and keep the data until the "
        "callback says that it was read";
  }
}

}  // namespace

TW_RULE(CX003)

}  // namespace tilewise::CX003
