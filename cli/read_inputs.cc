// Which reader an argument belongs to is decided here and nowhere else.

#include "cli/read_inputs.h"

#include "zoo/zoo.h"

namespace tilewise {
namespace {

absl::StatusOr<Workload> ReadInput(const std::string& argument,
                                   const LoadOptions& options) {
  if (IsZooSpec(argument)) {
    return LoadZoo(argument, options.training.value_or(true));
  }
  return LoadFiles({argument}, options);
}

}  // namespace

absl::StatusOr<Workload> ReadInputs(const std::vector<std::string>& arguments,
                                    const LoadOptions& options) {
  std::vector<Workload> parts;
  for (const std::string& argument : arguments) {
    TW_ASSIGN_OR_RETURN(Workload part, ReadInput(argument, options));
    parts.push_back(std::move(part));
  }
  return MergeWorkloads(std::move(parts));
}

}  // namespace tilewise
