// See entry.h.

#include "frontend/mlir/entry.h"

#include <vector>

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

namespace tilewise::mlir {
namespace {

struct Candidate {
  Function function;
  int64_t operations = 0;  // of its own and of what it calls
  bool called = false;
};

bool Counts(std::string_view operation) {
  const std::string_view dialect = DialectOf(operation);
  return dialect == "stablehlo" || dialect == "mhlo" || dialect == "chlo";
}

// Operations of a region; the functions that it names are added to `calls`.
int64_t CountOperations(const Region& region, std::vector<std::string_view>& calls) {
  int64_t count = 0;
  for (const Block& block : region.blocks) {
    for (const Operation& op : block.operations) {
      count += Counts(op.name) ? 1 : 0;
      if (const Attribute* callee = op.FindAny({"callee", "symbol", "decomposition"})) {
        calls.push_back(callee->text);
      }
      if (const Attribute* callees = op.Find("called_computations")) {
        for (const Attribute& item : callees->items) calls.push_back(item.text);
      }
      for (const Region& inner : op.regions) {
        count += CountOperations(inner, calls);
      }
    }
  }
  return count;
}

}  // namespace

absl::StatusOr<Entry> ChooseEntry(const File& file) {
  Entry best;
  int64_t most = -1;
  int64_t uncalled = 0;
  for (const Section& section : file.sections) {
    std::vector<Candidate> candidates;
    absl::flat_hash_map<std::string_view, int64_t> sizes;
    absl::flat_hash_set<std::string_view> called;
    std::vector<std::vector<std::string_view>> calls;
    for (const Operation& op : section.operations) {
      if (op.name != "func.func") continue;
      Candidate candidate;
      candidate.function = AsFunction(op);
      if (candidate.function.body == nullptr) continue;
      calls.emplace_back();
      candidate.operations = CountOperations(*candidate.function.body, calls.back());
      sizes[candidate.function.name] = candidate.operations;
      called.insert(calls.back().begin(), calls.back().end());
      candidates.push_back(candidate);
    }
    Entry mine;
    int64_t my_most = -1;
    bool is_main = false;
    for (size_t i = 0; i < candidates.size(); ++i) {
      Candidate& candidate = candidates[i];
      for (std::string_view callee : calls[i]) {
        const auto size = sizes.find(callee);
        if (size != sizes.end()) candidate.operations += size->second;
      }
      const bool main = candidate.function.name == "main";
      if (!main && called.contains(candidate.function.name)) continue;
      ++uncalled;
      if (main < is_main) continue;
      if (main > is_main || candidate.operations > my_most) {
        mine.section = &section;
        mine.function = candidate.function;
        my_most = candidate.operations;
        is_main = main;
      }
    }
    // The largest part counts where parts of a file know nothing of each other.
    if (my_most > most) {
      most = my_most;
      best = mine;
    }
  }
  if (best.section == nullptr) {
    return InvalidInput("found no function with a body, expected func.func");
  }
  best.left_out = uncalled - 1;
  return best;
}

}  // namespace tilewise::mlir
