// Runs Python programs as far as they are known. Values that are not known are
// Unknown, with a reason, and spread; both branches of a condition that is not
// known are followed and what differs after them becomes unknown. Work, memory
// and depth are bounded.
//
// The interpreter knows the language and no framework: what modules hold beyond
// it comes from the Host, which finds their source and gives native functions.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_set.h>

#include "base/diagnostic.h"
#include "python/assumptions.h"
#include "python/frame.h"
#include "python/host.h"
#include "python/node.h"
#include "python/value.h"

namespace tilewise::py {

// Types of the language.
struct Types {
  Class *object, *type, *none, *boolean, *integer, *real, *text, *bytes, *list, *tuple, *dict, *set,
      *frozen_set, *slice, *range, *function, *method, *builtin, *module, *property, *static_method,
      *class_method, *super, *generator, *ellipsis, *not_implemented, *unknown, *complex;
  // What every object answers when its class does not: __repr__, __eq__ ...
  Class* defaults;
  Class* names_view;
};

struct Limits {
  int64_t steps = 60'000'000;
  int64_t bytes = int64_t{640} << 20;
};

class Interpreter {
 public:
  explicit Interpreter(Host& host, Limits limits = {});
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // Runs `body` where Python code may run: on a deep stack of its own, with
  // exceptions of the program turned into notes. False when one came out.
  bool Guard(const std::function<void()>& body);
  // Runs a module's or cell's text as part of `module`.
  void Run(Module& module, const Code& code);
  // Runs the statements of a program one by one, those that begin up to `last_line` only where
  // that is given. One that raises is noted, and those after it are read without it.
  // Where `watched` is a name that has a value by then, the statements after that line run as well
  // until the name gets another one, or something trains; the name keeps its value.
  void RunProgram(Module& module, const Code& code, int32_t last_line = 0,
                  const std::string& watched = "");
  // A file that the program starts as a program of its own.
  void RunFile(Module& module, const std::string& file, const std::string& text);
  Module* NewModule(std::string name, Module::Origin origin);
  bool Loaded(const std::string& dotted) const { return modules_.contains(dotted); }
  // The value of a module's name; null: it has none. Names that wait for their
  // values get them (late_names.h).
  const Value* FindName(Module& module, Symbol name);
  // Gives all names of a module their values, for who goes through them.
  void DefineAll(Module& module);
  bool EraseName(Module& module, Symbol name);
  // Imports by dotted name; Unknown when it cannot be found.
  Value Import(const std::string& dotted);
  void RunText(Module& module, const std::string& text);
  Value EvalText(Module& module, const std::string& text);

  // --- Makers.
  template <typename T, typename... Args>
  T* New(Args&&... args) {
    auto owned = std::make_unique<T>(std::forward<Args>(args)...);
    T* result = owned.get();
    size_t contents = 0;
    if constexpr (std::is_same_v<T, Str> || std::is_same_v<T, Bytes>) {
      contents = result->text.size();
    } else if constexpr (std::is_same_v<T, Sequence>) {
      contents = result->items.size() * sizeof(Value);
    } else if constexpr (std::is_same_v<T, Unknown>) {
      if (result->cause.use_count() == 1) contents = result->cause->size();
    }
    Keep(std::move(owned), sizeof(T), contents);
    return result;
  }
  Object* Keep(std::unique_ptr<Object> object, size_t size, size_t contents);
  Value Text(std::string text);
  Value List(std::vector<Value> items, Openness open = {});
  Value Tuple(std::vector<Value> items, Openness open = {});
  Value MakeUnknown(std::string reason);
  static Symbol Name(std::string_view text) { return SymbolOf(text); }

