// The table of commands.

#include "cli/command.h"

namespace tilewise {

#define TW_COMMAND(Name, name, summary) Invocation Name##Command(Arguments& arguments);
#include "cli/commands.def"
#undef TW_COMMAND

std::span<const Command> Commands() {
  static constexpr Command kCommands[] = {
#define TW_COMMAND(Name, name, summary) {name, summary, Name##Command},
#include "cli/commands.def"
#undef TW_COMMAND
  };
  return kCommands;
}

}  // namespace tilewise
