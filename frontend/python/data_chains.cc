// A chain is followed by the text of what stands before the dot, and by the variables
// that its parts are bound to.

#include "frontend/python/data_chains.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "workload/blocks.h"

namespace tilewise::python {
namespace {

// ReadOptions has this number where it says no other.
constexpr int64_t kThreadsOfGrain = 16;

const SourceCall* CallOf(const SourceFacts& facts, const SourceArgument& argument) {
  return argument.call < 0 ? nullptr : &facts.calls[static_cast<size_t>(argument.call)];
}

// `keyword` of the options that a step is given; nothing where it does not say.
const SourceArgument* OptionOf(const SourceFacts& facts, const SourceCall& step,
                               std::string_view keyword) {
  for (const SourceArgument& argument : step.arguments) {
    const SourceCall* options = CallOf(facts, argument);
    if (options == nullptr) continue;
    if (const SourceArgument* found = ArgumentOf(options->arguments, keyword)) return found;
  }
  return ArgumentOf(step.arguments, keyword);
}

Count CountOf(const SourceArgument* argument, const Count& otherwise) {
  if (argument == nullptr) return otherwise;
  const std::vector<int64_t>& numbers =
      argument->sizes.empty() ? argument->integers : argument->sizes;
  if (numbers.size() != 1) return {Count::Kind::kAutotune, 0};
  return numbers[0] > 0 ? Count{Count::Kind::kValue, numbers[0]} : Count{};
}

void AddCallsOf(const SourceFacts& facts, const SourceArgument& function,
                std::vector<std::string>& calls) {
  const std::string_view name = function.name.empty() ? function.text : function.name;
  bool found = false;
  for (const SourceCall& call : facts.calls) {
    if (call.function != name || !call.class_name.empty()) continue;
    calls.push_back(call.name);
    found = true;
  }
  // A class is made of its transforms elsewhere; a lambda's calls have no name.
  const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  });
  if (!found && is_name && name != "None") calls.emplace_back(name);
}

// What the text of a chain begins with: "MapDataset.source(", "WebDataset(".
std::string BeginningOf(const SourceCall& source) {
  const std::string_view name = source.name;
  const std::string_view last = LastName(name);
  const bool is_method = std::islower(static_cast<unsigned char>(last[0])) != 0;
  const std::string_view owner =
      is_method ? LastName(name.substr(0, name.size() - last.size() - 1)) : "";
  return std::string(name.substr(name.size() - last.size() - (is_method ? owner.size() + 1 : 0))) +
         "(";
}

}  // namespace

std::vector<const SourceCall*> StepsFrom(const SourceFacts& facts, const SourceCall& source) {
  std::vector<const SourceCall*> steps;
  std::set<std::string> names(source.results.begin(), source.results.end());
  const std::string beginning = BeginningOf(source);
  for (const SourceCall& call : facts.calls) {
    const bool by_text = call.receiver.find(beginning) != std::string::npos;
    const bool by_name = !call.receiver_names.empty() && names.contains(call.receiver_names[0]) &&
                         call.location.line >= source.location.line;
    const bool in_chain = !call.receiver.empty() && (by_text || by_name);
    if (!in_chain) continue;
    steps.push_back(&call);
    names.insert(call.results.begin(), call.results.end());
  }
  return steps;
}

std::vector<std::string> MappedCalls(const SourceFacts& facts,
                                     const std::vector<const SourceCall*>& steps) {
  std::vector<std::string> calls;
  for (const SourceCall* step : steps) {
    if (!IsOneOfWords(LastName(step->name), "map|map_tuple|map_dict|map_with_index|random_map")) {
      continue;
    }
    for (const SourceArgument& argument : step->arguments) {
      const bool is_function =
          argument.call < 0 && argument.integers.empty() && argument.keyword != "seed";
      if (is_function) AddCallsOf(facts, argument, calls);
    }
  }
  return calls;
}

GrainWorkers WorkersOfGrain(const SourceFacts& facts, const std::vector<const SourceCall*>& steps) {
  GrainWorkers workers{.count = {Count::Kind::kValue, kThreadsOfGrain}};
  for (const SourceCall* step : steps) {
    const std::string_view name = LastName(step->name);
    if (name == "to_iter_dataset") {
      workers.count = CountOf(OptionOf(facts, *step, "num_threads"), workers.count);
    } else if (name == "mp_prefetch") {
      const SourceArgument* number = OptionOf(facts, *step, "num_workers");
      if (number == nullptr) return {.count = {Count::Kind::kAutotune, 0}, .processes = true};
      const Count processes = CountOf(number, {});
      if (processes.present()) return {.count = processes, .processes = true};
    }
  }
  return workers;
}

}  // namespace tilewise::python
