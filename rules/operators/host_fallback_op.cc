// Flags ops in the step that no TPU runs: the step stops for the host.

#include "rules/operators/source.h"

namespace tilewise::OP011 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "OP011",
    .name = "host-fallback-op",
    .severity = Severity::kError,
    .summary = "an op in the middle of the step runs on the host",
    .no_saving = "the op has no form on the device",
    .doc = R"(
What: an op that has no kernel for the device (strings, look-up tables, Python
functions, image decoding, some detection ops) and takes what the device has
computed; or an op that the author marked for the host
(_xla_outside_compilation).
Why: the program either does not compile, or is cut in two: the device sends the
operands to the host, waits for the op and for the result, and idles meanwhile.
Remedy: move it to the input pipeline, replace it by an op the compiler has, or
run it after the step.
Ignore: ops before the first op of the device (parsing, decoding of what is
fed), which run ahead of the step: they are not reported.
Numbers: the time on the host is not simulated; the bytes that come back cross
the host link at its nameplate bandwidth.
Sources: xprof's tools for host time (above 5 % of the step), the lowering
guides of PyTorch/XLA.)",
};

// Bytes that the host sends back: inputs of the graph that the op became.
Bytes FedBytes(const Facts& facts, const SourceOp& op) {
  Bytes total;
  if (facts.source == nullptr) return total;
  for (OpId id = op.first; id < op.end && id < facts.source->size(); ++id) {
    const Op& made = facts.source->op(id);
    if (made.kind == OpKind::kParameter) total += made.shape.unpadded_bytes();
  }
  return total;
}

void Report(const Facts& facts, const SourceOp& op, Sink& sink) {
  const bool marked = op.trait == OpTrait::kOutsideCompilation;
  Finding& found = sink.Report(
      op.location, "{} {}, expected ops of the device from the first to the last", NameOfSource(op),
      marked ? "is kept out of the compiled step and runs on the host"
             : "has no kernel for TPUs and takes what the step computed: the device waits for the "
               "host");
  const Bytes fed = FedBytes(facts, op);
  if (fed.value > 0 && facts.target.chip.host_link.value > 0) {
    found.cost = DeviceCost(facts, fed / facts.target.chip.host_link);
  } else {
    found.cost.unknown = "the time of the host is not simulated";
  }
  found.fix.text =
      "move it to the input pipeline, replace it by an op that the compiler has, or run it after "
      "the step";
}

void Check(const Facts& facts, Sink& sink) {
  for (const SourceOp& op : facts.workload.module.ops) {
    const bool host = op.trait == OpTrait::kHost && op.reads_device;
    if (host || op.trait == OpTrait::kOutsideCompilation) {
      Report(facts, op, sink);
    }
  }
}

}  // namespace

TW_RULE(OP011)

}  // namespace tilewise::OP011
