// Expressions.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "python/branches.h"
#include "python/generator.h"
#include "python/linear_form.h"
#include "python/open.h"
#include "python/text.h"

namespace tilewise::py {

Value Interpreter::Eval(const Node* node) {
  Step();
  CheckDepth();
  // A syntax error may leave a part out: "R = s: d".
  if (node == nullptr) return MakeUnknown("a part of a statement that cannot be read");
  switch (node->kind) {
    case NodeKind::kConstant:
      return node->constant;
    case NodeKind::kImaginary:
      return Call(types.complex, {Value(0.0), node->constant});
    case NodeKind::kName:
      return Load(node);
    case NodeKind::kAttribute:
      return Attribute(Eval(node->a), node->name);
    case NodeKind::kCall:
      return EvalCall(node);
    case NodeKind::kSubscript: {
      const Value object = Eval(node->a);
      return Subscript(object, Eval(node->b));
    }
    case NodeKind::kSlice: {
      const auto part = [&](const Node* bound) { return bound == nullptr ? None() : Eval(bound); };
      Value start = part(node->a), stop = part(node->b);
      if (IsUnknown(start) && IsUnknown(stop)) {
        // Rows i to i + n of data whose i is not known are like the first n.
        const auto form = [this](const Node* bound) {
          return LinearForm::Of(bound, [this](const Node& each) { return Eval(&each); });
        };
        const std::optional<int64_t> rows = form(node->b).Minus(form(node->a));
        if (rows.has_value() && *rows > 0) {
          start = Value(int64_t{0});
          stop = Value(*rows);
        }
      }
      return New<Slice>(start, stop, part(node->c));
    }
    case NodeKind::kBinary: {
      const Value left = Eval(node->a);
      return Binary(node->op, left, Eval(node->b));
    }
    case NodeKind::kUnary:
      return Unary(node->op, Eval(node->a));
    case NodeKind::kNot: {
      const Value value = Eval(node->a);
      const std::optional<bool> truth = Truth(value);
      return truth.has_value() ? Value(!*truth) : Related(Unknown::Relation::kNot, value, Value());
    }
    case NodeKind::kAnd:
    case NodeKind::kOr:
      return EvalAndOr(node);
    case NodeKind::kCompare:
      return EvalCompare(node);
    case NodeKind::kConditional: {
      const Value condition = Eval(node->b);
      const std::optional<bool> truth = Truth(condition);
      if (truth.has_value()) return Eval(*truth ? node->a : node->c);
      return EvalBranches(node, condition);
    }
    case NodeKind::kLambda:
      return MakeFunction(node);
    case NodeKind::kTuple:
    case NodeKind::kList:
      return EvalSequence(node);
    case NodeKind::kSet:
      return EvalSet(node);
    case NodeKind::kDict:
      return EvalDict(node);
    case NodeKind::kJoined:
    case NodeKind::kFormatted:
      return EvalJoined(node);
    case NodeKind::kListMade:
    case NodeKind::kSetMade:
    case NodeKind::kDictMade:
    case NodeKind::kGeneratorMade:
      return EvalComprehension(node);
    case NodeKind::kNamed: {
      const Value value = Eval(node->b);
      Assign(node->a, value);
      return value;
    }
    case NodeKind::kYield:
    case NodeKind::kYieldFrom:
      return EvalYield(node);
    case NodeKind::kAwait:
    case NodeKind::kStar:
      return Eval(node->a);
    default:
      return MakeUnknown(
          fmt::format("an expression that is not read ({})", FormatLocation(LocationOf(frame()))));
  }
}

Value Interpreter::EvalAndOr(const Node* node) {
  const Value left = Eval(node->a);
  const std::optional<bool> truth = Truth(left);
  if (truth.has_value()) {
    return *truth == (node->kind == NodeKind::kOr) ? left : Eval(node->b);
  }
  // Unknown and False is false; unknown or True is true.
  const Value right = Eval(node->b);
  const std::optional<bool> other = Truth(right);
  const bool any = node->kind == NodeKind::kOr;
  if (other.has_value()) return *other == any ? right : left;
  return Related(any ? Unknown::Relation::kAny : Unknown::Relation::kAll, left, right);
}

// A tuple or list with its items written out.
Value Interpreter::EvalSequence(const Node* node) {
  if (const Sequence* numbers = node->constant.as<Sequence>()) {
    Step(static_cast<int64_t>(numbers->items.size() / 8));
    return List(numbers->items);
  }
  Openness open;
  std::vector<Value> items = EvalItems(node->list, open);
  return node->kind == NodeKind::kList ? List(std::move(items), open)
                                       : Tuple(std::move(items), open);
}

Value Interpreter::EvalSet(const Node* node) {
  Dict* set = New<Dict>(Kind::kSet);
  Openness open;
  for (const Value& item : EvalItems(node->list, open)) SetItem(*set, item, None());
  set->open.Join({open.why, false});
  return set;
}

std::vector<Value> Interpreter::EvalItems(const std::vector<Node*>& nodes, Openness& open) {
  std::vector<Value> items;
  items.reserve(nodes.size());
  for (const Node* node : nodes) {
    if (node->kind == NodeKind::kStar) {
      Openness more;
      const std::vector<Value> several = Items(Eval(node->a), &more);
      open.Join(more);
      items.insert(items.end(), several.begin(), several.end());
    } else {
      items.push_back(Eval(node));
    }
  }
  return items;
}

Value Interpreter::EvalDict(const Node* node) {
  Dict* dict = New<Dict>();
  for (const Node* item : node->list) {
    if (item->kind == NodeKind::kPair) {
      const Value key = Eval(item->a);
      SetItem(*dict, key, Eval(item->b));
      continue;
    }
    const Value spread = Eval(item->a);
    dict->open.Join({OpennessOf(spread).why, false});
    if (const Dict* other = spread.as<Dict>()) {
      for (size_t i = 0; i < other->entries.size(); ++i) {
        const Dict::Entry entry = other->entries[i];
        if (entry.live) SetItem(*dict, entry.key, entry.value);
      }
    } else if (!IsUnknown(spread)) {
      for (const Value& key : Items(CallMethod(spread, "keys", {}))) {
        SetItem(*dict, key, Subscript(spread, key));
      }
    }
  }
  return dict;
}

Value Interpreter::EvalJoined(const Node* node) {
  if (node->kind == NodeKind::kJoined) {
    std::string text;
    for (const Node* part : node->list) {
      const Value value = Eval(part);
      const std::string* piece = TextOf(value);
      if (piece == nullptr) return value;  // not known
      text += *piece;
    }
    return Text(std::move(text));
  }
  Value value = node->a == nullptr ? None() : Eval(node->a);
  if (IsUnknown(value)) return value;
  if (const std::string* shown = TextOf(node->constant)) {
    // f"{x=}"
    const std::string text =
        node->b == nullptr ? Represent(value) : Display(Format(value, Display(Eval(node->b))));
    return Text(*shown + text);
  }
  if (node->conversion == 'r') value = Text(Represent(value));
  if (node->conversion == 'a') value = Text(AsciiText(Represent(value)));
  if (node->conversion == 's') value = Text(Display(value));
  std::string specifier;
  if (node->b != nullptr) {
    const Value text = Eval(node->b);
    if (TextOf(text) == nullptr) return text;
    specifier = *TextOf(text);
  }
  return Format(value, specifier);
}

Value Interpreter::EvalCompare(const Node* node) {
  Value left = Eval(node->list[0]);
  Value result;
  for (size_t i = 0; i < node->ops.size(); ++i) {
    const Value right = Eval(node->list[i + 1]);
    result = Compare(node->ops[i], left, right);
    if (IsUnknown(result)) result = Compared(node->ops[i], left, right, result);
    if (i + 1 == node->ops.size()) break;
    const std::optional<bool> truth = Truth(result);
    if (!truth.value_or(true)) return result;
    left = right;
  }
  return result;
}

void Interpreter::Comprehend(const Node* node, size_t at, const std::function<void()>& body,
                             Openness& open) {
  if (at == node->list.size()) {
    body();
    return;
  }
  const Node* clause = node->list[at];
  if (clause->kind == NodeKind::kIfClause) {
    // What may be left out is kept.
    if (Truth(Eval(clause->a)).value_or(true)) Comprehend(node, at + 1, body, open);
    return;
  }
  Iterator* items = nullptr;
  if (at == 0) {
    // The first iterable is made by whoever makes the comprehension.
    items = frames_.back()->names->values.back().as<Iterator>();
  } else {
    items = Iterate(Eval(clause->b));
  }
  OpenRun run(*this, nullptr);
  // The number of items within items is not assumed.
  const bool nested =
      std::any_of(node->list.begin() + static_cast<std::ptrdiff_t>(at) + 1, node->list.end(),
                  [](const Node* other) { return other->kind != NodeKind::kIfClause; });
  for (;;) {
    const Value item = items->Next(*this);
    const Openness more = items->open();
    open.Join({more.why, more.counted && !nested && at == 0});
    if (!item.set()) break;
    Step();
    run.Round(more);
    const Undecided maybe(*this, static_cast<bool>(more));
    Assign(clause->a, item);
    Comprehend(node, at + 1, body, open);
  }
  run.End();
}

// The part of the work that the items of one list may take, and how often that is looked at.
constexpr int64_t kPartForList = 2;
constexpr int64_t kBetweenLooks = 64;
// A graph has no more ops.
constexpr int64_t kMostOps = 200'000;

Value Interpreter::EvalComprehension(const Node* node) {
  Frame& outer = *frames_.back();
  Iterator* first = Iterate(Eval(node->list[0]->b));
  Environment* names = NewNames(node->scope, outer.names, node->scope->slots.size() + 1);
  const uint32_t epoch = names->epoch;
  names->values.back() = first;
  if (node->kind == NodeKind::kGeneratorMade) return New<Generator>(*this, nullptr, names, node);
  Frame frame = outer;
  frame.names = names;
  frame.body = nullptr;
  frame.maybe_returned.clear();
  frame.undecided = 0;
  const Entered entered(*this, frame);
  if (node->kind == NodeKind::kListMade) {
    std::vector<Value> items;
    Openness open;
    // A list of figures, as of a schedule that is drawn, may take more work than there is.
    const bool may_stop = node->list.size() == 1;
    const int64_t start = steps_, made = made_;
    Value other;
    const auto add = [&] {
      if (other.set()) {
        items.push_back(other);
        return;
      }
      items.push_back(Eval(node->a));
      const auto met = static_cast<int64_t>(items.size());
      if (!may_stop || met % kBetweenLooks != 0) return;
      const std::optional<int64_t> rounds = first->Rounds();
      const int64_t most = (limits_.steps - start) / kPartForList;
      if (!rounds || (steps_ - start) / met < most / *rounds) return;
      // Ops of a model, unless they are more than it may have.
      if (made_ != made && (made_ - made) / met < kMostOps / *rounds) return;
      Note("RD002", UserLocation(),
           fmt::format("a list of {} items is read up to item {}", *rounds, met), Severity::kInfo);
      other = MakeUnknown("an item of a list that is not read to its end");
    };
    Comprehend(node, 0, add, open);
    Reuse(names, epoch);
    return List(std::move(items), open);
  }
  Dict* dict = New<Dict>(node->kind == NodeKind::kDictMade ? Kind::kDict : Kind::kSet);
  Openness open;
  Comprehend(
      node, 0,
      [&] {
        const Value key = Eval(node->a);
        SetItem(*dict, key, node->b == nullptr ? None() : Eval(node->b));
      },
      open);
  dict->open.Join({open.why, false});
  Reuse(names, epoch);
  return dict;
}

void Interpreter::EvalArguments(const Node* node, Arguments& arguments) {
  arguments.at = node;
  arguments.positional.reserve(node->list.size());
  for (const Node* argument : node->list) {
    switch (argument->kind) {
      case NodeKind::kStar: {
        Openness open;
        const Value value = Eval(argument->a);
        if (const Unknown* unknown = value.as<Unknown>()) {
          arguments.open = true;
          arguments.stars.Join({unknown, false});
          break;
        }
        const std::vector<Value> items = Items(value, &open);
        arguments.open = arguments.open || open.uncounted();
        arguments.stars.Join(open);
        arguments.positional.insert(arguments.positional.end(), items.begin(), items.end());
        break;
      }
      case NodeKind::kDoubleStar: {
        const Value value = Eval(argument->a);
        const Dict* dict = value.as<Dict>();
        if (const Instance* instance = value.as<Instance>(); dict == nullptr && instance) {
          dict = instance->base.set() ? instance->base.as<Dict>() : nullptr;
        }
        if (const Unknown* unknown = value.as<Unknown>()) {
          arguments.open = true;
          arguments.names.Join({unknown, false});
        } else if (dict == nullptr) {
          for (const Value& key : Items(CallMethod(value, "keys", {}))) {
            if (const std::string* name = TextOf(key)) {
              arguments.keyword.emplace_back(Name(*name), Subscript(value, key));
            }
          }
        } else {
          arguments.names.Join(dict->open);
          for (const Dict::Entry& entry : dict->entries) {
            const std::string* name = entry.live ? TextOf(entry.key) : nullptr;
            if (name != nullptr) arguments.keyword.emplace_back(Name(*name), entry.value);
          }
        }
        break;
      }
      case NodeKind::kKeyword:
        arguments.keyword.emplace_back(argument->name, Eval(argument->a));
        break;
      default:
        // A name after a keyword, which Python does not take, is its own keyword.
        if (argument->kind == NodeKind::kName && !arguments.keyword.empty()) {
          arguments.keyword.emplace_back(argument->name, Eval(argument));
        } else {
          arguments.positional.push_back(Eval(argument));
        }
    }
  }
}

Value Interpreter::EvalCall(const Node* node) {
  Value callee = Eval(node->a);
  if (IsUnknown(callee) && node->a->kind == NodeKind::kAttribute) {
    const Value method = host_.UnknownMethod(*this, node->a, callee);
    if (method.set()) callee = method;
  }
  Arguments arguments;
  EvalArguments(node, arguments);
  Step(4);
  // The frame has the call, while this lives, as the one that is evaluated; one in a later line of
  // its statement is at its own line.
  class InCall {
   public:
    InCall(Frame& frame, const Node* call)
        : frame_(frame), outer_(std::exchange(frame.call, call)), statement_(frame.at) {
      if (statement_ != nullptr && statement_->line != call->line) frame.at = call;
    }
    ~InCall() {
      frame_.call = outer_;
      frame_.at = statement_;
    }
    InCall(const InCall&) = delete;
    InCall& operator=(const InCall&) = delete;

   private:
    Frame& frame_;
    const Node* outer_;
    const Node* statement_;
  };
  const InCall call(*frames_.back(), node);
  return Call(callee, arguments);
}

}  // namespace tilewise::py
