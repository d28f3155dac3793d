// What a program does with what its command line or machine would give: checks
// that fail, tables of classes.

#include "python/checks.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace tilewise::py {

namespace {

std::string_view CalledName(const Node* statement) {
  const Node* call = statement->kind == NodeKind::kExpression ? statement->a : nullptr;
  if (call == nullptr || call->kind != NodeKind::kCall) return {};
  const Node* named = call->a;
  const bool has = named->kind == NodeKind::kName || named->kind == NodeKind::kAttribute;
  return has ? std::string_view(*named->name) : std::string_view();
}
bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
bool Says(const Node* statement) {
  return IsOneOf(CalledName(statement),
                 {"print", "print_help", "print_usage", "debug", "info", "warn", "warning", "error",
                  "exception", "critical", "fatal", "log", "write"});
}

}  // namespace

const Node* CheckOf(const Node* block) {
  const bool several = block->kind == NodeKind::kBlock;
  if (several && block->list.empty()) return nullptr;
  const Node* last = several ? block->list.back() : block;
  const bool raises = last->kind == NodeKind::kRaise;
  // A part of the program may end in an exit as well: a check does no more than say why.
  const bool exits = IsOneOf(CalledName(last), {"exit", "_exit", "quit"});
  if (!raises && !exits) return nullptr;
  const bool plain =
      !several || std::all_of(block->list.begin(), block->list.end(), [&](const Node* each) {
        return each == last || Says(each) ||
               (raises && (each->kind == NodeKind::kExpression || each->kind == NodeKind::kAssign));
      });
  return plain ? last : nullptr;
}

bool TakesChecks(const Node* node) {
  constexpr std::string_view kOthers[] = {
      "KeyboardInterrupt", "SystemExit", "ImportError",    "ModuleNotFoundError", "StopIteration",
      "GeneratorExit",     "KeyError",   "AttributeError", "IndexError",          "NameError"};
  return std::any_of(node->list.begin(), node->list.end(), [&](const Node* handler) {
    const Node* type = handler->a;
    if (type == nullptr || type->kind != NodeKind::kName) return true;
    return std::find(std::begin(kOthers), std::end(kOthers), *type->name) == std::end(kOthers);
  });
}

void Interpreter::FillMissing(const Node* condition) {
  const Node* tested = nullptr;
  const std::function<void(const Node*)> find = [&](const Node* node) {
    if (tested != nullptr) return;
    if (node->kind == NodeKind::kAnd || node->kind == NodeKind::kOr) {
      for (const Node* part : {node->a, node->b}) {
        if (part != nullptr) find(part);
      }
      for (const Node* part : node->list) find(part);
      return;
    }
    const Node* held = node->kind == NodeKind::kNot ? node->a : nullptr;
    const bool compares = node->kind == NodeKind::kCompare && node->ops.size() == 1 &&
                          (node->ops[0] == Operator::kIs || node->ops[0] == Operator::kEqual);
    if (compares) held = node->list[0];
    const bool named = held != nullptr &&
                       (held->kind == NodeKind::kName ||
                        (held->kind == NodeKind::kAttribute && held->a->kind == NodeKind::kName));
    if (!named) return;
    const Value now = Eval(held);
    const std::string* text = TextOf(now);
    if (now.none() || (text != nullptr && text->empty())) tested = held;
  };
  find(condition);
  if (tested == nullptr) return;
  const Value value = host_.Missing(*this, tested->name);
  if (value.set()) Assign(tested, value);
}

bool Interpreter::Passes(const Value& exception) {
  constexpr int kMaxPassed = 16;
  const Frame& here = *frames_.back();
  if (!passes_checks || undecided_ > 0 || passed_ >= kMaxPassed ||
      here.module->origin != Module::Origin::kUser) {
    return false;
  }
  const Class* type = TypeOf(exception);
  const auto derives = [&](std::string_view name) { return type->Derives(ExceptionType(name)); };
  const bool exits = derives("SystemExit");
  // A key that is missing is taken by who asks for it; one that comes with a message is not.
  const bool says = derives("KeyError") && Display(exception).find(' ') != std::string::npos;
  const bool checks = type == ExceptionType("Exception") || derives("ValueError") || says ||
                      derives("AssertionError") || derives("RuntimeError") || derives("OSError");
  if ((!checks && !exits) || derives("RecursionError")) return false;
  for (const Frame* frame : frames_) {
    // What starts a program for want of a caller takes what it raises.
    // absl.app takes what is said of flags, and nothing else.
    const std::string in = frame->module == nullptr ? "" : frame->module->name;
    const bool starts = in == "_tilewise_entry" || (in == "absl.app" && !derives("ValueError"));
    if (frame->catches > 0 && !starts) return false;
  }
  const Location at = LocationOf(here);
  constexpr std::string_view kFails = "a check of the program fails";
  // One in a loop over data passes for each of them, and is said of the first.
  const bool again = std::ranges::any_of(notes_, [&](const Diagnostic& note) {
    return note.location == at && note.message.starts_with(kFails);
  });
  if (again) return true;
  ++passed_;
  const std::string why = exits ? "the program would end here" : Display(exception);
  Note("RD002", at,
       fmt::format("{}{}{}; it is read as if it had passed", kFails, why.empty() ? "" : ": ", why),
       Severity::kWarning);
  return true;
}

Value Interpreter::NotModelled(const Value& object, Symbol name) {
  const Instance* instance = object.as<Instance>();
  const Class* type = instance == nullptr ? object.as<Class>() : instance->type;
  if (type == nullptr || name->starts_with("__") ||
      frame().module->origin != Module::Origin::kUser) {
    return {};
  }
  const bool own = type->module != nullptr &&
                   std::all_of(type->order.begin(), type->order.end(), [](const Class* each) {
                     return each->module == nullptr || each->module->origin == Module::Origin::kOwn;
                   });
  if (!own) return {};
  for (const Frame* frame : frames_) {
    const bool asks = frame->tries > 0 && frame->module->origin == Module::Origin::kUser;
    if (asks) return {};
  }
  return MakeUnknown(fmt::format("'{}' of {}", *name, *type->name));
}

Value Interpreter::FirstOfClasses(const Dict& dict, const Unknown& key) {
  if (!passes_checks || frame().module->origin != Module::Origin::kUser || dict.open) return {};
  const Dict::Entry* first = nullptr;
  for (const Dict::Entry& entry : dict.entries) {
    if (!entry.live) continue;
    if (TextOf(entry.key) == nullptr || entry.value.as<Class>() == nullptr) return {};
    if (first == nullptr) first = &entry;
  }
  if (first == nullptr) return {};
  Note("RD002", LocationOf(frame()),
       fmt::format("which of the classes here is wanted is not known ({}); '{}' is taken",
                   key.reason(), *TextOf(first->key)),
       Severity::kWarning);
  return first->value;
}

}  // namespace tilewise::py
