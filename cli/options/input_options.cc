// Files come by position; which reader takes one is not decided here.

#include "cli/options/input_options.h"

#include "frontend/load.h"

namespace tilewise {
namespace {

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
  arguments.Words(
      {.name = "FILE",
       .help = "model file or folder that a framework or compiler exported, "
               "training script (.py), notebook (.ipynb) ('tilewise list "
               "formats'), or zoo:NAME,parameter=value ('tilewise list zoo'); "
               "several make one workload",
       .required = true},
      options.files);
  AddFormat(arguments, options);
}

void AddOptional(Arguments& arguments, const std::string& help,
                 InputOptions& options) {
  arguments.Words({.name = "FILE", .help = help}, options.files);
  AddFormat(arguments, options);
}

}  // namespace tilewise
