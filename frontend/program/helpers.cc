// The module `_python`: files beside the program, patterns, signatures.

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include <boost/regex.hpp>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "frontend/program/search.h"
#include "frontend/program/trace.h"

namespace tilewise::program {
namespace {

using py::Arguments;
using py::AsInt;
using py::Interpreter;
using py::None;
using py::Taken;
using py::TextOf;
using PyValue = py::Value;

PyValue ReadFile(Interpreter& in, Arguments& arguments) {
  const std::string* path = TextOf(Taken(in, arguments)[0]);
  if (path == nullptr) return None();
  auto& host = static_cast<ProgramHost&>(in.host());
  if (!host.LiesInProject(*path)) {
    std::error_code error;
    if (std::filesystem::is_regular_file(*path, error)) {
      in.Note("RD003", in.UserLocation(),
              fmt::format("{} lies outside of the project and is not read", *path));
    }
    return None();
  }
  std::optional<std::string> text = in.host().ReadFile(*path);
  return text.has_value() ? in.Text(*std::move(text)) : None();
}

// Python's (?P<name>..) and (?P=name) as Boost writes them.
std::string BoostPattern(const std::string& pattern) {
  std::string result;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern.compare(i, 3, "(?P") == 0 && i + 3 < pattern.size()) {
      if (pattern[i + 3] == '<') {
        result += "(?";
        i += 2;
        continue;
      }
      if (pattern[i + 3] == '=') {
        const size_t end = pattern.find(')', i);
        result += "\\k<" + pattern.substr(i + 4, end - i - 4) + ">";
        i = end;
        continue;
      }
    }
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      if (pattern[i + 1] == 'Z') {
        result += "\\z";
        ++i;
        continue;
      }
      result += pattern[i++];
    }
    result += pattern[i];
  }
  return result;
}

