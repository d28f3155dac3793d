// The interpreter's life: its heap, its stack, its budgets, its notes.

#include "python/interpreter.h"

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "python/branches.h"
#include "python/fiber.h"
#include "python/generator.h"

namespace tilewise::py {
namespace {

constexpr size_t kMainStack = size_t{64} << 20;
constexpr size_t kRoomStack = size_t{8} << 20;
constexpr size_t kReserve = size_t{256} << 10;
constexpr size_t kMaxNotes = 200;

}  // namespace

Interpreter::Interpreter(Host& host, Limits limits) : host_(host), limits_(limits) {
  DefineTypes();
  module_table_ = New<Dict>();
  builtins_ = NewModule("builtins", Module::Origin::kOwn);
  DefineExceptions();
  DefineBuiltins(*this);
  DefineNumbers(*this);
  DefineComplex(*this);
  DefineText(*this);
  DefineBytes(*this);
  DefineSequences(*this);
  DefineDicts(*this);
  DefineClasses(*this);
  DefineNamesView(*this);
}

Interpreter::~Interpreter() {
  for (Generator* generator : generators_) generator->Abandon(*this);
}

Object* Interpreter::Keep(std::unique_ptr<Object> object, size_t size, size_t contents) {
  // What the heap and its list take beside an object, and the contents of small dicts and
  // instances, about: counted so, the objects of large programs take what the process does.
  constexpr size_t kBeside = 24, kSmallContents = 128;
  const Kind kind = object->kind;
  const bool has_names = kind == Kind::kDict || kind == Kind::kSet || kind == Kind::kInstance;
  Spend(static_cast<int64_t>(size + kBeside + contents + (has_names ? kSmallContents : 0)));
  if (bytes_ > limits_.bytes) StopWork();
  object->epoch = epoch_;
  heap_.push_back(std::move(object));
  return heap_.back().get();
}

void Interpreter::MarkRaise() {
  raised_at_ = UserLocation();
  raised_in_ = frames_.empty() ? Location() : LocationOf(*frames_.back());
}

void Interpreter::StopWork(bool full) {
  MarkRaise();
  if (full) bytes_ = std::max(bytes_, limits_.bytes + 1);
  throw Stopped{bytes_ > limits_.bytes ? "it makes too many objects" : "it runs for too long"};
}

void Interpreter::RaiseDepth() { Raise("RecursionError", "calls are nested too deep"); }

std::string Interpreter::RaisedIn() const {
  return raised_in_ == raised_at_ ? "" : fmt::format(" (in {})", FormatLocation(raised_in_));
}

void Interpreter::NoteRaised(const Value& exception, std::string_view words) {
  const Instance* instance = exception.as<Instance>();
  const std::string type = instance == nullptr ? "exception" : *instance->type->name;
  Note("RD002", raised_at_,
       fmt::format("{} with {}: {}{}", words, type, Display(exception), RaisedIn()),
       Severity::kWarning);
}

void Interpreter::NoteExit(const Value& exception) {
  const std::string with = Display(exception);
  Note("RD003", raised_at_,
       fmt::format("the program ends here{}{}", with.empty() ? "" : ": it exits with ", with));
}

bool Interpreter::Guard(const std::function<void()>& body) {
  if (stack_limit_ != nullptr) {
    body();
    return true;
  }
  std::exception_ptr failure;
  const size_t depth = frames_.size();
  try {
    Fiber trip(kMainStack, [&] {
      try {
        body();
      } catch (...) {
        failure = std::current_exception();
      }
    });
    stack_limit_ = trip.stack().base() + kReserve;
    trip.Enter();
  } catch (const Stopped&) {
    // Memory was refused even for the first stack, as any other memory may be.
    if (const std::new_handler handler = std::get_new_handler()) handler();
    throw std::bad_alloc();
  }
  stack_limit_ = nullptr;
  frames_.resize(depth);
  branches_.clear();
  open_runs_.clear();
  running_ = nullptr;
  nested_ = 0;
  if (failure == nullptr) return true;
  try {
    std::rethrow_exception(failure);
  } catch (const Raised& raised) {
    const Instance* exception = raised.exception.as<Instance>();
    if (exception != nullptr && *exception->type->name == "SystemExit") {
      NoteExit(raised.exception);
      return true;
    }
    NoteRaised(raised.exception, "reading stopped here");
  } catch (const Stopped& stopped) {
    Note("RD002", raised_at_, fmt::format("reading stopped here: {}{}", stopped.reason, RaisedIn()),
         Severity::kWarning);
  }
  return false;
}

void Interpreter::WithRoom(const std::function<void()>& body) {
  constexpr std::ptrdiff_t kRoom = std::ptrdiff_t{512} << 10;
  if (static_cast<const char*>(__builtin_frame_address(0)) - stack_limit_ > kRoom) {
    body();
    return;
  }
  std::exception_ptr failure;
  Fiber trip(kRoomStack, [&] {
    try {
      body();
    } catch (...) {
      failure = std::current_exception();
    }
  });
  char* const limit = std::exchange(stack_limit_, trip.stack().base() + kReserve);
  trip.Enter();
  stack_limit_ = limit;
  if (failure != nullptr) std::rethrow_exception(failure);
}

bool Interpreter::GuardSteps(int64_t steps, const std::function<void()>& body) {
  const int64_t before = steps_, limit = limits_.steps;
  steps_ = 0;
  limits_.steps = steps;
  const bool done = Guard(body);
  steps_ = before + std::min(steps_, steps);
  limits_.steps = limit;
  return done;
}

Module* Interpreter::NewModule(std::string name, Module::Origin origin) {
  Module* module = New<Module>();
  module->origin = origin;
  module->name = std::move(name);
  module->names.Set(Name("__name__"), Text(module->name));
  modules_[module->name] = module;
  SetItem(*module_table_, Text(module->name), module);
  return module;
}

void Interpreter::SetDocument(Module& module, const Code& code) {
  const Symbol doc = Name("__doc__");
  if (module.names.Find(doc) != nullptr) return;
  const bool text = !code.body->list.empty() && code.body->list[0]->kind == NodeKind::kExpression &&
                    code.body->list[0]->a->kind == NodeKind::kConstant;
  module.names.Set(doc, text ? code.body->list[0]->a->constant : None());
}

void Interpreter::Run(Module& module, const Code& code) {
  Frame frame;
  frame.module = &module;
  frame.at = code.body;
  const Entered entered(*this, frame);
  SetDocument(module, code);
  Exec(code.body);
}

namespace {

// How much the lists that an object holds hold.
size_t ItemsHeld(const Value& value) {
  const Instance* instance = value.as<Instance>();
  size_t items = 0;
  if (instance == nullptr) return items;
  for (const auto& [name, held] : instance->attributes.items()) {
    const Sequence* list = held.as<Sequence>();
    if (list != nullptr && list->kind == Kind::kList) items += list->items.size();
  }
  return items;
}

}  // namespace

void Interpreter::RunProgram(Module& module, const Code& code, int32_t last_line,
                             const std::string& watched) {
  Frame frame;
  frame.module = &module;
  frame.at = code.body;
  const Entered entered(*this, frame);
  SetDocument(module, code);
  const size_t depth = frames_.size();
  constexpr int kMaxRaised = 16;
  int raised = 0;
  Value held;
  int64_t trained = 0, added = 0;
  for (const Node* statement : code.body->list) {
    if (held.set()) {
      const Value* now = module.names.Find(Name(watched));
      if (now == nullptr || !now->Is(held)) {
        module.names.Set(Name(watched), held);
        break;
      }
      if (progress_ + parts_ != trained) break;
    } else if (last_line > 0 && statement->line > last_line) {
      const Value* found = watched.empty() ? nullptr : module.names.Find(Name(watched));
      if (found == nullptr) break;
      held = *found;
      trained = progress_ + parts_;
    }
    std::optional<Value> exception;
    const size_t items = ItemsHeld(held);
    try {
      if (Exec(statement) != Flow::kNext) break;
      if (held.set() && ItemsHeld(held) != items) added = statement->line;
    } catch (const Raised& error) {
      exception = error.exception;
    }
    if (!exception.has_value()) continue;
    if (++raised == kMaxRaised || IsInstance(*exception, ExceptionType("SystemExit"))) {
      throw Raised{*exception};
    }
    frames_.resize(depth);
    NoteRaised(*exception, "what follows is read without this statement, which ends");
  }
  if (held.set()) module.names.Set(Name(watched), held);
  if (added > 0) {
    Note("RD003", {module.file, 0, 0, 0, ""},
         fmt::format("what the lines up to {} add to `{}` after line {} counts as well", added,
                     watched, last_line));
  }
}

void Interpreter::RunFile(Module& module, const std::string& file, const std::string& text) {
  absl::StatusOr<std::shared_ptr<const Code>> code = ParseCode(file, text);
  if (!code.ok()) Raise("SyntaxError", Message(code.status()));
  codes_.push_back(*std::move(code));
  RunProgram(module, *codes_.back());
}

void Interpreter::RunText(Module& module, const std::string& text) {
  absl::StatusOr<std::shared_ptr<const Code>> code = ParseCode("<exec>", text);
  if (!code.ok()) Raise("SyntaxError", Message(code.status()));
  codes_.push_back(*std::move(code));
  Run(module, *codes_.back());
}

Value Interpreter::EvalText(Module& module, const std::string& text) {
  auto code = ParseCode("<expression>", text);
  if (!code.ok() || (*code)->body->list.empty() ||
      (*code)->body->list.back()->kind != NodeKind::kExpression) {
    Raise("SyntaxError", fmt::format("found '{}', expected an expression", text));
  }
  codes_.push_back(*std::move(code));
  Frame frame;
  frame.module = &module;
  frame.at = codes_.back()->body;
  const Entered entered(*this, frame);
  const std::vector<Node*>& statements = codes_.back()->body->list;
  for (size_t i = 0; i + 1 < statements.size(); ++i) Exec(statements[i]);
  frame.at = statements.back();
  return Eval(statements.back()->a);
}

Value Interpreter::List(std::vector<Value> items, Openness open) {
  Sequence* list = New<Sequence>(Kind::kList, std::move(items));
  list->open = open;
  return list;
}
Value Interpreter::Tuple(std::vector<Value> items, Openness open) {
  Sequence* tuple = New<Sequence>(Kind::kTuple, std::move(items));
  tuple->open = open;
  return tuple;
}
Value Interpreter::Text(std::string text) {
  // Texts that go through others letter by letter would be most of the objects.
  if (text.size() == 1 && static_cast<unsigned char>(text[0]) < letters_.size()) {
    Str*& letter = letters_[static_cast<unsigned char>(text[0])];
    if (letter == nullptr) letter = New<Str>(std::move(text));
    return letter;
  }
  // One that grew has room for as much again, which nobody counts.
  if (text.capacity() > text.size() + text.size() / 8 + 16) text.shrink_to_fit();
  return New<Str>(std::move(text));
}

Value Interpreter::MakeUnknown(std::string reason) {
  // The user's line is searched for below all calls.
  Step(static_cast<int64_t>(frames_.size() / 16));
  return New<Unknown>(std::move(reason), UserLocation());
}

namespace {

// The cell of a notebook, or the file that a part of the module was made of.
void SetCell(const Frame& frame, int32_t cell, Location& place) {
  const std::vector<std::string>* made_of =
      frame.module == nullptr ? nullptr : &frame.module->made_of;
  if (made_of == nullptr || made_of->empty()) {
    place.cell = cell;
    return;
  }
  const auto file = static_cast<size_t>(cell);
  place.file = file == 0 || file > made_of->size() ? frame.module->file : (*made_of)[file - 1];
}

}  // namespace

Location Interpreter::LocationOf(const Frame& frame) const {
  Location place;
  if (frame.module != nullptr) place.file = frame.module->file;
  if (frame.at == nullptr) return place;
  place.line = frame.at->line;
  place.column = frame.at->column;
  SetCell(frame, frame.at->cell, place);
  return place;
}

const Frame* Interpreter::UserFrame() const {
  const size_t above = places_.empty() ? 0 : places_.back().depth;
  for (size_t i = frames_.size(); i > above; --i) {
    const Frame& frame = *frames_[i - 1];
    if (frame.module != nullptr && frame.module->origin == Module::Origin::kUser &&
        frame.at != nullptr) {
      return &frame;
    }
  }
  return nullptr;
}

Location Interpreter::UserLocation() const {
  if (const Frame* frame = UserFrame()) {
    Location at = LocationOf(*frame);
    if (frame->call == nullptr) return at;
    at.line = frame->call->line;
    at.column = frame->call->column;
    // The location in `a.b.f(x)` is that of the name `f`, as if it were on the line where the call
    // begins.
    const Node* callee = frame->call->a;
    if (callee->kind == NodeKind::kAttribute && callee->end > 0) {
      const auto name = static_cast<int64_t>(callee->name->size());
      at.column += static_cast<int32_t>(callee->end - name - frame->call->begin);
    }
    SetCell(*frame, frame->call->cell, at);
    return at;
  }
  if (!places_.empty()) return places_.back().place;
  return frames_.empty() ? Location() : LocationOf(*frames_.back());
}

std::string Interpreter::UserFunction() const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if ((*frame)->module->origin != Module::Origin::kUser) continue;
    return (*frame)->function == nullptr ? "" : *(*frame)->function->name;
  }
  return "";
}

