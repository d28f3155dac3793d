// Branches are compared by their work on an image of common size.

#include "frontend/program/branches.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "frontend/program/import_names.h"
#include "hardware/pipeline_costs.h"
#include "pipeline/chain.h"
#include "workload/blocks.h"

namespace tilewise::program {
namespace {

using python::Under;

// Seconds on the reference core for an image of 224 x 224.
double WorkOf(const MapFunction& branch) {
  constexpr double kPixels = 224 * 224;
  constexpr double kNumbers = kPixels * 3;
  const PipelineCosts& costs = PublishedPipelineCosts();
  const Seconds one_pass = costs.elementwise * kNumbers;
  const auto operators = branch.nodes - static_cast<int64_t>(branch.calls.size());
  Seconds work = one_pass * static_cast<double>(std::max<int64_t>(0, operators));
  for (size_t i = 0; i < branch.calls.size(); ++i) {
    const std::string& call = branch.calls[i];
    const OpCost* op = FindOpCost(call);
    const bool is_small = branch.elements_after[i] == MapFunction::kAside || call.empty() ||
                          call.starts_with(".") || Under(call, "builtins");
    work += costs.element;
    if (is_small) continue;
    if (op != nullptr) {
      work += op->call + (op->per_input_element + op->per_output_element) * kNumbers;
      if (DecodesImage(call)) work += op->per_input_byte * (costs.jpeg_bytes_per_pixel * kPixels);
    } else {
      work += one_pass;
    }
  }
  return work.value;
}

bool DecodesAgain(const MapFunction& branch) {
  return std::ranges::any_of(branch.calls, DecodesImage);
}

}  // namespace

std::optional<int> ConditionOfBranches(std::string_view name) {
  const std::string_view last = tilewise::LastName(name);
  if (!Under(name, "tensorflow") && !Under(name, "jax.lax")) return std::nullopt;
  if (last == "cond" || last == "smart_cond" || last == "switch_case" || last == "switch") return 0;
  return name == "tensorflow.case" ? std::optional<int>(-1) : std::nullopt;
}

bool ChoosesOne(std::string_view name) {
  return name == "random.choice" || name == "numpy.random.choice";
}

const MapFunction& TypicalBranch(const std::vector<MapFunction>& branches, bool decoded) {
  const bool some_do_not = decoded && !std::ranges::all_of(branches, DecodesAgain);
  double mean = 0, counted = 0;
  for (const MapFunction& branch : branches) {
    if (some_do_not && DecodesAgain(branch)) continue;
    mean += WorkOf(branch);
    ++counted;
  }
  mean /= counted;
  return *std::ranges::min_element(branches, {}, [&](const MapFunction& branch) {
    const double work = WorkOf(branch);
    const bool left_out = some_do_not && DecodesAgain(branch);
    return std::tuple(left_out, std::abs(work - mean), -work);
  });
}

}  // namespace tilewise::program
