// Compares branches by the work of their calls on an image.

#include "frontend/program/typical_branch.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "frontend/program/import_names.h"
#include "hardware/pipeline_costs.h"

namespace tilewise::program {
namespace {

using python::Under;

// Seconds on the reference core for an image of 224 x 224: branches are compared by it.
double WorkOf(const MapFunction& branch) {
  constexpr double kNumbers = 224 * 224 * 3;
  const PipelineCosts& costs = PublishedPipelineCosts();
  const Seconds one_pass = costs.elementwise * kNumbers;
  const auto operators = branch.nodes - static_cast<int64_t>(branch.calls.size());
  Seconds work = one_pass * static_cast<double>(std::max<int64_t>(0, operators));
  for (const std::string& call : branch.calls) {
    const OpCost* op = FindOpCost(call);
    const bool is_small = call.empty() || call.starts_with(".") || Under(call, "builtins");
    work += costs.element;
    if (op != nullptr) {
      work += op->call + (op->per_input_element + op->per_output_element) * kNumbers;
    } else if (!is_small) {
      work += one_pass;
    }
  }
  return work.value;
}

}  // namespace

const MapFunction& TypicalBranch(const std::vector<MapFunction>& branches) {
  double mean = 0;
  for (const MapFunction& branch : branches) mean += WorkOf(branch);
  mean /= static_cast<double>(branches.size());
  return *std::ranges::min_element(branches, {}, [&](const MapFunction& branch) {
    const double work = WorkOf(branch);
    return std::pair(std::abs(work - mean), -work);
  });
}

}  // namespace tilewise::program