std::optional<boost::regex> Compile(const std::string& pattern, int64_t flags) {
  constexpr int64_t kIgnoreCase = 2, kMultiLine = 8, kDotAll = 16, kVerbose = 64;
  boost::regex::flag_type options = boost::regex::perl;
  if ((flags & kIgnoreCase) != 0) options |= boost::regex::icase;
  options |= (flags & kMultiLine) != 0 ? boost::regex::normal : boost::regex::no_mod_m;
  options |= (flags & kDotAll) != 0 ? boost::regex::mod_s : boost::regex::no_mod_s;
  if ((flags & kVerbose) != 0) options |= boost::regex::mod_x;
  try {
    return boost::regex(BoostPattern(pattern), options);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// Programs ask for a few patterns for each of many lines.
std::optional<boost::regex> Compiled(const std::string& pattern, int64_t flags) {
  constexpr size_t kMost = 64;
  thread_local std::map<std::pair<std::string, int64_t>, std::optional<boost::regex>> kept;
  const auto found = kept.find({pattern, flags});
  if (found != kept.end()) return found->second;
  if (kept.size() >= kMost) kept.clear();
  return kept[{pattern, flags}] = Compile(pattern, flags);
}

PyValue Regex(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const py::Str* points = taken[2].as<py::Str>();
  const std::string *pattern = TextOf(taken[0]), *text = TextOf(taken[2]);
  const std::string* mode = TextOf(taken[4]);
  if (pattern == nullptr || text == nullptr || mode == nullptr) {
    return in.MakeUnknown("what a pattern matches in a text that is not known");
  }
  const std::optional<boost::regex> regex = Compiled(*pattern, AsInt(taken[1]).value_or(0));
  if (!regex.has_value()) return in.MakeUnknown(fmt::format("what '{}' matches", *pattern));
  const int64_t start_at = std::max<int64_t>(0, AsInt(taken[3]).value_or(0));
  if (start_at > points->size()) return None();
  const size_t from = points->Byte(start_at);
  in.Step(20 + static_cast<int64_t>(text->size()) / 16);
  boost::smatch match;
  bool found = false;
  const auto begin = text->begin() + static_cast<std::ptrdiff_t>(from);
  auto flags = boost::match_default;
  if (from > 0) flags |= boost::match_prev_avail;
  try {
    if (*mode == "fullmatch") {
      found = boost::regex_match(begin, text->end(), match, *regex, flags);
    } else {
      if (*mode == "match") flags |= boost::match_continuous;
      found = boost::regex_search(begin, text->end(), match, *regex, flags);
    }
  } catch (const std::exception&) {
    return in.MakeUnknown(fmt::format("what '{}' matches", *pattern));
  }
  if (!found) return None();
  std::vector<PyValue> groups;
  for (size_t i = 0; i < match.size(); ++i) {
    const int64_t none = -1;
    const bool there = match[static_cast<int>(i)].matched;
    const auto place = [&](const auto& at) {
      return points->Point(static_cast<size_t>(at - text->begin()));
    };
    const int64_t start = there ? place(match[static_cast<int>(i)].first) : none;
    const int64_t end = there ? place(match[static_cast<int>(i)].second) : none;
    groups.push_back(in.Tuple({PyValue(start), PyValue(end)}));
  }
  return in.List(std::move(groups));
}

// regex_replace(pattern, flags, text, plain): the text with `plain` for each match, and how many
// there are.
PyValue RegexReplace(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::string *pattern = TextOf(taken[0]), *text = TextOf(taken[2]);
  const std::string* plain = TextOf(taken[3]);
  const auto regex = pattern == nullptr ? std::optional<boost::regex>()
                                        : Compiled(*pattern, AsInt(taken[1]).value_or(0));
  if (!regex.has_value() || text == nullptr || plain == nullptr) {
    const PyValue why = in.MakeUnknown("what a pattern matches in a text that is not known");
    return in.Tuple({why, why});
  }
  in.Step(2 + static_cast<int64_t>(text->size()) / 64);
  std::string out;
  int64_t count = 0;
  try {
    auto rest = text->begin();
    for (boost::sregex_iterator at(text->begin(), text->end(), *regex), end; at != end; ++at) {
      out.append(rest, (*at)[0].first);
      out += *plain;
      rest = (*at)[0].second;
      ++count;
    }
    out.append(rest, text->end());
  } catch (const std::exception&) {
    const PyValue why = in.MakeUnknown(fmt::format("what '{}' matches", *pattern));
    return in.Tuple({why, why});
  }
  return in.Tuple({in.Text(std::move(out)), PyValue(count)});
}

PyValue RegexGroups(Interpreter& in, Arguments& arguments) {
  const std::string* pattern = TextOf(Taken(in, arguments)[0]);
  if (pattern == nullptr) return in.MakeUnknown("a pattern");
  int64_t count = 0;
  py::Dict* names = in.New<py::Dict>();
  for (size_t i = 0; i < pattern->size(); ++i) {
    if ((*pattern)[i] == '\\') {
      ++i;
    } else if ((*pattern)[i] == '[') {
      // A set: brackets within it open no group.
      size_t end = i + 1;
      if (end < pattern->size() && (*pattern)[end] == '^') ++end;
      if (end < pattern->size() && (*pattern)[end] == ']') ++end;
      while (end < pattern->size() && (*pattern)[end] != ']')
        end += (*pattern)[end] == '\\' ? 2 : 1;
      i = end;
    } else if ((*pattern)[i] == '(') {
      const bool plain = i + 1 >= pattern->size() || (*pattern)[i + 1] != '?';
      const bool named = pattern->compare(i, 4, "(?P<") == 0;
      if (plain || named) ++count;
      if (named) {
        const size_t end = pattern->find('>', i);
        in.SetItem(*names, in.Text(pattern->substr(i + 4, end - i - 4)), PyValue(count));
      }
    }
  }
  return in.Tuple({PyValue(count), names});
}

PyValue Signature(Interpreter& in, Arguments& arguments) {
  PyValue callee = Taken(in, arguments)[0];
  size_t skipped = 0;
  if (py::Class* type = callee.as<py::Class>()) {
    const PyValue* start = type->Find(in.Name("__init__"));
    if (start == nullptr) return in.List({});
    callee = *start;
    skipped = 1;
  }
  if (const py::Instance* instance = callee.as<py::Instance>()) {
    const PyValue* call = instance->type->Find(in.Name("__call__"));
    if (call == nullptr) return in.List({});
    callee = *call;
    skipped = 1;
  }
  if (const py::Method* method = callee.as<py::Method>()) {
    callee = method->function;
    skipped = 1;
  }
  if (const py::Wrapped* wrapped = callee.as<py::Wrapped>()) callee = wrapped->function;
  if (py::Function* function = callee.as<py::Function>()) {
    if (const PyValue* inner = function->attributes.Find(in.Name("__wrapped__"))) callee = *inner;
  }
  const py::Function* function = callee.as<py::Function>();
  if (function == nullptr) return in.List({});
  constexpr const char* kKinds[] = {"positional_or_keyword", "positional_only", "var_positional",
                                    "keyword_only", "var_keyword"};
  std::vector<PyValue> rows;
  for (size_t i = skipped; i < function->node->list.size(); ++i) {
    const py::Node* parameter = function->node->list[i];
    const PyValue& value = function->defaults[i];
    rows.push_back(in.Tuple({in.Text(*parameter->name),
                             in.Text(kKinds[static_cast<size_t>(parameter->parameter)]),
                             PyValue(value.set()), value.set() ? value : None()}));
  }
  return in.List(std::move(rows));
}

PyValue IsGenerator(Interpreter& in, Arguments& arguments) {
  PyValue callee = Taken(in, arguments)[0];
  if (const py::Method* method = callee.as<py::Method>()) callee = method->function;
  const py::Function* function = callee.as<py::Function>();
  return PyValue(function != nullptr && function->node->scope->generator);
}

PyValue ImportModule(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const std::string* name = TextOf(taken[0]);
  if (name == nullptr) return in.MakeUnknown("a module whose name is not known");
  std::string dotted = *name;
  const PyValue package = taken.Or(1, "package", None());
  if (dotted.starts_with('.') && TextOf(package) != nullptr) {
    std::string base = *TextOf(package);
    size_t dots = dotted.find_first_not_of('.');
    for (size_t i = 1; i < dots && !base.empty(); ++i)
      base.resize(std::min(base.size(), base.rfind('.')));
    dotted = base + "." + dotted.substr(dots);
  }
  return in.Import(dotted);
}

PyValue FromYaml(Interpreter& in, const YAML::Node& node, int depth) {
  if (depth > 60) return in.MakeUnknown("YAML that is nested too deep");
  if (node.IsSequence()) {
    std::vector<PyValue> items;
    for (const YAML::Node& item : node) items.push_back(FromYaml(in, item, depth + 1));
    return in.List(std::move(items));
  }
  if (node.IsMap()) {
    py::Dict* dict = in.New<py::Dict>();
    for (const auto& pair : node) {
      in.SetItem(*dict, FromYaml(in, pair.first, depth + 1), FromYaml(in, pair.second, depth + 1));
    }
    return dict;
  }
  if (!node.IsScalar()) return None();
  const std::string& text = node.Scalar();
  // Quoted scalars have the tag "!".
  if (node.Tag() == "!") return in.Text(text);
  if (text.empty() || text == "null" || text == "~" || text == "Null" || text == "NULL")
    return None();
  if (text == "true" || text == "True" || text == "TRUE") return PyValue(true);
  if (text == "false" || text == "False" || text == "FALSE") return PyValue(false);
  char* end = nullptr;
  const bool digits = text.find_first_not_of("0123456789_-+") == std::string::npos;
  std::string plain = text;
  std::erase(plain, '_');
  if (digits) {
    const int64_t number = std::strtoll(plain.c_str(), &end, 10);
    if (end != plain.c_str() && *end == '\0') return PyValue(number);
  }
  if (text.find_first_of("0123456789") != std::string::npos &&
      text.find_first_not_of("0123456789.eE+-_") == std::string::npos) {
    const double number = std::strtod(plain.c_str(), &end);
    if (end != plain.c_str() && *end == '\0') return PyValue(number);
  }
  return in.Text(text);
}

PyValue Yaml(Interpreter& in, Arguments& arguments) {
  const std::string* text = TextOf(Taken(in, arguments)[0]);
  if (text == nullptr) return in.MakeUnknown("YAML that is not known");
  try {
    return FromYaml(in, YAML::Load(*text), 0);
  } catch (const YAML::Exception& exception) {
    in.Raise("ValueError", exception.what());
  }
}

PyValue LiteralEval(Interpreter& in, Arguments& arguments) {
  const std::string* text = TextOf(Taken(in, arguments)[0]);
  if (text == nullptr) return in.MakeUnknown("a text that is not known");
  return in.EvalText(*in.frame().module, *text);
}
PyValue HashOf(Interpreter& in, Arguments& arguments) {
  return PyValue(static_cast<int64_t>(in.Hash(Taken(in, arguments)[0]) & 0x7fffffffffffffff));
}
PyValue AddressOf(Interpreter& in, Arguments& arguments) {
  const PyValue& value = Taken(in, arguments)[0];
  return PyValue(value.is_object() ? reinterpret_cast<int64_t>(value.object) : value.integer);
}

std::string FolderOf(const std::string& file) {
  const size_t slash = file.rfind('/');
  return slash == std::string::npos ? "" : file.substr(0, slash);
}

// A line of the program.
PyValue PlaceHere(Interpreter& in, Arguments&) {
  Place* place = in.New<Place>();
  FillPlace(in, place->location, place->statement, place->call);
  return place;
}

// asked_at(): the file and the line of the program that runs.
PyValue AskedAt(Interpreter& in, Arguments&) {
  const Location at = in.UserLocation();
  return in.Tuple({in.Text(at.file), PyValue(static_cast<int64_t>(at.line))});
}

// run(path): the namespace of a file that ran as a program; None: there is none.
PyValue RunProgram(Interpreter& in, Arguments& arguments) {
  const std::string* path = TextOf(Taken(in, arguments)[0]);
  const std::optional<std::string> text =
      path == nullptr ? std::nullopt : in.host().ReadFile(*path);
  if (!text.has_value()) return None();
  py::Module* module = in.NewModule("__main__", py::Module::Origin::kUser);
  module->file = *path;
  module->names.Set(in.Name("__file__"), in.Text(*path));
  in.RunFile(*module, *path, *text);
  return module;
}

// at(place, function, ...): the call, as if made at that line.
PyValue CallAt(Interpreter& in, Arguments& arguments) {
  std::vector<PyValue>& given = arguments.positional;
  if (given.size() < 2) in.Raise("TypeError", "expected a place and a function");
  const auto* place = given[0].is_object() ? dynamic_cast<const Place*>(given[0].object) : nullptr;
  const PyValue function = given[1];
  const Location at = place == nullptr ? in.UserLocation() : place->location;
  given.erase(given.begin(), given.begin() + 2);
  const Interpreter::Placed placed(in, at);
  return in.Call(function, arguments);
}

// awaits(name): whether the program is about to handle an exception of that name.
PyValue Awaits(Interpreter& in, Arguments& arguments) {
  return PyValue(in.Awaits(in.Display(Taken(in, arguments)[0])));
}

// list_folder(name): the names of the files of a folder of the project, in order, as seen from
// the program or from the current folder; those of folders end in a slash.
PyValue ListFolder(Interpreter& in, Arguments& arguments) {
  constexpr size_t kMostNames = 4096;
  namespace fs = std::filesystem;
  const std::string* folder = TextOf(Taken(in, arguments)[0]);
  std::vector<std::string> names;
  if (folder != nullptr && !in.argv.empty() &&
      static_cast<ProgramHost&>(in.host()).LiesInProject(*folder)) {
    std::error_code error;
    const fs::path beside = fs::path(in.argv.front()).parent_path() / *folder;
    fs::directory_iterator at(fs::is_directory(beside, error) ? beside : fs::path(*folder), error);
    for (const fs::directory_iterator end; !error && at != end && names.size() < kMostNames;
         at.increment(error)) {
      if (at->is_regular_file(error)) names.push_back(at->path().filename().string());
      if (at->is_directory(error)) names.push_back(at->path().filename().string() + "/");
    }
  }
  std::sort(names.begin(), names.end());
  std::vector<PyValue> made;
  made.reserve(names.size());
  for (std::string& name : names) made.push_back(in.Text(std::move(name)));
  return in.List(std::move(made));
}

// run_cell(text): a cell's text in the module of the program that is run.
PyValue RunCell(Interpreter& in, Arguments& arguments) {
  const std::string* text = TextOf(Taken(in, arguments)[0]);
  const py::Frame* program = nullptr;
  for (const py::Frame* frame : in.frames()) {
    const bool user =
        frame->module != nullptr && frame->module->origin == py::Module::Origin::kUser;
    if (user) program = frame;
  }
  if (text == nullptr || program == nullptr || program->function != nullptr) {
    return in.MakeUnknown("the result of a cell that is not known");
  }
  in.RunText(*program->module, *text);
  return None();
}

}  // namespace

void NoteLowerBound(Interpreter& in, std::string_view what, const py::Unknown& why) {
  in.Note("RD002", in.UserLocation(),
          fmt::format("the count is a lower bound: {}: {}", what, why.reason()),
          Severity::kWarning);
}

int64_t AssumedSize(Interpreter& in, const py::Unknown& why) {
  // This is what a tile of the MXU holds: a smaller size is padded to it.
  constexpr int64_t kSize = 128;
  TraceOf(in).assumed_size = true;
  TraceOf(in).taken_sizes.emplace(why.reason(), kSize);
  NoteLowerBound(in, fmt::format("a size that is not known is taken as {}", kSize), why);
  return kSize;
}

bool Trace::StandsIn(const Shape& of) const {
  return std::ranges::any_of(of.dims, [this](const Dim& dim) {
    return dim.factor > 0 &&
           std::ranges::any_of(open_dims, [&](int64_t open) { return dim.factor % open == 0; });
  });
}

const int64_t* Trace::TakenSize(const py::Value& value) const {
  const auto* unknown = value.as<py::Unknown>();
  if (unknown == nullptr) return nullptr;
  const auto found = taken_sizes.find(unknown->reason());
  return found == taken_sizes.end() ? nullptr : &found->second;
}

void FillPlace(const Interpreter& in, Location& location, Span& statement, Span& call) {
  const py::Frame* frame = in.UserFrame();
  location = in.UserLocation();
  if (frame == nullptr) return;
  const auto span = [&](const py::Node* node) {
    return node == nullptr ? Span() : Span{location.file, node->cell, node->begin, node->end};
  };
  statement = span(frame->at);
  call = span(frame->call);
}

void DefineHelpers(Interpreter& in, py::Module& module) {
  const std::pair<const char*, py::NativeFunction> kFunctions[] = {
      {"read_file", ReadFile},
      {"list_folder", ListFolder},
      {"regex", Regex},
      {"regex_groups", RegexGroups},
      {"regex_replace", RegexReplace},
      {"signature", Signature},
      {"yaml", Yaml},
      {"import_module", ImportModule},
      {"hash", HashOf},
      {"literal_eval", LiteralEval},
      {"address", AddressOf},
      {"place", PlaceHere},
      {"asked_at", AskedAt},
      {"at", CallAt},
      {"run", RunProgram},
      {"run_cell", RunCell},
      {"is_generator_function", IsGenerator},
      {"awaits", Awaits},
  };
  for (const auto& [name, function] : kFunctions) in.Define(module, name, function);
  std::vector<PyValue> argv;
  for (const std::string& argument : in.argv) argv.push_back(in.Text(argument));
  module.names.Set(in.Name("argv"), in.List(std::move(argv)));
  const PyValue path = in.List({in.Text(in.argv.empty() ? "" : FolderOf(in.argv.front()))});
  module.names.Set(in.Name("path"), path);
  static_cast<ProgramHost&>(in.host()).FollowPath(path.as<py::Sequence>());
  module.names.Set(in.Name("modules"), in.module_table());
  module.names.Set(in.Name("directory"), in.Text("."));
}

}  // namespace tilewise::program
