// The user's program: files, folders, models of the zoo; and their format.

#pragma once

#include <string>
#include <vector>

#include "cli/options/arguments.h"

namespace tilewise {

struct InputOptions {
  std::vector<std::string> files;
  std::string format;  // of all of them; empty: the content decides
};

void Add(Arguments& arguments, InputOptions& options);
// The same where no file is needed; `help`: what files mean then.
void AddOptional(Arguments& arguments, const std::string& help,
                 InputOptions& options);

}  // namespace tilewise
