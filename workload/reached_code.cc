// Code that a program comes to in the files that it imports, told by names alone:
// from its own file through calls, names that are handed on, classes and their
// methods. Where the program stops when it is run on symbols does not matter.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workload/blocks.h"
#include "workload/source_facts.h"

namespace tilewise {
namespace {

// Rules compare calls with each other: what is appended stays below what they take.
constexpr size_t kMostCalls = 4000;
// Methods that nobody calls by their name.
constexpr std::string_view kImplicit =
    "__init__|__call__|__iter__|__next__|__getitem__|__len__|forward|call|setup|build|train_step|"
    "training_step|configure_optimizers";

// "pkg.engine" of "a/pkg/engine.py", as the last parts of "a.pkg.engine".
std::string DottedPath(std::string_view path) {
  if (path.ends_with(".py")) path.remove_suffix(3);
  if (path.ends_with("/__init__")) path.remove_suffix(9);
  std::string dotted(path);
  std::ranges::replace(dotted, '/', '.');
  return dotted;
}

// Whether the parts of `tail` are the last ones of `dotted`.
bool EndsWithParts(std::string_view dotted, std::string_view tail) {
  if (!dotted.ends_with(tail)) return false;
  const size_t before = dotted.size() - tail.size();
  return before == 0 || dotted[before - 1] == '.';
}

// Whether the parts of `some` stand anywhere in `dotted`: a package that hands on what a file of it
// defines.
bool HasParts(std::string_view dotted, std::string_view some) {
  const std::string within = "." + std::string(dotted) + ".";
  return within.find("." + std::string(some) + ".") != std::string::npos;
}

// A function, a class or a method of one of the files.
struct Definition {
  size_t file = 0;
  int32_t context = -1;
  int32_t owner = -1;  // the class of a method
  auto operator<=>(const Definition&) const = default;
};

class Reach {
 public:
  // `files[0]` is the one that is linted.
  explicit Reach(std::vector<ImportedFile> files) : files_(std::move(files)) {
    for (size_t i = 0; i < files_.size(); ++i) Index(i);
    NameModules();
  }

  void Run() {
    Visit(0, -1);
    while (!pending_.empty()) {
      const Definition next = pending_.back();
      pending_.pop_back();
      Visit(next.file, next.context);
      if (read_tops_.insert(next.file).second && next.file != 0) Visit(next.file, -1);
    }
  }

  // Appends what was come to, the files in the order in which they were given.
  std::vector<std::string> Append() {
    SourceFacts& all = files_[0].facts;
    std::vector<std::string> appended;
    Rename(0);
    for (size_t i = 1; i < files_.size(); ++i) {
      if (!read_tops_.contains(i)) continue;
      Rename(i);
      SourceFacts part = PartOf(i);
      if (part.calls.empty() || all.calls.size() + part.calls.size() > kMostCalls) continue;
      appended.push_back(files_[i].path);
      all.Append(std::move(part));
    }
    return appended;
  }

  SourceFacts TakeProgram() { return std::move(files_[0].facts); }

 private:
  const SourceFacts& FactsOf(size_t file) const { return files_[file].facts; }

  // The function, method or class at the top that holds `context`; -1: none does.
  int32_t UnitOf(const SourceFacts& facts, int32_t context) const {
    int32_t unit = -1;
    for (int32_t at = context; at >= 0; at = facts.contexts[at].parent) {
      const ContextKind kind = facts.contexts[at].kind;
      if (kind == ContextKind::kFunction) unit = at;
    }
    return unit;
  }

  void Index(size_t file) {
    const SourceFacts& facts = FactsOf(file);
    std::vector<int32_t>& units = units_.emplace_back();
    for (size_t i = 0; i < facts.contexts.size(); ++i) {
      const auto at = static_cast<int32_t>(i);
      const SourceContext& context = facts.contexts[i];
      units.push_back(UnitOf(facts, at));
      const bool is_class = context.kind == ContextKind::kClass;
      if (!is_class && context.kind != ContextKind::kFunction) continue;
      if (UnitOf(facts, context.parent) >= 0) continue;
      const int32_t owner = Around(facts, context.parent, ContextKind::kClass);
      const Definition found = {file, at, owner};
      if (owner >= 0 && !is_class) {
        methods_[context.name].push_back(found);
      } else if (owner < 0) {
        tops_[context.name].push_back(found);
      }
    }
    dotted_.push_back(DottedPath(files_[file].path));
  }

