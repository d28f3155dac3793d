// Single matrix products whose time on one device is published.

#include <fmt/format.h>

#include "bench/accuracy/comparisons.h"
#include "bench/accuracy/csv.h"
#include "bench/accuracy/errors.h"
#include "graph/graph_builder.h"
#include "hardware/target.h"
#include "sim/lowering/lower.h"
#include "sim/simulate.h"

namespace tilewise {
namespace {

struct Product {
  int64_t m = 0, n = 0, k = 0;
};

absl::StatusOr<Seconds> Simulate(const Product& product, DType dtype,
                                 const Target& target) {
  GraphBuilder b("matmul");
  const OpId x = b.Parameter(Shape::Of(dtype, {product.m, product.k}), "x");
  const OpId y = b.Parameter(Shape::Of(dtype, {product.k, product.n}), "y");
  b.AddOutput(b.MatMul(x, y), Output::Role::kResult);
  TW_ASSIGN_OR_RETURN(const Graph graph, b.Build());
  LowerOptions options;
  options.training = false;
  TW_ASSIGN_OR_RETURN(const Program program, Lower(graph, 1, target, options));
  return SimulateStep(program, target).step;
}

absl::Status CompareSweep(const std::string& folder) {
  TW_ASSIGN_OR_RETURN(const Csv csv, Csv::Read(folder + "/tpu-v4-gemm.csv"));
  TW_ASSIGN_OR_RETURN(const Target target, MakeTarget("v4", 1, ""));
  std::vector<Run> runs;
  for (size_t row = 0; row < csv.rows(); ++row) {
    const auto number = [&](std::string_view column) {
      return static_cast<int64_t>(csv.Number(row, column));
    };
    const Product product = {number("m"), number("n"), number("k")};
    TW_ASSIGN_OR_RETURN(const Seconds step,
                        Simulate(product, DType::kF16, target));
    const Seconds measured = {csv.Number(row, "device_us") * 1e-6};
    const std::string regime = measured.value < 3e-6    ? "below 3 us"
                               : measured.value < 30e-6 ? "3 to 30 us"
                                                        : "above 30 us";
    runs.push_back({fmt::format("[{},{}] x [{},{}]", product.m, product.k,
                                product.k, product.n),
                    regime, measured, step});
  }
  PrintSummary("v4 f16 products", runs);
  PrintWorst(runs, 8);
  return absl::OkStatus();
}

// Rows of measurements.csv by id. Times taken on the host hold its dispatch,
// about 0.1 ms, which is no part of what is simulated here.
struct Published {
  std::string_view id;
  std::string_view chip;
  Product product;
  bool on_host;
};

constexpr Published kPublished[] = {
    {"v2-gemm-8192x8192x16384", "v2", {8192, 16384, 8192}, false},
    {"v5e-gemm-xla-4096", "v5e", {4096, 4096, 4096}, true},
    {"v5e-gemm-xla-8192", "v5e", {8192, 8192, 8192}, true},
    {"v6e-gemm-8192-host", "v6e", {8192, 8192, 8192}, true},
    {"v7-gemm-128", "v7x", {128, 128, 128}, false},
    {"v7-gemm-256", "v7x", {256, 256, 256}, false},
    {"v7-gemm-1024", "v7x", {1024, 1024, 1024}, false},
    {"v7-gemm-4096", "v7x", {4096, 4096, 4096}, false},
    {"v7-gemm-16384", "v7x", {16384, 16384, 16384}, false},
    {"v7-gemm-32768", "v7x", {32768, 32768, 32768}, false},
};

// Seconds of a row that states a time or a rate.
Seconds MeasuredTime(const Csv& csv, size_t row, const Product& product) {
  const double value = csv.Number(row, "value");
  const std::string unit = csv.Cell(row, "unit");
  if (unit == "ms") return {value * 1e-3};
  if (unit == "us") return {value * 1e-6};
  const double flops = 2.0 * static_cast<double>(product.m) *
                       static_cast<double>(product.n) *
                       static_cast<double>(product.k);
  return {flops / (value * 1e12)};
}

absl::Status CompareSingles(const std::string& folder) {
  TW_ASSIGN_OR_RETURN(const Csv csv, Csv::Read(folder + "/measurements.csv"));
  std::vector<Run> runs;
  for (const Published& published : kPublished) {
    TW_ASSIGN_OR_RETURN(const Target target, MakeTarget(published.chip, 1, ""));
    TW_ASSIGN_OR_RETURN(const Seconds step,
                        Simulate(published.product, DType::kBF16, target));
    for (size_t row = 0; row < csv.rows(); ++row) {
      if (csv.Cell(row, "id") != published.id) continue;
      runs.push_back({std::string(published.id),
                      published.on_host ? "host" : "device",
                      MeasuredTime(csv, row, published.product), step});
    }
  }
  PrintSummary("bf16 products", runs);
  PrintAll(runs);
  return absl::OkStatus();
}

}  // namespace

absl::Status CompareMatmuls(const std::string& folder) {
  TW_RETURN_IF_ERROR(CompareSingles(folder));
  return CompareSweep(folder);
}

}  // namespace tilewise
