// Dims are looked for in the graph as it was read and as it was lowered.

#include "cli/fixed_dim_words.h"

#include <cstdio>

#include <fmt/format.h>

#include "lint/fixed_dims.h"

namespace tilewise {

std::map<std::string, std::string> UnmatchedFixedDimsOf(const std::vector<std::string>& fixed_dims,
                                                        const Subject& subject) {
  const Facts& facts = subject.facts();
  std::vector<const Graph*> graphs;
  if (facts.source != nullptr) graphs.push_back(facts.source);
  if (facts.model != nullptr) graphs.push_back(&facts.model->program.graph);
  if (graphs.empty()) return {};
  return UnmatchedFixedDims(fixed_dims, graphs);
}

std::string UnmatchedDimInWords(const std::string& from, const std::string& word,
                                const std::string& hint) {
  return fmt::format(
      "{}: found '{}' in fixed-dims, which is no dim of the models that were "
      "read, expected a size (30522), an op or layer (embedding, head/*), or "
      "one with the number of a dim (dense/kernel:1){}{}",
      from, word, hint.empty() ? "" : "; ", hint);
}

void WarnOfUnmatchedDims(const std::vector<std::string>& fixed_dims, const std::string& from,
                         const Subject& subject) {
  for (const auto& [word, hint] : UnmatchedFixedDimsOf(fixed_dims, subject)) {
    std::fprintf(stderr, "tilewise: warning: %s\n", UnmatchedDimInWords(from, word, hint).c_str());
  }
}

}  // namespace tilewise
