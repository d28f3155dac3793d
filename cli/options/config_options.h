// Which configuration counts, and where the value of each option comes from.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/arguments.h"
#include "lint/config.h"
#include "lint/config_files.h"

namespace tilewise {

// Where the value of an option comes from: "--chip", "TILEWISE_CHIP",
// ".tilewise.yaml:3:7".
struct Origin {
  std::vector<std::string> words;
  std::string from;
};
// By flag, without its hyphens.
using Origins = std::map<std::string, Origin, std::less<>>;

struct ConfigOptions {
  ConfigChoice choice;
  // The arguments of the program and what came of them.
  std::vector<std::string> arguments;
  Origins origins;
  // What the files say for the options; never null after parsing.
  std::shared_ptr<const LintConfig> found;

  // Where the value of `flag` was written; the flag itself when nowhere.
  std::string FromOf(std::string_view flag) const;
};

inline constexpr char kConfigGroup[] = "Configuration";

// --config and --no-config, of every command that reads programs.
void Add(Arguments& arguments, ConfigOptions& options);

}  // namespace tilewise
