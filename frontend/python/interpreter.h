// Follows a Python script without running it: walks statements in the order
// they would run, folds what is constant, and builds datasets, Keras models
// and training settings as the calls that make them are met. What cannot be
// folded is Unknown with its reason and spreads; it is noted only where
// something depends on it. Work is bounded by a budget, recursion by a depth.

#pragma once

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/python/assumptions.h"
#include "frontend/python/branches.h"
#include "frontend/python/command_line.h"
#include "frontend/python/keras_layers.h"
#include "frontend/python/training_calls.h"
#include "frontend/python/value.h"
#include "workload/workload.h"

namespace tilewise::python {

// One call, evaluated, on its way to whoever knows what it means.
struct Call {
  std::string name;             // "tensorflow.data.Dataset.range", or a method: "map"
  const Value* self = nullptr;  // the object of a method
  Arguments arguments;
  Node node;            // the call
  Location location;    // of the called name
  std::string text;     // the callee as written
  bool chained = true;  // node is `.name(...)`: false for implied parts
  bool open = false;    // has *args or **kwargs that are not known
  Node argument_node(size_t position, std::string_view keyword) const;
  // Null: it has no positional ones.
  const Value* first_argument() const {
    return arguments.positional.empty() ? nullptr : &arguments.positional[0];
  }
};

enum class Flow : uint8_t { kNext, kBreak, kContinue, kReturn, kRaise, kStop };

// One function call in progress, or the module.
struct Frame {
  Environment* names = nullptr;
  std::string function;
  std::optional<Value> returned;
  const Class* owner = nullptr;  // class of the method that runs
  Node method;                   // its definition
};

class Interpreter {
 public:
  explicit Interpreter(int64_t replicas);

  // Runs a module or notebook cell after the ones before it.
  void Run(const SyntaxTree& tree);
  // Runs each function that nothing called, parameters unknown.
  void RunUncalledFunctions();

  Value Eval(Node node);
  Flow Exec(Node statement);
  Flow ExecBlock(Node block);

  // Calls.
  Value CallValue(const Value& callee, Call call);
  Value CallFunction(const Function& function, const Arguments& arguments, Node at);
  // The result of `callee` on `arguments` inside a dataset: datasets made on
  // the way are not pipelines of their own.
  Value CallInDataset(const Value& callee, const Arguments& arguments, Node at);
  Arguments EvalArguments(Node list, bool& open);
  Value Attribute(const Value& object, const std::string& name, Node at);
  Value Binary(std::string_view op, const Value& a, const Value& b, Node at);
  void Assign(Node target, const Value& value);
  Value Subscript(const Value& object, Node subscript_node);
  // Items that a loop over `value` meets; nothing when not known.
  std::optional<std::vector<Value>> Iterate(const Value& value, Node at);
  // One element of a dataset or array.
  Value ElementOf(const Value& value, Node at);

  // Whether `value` is true, also by what was assumed on the way here.
  std::optional<bool> Holds(const Value& value) const;

  // Makers of values.
  Value MakeUnknown(std::string reason, Node at);
  // A part of an unknown value: not known for the same reason, and the same
  // part each time.
  Value PartOf(const Unknown& whole, const std::string& part);
  // What a call makes of an unknown value: not known for the same reason, and
  // not the same twice.
  Value MadeFrom(const Unknown& value);
  // `a == b`, with the truth of what is assumed later when one is a constant.
  Value Equality(const Value& a, const Value& b, Node at);
  Value Negation(const Value& value, Node at);
  Value MakeList(std::vector<Value> items);
  Value MakeTuple(std::vector<Value> items);
  Value MakeArray(std::string dtype, std::vector<int64_t> dims);
  Value MakeObject(std::string path, const Call& call);

  // Says once that something at `at` is not known and what follows.
  void Note(std::string_view rule, const Location& at, std::string message,
            Severity severity = Severity::kInfo);
  // "cannot resolve WHAT (REASON); CONSEQUENCE".
  void NoteUnknown(std::string_view what, const Value& value, Node at,
                   std::string_view consequence);

