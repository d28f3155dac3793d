// Flags take their defaults. A default of None stands for a value that only the
// command line gives, so it is unknown.

#include "frontend/python/command_line.h"

#include <algorithm>

#include <fmt/format.h>

#include "frontend/python/import_names.h"
#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

constexpr std::string_view kNamespace = "argparse.Namespace";
constexpr std::string_view kParser = "argparse.ArgumentParser";
constexpr size_t kMaxShown = 6;

Value DefaultOf(Interpreter& in, std::string_view name, const Value* given, Node at) {
  if (given != nullptr && !given->none()) return *given;
  return in.MakeUnknown(fmt::format("option `{}` has no default in the script", name), at);
}

void Remember(Interpreter& in, const std::string& name, const Value& value, Node at) {
  CommandLine& line = in.command_line;
  const auto same = [&name](const auto& used) { return used.first == name; };
  if (std::any_of(line.used.begin(), line.used.end(), same)) return;
  if (!AsNumber(value).has_value()) return;  // paths and names size nothing
  if (line.used.empty()) line.first_use = at.location();
  line.used.emplace_back(name, value);
}

// DEFINE_integer("name", default, help); the Flag object has a `value`.
Value DefineFlag(Interpreter& in, const Call& call) {
  const Value* given = call.arguments.Get(0, "name");
  const std::string* name = given == nullptr ? nullptr : given->as<std::string>();
  if (name == nullptr) return in.MakeUnknown("a flag without a name", call.node);
  const Value value = DefaultOf(in, *name, call.arguments.Get(1, "default"), call.node);
  in.command_line.flags[*name] = value;
  const Value flag = in.MakeObject(std::string(kNamespace), call);
  flag.ref<Object>()->attributes["value"] = value;
  flag.ref<Object>()->attributes["default"] = value;
  return flag;
}

// "--batch-size" -> "batch_size"; a positional name is itself.
std::string OptionName(const Call& call) {
  if (const Value* dest = call.arguments.Keyword("dest")) {
    if (const std::string* text = dest->as<std::string>()) return *text;
  }
  std::string best;
  for (const Value& value : call.arguments.positional) {
    const std::string* text = value.as<std::string>();
    if (text == nullptr) continue;
    if (best.empty() || text->starts_with("--")) best = *text;
    if (text->starts_with("--")) break;
  }
  best.erase(0, std::min(best.find_first_not_of('-'), best.size()));
  std::replace(best.begin(), best.end(), '-', '_');
  return best;
}

void AddArgument(Interpreter& in, Object& parser, const Call& call) {
  const std::string name = OptionName(call);
  const Value* value = call.arguments.Keyword("default");
  const Value* action = call.arguments.Keyword("action");
  const std::string* kind = action == nullptr ? nullptr : action->as<std::string>();
  if (value == nullptr && kind != nullptr && kind->starts_with("store_")) {
    parser.attributes[name] = {*kind == "store_false"};
    return;
  }
  parser.attributes[name] = DefaultOf(in, name, value, call.node);
}

Value Parsed(Interpreter& in, const Object& parser, const Call& call) {
  const Value result = in.MakeObject(std::string(kNamespace), call);
  result.ref<Object>()->attributes = parser.attributes;
  return result;
}

std::optional<Value> FromEnvironment(Interpreter& in, const Call& call) {
  const Value* name = call.arguments.Get(0, "key");
  const std::string* text = name == nullptr ? nullptr : name->as<std::string>();
  if (text == nullptr) return std::nullopt;
  const Value value = DefaultOf(in, *text, call.arguments.Get(1, "default"), call.node);
  Remember(in, *text, value, call.node);
  return value;
}

}  // namespace

std::optional<Value> CallFlagMaker(Interpreter& in, const Call& call) {
  const std::string_view last = LastPart(call.name);
  if (last.starts_with("DEFINE_")) return DefineFlag(in, call);
  if (call.name == kParser) return in.MakeObject(std::string(kParser), call);
  if (call.name == "os.environ.get" || call.name == "os.getenv") {
    return FromEnvironment(in, call);
  }
  const Object* parsed =
      call.arguments.positional.empty() ? nullptr : call.arguments.positional[0].ref<Object>();
  if (call.name == "builtins.vars" && parsed != nullptr) {
    Dict* dict = in.arena.New(Dict{});
    for (const auto& [name, value] : parsed->attributes) {
      dict->items.emplace_back(Value{name}, value);
    }
    return Value{dict};
  }
  return std::nullopt;
}

std::optional<Value> CallParserMethod(Interpreter& in, const Call& call) {
  Object* parser = call.self->ref<Object>();
  if (parser == nullptr || parser->path != kParser) return std::nullopt;
  if (call.name == "add_argument") {
    AddArgument(in, *parser, call);
    return Value{None{}};
  }
  if (call.name.starts_with("add_")) return *call.self;  // groups of options
  if (call.name == "set_defaults") {
    for (const auto& [name, value] : call.arguments.keyword) {
      parser->attributes[name] = value;
    }
    return Value{None{}};
  }
  if (call.name == "parse_args") return Parsed(in, *parser, call);
  if (call.name == "parse_known_args") {
    return in.MakeTuple({Parsed(in, *parser, call), in.MakeList({})});
  }
  return std::nullopt;
}

std::optional<Value> FlagAttribute(Interpreter& in, const Value& object, const std::string& name,
                                   Node at) {
  if (const Path* path = object.as<Path>()) {
    if (LastPart(path->name) != "FLAGS") return std::nullopt;
    const auto found = in.command_line.flags.find(name);
    if (found == in.command_line.flags.end()) {
      return in.MakeUnknown(fmt::format("flag `{}` is defined in another file", name), at);
    }
    Remember(in, name, found->second, at);
    return found->second;
  }
  const Object* parsed = object.ref<Object>();
  if (parsed == nullptr || parsed->path != kNamespace) return std::nullopt;
  const auto found = parsed->attributes.find(name);
  if (found == parsed->attributes.end()) return std::nullopt;
  Remember(in, name, found->second, at);
  return found->second;
}

void NoteFlagDefaults(Interpreter& in) {
  const CommandLine& line = in.command_line;
  if (line.used.empty()) return;
  std::string shown;
  for (size_t i = 0; i < line.used.size() && i < kMaxShown; ++i) {
    const auto& [name, value] = line.used[i];
    const bool* flag = value.as<bool>();
    shown += fmt::format(
        "{}{}={}", i == 0 ? "" : ", ", name,
        flag != nullptr ? (*flag ? "True" : "False") : fmt::format("{}", *AsNumber(value)));
  }
  if (line.used.size() > kMaxShown) shown += ", ...";
  in.Note("RD002", line.first_use,
          fmt::format("command-line options are taken at their defaults ({}); "
                      "change them there if the run gives others",
                      shown));
}

}  // namespace tilewise::python
