// Statements.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "python/checks.h"
#include "python/class_hooks.h"
#include "python/expecting.h"
#include "python/interpreter.h"

namespace tilewise::py {
Flow Interpreter::ExecBlock(const Node* node) {
  for (const Node* statement : node->list) {
    const Flow flow = Exec(statement);
    if (flow != Flow::kNext) return flow;
  }
  return Flow::kNext;
}

Flow Interpreter::Exec(const Node* node) {
  if (node->kind == NodeKind::kBlock) return ExecBlock(node);
  Step(2);
  CheckDepth();
  frames_.back()->at = node;
  return goes_on ? ExecGoingOn(node) : ExecStatement(node);
}

Flow Interpreter::ExecStatement(const Node* node) {
  switch (node->kind) {
    case NodeKind::kExpression:
      Eval(node->a);
      return Flow::kNext;
    case NodeKind::kAssign:
      ExecAssign(node);
      return Flow::kNext;
    case NodeKind::kAugmented:
      ExecAugmented(node);
      return Flow::kNext;
    case NodeKind::kAnnotated:
      ExecAnnotated(node);
      return Flow::kNext;
    case NodeKind::kReturn:
      frames_.back()->returned = node->a == nullptr ? None() : Eval(node->a);
      return Flow::kReturn;
    case NodeKind::kIf:
      return ExecIf(node);
    case NodeKind::kFor:
      return ExecFor(node);
    case NodeKind::kWhile:
      return ExecWhile(node);
    case NodeKind::kBreak:
      return Flow::kBreak;
    case NodeKind::kContinue:
      return Flow::kContinue;
    case NodeKind::kFunction:
      Store(node, node->name, Decorated(node, MakeFunction(node)));
      return Flow::kNext;
    case NodeKind::kClass:
      ExecClass(node);
      return Flow::kNext;
    case NodeKind::kImport:
      ExecImport(node);
      return Flow::kNext;
    case NodeKind::kImportFrom:
      ExecImportFrom(node);
      return Flow::kNext;
    case NodeKind::kTry:
      return ExecTry(node);
    case NodeKind::kWith:
      return ExecWith(node, 0);
    case NodeKind::kRaise:
      // A function that may have returned did so, or the program would have ended here.
      if (const Frame& frame = *frames_.back();
          !frame.maybe_returned.empty() && frame.undecided == 0 && frame.tries == 0) {
        return Flow::kReturn;
      }
      ExecRaise(node);
      return Flow::kNext;
    case NodeKind::kAssert:
      ExecAssert(node);
      return Flow::kNext;
    case NodeKind::kDelete:
      ExecDelete(node);
      return Flow::kNext;
    case NodeKind::kMatch:
      return ExecMatch(node);
    case NodeKind::kUnreadable:
      Note("RD003", LocationOf(frame()), "syntax error; the statement here is left out");
      return Flow::kNext;
    default:
      return Flow::kNext;
  }
}

Flow Interpreter::ExecIf(const Node* node) {
  const Value condition = EvalHead(node->a);
  const std::optional<bool> truth = Truth(condition);
  if (!truth.has_value()) return ExecBranches(node, condition);
  bool passed = false;
  // What a later round would train belongs to the one that stands for all.
  const bool trains = frames_.back()->round >= 0 && host_.TrainsInSomeRounds(*this, node, *truth);
  if (*truth || trains) {
    const Flow flow = ExecCheck(node->b, passed);
    // Past a check that failed goes what it was to keep out.
    if (passed) FillMissing(node->a);
    return passed && node->c != nullptr ? Exec(node->c) : flow;
  }
  return node->c == nullptr ? Flow::kNext : ExecCheck(node->c, passed);
}

// Runs a part of an if; `passed`: it was a check that failed, and was passed.
Flow Interpreter::ExecCheck(const Node* block, bool& passed) {
  const Node* check = CheckOf(block);
  frames_.back()->check = check;
  const Frame* const own = frames_.empty() ? nullptr : frames_.back();
  try {
    const Flow flow = Exec(block);
    passed = check != nullptr && check->kind == NodeKind::kRaise && flow == Flow::kNext;
    return flow;
  } catch (const Raised& exception) {
    if (check == nullptr || check->kind == NodeKind::kRaise) throw;
    if (!IsInstance(exception.exception, ExceptionType("SystemExit"))) throw;
    ReturnTo(own);
    passed = Passes(exception.exception);
    if (!passed) throw;
    return Flow::kNext;
  }
}

void Interpreter::ExecAssert(const Node* node) {
  const std::optional<bool> holds = Truth(Eval(node->a));
  if (holds.value_or(true)) return;
  Instance* error = New<Instance>(ExceptionType("AssertionError"));
  const Value message = node->b == nullptr ? Value() : Text(Display(Eval(node->b)));
  error->attributes.Set(Name("args"),
                        Tuple(message.set() ? std::vector{message} : std::vector<Value>{}));
  if (Passes(error)) return;
  MarkRaise();
  throw Raised{error};
}

void Interpreter::ExecAssign(const Node* node) {
  // The value of a name that the user gives need not be there.
  const bool named =
      node->list[0]->kind == NodeKind::kName || node->list[0]->kind == NodeKind::kAttribute;
  const Value given = named ? Assumed(node->list[0]->name, Value()) : Value();
  const Value value = given.set() ? given : Eval(node->a);
  for (const Node* target : node->list) Assign(target, value);
}

void Interpreter::ExecAugmented(const Node* node) {
  const Node* target = node->a;
  switch (target->kind) {
    case NodeKind::kAttribute: {
      const Value object = Eval(target->a);
      SetAttribute(object, target->name,
                   InPlace(node->op, Attribute(object, target->name), Eval(node->b)));
      return;
    }
    case NodeKind::kSubscript: {
      const Value object = Eval(target->a);
      const Value index = Eval(target->b);
      SetSubscript(object, index, InPlace(node->op, Subscript(object, index), Eval(node->b)));
      return;
    }
    default: {
      const Value before = Eval(target);
      Assign(target, InPlace(node->op, before, Eval(node->b)));
    }
  }
}

void Interpreter::ExecAnnotated(const Node* node) {
  Frame& frame = *frames_.back();
  // Classes keep the names of what they annotate: dataclasses read them.
  if (frame.body != nullptr && node->a->kind == NodeKind::kName) {
    const Symbol annotations = Name("__annotations__");
    Value* held = frame.body->Find(annotations);
    if (held == nullptr) {
      frame.body->Set(annotations, New<Dict>());
      held = frame.body->Find(annotations);
    }
    Dict* dict = held->as<Dict>();
    Value type;
    try {
      const Expecting expecting(*this);
      type = Eval(node->b);
    } catch (const Raised&) {
      type = MakeUnknown("an annotation that cannot be read");
    }
    if (dict != nullptr) SetItem(*dict, Text(*node->a->name), type);
  }
  if (node->c != nullptr) Assign(node->a, Eval(node->c));
}

void Interpreter::ReturnTo(const Frame* frame) {
  while (!frames_.empty() && frames_.back() != frame) frames_.pop_back();
}

Flow Interpreter::ExecTry(const Node* node) {
  std::optional<Value> raised;
  Flow flow = Flow::kNext;
  const Frame* const own = frames_.empty() ? nullptr : frames_.back();
  Frame& frame = *frames_.back();
  const int catches = TakesChecks(node) ? 1 : 0;
  ++frame.tries;
  const Trying trying = {node, frame.trying};
  frame.trying = &trying;
  frame.catches += catches;
  try {
    flow = Exec(node->a);
  } catch (const Raised& exception) {
    ReturnTo(own);
    raised = exception.exception;
  }
  --frame.tries;
  frame.trying = trying.around;
  frame.catches -= catches;
  if (raised.has_value() && !node->list.empty()) {
    std::optional<Value> again;
    try {
      flow = ExecHandlers(node, *raised);
      raised.reset();
    } catch (const Raised& exception) {
      ReturnTo(own);
      again = exception.exception;
    }
    if (again.has_value()) raised = again;
  } else if (!raised.has_value() && flow == Flow::kNext && node->b != nullptr) {
    std::optional<Value> again;
    try {
      flow = Exec(node->b);
    } catch (const Raised& exception) {
      ReturnTo(own);
      again = exception.exception;
    }
    raised = again;
  }
  if (node->c != nullptr) {
    const Value returned = frame.returned;
    const Flow last = Exec(node->c);
    if (last != Flow::kNext) return last;
    frame.returned = returned;
  }
  if (raised.has_value()) throw Raised{*raised};
  return flow;
}

bool Interpreter::Awaits(std::string_view exception) const {
  const auto names = [&](const Node* type) {
    return type != nullptr && type->name != nullptr && *type->name == exception;
  };
  for (const Frame* frame : frames_) {
    if (frame->trying == nullptr || frame->module == nullptr) continue;
    if (frame->module->origin != Module::Origin::kUser) continue;
    for (const Node* handler : frame->trying->node->list) {
      const Node* type = handler->a;
      if (type == nullptr) continue;
      if (names(type) || std::any_of(type->list.begin(), type->list.end(), names)) return true;
    }
  }
  return false;
}

Flow Interpreter::ExecHandlers(const Node* node, const Value& exception) {
  for (const Node* handler : node->list) {
    bool takes = handler->a == nullptr;
    if (!takes) {
      const Value type = Eval(handler->a);
      std::vector<Value> choices = {type};
      if (const Sequence* several = type.as<Sequence>()) choices = several->items;
      for (const Value& choice : choices) {
        const Class* wanted = choice.as<Class>();
        if (wanted == nullptr ? IsUnknown(choice) : IsInstance(exception, wanted)) takes = true;
      }
    }
    if (!takes) continue;
    if (handler->name != nullptr) Store(handler, handler->name, exception);
    const Symbol handled = Name("__handled__");
    const Value* held = builtins_->names.Find(handled);
    const Value outer = held == nullptr ? None() : *held;
    builtins_->names.Set(handled, exception);
    try {
      const Flow flow = Exec(handler->b);
      builtins_->names.Set(handled, outer);
      return flow;
    } catch (const Raised&) {
      builtins_->names.Set(handled, outer);
      throw;
    }
  }
  throw Raised{exception};
}

void Interpreter::ExecRaise(const Node* node) {
  if (node->a == nullptr) {
    const Value* handled = builtins_->names.Find(Name("__handled__"));
    if (handled != nullptr && !handled->none()) throw Raised{*handled};
    Instance* error = New<Instance>(ExceptionType("RuntimeError"));
    error->attributes.Set(Name("args"), Tuple({Text("there is no exception to raise again")}));
    if (frames_.back()->check == node && Passes(error)) return;
    MarkRaise();
    throw Raised{error};
  }
  Value exception = Eval(node->a);
  if (exception.as<Class>() != nullptr) exception = Call(exception, std::vector<Value>{});
  if (IsUnknown(exception)) Raise("Exception", exception.as<Unknown>()->reason());
  if (node->b != nullptr) SetAttribute(exception, Name("__cause__"), Eval(node->b));
  if (Instance* made = exception.as<Instance>()) {
    const Value* handled = builtins_->names.Find(Name("__handled__"));
    if (handled != nullptr && !handled->none() && !handled->Is(exception)) {
      SetName(*made, made->attributes, Name("__context__"), *handled);
    }
  }
  if (frames_.back()->check == node && Passes(exception)) return;
  MarkRaise();
  throw Raised{exception};
}

Flow Interpreter::ExecWith(const Node* node, size_t at) {
  if (at == node->list.size()) return Exec(node->a);
  const Node* item = node->list[at];
  const Value manager = EvalHead(item->a);
  const Value entered = IsUnknown(manager) ? manager : CallMethod(manager, "__enter__", {});
  if (item->b != nullptr) Assign(item->b, entered);
  std::optional<Value> raised;
  Flow flow = Flow::kNext;
  const Frame* const own = frames_.empty() ? nullptr : frames_.back();
  try {
    flow = ExecWith(node, at + 1);
  } catch (const Raised& exception) {
    ReturnTo(own);
    raised = exception.exception;
  }
  if (IsUnknown(manager)) {
    if (raised.has_value()) throw Raised{*raised};
    return flow;
  }
  const Value exception = raised.value_or(None());
  const Value type = raised.has_value() ? Value(TypeOf(exception)) : None();
  const Value returned = frames_.back()->returned;
  const Value swallowed = CallMethod(manager, "__exit__", {type, exception, None()});
  frames_.back()->returned = returned;
  if (raised.has_value() && !Truth(swallowed).value_or(false)) throw Raised{*raised};
  return flow;
}

void Interpreter::ExecDelete(const Node* node) {
  for (const Node* target : node->list) {
    if (target->kind == NodeKind::kAttribute) {
      DeleteAttribute(Eval(target->a), target->name);
    } else if (target->kind == NodeKind::kSubscript) {
      const Value object = Eval(target->a);
      DeleteSubscript(object, Eval(target->b));
    } else if (target->kind == NodeKind::kName) {
      Frame& frame = *frames_.back();
      if (target->where == Node::Where::kGlobal) {
        EraseName(*frame.module, target->name);
      } else {
        Store(target, target->name, Value());
      }
    }
  }
}

Value Interpreter::Decorated(const Node* node, Value value) {
  if (node->b == nullptr) return value;
  const std::vector<Node*>& decorators = node->b->list;
  std::vector<Value> callees;
  callees.reserve(decorators.size());
  for (const Node* decorator : decorators) callees.push_back(Eval(decorator));
  for (auto callee = callees.rbegin(); callee != callees.rend(); ++callee) {
    // What an unknown decorator makes of a function is taken to be the function.
    if (IsUnknown(*callee)) continue;
    const Value made = Call(*callee, {value});
    if (!IsUnknown(made)) value = made;
  }
  return value;
}

Value Interpreter::MakeFunction(const Node* node) {
  Frame& frame = *frames_.back();
  Function* function = New<Function>();
  function->name = node->name;
  function->node = node;
  function->closure = frame.names;
  if (frame.names != nullptr) frame.names->Hold();
  function->module = frame.module;
  function->owner = frame.owner;
  function->member = frame.body != nullptr && frame.owner != nullptr;
  for (const Node* parameter : node->list) {
    function->defaults.push_back(parameter->a == nullptr ? Value() : Eval(parameter->a));
  }
  constexpr size_t kMaxFunctions = 4000;
  if (node->kind == NodeKind::kFunction && frame.module->origin == Module::Origin::kUser &&
      user_functions_.size() < kMaxFunctions) {
    user_functions_.push_back(function);
  }
  return function;
}

void Interpreter::ExecClass(const Node* node) {
  std::vector<Value> bases;
  std::vector<std::pair<Symbol, Value>> keywords;
  for (const Node* argument : node->list) {
    if (argument->kind == NodeKind::kKeyword) {
      keywords.emplace_back(argument->name, Eval(argument->a));
    } else if (argument->kind == NodeKind::kStar) {
      const std::vector<Value> several = Items(Eval(argument->a));
      bases.insert(bases.end(), several.begin(), several.end());
    } else if (argument->kind != NodeKind::kDoubleStar) {
      const Value base = Eval(argument);
      // An object that stands for classes: typing.NamedTuple, List[int].
      const Instance* form = base.as<Instance>();
      const Value* entries = form == nullptr ? nullptr : form->type->Find(Name("__mro_entries__"));
      if (entries == nullptr) {
        bases.push_back(base);
      } else {
        const std::vector<Value> several = Items(Call(*entries, {base, Tuple({base})}));
        bases.insert(bases.end(), several.begin(), several.end());
      }
    }
  }
  Frame& outer = *frames_.back();
  Class* type = MakeClass(node->name, bases, {}, keywords, outer.module, node);
  Frame frame;
  frame.names = outer.names;
  frame.module = outer.module;
  frame.owner = type;
  frame.body = &type->members;
  frame.at = node;
  if (!node->a->list.empty()) {
    const Node* first = node->a->list[0];
    if (first->kind == NodeKind::kExpression && first->a->kind == NodeKind::kConstant) {
      type->members.Set(Name("__doc__"), first->a->constant);
    }
  }
  {
    const Entered entered(*this, frame);
    Exec(node->a);
  }
  // Methods of the class without a word of it.
  for (const char* name : {"__init_subclass__", "__class_getitem__"}) {
    const Value* member = type->members.Find(Name(name));
    if (member == nullptr || member->as<Function>() == nullptr) continue;
    const Value function = *member;
    type->members.Set(Name(name), New<Wrapped>(Kind::kClassMethod, function));
  }
  const Symbol set_name = Name("__set_name__");
  for (const auto& [name, member] : std::vector<std::pair<Symbol, Value>>(type->members.items())) {
    const Instance* held = member.as<Instance>();
    const Value* hook = held == nullptr ? nullptr : held->type->Find(set_name);
    if (hook != nullptr) Call(*hook, {member, type, Text(*name)});
  }
  const Value made = CallClassHooks(*this, *type, keywords, node);
  Store(node, node->name, Decorated(node, made));
}

Value CallClassHooks(Interpreter& in, Class& type,
                     const std::vector<std::pair<Symbol, Value>>& keywords, const Node* at) {
  Value made = &type;
  for (const char* hook : {"__init_subclass__", "__tilewise_make_class__"}) {
    const Symbol name = in.Name(hook);
    const Value* found = nullptr;
    for (size_t i = 1; i < type.order.size() && found == nullptr; ++i) {
      found = type.order[i]->members.Find(name);
    }
    if (found == nullptr) continue;
    Arguments arguments;
    arguments.at = at;
    arguments.positional = {&type};
    if (std::string_view(hook) == "__init_subclass__") arguments.keyword = keywords;
    std::erase_if(arguments.keyword, [](const auto& k) { return *k.first == "metaclass"; });
    Value callee = *found;
    if (const Wrapped* wrapped = callee.as<Wrapped>()) callee = wrapped->function;
    const Value result = in.Call(callee, arguments);
    if (result.as<Class>() != nullptr) made = result;
  }
  return made;
}

}  // namespace tilewise::py