  // --- What Python does with values. Each may raise.
  Value Attribute(const Value& object, Symbol name);
  // Null-like (not set) when there is none.
  Value FindAttribute(const Value& object, Symbol name);
  void SetAttribute(const Value& object, Symbol name, const Value& value);
  void DeleteAttribute(const Value& object, Symbol name);
  Value Call(const Value& callee, Arguments& arguments);
  Value Call(const Value& callee, std::vector<Value> positional);
  Value CallMethod(const Value& object, std::string_view name, std::vector<Value> positional);
  Value Binary(Operator op, const Value& a, const Value& b);
  Value InPlace(Operator op, const Value& a, const Value& b);
  Value Unary(Operator op, const Value& a);
  Value Compare(Operator op, const Value& a, const Value& b);
  // nullopt: not known.
  std::optional<bool> Equal(const Value& a, const Value& b);
  std::optional<bool> Truth(const Value& value);
  std::optional<bool> Contains(const Value& container, const Value& item);
  Value Subscript(const Value& object, const Value& index);
  void SetSubscript(const Value& object, const Value& index, const Value& value);
  void DeleteSubscript(const Value& object, const Value& index);
  Iterator* Iterate(const Value& value);
  // Returns all items; an Unknown iterable gives one Unknown and is open.
  std::vector<Value> Items(const Value& value, Openness* open = nullptr);
  // How open a container is, or the one that an instance is.
  static Openness OpennessOf(const Value& value);
  // What is not known because it depends on all items of what is open.
  Value UnknownOf(const Openness& open, std::string_view what);
  // Returns why the innermost loop over what is open is that, if there is one.
  Openness open_loop() const;
  std::string Display(const Value& value);    // str()
  std::string Represent(const Value& value);  // repr()
  Value Format(const Value& value, const std::string& specifier);
  std::optional<int64_t> Length(const Value& value);
  Class* TypeOf(const Value& value);
  Value NamesOf(const Value& owner);        // __dict__
  Value NamesIn(const Environment* names);  // a dict; null: of none
  // An instance's own attributes: its names, or the dict that was assigned to __dict__.
  const Value* FindOwn(Instance& instance, Symbol name);
  void SetOwn(Instance& instance, Symbol name, const Value& value);
  bool EraseOwn(Instance& instance, Symbol name);
  bool IsInstance(const Value& value, const Class* type);
  uint64_t Hash(const Value& value);

  // --- Dicts and namespaces; all changes go through these.
  Value* FindItem(Dict& dict, const Value& key);
  void SetItem(Dict& dict, const Value& key, const Value& value);
  bool EraseItem(Dict& dict, const Value& key);
  void SetName(Object& holder, Namespace& names, Symbol name, const Value& value);
  // Keeps what an object was before it changes, for branches.
  void Touch(Object& object);

  // --- Exceptions.
  [[noreturn]] void Raise(const Class* type, const std::string& message);
  [[noreturn]] void Raise(std::string_view type, const std::string& message);
  // Marks that an exception is raised here, before it is thrown.
  void MarkRaise();
  // KeyError of a key that is not there.
  [[noreturn]] void RaiseKey(const Value& key);
  // An import that fails; `module`: the one that was asked for.
  [[noreturn]] void RaiseImport(std::string_view type, const std::string& message,
                                const std::string& module);
  // StopIteration of an iterator that has ended.
  [[noreturn]] void RaiseStop(const Iterator& ended);
  Class* ExceptionType(std::string_view name);

  // --- Native modules and types.
  void Define(Module& module, std::string_view name, NativeFunction function);
  Class* DefineType(std::string_view name, Class* base, NativeFunction make);
  void DefineMethod(Class& type, std::string_view name, NativeFunction function);
  Value CallHeld(const Function& function, Arguments& arguments);
  Class* MakeClass(Symbol name, const std::vector<Value>& bases, Namespace members,
                   const std::vector<std::pair<Symbol, Value>>& keywords, Module* module,
                   const Node* node);

  // --- Where things are.
  // The innermost location in the user's own code.
  // While it lives, what the frames so far do is done at `place`.
  class Placed {
   public:
    Placed(Interpreter& in, Location place) : in_(in), size_(in.places_.size()) {
      in.places_.push_back({in.frames_.size(), std::move(place)});
    }
    ~Placed() { in_.places_.resize(size_); }
    Placed(const Placed&) = delete;
    Placed& operator=(const Placed&) = delete;

