// Which reader an argument belongs to is decided here and nowhere else.

#include "cli/read_inputs.h"

#include "zoo/zoo.h"

namespace tilewise {
namespace {

using Texts = std::map<std::string, std::string>;

absl::StatusOr<Workload> ReadInput(const std::string& argument,
                                   const LoadOptions& options,
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

}  // namespace

absl::StatusOr<Workload> ReadInputs(const std::vector<std::string>& arguments,
                                    const LoadOptions& options,
                                    const Texts* texts) {
  std::vector<Workload> parts;
  for (const std::string& argument : arguments) {
    TW_ASSIGN_OR_RETURN(Workload part, ReadInput(argument, options, texts));
    parts.push_back(std::move(part));
  }
  return MergeWorkloads(std::move(parts));
}

}  // namespace tilewise