  // Takes `units` of work from the budget; false when it is used up. A unit is
  // what a small expression takes; others are as many as they take of that.
  bool Charge(int64_t units);
  static constexpr int64_t kStageUnits = 20;   // copying one
  static constexpr int64_t kLayerUnits = 200;  // making one
  static constexpr int64_t kCallUnits = 20;    // of a layer
  // Datasets, layers and models made so far: whether a stretch of code built.
  size_t built() const;

  Arena arena;
  Assumptions assumptions;
  int64_t replicas = 8;
  std::vector<Dataset*> datasets;  // in order of making
  LayerBuild keras;
  std::vector<Model*> models;  // in order of making
  TrainingCalls training;
  CommandLine command_line;
  SourceFacts facts;
  std::vector<Diagnostic> notes;
  std::set<std::pair<const void*, const void*>> dataset_functions;
  std::vector<Frame> frames;
  std::vector<Dataset*> iterated;  // by the loop header being evaluated
  bool in_dataset_function = false;
  void MarkCalled(const Function& function);
  void RememberFunction(Function* function) { functions_.push_back(function); }
  Environment* NewEnvironment(Environment* outer);
  Value MakeFunction(Node node, std::string name);

 private:
  // Statements.
  Flow ExecIf(Node node);
  Flow ExecMatch(Node node);
  Flow ExecOpenBranches(Node node, std::vector<Branch> branches);
  Flow TryBranches(const std::vector<Branch>& branches);
  void PreferTraining(std::vector<Branch>& branches);
  Flow ExecFor(Node node);
  Flow ExecUnknownLoop(Node loop, const Value& item);
  bool LoopEnds(int64_t rounds, size_t built_before, Node loop);
  Flow ExecWhile(Node node);
  Flow ExecTry(Node node);
  Flow ExecWith(Node node);
  void ExecImport(Node node);
  void ExecImportFrom(Node node);
  void ExecDecorated(Node node);
  void Decorate(Node decorator, Node definition);
  void ExecClass(Node node);
  void ExecExpression(Node node);
  void ForgetScalars(Node body, std::string_view why);
  void Unpack(const std::vector<Node>& targets, const Value& value);

  // Expressions.
  Value EvalNode(Node node);
  Value EvalIdentifier(Node node);
  Value EvalString(Node node);
  Value EvalNumber(Node node);
  Value EvalAttribute(Node node);
  Value EvalCall(Node node);
  Value EvalComprehension(Node node);
  Value EvalDictComprehension(Node node);
  // Runs `body` for each round; false when a round is not known.
  bool RunComprehension(Node node, const std::function<void()>& body);
  void Comprehend(const std::vector<Node>& clauses, size_t at, const std::function<void()>& body,
                  bool& known);
  Value EvalComparison(Node node);
  Value EvalBoolean(Node node);
  Value EvalConditional(Node node);
  Value EvalUnary(Node node);
  Value EvalDictionary(Node node);
  Value EvalSequence(Node node, bool tuple);
  Value EvalConcatenated(Node node);
  Value Slice(const Value& object, Node slice);

  // Calls.
  Value DispatchPath(const Path& path, Call& call);
  Value Construct(const Class& type, Call& call);
  Value Super(Node node);
  Value SelfOf(const Class& type);
  bool IsGenerator(Node body);
  bool BindParameters(const Function& function, const Arguments& arguments, Node at,
                      Environment& names);

  std::deque<Environment> environments_;
  std::vector<Function*> functions_;
  std::set<std::pair<const void*, const void*>> called_;
  std::map<const Class*, Value> instances_;
  // By the tree and the node of the body.
  std::map<std::pair<const void*, const void*>, bool> generators_;
  std::set<std::pair<Location, std::string>> noted_;
  std::map<std::pair<const Unknown*, std::string>, Value> parts_;
  int64_t budget_;
  int depth_ = 0;
  int calls_ = 0;
};

}  // namespace tilewise::python
