// Compares the memory that a log states with the target's.

#include <algorithm>

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::ME009 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "ME009",
    .name = "reported-memory",
    .fix = Applicability::kShow,
    .summary = "memory that a log states is more than the target has, or near it",
    .no_saving = "a log has no graph",
    .doc = R"(
What: memory that a log states without running out of it: MaxText's "Total memory
size", torch_xla's sizes after a compilation (PT_XLA_DEBUG), memory in use, a
limit that XLA's rematerialisation did not reach, the gradient of an embedding
that TensorFlow makes dense.
Why: what fits one chip need not fit another; a program close to the limit fails
when something else is kept. A dense gradient has the size of the whole table and
is written and read in every step.
Remedy: sharding, recomputation or a smaller batch; sharded tables or TPUEmbedding
for large embeddings.
Ignore: a chip with more memory.
Numbers: those of the log. A need is arguments, output, temporaries and program
less what output and arguments share.
Sources: MaxText understand_logs_and_metrics.md, pytorch/xla troubleshoot.md,
tensorflow#598 of tpu, indexed_slices.py.)",
};

constexpr double kNear = 0.95;

std::string Parts(const StatedMemory& stated) {
  std::string text;
  const std::pair<std::string_view, Bytes> parts[] = {{"arguments", stated.arguments},
                                                      {"output", stated.output},
                                                      {"temporaries", stated.temporaries},
                                                      {"shared", stated.aliased},
                                                      {"program", stated.code}};
  for (const auto& [name, bytes] : parts) {
    if (bytes.value > 0) {
      text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", name, FormatBytes(bytes));
    }
  }
  return text.empty() ? "" : text + ")";
}

void ReportDense(const StatedMemory& stated, Sink& sink) {
  Finding& found = sink.Report(
      stated.location,
      "the gradient of an embedding is made dense: {} in float32, written and read in every step; "
      "expected a table that is sharded, or looked up by TPUEmbedding",
      FormatBytes(stated.total));
  found.measured = true;
  found.cost.bytes = stated.total;
  found.fix.text =
      "shard the table over the cores or use TPUEmbedding; on a TPU every gradient of a gather is "
      "dense, so that a smaller table is what helps otherwise";
}

void ReportLimit(const StatedMemory& stated, Bytes hbm, const Facts& facts, Sink& sink) {
  Finding& found = sink.Report(
      stated.location,
      "rematerialisation reached {} and not its limit of {}: a warning, as the program may still "
      "run; a core of {} has {}",
      FormatBytes(stated.total), FormatBytes(stated.capacity), facts.target.chip.name,
      FormatBytes(hbm));
  found.measured = true;
  found.severity = stated.total > hbm ? Severity::kWarning : Severity::kInfo;
  found.cost.bytes = stated.total - std::min(stated.total, stated.capacity);
  found.fix.text =
      "take a smaller batch per core or checkpoint layers in the program: the search also makes "
      "compilation long";
}

void Check(const Facts& facts, Sink& sink) {
  const Bytes hbm = facts.target.chip.usable_hbm();
  for (const StatedMemory& stated : facts.workload.run_log.memory) {
    if (stated.kind == StatedMemory::Kind::kDenseGradient) {
      ReportDense(stated, sink);
      continue;
    }
    if (stated.kind == StatedMemory::Kind::kRematerialized) {
      ReportLimit(stated, hbm, facts, sink);
      continue;
    }
    const bool in_use = stated.kind == StatedMemory::Kind::kInUse;
    const bool over = stated.total > hbm;
    const auto share = static_cast<double>(stated.total.value) /
                       static_cast<double>(std::max<int64_t>(hbm.value, 1));
    Finding& found = sink.Report(
        stated.location, "{}: {} {}{}{}; a core of {} has {}{}", stated.writer,
        FormatBytes(stated.total), in_use ? "are in use" : "are needed by the program",
        stated.capacity.value > 0 ? fmt::format(" of {}", FormatBytes(stated.capacity)) : "",
        Parts(stated), facts.target.chip.name, FormatBytes(hbm),
        over            ? ", so that it does not fit there"
        : share > kNear ? ", which leaves little"
                        : "");
    found.measured = true;
    found.severity = over || share > kNear ? Severity::kWarning : Severity::kInfo;
    if (over) {
      found.cost.bytes = stated.total - hbm;
    } else {
      found.cost.unknown = "it fits";
    }
    found.fix.text = over ? "shard weights and optimizer state over more cores, recompute "
                            "activations, or take a smaller batch per core"
                          : "nothing is wrong as long as nothing else is kept";
  }
}

}  // namespace

TW_RULE(ME009)

}  // namespace tilewise::ME009