   private:
    Interpreter& in_;
    size_t size_;
  };
  // The user's line: that of the innermost frame of the user's, or the location
  // that stands for it where no frame of the user's is entered after it.
  Location UserLocation() const;
  // The innermost frame of the user's; null where a location stands for it.
  const Frame* UserFrame() const;
  // Whether a try statement of the program that runs now has a handler of that name.
  bool Awaits(std::string_view exception) const;
  Location LocationOf(const Frame& frame) const;
  std::string UserFunction() const;
  const std::vector<Frame*>& frames() const { return frames_; }
  Frame& frame() { return *frames_.back(); }
  void Note(std::string_view rule, const Location& at, std::string message,
            Severity severity = Severity::kInfo);
  std::vector<Diagnostic>& notes() { return notes_; }
  // Says that the program made progress that a loop need not repeat.
  void Progress() { ++progress_; }
  int64_t progress() const { return progress_; }
  // Says that the program did a part of what makes progress. A loop of a known length whose rounds
  // are all of that kind is cut short before its last; parts() counts what was left out as well.
  void Part() { ++parts_; }
  int64_t parts() const { return parts_; }
  // Says that the program built something that its ways are told by: of two ways
  // under a condition that is not known, the first that builds is taken alone.
  void Built() { ++built_; }
  // Says that a part of a model was made: an op or a weight.
  void Made() { ++made_; }
  Assumptions& assumptions() { return assumptions_; }
  // Runs `body` with at most so many steps more; false when they did not do.
  bool GuardSteps(int64_t steps, const std::function<void()>& body);
  // What runs has no part in any step while this is set: long loops are left early.
  bool idle = false;
  const std::map<std::string, Module*>& modules() const { return modules_; }
  Module* builtins() { return builtins_; }
  // Functions that the user's code defined so far, in order.
  const std::vector<Function*>& user_functions() const { return user_functions_; }
  // Those that were given to what is not known.
  const std::vector<Value>& given_away() const { return given_away_; }
  Dict* module_table() { return module_table_; }  // sys.modules
  Host& host() { return host_; }

  // A frame on top while it lives.
  class Entered {
   public:
    Entered(Interpreter& in, Frame& frame) : in_(in), depth_(in.frames_.size()) {
      in.frames_.push_back(&frame);
    }
    ~Entered() { in_.frames_.resize(depth_); }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

   private:
    Interpreter& in_;
    size_t depth_;
  };

  // What names of the program are, whatever it assigns to them.
  struct Assumption {
    Value value;
    bool used = false;
  };
  absl::flat_hash_map<Symbol, Assumption> assumed;

  // Assertions, and checks that something is given, do not end the program where
  // no `try` of its own waits for them.
  bool passes_checks = false;
  // A statement of the program that ends with an error which nothing takes is left out.
  bool goes_on = false;
  class Expecting;

  Types types;
  std::vector<std::string> argv;  // sys.argv
  Flow Exec(const Node* node);
  // A table of the program's classes that is asked for a name that is not known gives
  // the first, with a note. Not set: it is no such table.
  Value FirstOfClasses(const Dict& dict, const Unknown& key);
  Value Eval(const Node* node);
  void Step(int64_t units = 1) {
    steps_ += units;
    if (steps_ > limits_.steps) StopWork();
  }
  // Memory that objects take, and the work of filling it.
  void Spend(int64_t bytes) {
    bytes_ += bytes;
    Step(bytes / 1024);
  }
  // Checks the room before so much is made that Spend would be told of too late.
  void CheckRoom(int64_t bytes) {
    if (bytes_ + bytes > limits_.bytes) StopWork(true);
  }
  int64_t steps() const { return steps_; }
  // Whether the work that a program may make was used up.
  bool spent() const { return steps_ > limits_.steps || bytes_ > limits_.bytes; }
  void ReturnTo(const Frame* frame);  // drops the frames within it; generators change depths
  void CheckDepth() {
    // The frame address is taken, as sanitizers may keep a local elsewhere.
    if (static_cast<const char*>(__builtin_frame_address(0)) < stack_limit_) RaiseDepth();
  }

 private:
  friend class BranchRun;
  friend class OpenRun;
  friend class Generator;

  class Undecided;
  // Classes may say what a call that is not known does with their instances.
  void TellPassed(const Arguments& arguments);
  // Whether `function` called itself a few times already where nobody knows that it would.
  bool RecursUndecided(const Function& function) const;

