// The walk, and its calls brought into the order of the text.

#include "frontend/python/source_calls.h"

#include <algorithm>
#include <numeric>

namespace tilewise::python {
namespace {

// Brings the calls behind `first` into the order of their locations. Indices of
// calls follow.
void SortCalls(SourceFacts& facts, size_t first) {
  std::vector<int32_t> order(facts.calls.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(
      order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
      [&](int32_t a, int32_t b) { return facts.calls[a].location < facts.calls[b].location; });
  std::vector<int32_t> moved(order.size());
  std::vector<SourceCall> sorted;
  sorted.reserve(order.size());
  for (const int32_t from : order) {
    moved[from] = static_cast<int32_t>(sorted.size());
    sorted.push_back(std::move(facts.calls[from]));
  }
  facts.calls = std::move(sorted);
  const auto move = [&moved](int32_t& index) {
    if (index >= 0) index = moved[index];
  };
  for (size_t i = first; i < facts.calls.size(); ++i) {
    move(facts.calls[i].outer);
    for (SourceArgument& argument : facts.calls[i].arguments) {
      move(argument.call);
    }
  }
  for (SourceContext& context : facts.contexts) move(context.call);
  for (SourceAssignment& assignment : facts.assignments) move(assignment.call);
  for (SourceSubscript& subscript : facts.subscripts) move(subscript.outer);
}

}  // namespace

void CollectFacts(const SyntaxTree& tree, const FunctionSet& dataset_functions, Aliases& aliases,
                  Constants& constants, SourceFacts& facts) {
  FindAliases(tree.root(), aliases, facts.imports);
  FindConstants(tree.root(), constants);
  const size_t first = facts.calls.size();
  SourceWalker(dataset_functions, aliases, constants, facts).Walk(tree.root(), {});
  SortCalls(facts, first);
}

}  // namespace tilewise::python
