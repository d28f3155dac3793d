// Programs that are read past their errors: what a statement that failed would have made is not
// known, and the statements after it are read.

#include <algorithm>

#include <fmt/format.h>

#include "python/expecting.h"
#include "python/interpreter.h"

namespace tilewise::py {
namespace {

// A loop over layers meets the same error again and again.
constexpr int kMaxLeftOut = 256;

// The last part of the name that a handler gives: "Error" of `socket.Error`.
bool Names(const Node* type, const Class& raised) {
  if (type == nullptr) return true;
  if (type->name == nullptr) {
    return std::any_of(type->list.begin(), type->list.end(),
                       [&](const Node* each) { return Names(each, raised); });
  }
  return std::any_of(raised.order.begin(), raised.order.end(),
                     [&](const Class* each) { return *each->name == *type->name; });
}

}  // namespace

bool Interpreter::Takes(const Value& exception) {
  const Class& raised = *TypeOf(exception);
  for (const Frame* frame : frames_) {
    // What starts a program for want of a caller takes what it raises, to say so.
    if (frame->module != nullptr && frame->module->name == "_tilewise_entry") continue;
    for (const Trying* each = frame->trying; each != nullptr; each = each->around) {
      const std::vector<Node*>& handlers = each->node->list;
      const auto takes = [&](const Node* handler) { return Names(handler->a, raised); };
      if (std::any_of(handlers.begin(), handlers.end(), takes)) return true;
    }
  }
  return false;
}

bool Interpreter::GoesOn(const Value& exception) {
  if (undecided_ > 0 || expecting_ > 0 || left_out_ >= kMaxLeftOut ||
      frame().module->origin != Module::Origin::kUser) {
    return false;
  }
  for (const char* name : {"SystemExit", "KeyboardInterrupt", "GeneratorExit", "StopIteration",
                           "StopAsyncIteration", "ImportError", "RecursionError"}) {
    if (IsInstance(exception, ExceptionType(name))) return false;
  }
  if (Takes(exception)) return false;
  ++left_out_;
  NoteRaised(exception, "reading goes on without what is made here, which ends");
  return true;
}

Value Interpreter::EvalGoingOn(const Node* node) {
  const Frame* const own = frames_.empty() ? nullptr : frames_.back();
  std::optional<Value> raised;
  try {
    return Eval(node);
  } catch (const Raised& exception) {
    raised = exception.exception;
  }
  ReturnTo(own);
  if (!GoesOn(*raised)) throw Raised{*raised};
  return MakeUnknown("what ends with " + Display(*raised));
}

Flow Interpreter::ExecGoingOn(const Node* node) {
  const Frame* const own = frames_.empty() ? nullptr : frames_.back();
  std::optional<Value> raised;
  try {
    return ExecStatement(node);
  } catch (const Raised& exception) {
    raised = exception.exception;
  }
  ReturnTo(own);
  if (!GoesOn(*raised)) throw Raised{*raised};
  const Value unknown = MakeUnknown("what ends with " + Display(*raised));
  switch (node->kind) {
    case NodeKind::kAssign:
      // A member keeps what it was declared with.
      for (const Node* target : node->list) {
        const bool member = target->kind == NodeKind::kAttribute;
        if (member && FindAttribute(Eval(target->a), target->name).set()) continue;
        Assign(target, unknown);
      }
      return Flow::kNext;
    case NodeKind::kAugmented:
    case NodeKind::kAnnotated:
      Assign(node->a, unknown);
      return Flow::kNext;
    case NodeKind::kReturn:
      frames_.back()->returned = unknown;
      return Flow::kReturn;
    case NodeKind::kFunction:
    case NodeKind::kClass:
      Store(node, node->name, unknown);
      return Flow::kNext;
    default:
      return Flow::kNext;
  }
}

}  // namespace tilewise::py
