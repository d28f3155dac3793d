// Flags inputs whose open dims reach a matmul: each size that comes is
// another program.

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "rules/rule.h"

namespace tilewise::DY001 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "DY001",
    .name = "unknown-dim-into-mxu",
    .set = RuleSet::kPreview,
    .fix = Applicability::kShow,
    .needs = {.graph = true},
    .summary = "a dim that the file leaves open reaches a matmul",
    .doc = R"(
What: a dim of an input, other than the batch, that the model leaves open (None,
-1, ?, a name, or a bound <= N) and that what is computed from it carries into a
matmul, convolution, attention or recurrent layer.
Why: XLA compiles for sizes. Every new size is a new program, seconds to minutes
each; a bounded size is padded to its bound and masked. The layout cannot be
chosen for a size that is not known.
Remedy: state the size where the model is made or exported, and pad what is fed
to it; or to a few sizes (buckets).
Ignore: models of which one size is ever fed.
Numbers: everything that is reported for this model was computed for the size
that the message names.
Sources: openxla/xla#2598.)",
};

bool IsMatmul(OpKind kind) {
  const OpClass op_class = ClassOf(kind);
  return op_class == OpClass::kMxu || op_class == OpClass::kAttention ||
         op_class == OpClass::kRecurrent || kind == OpKind::kAttention;
}

// The first matmul that is computed from `parameter`; kNoOp for none.
OpId FirstMatmul(const Graph& graph, OpId parameter) {
  std::vector<bool> from(graph.size(), false);
  from[parameter] = true;
  for (OpId id = parameter + 1; id < graph.size(); ++id) {
    const Op& op = graph.op(id);
    const bool reached =
        std::ranges::any_of(op.operands, [&from](OpId operand) { return from[operand]; });
    if (!reached) continue;
    if (IsMatmul(op.kind)) return id;
    from[id] = true;
  }
  return kNoOp;
}

std::string DimsText(const std::vector<const UnknownDim*>& dims) {
  std::string text;
  for (const UnknownDim* dim : dims) {
    text += fmt::format("{}dim {} ({})", text.empty() ? "" : ", ", dim->dim,
                        dim->taken > 0 ? fmt::format("{} {}", dim->bounded ? "at most" : "taken as",
                                                     FormatCount(dim->taken))
                                       : "taken as the batch");
  }
  return text;
}

void Check(const Facts& facts, Sink& sink) {
  const Graph& graph = *facts.source;
  std::map<OpId, std::vector<const UnknownDim*>> by_input;
  for (const UnknownDim& dim : facts.workload.module.unknown_dims) {
    if (dim.op >= 0 && dim.op < graph.size()) {
      by_input[dim.op].push_back(&dim);
    }
  }
  for (const auto& [input, dims] : by_input) {
    const OpId matmul = FirstMatmul(graph, input);
    if (matmul == kNoOp) continue;
    Finding& found = sink.ReportDim(input, dims.front()->dim,
                                    "input {} leaves {} open, which reach{} {}, expected sizes "
                                    "that are known before the program is compiled",
                                    graph.op(input).name, DimsText(dims),
                                    dims.size() == 1 ? "es" : "", graph.op(matmul).name);
    found.cost.unknown = "how many sizes come is not in the files";
    found.fix.text =
        "state the size where the model is made or exported, and pad what is fed to it";
  }
}

}  // namespace

TW_RULE(DY001)

}  // namespace tilewise::DY001