  // The shortest end of each file's path that no other file has.
  void NameModules() {
    for (size_t i = 0; i < files_.size(); ++i) {
      const std::string& dotted = dotted_[i];
      size_t begin = dotted.rfind('.');
      const auto is_shared = [&](std::string_view tail) {
        return std::ranges::count_if(dotted_, [&](const std::string& other) {
                 return EndsWithParts(other, tail);
               }) > 1;
      };
      while (begin != std::string::npos && begin > 0 && is_shared(dotted.substr(begin + 1))) {
        begin = dotted.rfind('.', begin - 1);
      }
      names_.push_back(begin == std::string::npos ? dotted : dotted.substr(begin + 1));
    }
  }

  // What stands at the top of a file that a dotted name means; null: nothing of the program.
  const Definition* Resolve(std::string_view name) const {
    const auto found = tops_.find(LastName(name));
    const size_t dot = name.rfind('.');
    if (found == tops_.end() || dot == std::string_view::npos) return nullptr;
    std::string_view module = name.substr(0, dot);
    while (module.starts_with(".")) module.remove_prefix(1);
    const Definition* handed_on = nullptr;
    size_t several = 0;
    for (const Definition& each : found->second) {
      if (module.empty() || EndsWithParts(dotted_[each.file], module)) return &each;
      if (!HasParts(dotted_[each.file], module)) continue;
      handed_on = &each;
      ++several;
    }
    return several == 1 ? handed_on : nullptr;
  }

  const Definition* InFile(size_t file, std::string_view name) const {
    const auto found = tops_.find(name);
    if (found == tops_.end()) return nullptr;
    const auto here = std::ranges::find(found->second, file, &Definition::file);
    return here == found->second.end() ? nullptr : &*here;
  }

  void Add(const Definition& definition) {
    if (definition.file == 0 || !reached_.insert(definition).second) return;
    pending_.push_back(definition);
    const SourceContext& context = FactsOf(definition.file).contexts[definition.context];
    if (context.kind != ContextKind::kClass) return;
    for (const auto& [name, all] : methods_) {
      if (!IsOneOfWords(name, kImplicit) && !called_.contains(name)) continue;
      for (const Definition& method : all) {
        if (method.file == definition.file && method.owner == definition.context) Add(method);
      }
    }
  }

  // A method of that name is called: those of the classes that are reached are.
  void AddMethods(std::string_view name) {
    if (!called_.insert(std::string(name)).second) return;
    const auto found = methods_.find(name);
    if (found == methods_.end()) return;
    for (const Definition& method : found->second) {
      if (reached_.contains({method.file, method.owner, -1})) Add(method);
    }
  }

  void Note(size_t file, std::string_view name) {
    if (name.empty()) return;
    if (const Definition* here = InFile(file, name)) return Add(*here);
    const size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return;
    if (const Definition* there = Resolve(name)) return Add(*there);
    // Of Class.method also the class.
    if (const Definition* there = Resolve(name.substr(0, dot))) Add(*there);
    if (const Definition* here = InFile(file, name.substr(0, dot))) Add(*here);
    AddMethods(name.substr(dot + 1));
  }

  void NoteArguments(size_t file, const std::vector<SourceArgument>& arguments) {
    for (const SourceArgument& argument : arguments) Note(file, argument.name);
  }

  // `context`: a function, a class without its methods; -1: what stands at the top of the file.
  bool IsOf(size_t file, int32_t context, int32_t unit_of) const {
    if (file == 0 && context < 0) return true;
    const int32_t unit = unit_of < 0 ? -1 : units_[file][unit_of];
    if (unit >= 0) return unit == context;
    return context < 0 ? !IsOfMain(file, unit_of) : IsInside(FactsOf(file), unit_of, context);
  }

  // Whether it runs only where the file is the one that is started.
  bool IsOfMain(size_t file, int32_t context) const {
    const SourceFacts& facts = FactsOf(file);
    for (; context >= 0; context = facts.contexts[context].parent) {
      const SourceContext& here = facts.contexts[context];
      if (here.kind == ContextKind::kIf && Contains(here.text, "__main__")) return true;
    }
    return false;
  }

  void Visit(size_t file, int32_t context) {
    const SourceFacts& facts = FactsOf(file);
    for (const SourceCall& call : facts.calls) {
      if (!IsOf(file, context, call.context)) continue;
      Note(file, call.name);
      NoteArguments(file, call.arguments);
    }
    for (const SourceAssignment& assignment : facts.assignments) {
      if (IsOf(file, context, assignment.context)) Note(file, assignment.name);
    }
    for (size_t i = 0; i < facts.contexts.size(); ++i) {
      const SourceContext& here = facts.contexts[i];
      const auto at = static_cast<int32_t>(i);
      if (at != context && !(file == 0 && context < 0)) continue;
      for (const SourceDecorator& decorator : here.decorators) {
        Note(file, decorator.name);
        NoteArguments(file, decorator.arguments);
      }
      for (const std::string& base : here.bases) Note(file, base);
    }
  }

