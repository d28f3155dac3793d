// Values that whoever runs the script may give on the command line or in the
// environment: absl and TF 1 flags, argparse, os.environ. Each has its default,
// and one note says which defaults were used.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/python/value.h"

namespace tilewise::python {

class Interpreter;
struct Call;

struct CommandLine {
  std::map<std::string, Value> flags;  // of absl, by name
  // What was read, in order of the first reading, and where that was.
  std::vector<std::pair<std::string, Value>> used;
  Location first_use;
};

// flags.DEFINE_integer(...), argparse.ArgumentParser(), os.getenv(...).
std::optional<Value> CallFlagMaker(Interpreter& in, const Call& call);
// parser.add_argument(...), parser.parse_args(), flag.value...
std::optional<Value> CallParserMethod(Interpreter& in, const Call& call);
// FLAGS.name, or args.name of a parsed command line; nothing for any other
// object.
std::optional<Value> FlagAttribute(Interpreter& in, const Value& object, const std::string& name,
                                   Node at);
void NoteFlagDefaults(Interpreter& in);

}  // namespace tilewise::python
