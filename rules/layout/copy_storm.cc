// Flags compiled modules that spend much of their memory traffic on copies
// between layouts.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "advice/locations.h"
#include "rules/layout/move_cost.h"
#include "session/forward_values.h"

namespace tilewise::LY002 {
namespace {

constexpr RuleInfo kInfo = {
    .id = "LY002",
    .name = "copy-storm",
    .needs = {.model = true},
    .summary = "copies between layouts take a visible part of the HBM traffic",
    .no_saving =
        "transposes, reshapes and bitcast-converts move the same bytes wherever they stand",
    .doc = R"(
What: copies, transposes and bitcast-converts outside fusions of a compiled
module that move at least 5 % of its HBM bytes.
Why: the compiler gives every value a layout. Where producer and consumer insist
on different ones it writes the value a second time in the other: work that no
line of the program asks for, and often both forms are kept.
Remedy: look at the two ops that the finding names. A gather, a reshape, a loop
or an entry parameter forces one of the layouts; change the order of the dims
there, or let the caller hand the parameter over as the program wants it.
Ignore: modules that were cut out of a program to be measured.
Numbers: padded bytes that the copies read and write, over those of all kernels;
their simulated time. Copies to and from the host, and copies of what enters a
loop, are not counted. The saving is that of the copies alone: their readers take
what the makers wrote, at the same cost.
Sources: xprof static patterns, flowpm#27.)",
    .thresholds = {{"min-traffic", 0.05, "share of the HBM traffic that copies may not reach"}},
};

bool ChangesLayout(const Op& root) {
  switch (root.kind) {
    case OpKind::kBarrier:  // a copy of the dump
    case OpKind::kCopy:
    case OpKind::kTranspose:
    case OpKind::kReshape:
    case OpKind::kBitcastConvert:
      return true;
    default:
      return false;
  }
}

bool EntersLoop(const Graph& graph, const Op& copy) {
  return std::ranges::any_of(graph.users(copy.id),
                             [&](OpId user) { return graph.op(user).loop.id != copy.loop.id; });
}

struct Copies {
  std::vector<std::pair<Seconds, OpId>> each;
  Seconds time;
  Bytes bytes;
  Bytes of_step;            // all HBM traffic
  bool has_others = false;  // kernels that are no copies
};

Copies Collect(const Facts& facts) {
  Copies copies;
  const Program& program = facts.model->program;
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const Kernel& kernel = program.kernels[i];
    copies.of_step += TrafficOf(kernel);
    const Op& root = program.graph.op(kernel.root);
    const bool moves = kernel.kind == KernelKind::kCopy && ChangesLayout(root);
    if (!moves) copies.has_others = true;
    if (!moves || EntersLoop(program.graph, root)) continue;
    const MoveCost cost = MoveCostOfKernel(facts, i);
    copies.time += cost.time;
    copies.bytes += cost.bytes;
    copies.each.emplace_back(cost.time, kernel.root);
  }
  std::ranges::sort(copies.each, [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  return copies;
}

// "dot.3", whatever copies and bitcasts lie between.
const Op& MakerOf(const Graph& graph, const Op& copy) {
  const Op* op = &graph.operand(copy, 0);
  while (ChangesLayout(*op) && !op->operands.empty()) {
    op = &graph.operand(*op, 0);
  }
  return *op;
}

const Op* ReaderOf(const Graph& graph, const Op& copy) {
  const Op* op = &copy;
  while (!graph.users(op->id).empty()) {
    op = &graph.op(graph.users(op->id)[0]);
    if (!ChangesLayout(*op)) return op;
  }
  return nullptr;
}

std::string PairText(const Program& program, const Op& copy) {
  const Graph& graph = program.graph;
  const Op* reader = ReaderOf(graph, copy);
  return fmt::format(
      "{} of {} to {} for {}{}", LaidOut(program, copy.operands[0]), MakerOf(graph, copy).name,
      LaidOut(program, copy.id), reader == nullptr ? "the result" : reader->name,
      graph.users(copy.operands[0]).size() > 1 ? ", and other ops read it as it was" : "");
}

// Readers take the value as it was written.
Change WithoutCopies(const Program& program, const Copies& copies) {
  Change change;
  for (const auto& [time, copy] : copies.each) {
    const Op& op = program.graph.op(copy);
    if (op.kind != OpKind::kBarrier && op.kind != OpKind::kCopy) continue;
    if (op.operands.size() != 1) continue;
    change.replace[copy] = [](GraphBuilder&, const Op&, std::span<const OpId> operands) {
      return operands[0];
    };
  }
  return change;
}

void Report(const Facts& facts, const Copies& copies, Sink& sink) {
  const Program& program = facts.model->program;
  const Op& most_expensive = program.graph.op(copies.each[0].second);
  const double share =
      static_cast<double>(copies.bytes.value) / static_cast<double>(copies.of_step.value);
  const Op* reader = ReaderOf(program.graph, most_expensive);
  Finding& found = sink.Report(
      most_expensive.location.known() ? most_expensive.location : LocationOfModel(facts),
      "{} {} between layouts {} {}, {} of the HBM traffic (simulated on {}), expected under {}; "
      "the most expensive brings {}",
      copies.each.size(), copies.each.size() == 1 ? "copy" : "copies",
      copies.each.size() == 1 ? "moves" : "move", FormatBytes(copies.bytes), FormatPercent(share),
      facts.target.chip.name, FormatPercent(sink.threshold("min-traffic")),
      PairText(program, most_expensive));
  found.cost = DeviceCost(facts, copies.time, copies.bytes);
  found.fix.text = fmt::format(
      "make {} write the layout that {} reads, by the order of its dims or by the order in which "
      "the program's argument is handed over",
      MakerOf(program.graph, most_expensive).name, reader == nullptr ? "the caller" : reader->name);
  found.change = WithoutCopies(program, copies);
}

void Check(const Facts& facts, Sink& sink) {
  if (!facts.model->program.compiled) return;
  const Copies copies = Collect(facts);
  if (copies.each.empty() || !copies.has_others) return;
  const double share =
      static_cast<double>(copies.bytes.value) / static_cast<double>(copies.of_step.value);
  if (share < sink.threshold("min-traffic")) return;
  if (!facts.WorthSaying(copies.time, copies.bytes)) return;
  Report(facts, copies, sink);
}

}  // namespace

TW_RULE(LY002)

}  // namespace tilewise::LY002
