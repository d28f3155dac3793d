// Reads the model as every command does, but neither lowers nor simulates it:
// each matmul of its forward graph is one closed form.

#include "cli/simulate/systolic.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "base/math.h"
#include "cli/command.h"
#include "cli/load.h"
#include "cli/output.h"
#include "sim/graph_matmuls.h"
#include "sim/systolic.h"

namespace tilewise {
namespace {

constexpr int64_t kMostSide = 1 << 16;

struct Row {
  OpMatmul matmul;
  SystolicTime time;
};

struct Total {
  int64_t products = 0, cycles = 0;
  double macs = 0;
  double mapped = 0;  // cells of all folds that hold an operand
  double cells = 0;   // cells of all folds
};

std::optional<int64_t> ParseSide(std::string_view text) {
  int64_t side = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, side);
  if (error != std::errc() || rest != end || side < 1 || side > kMostSide) {
    return std::nullopt;
  }
  return side;
}

absl::StatusOr<std::vector<Row>> TimeProducts(const Graph& graph, const SystolicArray& array,
                                              Dataflow dataflow) {
  std::vector<Row> rows;
  for (const OpMatmul& matmul : MatmulsOf(graph)) {
    const absl::StatusOr<SystolicTime> time = TimeOnArray(matmul.shape, array, dataflow);
    if (!time.ok()) {
      return Annotate(time.status(), graph.op(matmul.op).name);
    }
    rows.push_back({matmul, *time});
  }
  return rows;
}

absl::StatusOr<Total> Sum(const std::vector<Row>& rows, const SystolicArray& array) {
  Total total;
  for (const Row& row : rows) {
    const MatmulShape& shape = row.matmul.shape;
    const auto repeats = static_cast<double>(row.matmul.repeats);
    const std::optional<int64_t> cycles = CheckedMul(row.time.cycles, row.matmul.repeats);
    if (!cycles || __builtin_add_overflow(total.cycles, *cycles, &total.cycles)) {
      return InvalidInput("found more cycles than fit 63 bits");
    }
    total.products += row.matmul.repeats;
    total.macs += repeats * static_cast<double>(shape.m) * static_cast<double>(shape.n) *
                  static_cast<double>(shape.k);
    const double cells = repeats * static_cast<double>(row.time.folds) *
                         static_cast<double>(array.rows * array.columns);
    total.cells += cells;
    total.mapped += cells * row.time.mapping_efficiency;
  }
  return total;
}

ListingSection Products(const std::vector<Row>& rows, const Graph& graph) {
  ListingSection section{
      .title = "products",
      .columns = {"op", "kind", "m", "n", "k", "repeats", "cycles", "scale-sim total cycles",
                  "utilisation", "mapping efficiency"}};
  for (const auto& [matmul, time] : rows) {
    const Op& op = graph.op(matmul.op);
    const MatmulShape& shape = matmul.shape;
    section.rows.push_back(
        {.cells = {op.name, OpName(op.kind), ListingCell::Count(shape.m),
                   ListingCell::Count(shape.n), ListingCell::Count(shape.k),
                   ListingCell::Count(matmul.repeats), ListingCell::Count(time.cycles),
                   ListingCell::Count(time.tool_cycles()), ListingCell::Share(time.utilisation),
                   ListingCell::Share(time.mapping_efficiency)}});
  }
  return section;
}

ListingSection TotalSection(const Total& total, const SystolicArray& array, Dataflow dataflow,
                            int64_t batch) {
  const double time =
      static_cast<double>(total.cycles) * static_cast<double>(array.rows * array.columns);
  return {.title = "total",
          .columns = {"array", "dataflow", "batch", "products", "cycles", "scale-sim total cycles",
                      "utilisation", "mapping efficiency"},
          .rows = {{.cells = {fmt::format("{}x{}", array.rows, array.columns),
                              DataflowName(dataflow), ListingCell::Count(batch),
                              ListingCell::Count(total.products), ListingCell::Count(total.cycles),
                              ListingCell::Count(total.cycles - total.products),
                              ListingCell::Share(total.macs / time),
                              ListingCell::Share(total.mapped / total.cells)}}}};
}

// "128x128": rows and columns, each from 1 to kMostSide.
absl::StatusOr<SystolicArray> ParseArray(const std::string& text) {
  const size_t x = text.find('x');
  if (x != std::string::npos) {
    const std::string_view view = text;
    const std::optional<int64_t> rows = ParseSide(view.substr(0, x));
    const std::optional<int64_t> columns = ParseSide(view.substr(x + 1));
    if (rows && columns) return SystolicArray{*rows, *columns};
  }
  return InvalidInput(
      fmt::format("found '{}', expected rows and columns from 1 to {}, such as 128x128",
                  text.substr(0, 64), kMostSide));
}

std::string CheckArray(const std::string& text) {
  const absl::StatusOr<SystolicArray> array = ParseArray(text);
  return array.ok() ? "" : Message(array.status());
}

}  // namespace

void Add(Arguments& arguments, ArrayOptions& options) {
  Arguments group = arguments.InGroup(kTargetGroup);
  group.Text({.name = "--array",
              .help = "instead of a chip a bare systolic array, whose cycles for each "
                      "matmul are those that SCALE-Sim counts",
              .type = "RxC",
              .check = CheckArray},
             options.size);
  group.Text({.name = "--dataflow",
              .help = "what stays in that array: ws (weights, the "
                      "default), os (outputs) or is (inputs)",
              .type = "NAME",
              .check = OneOf({"ws", "os", "is"}),
              .needs = "--array"},
             options.dataflow);
}

absl::StatusOr<int> RunSystolic(const ArrayOptions& options, const ModelOptions& model,
                                const OutputOptions& output) {
  TW_ASSIGN_OR_RETURN(const SystolicArray array, ParseArray(options.size));
  const std::optional<Dataflow> dataflow = ParseDataflow(options.dataflow);
  if (!dataflow) return InvalidInput("found no dataflow, expected ws, os or is");
  TW_ASSIGN_OR_RETURN(const Workload workload, ReadInputs(model.inputs.files, {.training = false}));
  if (!workload.graph) {
    return absl::FailedPreconditionError(fmt::format("{}: found no model", workload.name));
  }
  const TrainingOptions& training = model.training;
  const int64_t batch = std::max<int64_t>({training.batch_per_core, training.global_batch, 1});
  TW_RETURN_IF_ERROR(CheckBindable(*workload.graph, batch));
  const Graph graph = workload.graph->Bind(batch);
  TW_ASSIGN_OR_RETURN(const std::vector<Row> rows, TimeProducts(graph, array, *dataflow));
  if (rows.empty()) {
    return absl::FailedPreconditionError(
        fmt::format("{}: found no matmul or convolution to map onto an array", workload.name));
  }
  TW_ASSIGN_OR_RETURN(const Total total, Sum(rows, array));
  TW_RETURN_IF_ERROR(Render(
      "simulate", {Products(rows, graph), TotalSection(total, array, *dataflow, batch)}, output));
  return kExitClean;
}

}  // namespace tilewise
