// A loop of unknown length is read for one round. That is a lower bound where what it computes is
// part of the step, and nothing to speak of where it tests or prepares something else.

#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "frontend/program/search.h"
#include "frontend/program/trace.h"

namespace tilewise::program {
namespace {

void NeedOf(const Value& value, std::vector<bool>& needed) {
  if (value.kind == Value::Kind::kOp && value.op >= 0 && value.op < std::ssize(needed)) {
    needed[value.op] = true;
  }
}

// The ops of the trace that the step's results are made of.
std::vector<bool> NeededBy(const GraphBuilder& builder, const StepRequest& request) {
  std::vector<bool> needed(builder.size(), false);
  for (const Value& value : request.results) NeedOf(value, needed);
  if (request.loss) NeedOf(*request.loss, needed);
  for (const OtherLoss& other : request.others) NeedOf(other.loss, needed);
  for (OpId id(builder.size() - 1); id >= 0; --id) {
    if (!needed[id]) continue;
    for (const OpId operand : builder.op(id).operands) needed[operand] = true;
  }
  return needed;
}

}  // namespace

int64_t ProgramHost::Built() const { return trace_.tracer.builder().size(); }

void ProgramHost::RoundsUncounted(py::Interpreter& in, int64_t built, const py::Unknown& why) {
  const py::Frame& frame = *in.frames().back();
  const GraphBuilder& builder = trace_.tracer.builder();
  if (frame.module->origin != py::Module::Origin::kUser || builder.size() <= built) return;
  trace_.uncounted.push_back({in.LocationOf(frame), OpId(static_cast<int32_t>(built)),
                              OpId(builder.size()), why.reason()});
}

void NoteUncountedRounds(py::Interpreter& in, const Trace& trace, const StepRequest& request) {
  if (trace.uncounted.empty()) return;
  const std::vector<bool> needed = NeededBy(trace.tracer.builder(), request);
  for (const UncountedRounds& loop : trace.uncounted) {
    bool counts = false;
    for (OpId id = loop.first; id < loop.end && id < std::ssize(needed); ++id) {
      counts = counts || needed[id];
    }
    if (!counts) continue;
    in.Note("RD002", loop.location,
            fmt::format("the count is a lower bound: one round of this loop is counted, as it is "
                        "not known how many it has: {}",
                        loop.why),
            Severity::kWarning);
  }
}

}  // namespace tilewise::program