  // exec.cc
  Flow ExecBlock(const Node* node);
  Flow ExecStatement(const Node* node);
  Flow ExecIf(const Node* node);
  Flow ExecCheck(const Node* block, bool& passed);
  Flow ExecFor(const Node* node);
  // Whether a loop that met so many of its rounds since `start` would use up the work.
  bool Outlasts(std::optional<int64_t> rounds, int64_t met, const Limits& start) const;
  Flow ExecWhile(const Node* node);
  Flow ExecTry(const Node* node);
  Flow ExecHandlers(const Node* node, const Value& exception);
  Flow ExecWith(const Node* node, size_t item);
  void ExecAssign(const Node* node);
  void ExecAugmented(const Node* node);
  void ExecAnnotated(const Node* node);
  void ExecRaise(const Node* node);
  void ExecAssert(const Node* node);
  // The condition asks whether names are None or empty: the first that is gets a value.
  void FillMissing(const Node* condition);
  // Whether a check of the program's that failed is read as if it had passed, with a note.
  bool Passes(const Value& exception);
  // going_on.cc
  bool Takes(const Value& exception);
  bool GoesOn(const Value& exception);
  Flow ExecGoingOn(const Node* node);
  Value EvalGoingOn(const Node* node);
  Value EvalHead(const Node* node) { return goes_on ? EvalGoingOn(node) : Eval(node); }
  // What a library's object has and tilewise's account of it does not; not set: it has none.
  Value NotModelled(const Value& object, Symbol name);
  void ExecDelete(const Node* node);
  Flow ExecMatch(const Node* node);
  std::optional<bool> Matches(const Node* pattern, const Value& value);
  std::optional<bool> MatchesClass(const Node* pattern, const Value& value);
  std::optional<bool> MatchesList(const Node* pattern, const Value& value);
  // `only`: what is imported of it; null: all.
  void ExecImport(const Node* node, const Node* only = nullptr);
  void ExecImportFrom(const Node* node, const Node* only = nullptr);
  void ExecClass(const Node* node);
  Value MakeFunction(const Node* node);
  Value Decorated(const Node* node, Value value);

  // branches.cc: an `if` or a conditional expression whose condition is not known.
  struct Outcome;
  Outcome RunBranch(const Node* branch);
  Flow ExecBranches(const Node* node, const Value& condition);
  Value EvalBranches(const Node* node, const Value& condition);
  std::optional<bool> Decided(const Node* node, const Value& condition);
  // A value that is not known whose truth follows from that of others.
  Value Related(Unknown::Relation relation, const Value& one, const Value& other);
  Value Compared(Operator op, const Value& a, const Value& b, const Value& result);
  Value Merged(const Value& one, const Value& other, const Value& condition);

  // names.cc
  Value Load(const Node* name);
  void Store(const Node* name, Symbol symbol, const Value& value);
  void Assign(const Node* target, const Value& value);
  Value Assumed(Symbol name, const Value& value);
  void Unpack(const std::vector<Node*>& targets, const Value& value);

  // eval.cc
  Value EvalAndOr(const Node* node);
  Value EvalSequence(const Node* node);
  Value EvalSet(const Node* node);
  Value EvalCall(const Node* node);
  void EvalArguments(const Node* node, Arguments& arguments);
  Value EvalCompare(const Node* node);
  Value EvalComprehension(const Node* node);
  void Comprehend(const Node* node, size_t clause, const std::function<void()>& body,
                  Openness& open);
  Value EvalJoined(const Node* node);
  Value EvalDict(const Node* node);
  std::vector<Value> EvalItems(const std::vector<Node*>& nodes, Openness& open);
  Value EvalYield(const Node* node);

  // call.cc
  Value CallFunction(const Function& function, Arguments& arguments);
  Environment* NewNames(const ScopeInfo* scope, Environment* outer, size_t slots);
  void Reuse(Environment* names, uint32_t epoch);  // of a call that has ended
  void Bind(const Function& function, Arguments& arguments, Environment& names);
  Value RunBody(const Function& function, Environment* names);
  Value CallClass(Class& type, Arguments& arguments);
  std::optional<Value> CallHook(Class& type, const char* hook, Arguments& arguments);

  // attribute.cc
  Value BindMember(const Value& member, const Value& self, Class* type);
  Value InstanceAttribute(Instance& instance, const Value& self, Symbol name);
  Value ClassAttribute(Class& type, Symbol name);
  Value ModuleAttribute(Module& module, Symbol name);
  Value AskModule(Module& module, Symbol name);
  Value FindModuleAttribute(Module& module, Symbol name);
  Value FunctionAttribute(Function& function, Symbol name);
  Value Annotation(const Function& function, const Node* node);
  Value SuperAttribute(Super& super, Symbol name);

  // modules.cc
  Value ImportPath(const std::string& dotted, bool* missing);
  Module* LoadModule(const std::string& dotted, Module* parent);
  void RunDeferred(Module& module);

