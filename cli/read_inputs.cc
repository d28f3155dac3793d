// Which reader an argument belongs to is decided here and nowhere else.

#include "cli/read_inputs.h"

#include "frontend/python/project_pins.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

using Texts = std::map<std::string, std::string>;

absl::StatusOr<Workload> ReadInput(const std::string& argument, const LoadOptions& options,
                                   const Texts* texts) {
  if (texts != nullptr) {
    const auto text = texts->find(argument);
    if (text != texts->end()) {
      return LoadBytes({argument, text->second}, options);
    }
  }
  if (IsZooSpec(argument)) {
    return LoadZoo(argument, options.training.value_or(true));
  }
  return LoadFiles({argument}, options);
}

// A program that imports packages runs with the releases that its project asks
// for.
void AddPins(const std::string& argument, Workload& part) {
  if (part.facts.imports.empty()) return;
  python::AddProjectPins(argument, part.facts);
}

}  // namespace

absl::StatusOr<Workload> ReadInputs(const std::vector<std::string>& arguments,
                                    const LoadOptions& options, const Texts* texts) {
  std::vector<Workload> parts;
  for (const std::string& argument : arguments) {
    TW_ASSIGN_OR_RETURN(Workload part, ReadInput(argument, options, texts));
    AddPins(argument, part);
    parts.push_back(std::move(part));
  }
  return MergeWorkloads(std::move(parts));
}

}  // namespace tilewise
