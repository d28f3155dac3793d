// What a trace tells of sizes: those that stand in, those that placeholders are fed, the batch, and
// how much of what an optimizer holds is in the step.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/units.h"
#include "frontend/program/record_facts.h"
#include "graph/rebatch.h"

namespace tilewise::program {

bool HoldsStandIns(const Trace& trace, const Graph& graph) {
  return std::ranges::any_of(graph.ops(), [&](const tilewise::Op& op) {
    const bool given = op.kind == OpKind::kParameter || op.kind == OpKind::kVariable;
    return given && trace.StandsIn(op.shape);
  });
}

void RecordTracedBatch(Trace& trace, const TracedStep& step) {
  if (!step.training.has_value()) return;
  for (const std::string_view known : {"batch", "keras_batch"}) {
    if (LastRecord(trace.records, known) != nullptr) return;
  }
  std::optional<int64_t> batch = step.batch;
  if (!batch.has_value() && step.graph.is_static()) {
    const std::vector<BatchSeed> rows = RowsOfInputs(step.graph);
    if (!rows.empty()) batch = step.graph.op(rows.front().parameter).shape.size(0);
  }
  if (!batch.has_value()) return;
  Shape shape;
  shape.dims = {{*batch, false}};
  if (trace.StandsIn(shape)) return;
  Record record;
  record.kind = "batch";
  record.location = step.training->location;
  record.fields.emplace_back("size", py::Value(*batch));
  const Record* backward = LastRecord(trace.records, "backward");
  const py::Value* per_core = backward == nullptr ? nullptr : backward->Find("per_core");
  if (per_core != nullptr) record.fields.emplace_back("per_core", *per_core);
  trace.records.push_back(std::move(record));
}

std::map<int64_t, std::vector<int64_t>> FedOtherwise(const Trace& trace, const Graph* graph) {
  std::map<int64_t, std::vector<int64_t>> fed;
  bool otherwise = graph == nullptr || HoldsStandIns(trace, *graph);
  for (const Record& record : trace.records) {
    const py::Value* sizes = record.kind == "fed" ? record.Find("sizes") : nullptr;
    const auto* given = sizes == nullptr ? nullptr : sizes->as<py::Sequence>();
    if (given == nullptr) continue;
    std::vector<int64_t>& each = fed[static_cast<int64_t>(record.number("index").value_or(0))];
    each.clear();
    for (const py::Value& size : given->items) each.push_back(py::AsInt(size).value_or(0));
    otherwise = otherwise || record.number("otherwise").value_or(0) > 0;
  }
  if (!otherwise) fed.clear();
  return fed;
}
namespace {

double WeightsHeldIn(const Shape& shape) {
  return shape.is_static() ? static_cast<double>(shape.elements()) : 0.0;
}
double WeightsHeldBy(const Graph& graph) {
  double held = 0;
  for (const tilewise::Op& op : graph.ops()) {
    if (op.kind == OpKind::kVariable) held += WeightsHeldIn(op.shape);
  }
  return held;
}
double WeightsHeldBy(const Record& optimizer) {
  double held = 0;
  for (const Tensor* weight : optimizer.tensors("parameters")) held += WeightsHeldIn(weight->shape);
  return held;
}

}  // namespace

std::string LeftOut(py::Interpreter& in, const std::vector<Record>& records, const Graph& graph) {
  const Record* last = LastRecord(records, "optimizer");
  const double wanted = last == nullptr ? 0 : WeightsHeldBy(*last), held = WeightsHeldBy(graph);
  if (held >= 0.9 * wanted) return "";
  std::string text = fmt::format(
      "of the {} weights that the optimizer holds the step has {}; what computes with "
      "the others was not followed",
      FormatCount(static_cast<int64_t>(wanted)), FormatCount(static_cast<int64_t>(held)));
  in.Note("RD002", last->location, "the count is a lower bound: " + text, Severity::kWarning);
  return text;
}

bool ComputesNothing(const Graph& graph) {
  return std::ranges::all_of(graph.ops(),
                             [](const tilewise::Op& op) { return op.kind == OpKind::kParameter; });
}

bool HoldsLittle(const std::vector<Record>& records, const Graph& graph, bool all) {
  const double held = WeightsHeldBy(graph);
  double wanted = 0;
  const Record* last = LastRecord(records, "optimizer");
  for (const Record& record : records) {
    if (record.kind == "optimizer" && (all || &record == last)) wanted += WeightsHeldBy(record);
  }
  // Penalties ask for gradients of inputs; what they alone are taken of trains nothing.
  const Record* backward = LastRecord(records, "backward");
  const std::vector<const Tensor*> asked =
      backward == nullptr ? std::vector<const Tensor*>() : backward->tensors("parameters");
  const bool of_inputs = !asked.empty() && wanted > 0 &&
                         std::none_of(asked.begin(), asked.end(),
                                      [](const Tensor* each) { return each->value.variable >= 0; });
  return of_inputs || held < wanted / 10;
}

}  // namespace tilewise::program
