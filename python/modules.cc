// Imports: modules are found by the host, run once, and kept by dotted name.

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "python/checks.h"
#include "python/interpreter.h"
#include "python/parsed_code.h"

namespace tilewise::py {

Module* Interpreter::LoadModule(const std::string& dotted, Module* parent) {
  const auto known = modules_.find(dotted);
  if (known != modules_.end()) return known->second;
  if (absent_.contains(dotted)) return nullptr;
  const std::vector<std::string> none;
  // importlib asks for the one that calls it.
  const auto asks = std::ranges::find_if(frames_.rbegin(), frames_.rend(), [](const Frame* frame) {
    return frame->module == nullptr || frame->module->name != "importlib";
  });
  const bool for_own = asks != frames_.rend() && (*asks)->module != nullptr &&
                       (*asks)->module->origin == Module::Origin::kOwn;
  std::optional<ModuleSource> source =
      host_.FindModule(dotted, parent == nullptr ? none : parent->path, for_own);
  if (source.has_value() && !source->note.empty()) Note("RD002", UserLocation(), source->note);
  Module* module = nullptr;
  if (!source.has_value()) {
    Module native;
    module = NewModule(dotted, Module::Origin::kOwn);
    if (host_.FillNative(*this, *module)) {
      module->complete = true;
    } else {
      modules_.erase(dotted);
      absent_.insert(dotted);
      return nullptr;
    }
  } else {
    module = NewModule(dotted, source->origin);
    module->file = source->file;
    module->made_of = source->lines.files;
    const size_t dot = dotted.rfind('.');
    module->package = source->package            ? dotted
                      : dot == std::string::npos ? ""
                                                 : dotted.substr(0, dot);
    if (source->package) module->path = {source->folder};
    module->names.Set(Name("__package__"), Text(module->package));
    module->names.Set(Name("__file__"), Text(module->file));
    module->names.Set(Name("__spec__"), None());
    if (source->package) {
      module->names.Set(Name("__path__"), List({Text(source->folder)}));
    }
    absl::StatusOr<std::shared_ptr<const Code>> code =
        source->parsed.empty() ? ParseCode(source->file, std::move(source->text), 0, source->lines)
                               : CompiledCode(source->parsed);
    if (!code.ok()) {
      Note("RD002", UserLocation(),
           fmt::format("module {} cannot be read: {}", dotted, Message(code.status())));
      modules_.erase(dotted);
      return nullptr;
    }
    codes_.push_back(*std::move(code));
    const Code& text = *codes_.back();
    std::optional<Value> raised;
    try {
      if (module->origin == Module::Origin::kOwn) {
        RunOwn(*module, text);
      } else {
        Run(*module, text);
      }
    } catch (const Raised& exception) {
      raised = exception.exception;
    }
    if (raised.has_value()) {
      modules_.erase(dotted);
      throw Raised{*raised};
    }
    module->complete = true;
  }
  if (parent != nullptr) {
    const std::string last = dotted.substr(dotted.rfind('.') + 1);
    // A package that gives that name another value does so after the import.
    if (parent->names.Find(Name(last)) != nullptr || FindName(*parent, Name(last)) == nullptr) {
      Touch(*parent);
      parent->names.Set(Name(last), module);
    }
  }
  return module;
}

void Interpreter::RunDeferred(Module& module) {
  const std::string file = std::exchange(module.deferred, "");
  std::optional<std::string> text = host_.ReadFile(file);
  if (!text.has_value()) return;
  absl::StatusOr<std::shared_ptr<const Code>> code = ParseCode(file, *std::move(text));
  if (!code.ok()) return;
  codes_.push_back(*std::move(code));
  Run(module, *codes_.back());
}

Value Interpreter::ImportPath(const std::string& dotted, bool* missing) {
  *missing = false;
  Module* parent = nullptr;
  size_t end = 0;
  while (end != std::string::npos) {
    const size_t begin = end == 0 ? 0 : end + 1;
    end = dotted.find('.', begin);
    const std::string last =
        dotted.substr(begin, end == std::string::npos ? std::string::npos : end - begin);
    // A package that stands under another name is searched under its own.
    Module* module = LoadModule(parent == nullptr ? last : parent->name + "." + last, parent);
    if (module == nullptr) {
      // An attribute that stands for a module: os.path.
      if (parent != nullptr) {
        const Value held = FindAttribute(parent, Name(last));
        if (Module* inner = held.as<Module>()) {
          parent = inner;
          continue;
        }
        if (held.set() && !IsUnknown(held) && end == std::string::npos) return held;
        if (parent->origin == Module::Origin::kOwn) {
          const bool is_partial = parent->names.Find(Name("__partial__")) != nullptr;
          return New<Unknown>(
              is_partial ? fmt::format("{} is read from the source of package {}, which is not on "
                                       "the search path; give --python-path",
                                       dotted, parent->name)
                         : fmt::format("module {} is not among what tilewise knows", dotted),
              UserLocation());
        }
      }
      *missing = true;
      return {};
    }
    parent = module;
  }
  return parent;
}

namespace {

// Whether the innermost try does no more about an error than to say it.
bool GivesUp(const Frame& frame) {
  if (frame.trying == nullptr || frame.trying->node->list.empty()) return false;
  return std::ranges::all_of(frame.trying->node->list, [](const Node* handler) {
    return handler->b != nullptr && CheckOf(handler->b) != nullptr;
  });
}

}  // namespace

Value Interpreter::Import(const std::string& dotted) {
  bool missing = false;
  const Value module = ImportPath(dotted, &missing);
  if (!missing) return module;
  // The module is absent where the program is ready for its absence.
  for (const Frame* frame : frames_) {
    if (frame->tries > 0 && frame == frames_.back() && !GivesUp(*frame)) {
      RaiseImport("ModuleNotFoundError", fmt::format("No module named '{}'", dotted), dotted);
    }
  }
  const std::string top = dotted.substr(0, dotted.find('.'));
  std::string reason = fmt::format("package {} is not on the search path; give --python-path", top);
  // The package may be here without that part of it.
  for (size_t end = dotted.rfind('.'); end != std::string::npos && end > 0;
       end = dotted.rfind('.', end - 1)) {
    const auto package = modules_.find(dotted.substr(0, end));
    if (package == modules_.end() || package->second->path.empty()) continue;
    reason = fmt::format("module {} is not on the search path: {} has none of that name", dotted,
                         package->second->path.front());
    break;
  }
  return New<Unknown>(std::move(reason), UserLocation());
}

void Interpreter::ExecImport(const Node* node, const Node* only) {
  for (const Node* item : node->list) {
    if (only != nullptr && item != only) continue;
    const Value module = Import(*item->name);
    if (item->other != nullptr) {
      Store(item, item->other, module);
      continue;
    }
    if (item->names.empty()) {
      Store(item, item->name, module);
      continue;
    }
    // `import a.b` gives a.
    Store(
        item, item->names[0], IsUnknown(module) ? Import(*item->names[0]) : [&]() -> Value {
          const auto top = modules_.find(*item->names[0]);
          return top == modules_.end() ? module : Value(top->second);
        }());
  }
}

std::string Interpreter::AbsoluteName(const Node* node) {
  if (node->dots == 0) return *node->name;
  std::string package = frames_.back()->module->package;
  for (int i = 1; i < node->dots; ++i) {
    const size_t dot = package.rfind('.');
    package = dot == std::string::npos ? "" : package.substr(0, dot);
  }
  if (node->name->empty()) return package;
  return package.empty() ? *node->name : package + "." + *node->name;
}

void Interpreter::ImportStar(const Value& value) {
  Module* module = value.as<Module>();
  if (module == nullptr) return;
  Frame& frame = *frames_.back();
  Touch(*frame.module);
  const Value* listed = module->names.Find(Name("__all__"));
  Value all = listed == nullptr ? Value() : *listed;
  // Own modules that find their names when these are asked for say them all.
  if (!all.set() && module->origin == Module::Origin::kOwn &&
      module->names.Find(Name("__getattr__")) != nullptr) {
    all = FindAttribute(value, Name("__all__"));
  }
  if (all.set() && !IsUnknown(all)) {
    for (const Value& name : Items(all)) {
      const std::string* text = TextOf(name);
      if (text == nullptr) continue;
      const Value held = FindAttribute(value, Name(*text));
      if (held.set() && !DefinedLater(*frame.module, Name(*text))) {
        frame.module->names.Set(Name(*text), held);
      }
    }
    return;
  }
  DefineAll(*module);
  for (const auto& [name, held] : std::vector<std::pair<Symbol, Value>>(module->names.items())) {
    if (name->starts_with('_') || DefinedLater(*frame.module, name)) continue;
    frame.module->names.Set(name, held);
  }
}

void Interpreter::ExecImportFrom(const Node* node, const Node* only) {
  const std::string dotted = AbsoluteName(node);
  const Value module =
      dotted.empty() ? MakeUnknown("a relative import without a package") : Import(dotted);
  if (node->conversion == '*') {
    ImportStar(module);
    return;
  }
  // Libraries have their classes in many modules, and the outermost package names them all.
  const auto top = modules_.find(dotted.substr(0, dotted.find('.')));
  const bool asks_top =
      IsUnknown(module) && top != modules_.end() && top->second->origin == Module::Origin::kOwn;
  for (const Node* item : node->list) {
    if (only != nullptr && item != only) continue;
    Value held = FindAttribute(module, item->name);
    if (asks_top && std::isupper(static_cast<unsigned char>(item->name->front())) != 0) {
      const Value known = FindAttribute(top->second, item->name);
      if (known.set() && !IsUnknown(known)) held = known;
    }
    if (!held.set() && module.as<Module>() != nullptr) {
      bool missing = false;
      held = ImportPath(dotted + "." + *item->name, &missing);
      if (missing && goes_on && !Awaits("ImportError")) {
        held = MakeUnknown(fmt::format("{}, which {} does not have", *item->name, dotted));
      } else if (missing) {
        RaiseImport("ImportError",
                    fmt::format("cannot import name '{}' from '{}'", *item->name, dotted), dotted);
      }
    }
    Store(item, item->other != nullptr ? item->other : item->name, held);
  }
}

}  // namespace tilewise::py
