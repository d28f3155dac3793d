// Both options are about files, so no file can set them.

#include "cli/options/config_options.h"

#include <fmt/format.h>

namespace tilewise {

std::string ConfigOptions::FromOf(std::string_view flag) const {
  const auto origin = origins.find(flag);
  return origin == origins.end() ? fmt::format("--{}", flag) : origin->second.from;
}

void Add(Arguments& arguments, ConfigOptions& options) {
  arguments.Text({.name = "--config",
                  .help = "configuration of all files (default: of each file "
                          "the nearest .tilewise.yaml upwards)",
                  .group = kConfigGroup,
                  .type = "FILE"},
                 options.choice.file);
  arguments.Flag({.name = "--no-config,--isolated",
                  .help = "read no configuration",
                  .group = kConfigGroup,
                  .excludes = "--config"},
                 options.choice.isolated);
}

}  // namespace tilewise