void Interpreter::Note(std::string_view rule, const Location& at, std::string message,
                       Severity severity) {
  if (notes_.size() >= kMaxNotes) return;
  const bool said = std::any_of(notes_.begin(), notes_.end(), [&](const Diagnostic& note) {
    return note.location == at && note.message == message;
  });
  if (said) return;
  Diagnostic note;
  note.rule = std::string(rule);
  note.name = rule == "RD003" ? "ignored-part" : "cannot-resolve";
  note.severity = severity;
  note.location = at;
  note.message = std::move(message);
  notes_.push_back(std::move(note));
}

void Interpreter::Raise(const Class* type, const std::string& message) {
  Instance* exception = New<Instance>(const_cast<Class*>(type));
  exception->attributes.Set(Name("args"), Tuple({Text(message)}));
  MarkRaise();
  throw Raised{exception};
}
void Interpreter::Raise(std::string_view type, const std::string& message) {
  Raise(ExceptionType(type), message);
}

void Interpreter::RaiseKey(const Value& key) {
  Instance* exception = New<Instance>(ExceptionType("KeyError"));
  exception->attributes.Set(Name("args"), Tuple({key}));
  MarkRaise();
  throw Raised{exception};
}

void Interpreter::RaiseImport(std::string_view type, const std::string& message,
                              const std::string& module) {
  Instance* exception = New<Instance>(ExceptionType(type));
  exception->attributes.Set(Name("args"), Tuple({Text(message)}));
  exception->attributes.Set(Name("msg"), Text(message));
  exception->attributes.Set(Name("name"), Text(module));
  MarkRaise();
  throw Raised{exception};
}

