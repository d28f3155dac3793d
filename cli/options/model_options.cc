// The order is that of the help.

#include "cli/options/model_options.h"

#include <utility>

#include "frontend/load.h"
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

void AddFormat(Arguments& arguments, InputOptions& options) {
  std::vector<std::string> names;
  for (const InputFormat& format : InputFormats()) {
    names.emplace_back(format.name);
  }
  arguments.Text({.name = "--input-format",
                  .help = "read the files as this format, whatever their "
                          "content looks like; 'tilewise list formats'",
                  .type = "NAME",
                  .check = OneOf(std::move(names))},
                 options.format);
}

}  // namespace

void Add(Arguments& arguments, InputOptions& options) {
  arguments.Words({.name = "FILE",
                   .help = "model file or folder that a framework or compiler exported, "
                           "training script (.py), notebook (.ipynb) ('tilewise list "
                           "formats'), or zoo:NAME,parameter=value ('tilewise list zoo'); "
                           "several make one workload",
                   .required = true},
                  options.files);
  AddFormat(arguments, options);
}

void AddOptional(Arguments& arguments, const std::string& help, InputOptions& options) {
  arguments.Words({.name = "FILE", .help = help}, options.files);
  AddFormat(arguments, options);
}

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
  arguments.Text({.name = "--dump-lowering",
                  .help = "write the program after every pass into this folder; simulate "
                          "and estimate read the last one",
                  .group = kLoweringGroup,
                  .type = "DIR"},
                 options.dump_folder);
}

void Add(Arguments& arguments, SearchOptions& options) {
  arguments.Number({.name = "--max-global-batch",
                    .help = "largest global batch that may be recommended",
                    .group = "Search limits"},
                   options.max_global_batch, kMaxBatch);
}

void Add(Arguments& arguments, ModelOptions& options) {
  Add(arguments, options.inputs);
  Add(arguments, options.config);
  Add(arguments, options.target);
  Add(arguments, options.training);
  Add(arguments, options.loop);
}

}  // namespace tilewise
