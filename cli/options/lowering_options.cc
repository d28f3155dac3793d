// Only passes that the list marks as optional can be left out.

#include "cli/options/lowering_options.h"

#include "sim/lowering/lower.h"

namespace tilewise {
namespace {

constexpr char kLoweringGroup[] = "Lowering";

std::vector<std::string> OptionalPasses() {
  std::vector<std::string> names;
  for (const Pass& pass : LoweringPasses()) {
    if (pass.optional) names.emplace_back(pass.name);
  }
  return names;
}

}  // namespace

void Add(Arguments& arguments, LoweringOptions& options) {
  arguments.Repeated({.name = "--disable-pass",
                      .help = "leave this pass of the lowering out; 'tilewise "
                              "list passes' (repeatable)",
                      .group = kLoweringGroup,
                      .type = "NAME",
                      .check = OneOf(OptionalPasses())},
                     options.disabled_passes);
}

void AddDump(Arguments& arguments, LoweringOptions& options) {
  arguments.Text(
      {.name = "--dump-lowering",
       .help = "write the program after every pass into this folder; simulate "
               "and estimate read the last one",
       .group = kLoweringGroup,
       .type = "DIR"},
      options.dump_folder);
}

}  // namespace tilewise