  // late_names.cc
  void RunOwn(Module& module, const Code& code);
  const Value* FindGlobal(Module& module, Symbol name);
  const Value* FindLate(Module& module, Symbol name);
  void RunLate(Module& module, uint32_t number);
  void RunUnit(Module& module, uint32_t number);
  // Whether a statement after the one that runs gives the name its value.
  static bool DefinedLater(const Module& module, Symbol name);
  std::string AbsoluteName(const Node* node);
  void ImportStar(const Value& module);

  // operators.cc
  std::optional<Value> Arithmetic(Operator op, const Value& a, const Value& b);
  std::optional<Value> Special(Operator op, const Value& a, const Value& b);
  Value SetOf(const Value& items);
  Value SliceOpen(const Sequence& sequence, const Slice& slice);
  Value IndexSequence(const Value& object, const Value& index);

  // Runs `body` on a stack of its own where little of the present one is left.
  void WithRoom(const std::function<void()>& body);
  [[noreturn]] void StopWork(bool full = false);
  [[noreturn]] void RaiseDepth();
  void DefineTypes();
  void DefineExceptions();

  Host& host_;
  Limits limits_;
  int64_t steps_ = 0;
  int64_t bytes_ = 0;
  int64_t progress_ = 0, parts_ = 0, built_ = 0, made_ = 0;
  Assumptions assumptions_;
  std::vector<Function*> user_functions_;
  std::vector<Value> given_away_;
  uint32_t epoch_ = 0;
  std::vector<std::unique_ptr<Object>> heap_;
  Environment* spare_ = nullptr;        // may be used again; its `outer` is the next
  std::array<Str*, 128> letters_ = {};  // texts of one character of ASCII that were made
  std::vector<std::shared_ptr<const Code>> codes_;
  std::map<std::string, Module*> modules_;
  absl::flat_hash_set<std::string> absent_;  // modules that were looked for in vain
  absl::flat_hash_set<Symbol> asked_;        // of objects that stand in the place of modules
  Module* builtins_ = nullptr;
  Dict* module_table_ = nullptr;
  std::vector<Frame*> frames_;
  struct PlaceAbove {
    size_t depth;
    Location place;
  };
  std::vector<PlaceAbove> places_;
  // These are where the last exception began: in the user's code, and where it was raised.
  Location raised_at_, raised_in_;
  std::string RaisedIn() const;
  static void SetDocument(Module& module, const Code& code);
  // Notes an exception that ends a part of the program: "{words} with {type}".
  void NoteRaised(const Value& exception, std::string_view words);
  void NoteExit(const Value& exception);
  std::vector<Diagnostic> notes_;
  int undecided_ = 0;  // of all frames
  int passed_ = 0;     // checks that were taken to pass
  int left_out_ = 0;   // statements
  int expecting_ = 0;  // native functions that wait for what is raised
  std::vector<class BranchRun*> branches_;
  std::vector<class OpenRun*> open_runs_;
  char* stack_limit_ = nullptr;
  std::vector<class Generator*> generators_;
  class Generator* running_ = nullptr;
  int nested_ = 0;  // generators that run within each other
  friend void DefineBuiltins(Interpreter&);
};

// The builtins of the language and its types' methods, one file each.
void DefineBuiltins(Interpreter& in);
void DefineIteration(Interpreter& in);
void DefineNumbers(Interpreter& in);
void DefineComplex(Interpreter& in);
void DefineText(Interpreter& in);
void DefineBytes(Interpreter& in);
void DefineSequences(Interpreter& in);
void DefineDicts(Interpreter& in);
void DefineClasses(Interpreter& in);
void DefineNamesView(Interpreter& in);
void DefineMath(Interpreter& in, Module& module);

// What native functions read their arguments with. A missing one that is needed
// raises TypeError.
class Taken {
 public:
  Taken(Interpreter& in, Arguments& arguments) : in_(in), arguments_(arguments) {}
  size_t size() const { return arguments_.positional.size(); }
  bool Has(size_t at, std::string_view name = {}) const { return Find(at, name) != nullptr; }
  const Value& operator[](size_t at) const { return Get(at, {}); }
  const Value& Get(size_t at, std::string_view name) const;
  Value Or(size_t at, std::string_view name, Value otherwise) const;
  const Value* Find(size_t at, std::string_view name) const;

 private:
  Interpreter& in_;
  Arguments& arguments_;
};

}  // namespace tilewise::py