  // Calls and names that mean what another file defines get the name of that file.
  void Rename(size_t file) {
    const auto rename = [&](std::string& name) {
      if (name.empty() || InFile(file, name) != nullptr) return;
      if (!Contains(name, ".")) return;
      const Definition* there = Resolve(name);
      if (there == nullptr || there->file == 0 || there->file == file) return;
      name = names_[there->file] + "." + std::string(LastName(name));
    };
    for (SourceCall& call : files_[file].facts.calls) {
      rename(call.name);
      for (SourceArgument& argument : call.arguments) rename(argument.name);
    }
  }

  bool IsKept(size_t file, int32_t context) const {
    const int32_t unit = context < 0 ? -1 : units_[file][context];
    if (unit < 0) return !IsOfMain(file, context);
    const int32_t owner =
        Around(FactsOf(file), FactsOf(file).contexts[unit].parent, ContextKind::kClass);
    return reached_.contains({file, unit, owner});
  }

  // The facts of a file without the functions that nothing comes to.
  SourceFacts PartOf(size_t file) {
    SourceFacts& from = files_[file].facts;
    SourceFacts part;
    SourceContext& module = part.contexts.emplace_back();
    module.kind = ContextKind::kModule;
    module.location = {files_[file].path, 1, 1, 0, ""};
    module.name = names_[file];
    std::vector<int32_t> contexts(from.contexts.size(), -1), calls(from.calls.size(), -1);
    int32_t next = 1;
    for (size_t i = 0; i < from.contexts.size(); ++i) {
      if (IsKept(file, static_cast<int32_t>(i))) contexts[i] = next++;
    }
    next = 0;
    for (size_t i = 0; i < from.calls.size(); ++i) {
      if (IsKept(file, from.calls[i].context)) calls[i] = next++;
    }
    const auto context_of = [&](int32_t old) { return old < 0 ? 0 : contexts[old]; };
    const auto call_of = [&](int32_t old) { return old < 0 ? -1 : calls[old]; };
    const auto move_arguments = [&](std::vector<SourceArgument>& arguments) {
      for (SourceArgument& argument : arguments) argument.call = call_of(argument.call);
    };
    for (size_t i = 0; i < from.contexts.size(); ++i) {
      if (contexts[i] < 0) continue;
      SourceContext& context = part.contexts.emplace_back(std::move(from.contexts[i]));
      context.parent = context_of(context.parent);
      context.call = call_of(context.call);
      for (SourceDecorator& decorator : context.decorators) move_arguments(decorator.arguments);
    }
    for (size_t i = 0; i < from.calls.size(); ++i) {
      if (calls[i] < 0) continue;
      SourceCall& call = part.calls.emplace_back(std::move(from.calls[i]));
      call.context = context_of(call.context);
      call.outer = call_of(call.outer);
      move_arguments(call.arguments);
    }
    for (SourceAssignment& assignment : from.assignments) {
      if (context_of(assignment.context) < 0) continue;
      assignment.context = context_of(assignment.context);
      assignment.call = call_of(assignment.call);
      part.assignments.push_back(std::move(assignment));
    }
    for (SourceSubscript& subscript : from.subscripts) {
      if (context_of(subscript.context) < 0) continue;
      subscript.context = context_of(subscript.context);
      subscript.outer = call_of(subscript.outer);
      part.subscripts.push_back(std::move(subscript));
    }
    part.imports = std::move(from.imports);
    part.precision_policy = std::move(from.precision_policy);
    part.precision_policy_location = std::move(from.precision_policy_location);
    part.tpu_strategy = from.tpu_strategy;
    return part;
  }

  std::vector<ImportedFile> files_;
  std::vector<std::vector<int32_t>> units_;  // of each file's contexts
  std::vector<std::string> dotted_, names_;
  std::map<std::string, std::vector<Definition>, std::less<>> tops_, methods_;
  std::set<Definition> reached_;
  std::set<size_t> read_tops_;
  std::set<std::string, std::less<>> called_;
  std::vector<Definition> pending_;
};

}  // namespace

std::vector<std::string> AppendReached(std::vector<ImportedFile> files, SourceFacts& facts) {
  if (files.empty() || !IsWritten(facts)) return {};
  const std::string own = facts.calls.front().location.file;
  files.insert(files.begin(), ImportedFile{own, std::move(facts)});
  Reach reach(std::move(files));
  reach.Run();
  std::vector<std::string> appended = reach.Append();
  facts = reach.TakeProgram();
  return appended;
}

}  // namespace tilewise
