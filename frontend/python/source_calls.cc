// The walk, and its calls brought into the order of the text.

#include "frontend/python/source_calls.h"

#include <algorithm>
#include <numeric>

namespace tilewise::python {
namespace {

// How much of each list was there before a walk. What it adds names only calls that it adds, so
// that a notebook of many cells costs what its cells do.
struct Before {
  explicit Before(const SourceFacts& facts)
      : calls(facts.calls.size()),
        contexts(facts.contexts.size()),
        assignments(facts.assignments.size()),
        subscripts(facts.subscripts.size()) {}
  size_t calls;
  size_t contexts;
  size_t assignments;
  size_t subscripts;
};

// Brings the calls that were added into the order of their locations. Indices of calls follow.
void SortCalls(SourceFacts& facts, const Before& before) {
  const auto first = static_cast<int32_t>(before.calls);
  std::vector<int32_t> order(facts.calls.size() - before.calls);
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return facts.calls[a].location < facts.calls[b].location;
  });
  std::vector<int32_t> moved(order.size());
  std::vector<SourceCall> sorted;
  sorted.reserve(order.size());
  for (const int32_t from : order) {
    moved[from - first] = first + static_cast<int32_t>(sorted.size());
    sorted.push_back(std::move(facts.calls[from]));
  }
  std::move(sorted.begin(), sorted.end(), facts.calls.begin() + first);
  const auto move = [&moved, first](int32_t& index) {
    if (index >= first) index = moved[index - first];
  };
  for (size_t i = before.calls; i < facts.calls.size(); ++i) {
    move(facts.calls[i].outer);
    for (SourceArgument& argument : facts.calls[i].arguments) {
      move(argument.call);
    }
  }
  for (size_t i = before.contexts; i < facts.contexts.size(); ++i) move(facts.contexts[i].call);
  for (size_t i = before.assignments; i < facts.assignments.size(); ++i) {
    move(facts.assignments[i].call);
  }
  for (size_t i = before.subscripts; i < facts.subscripts.size(); ++i) {
    move(facts.subscripts[i].outer);
  }
}

}  // namespace

void CollectFacts(const SyntaxTree& tree, const FunctionSet& dataset_functions, Aliases& aliases,
                  Constants& constants, SourceFacts& facts) {
  FindAliases(tree.root(), aliases, facts.imports);
  FindConstants(tree.root(), constants);
  const Before before(facts);
  SourceWalker(dataset_functions, aliases, constants, facts).Walk(tree.root(), {});
  SortCalls(facts, before);
}

}  // namespace tilewise::python