void Interpreter::RaiseStop(const Iterator& ended) {
  Instance* exception = New<Instance>(ExceptionType("StopIteration"));
  const Value value = ended.returned.set() ? ended.returned : None();
  exception->attributes.Set(Name("args"),
                            Tuple(value.none() ? std::vector<Value>{} : std::vector<Value>{value}));
  exception->attributes.Set(Name("value"), value);
  throw Raised{exception};
}

Class* Interpreter::ExceptionType(std::string_view name) {
  const Value* found = builtins_->names.Find(Name(name));
  return found == nullptr ? types.object : found->as<Class>();
}

void Interpreter::SetName(Object& holder, Namespace& names, Symbol name, const Value& value) {
  Touch(holder);
  names.Set(name, value);
}

void Interpreter::Define(Module& module, std::string_view name, NativeFunction function) {
  const Symbol symbol = Name(name);
  module.names.Set(symbol, New<Builtin>(symbol, function));
}

Class* Interpreter::DefineType(std::string_view name, Class* base, NativeFunction make) {
  Class* type = New<Class>(Name(name));
  if (base != nullptr) {
    type->bases = {base};
    type->order = base->order;
  }
  type->order.insert(type->order.begin(), type);
  type->make = make;
  return type;
}

void Interpreter::DefineMethod(Class& type, std::string_view name, NativeFunction function) {
  const Symbol symbol = Name(name);
  Builtin* method = New<Builtin>(symbol, function);
  method->method = true;
  type.members.Set(symbol, method);
}

const Value* Taken::Find(size_t at, std::string_view name) const {
  if (at < arguments_.positional.size()) return &arguments_.positional[at];
  if (name.empty()) return nullptr;
  for (const auto& [key, value] : arguments_.keyword) {
    if (*key == name) return &value;
  }
  return nullptr;
}
const Value& Taken::Get(size_t at, std::string_view name) const {
  if (const Value* found = Find(at, name)) return *found;
  in_.Raise("TypeError", fmt::format("an argument is missing: number {}{}{}", at + 1,
                                     name.empty() ? "" : ", ", name));
}
Value Taken::Or(size_t at, std::string_view name, Value otherwise) const {
  const Value* found = Find(at, name);
  return found == nullptr ? otherwise : *found;
}

}  // namespace tilewise::py
