// What the ops of a graph amount to, and how much of a workload is understood.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "workload/workload.h"

namespace tilewise {

// Multiplications and additions each count one; so does every other elementwise operation,
// transcendental or not. Moving data costs none. An op whose cost is not known counts one for each
// element of its result. Repetitions of loops are counted. `graph` is static.
double CountFlops(const Graph& graph, const Op& op);

// Multiply-adds of matmuls, convolutions and attention, the recurrence of cells
// included; repetitions of loops are counted. Other ops have none. `graph` is
// static.
double CountMultiplyAdds(const Graph& graph, const Op& op);

// Operands and result, each once, without padding; repetitions of loops are
// counted. Parameters, variables and constants by themselves move nothing.
double CountBytes(const Graph& graph, const Op& op);

// What a line of the program costs.
struct LineCost {
  Location place;
  int64_t ops = 0;
  int64_t parameters = 0;  // elements of the variables that it is the first to use
  double flops = 0;
};

struct Coverage {
  int64_t batch = 1;  // that the figures are for
  int64_t ops = 0;    // of the graph, leaves left out
  // This counts the graph's ops by name, leaves included.
  std::map<std::string, int64_t> by_kind;
  int64_t parameters = 0;  // elements of all variables
  Bytes parameter_bytes;
  double flops = 0;  // of the graph as it is: forward, or the whole step
  double bytes = 0;  // operands and results of every op, without padding
  // 0..1: ops of known cost, by number (of the file's layers or ops), FLOPs and
  // bytes.
  double native_ops = 1;
  double native_flops = 1;
  double native_bytes = 1;
  // A graph that comes from a program has here its lines in the order of their ops.
  std::vector<LineCost> lines;
};

// Errors: none; a workload without a graph has zeros. `batch` >= 1 must be
// bindable.
Coverage MeasureCoverage(const Workload& workload, int64_t batch);

}  // namespace tilewise
