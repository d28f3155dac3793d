// The match statement.

#include <algorithm>

#include "python/interpreter.h"

namespace tilewise::py {

Flow Interpreter::ExecMatch(const Node* node) {
  const Value subject = Eval(node->a);
  for (const Node* clause : node->list) {
    const std::optional<bool> fits = Matches(clause->a, subject);
    // The first pattern that may fit is followed.
    if (fits.has_value() && !*fits) continue;
    if (!fits.has_value()) {
      const Value asked = clause->a->kind == NodeKind::kValuePattern && IsUnknown(subject)
                              ? Compared(Operator::kEqual, subject, Eval(clause->a->a), subject)
                              : Value();
      if (!Decided(clause, asked).value_or(true)) continue;
    }
    if (clause->b != nullptr) {
      const std::optional<bool> guard = Truth(Eval(clause->b));
      if (guard.has_value() && !*guard) continue;
    }
    return Exec(clause->c);
  }
  return Flow::kNext;
}

std::optional<bool> Interpreter::MatchesList(const Node* pattern, const Value& value) {
  if (IsUnknown(value)) return std::nullopt;
  const Sequence* items = value.as<Sequence>();
  if (items == nullptr) return false;
  size_t star = pattern->list.size();
  for (size_t i = 0; i < pattern->list.size(); ++i) {
    if (pattern->list[i]->kind == NodeKind::kStarPattern) star = i;
  }
  const size_t count = items->items.size();
  const bool open = star < pattern->list.size();
  if (open ? count + 1 < pattern->list.size() : count != pattern->list.size()) return false;
  const size_t after = open ? pattern->list.size() - star - 1 : 0;
  for (size_t i = 0; i < pattern->list.size(); ++i) {
    if (i == star) {
      if (pattern->list[i]->name != nullptr) {
        const auto begin = items->items.begin() + static_cast<std::ptrdiff_t>(star);
        const auto end = items->items.end() - static_cast<std::ptrdiff_t>(after);
        Store(pattern->list[i], pattern->list[i]->name, List({begin, end}));
      }
      continue;
    }
    const size_t at = i < star ? i : count - (pattern->list.size() - i);
    const std::optional<bool> fits = Matches(pattern->list[i], items->items[at]);
    if (!fits.has_value() || !*fits) return fits;
  }
  return true;
}

std::optional<bool> Interpreter::MatchesClass(const Node* pattern, const Value& value) {
  const Value type = Eval(pattern->a);
  if (IsUnknown(type) || IsUnknown(value)) return std::nullopt;
  const Class* wanted = type.as<Class>();
  if (wanted == nullptr || !IsInstance(value, wanted)) return false;
  std::vector<Value> places;
  if (const Value* names = wanted->Find(Name("__match_args__"))) places = Items(*names);
  size_t position = 0;
  for (const Node* part : pattern->list) {
    Value held;
    const Node* inner = part;
    if (part->kind == NodeKind::kKeyword) {
      held = FindAttribute(value, part->name);
      inner = part->a;
    } else if (position < places.size()) {
      held = FindAttribute(value, Name(*TextOf(places[position++])));
    } else {
      held = value;  // int(x), str(x)
    }
    if (!held.set()) return false;
    const std::optional<bool> fits = Matches(inner, held);
    if (!fits.has_value() || !*fits) return fits;
  }
  return true;
}

std::optional<bool> Interpreter::Matches(const Node* pattern, const Value& value) {
  switch (pattern->kind) {
    case NodeKind::kAnyPattern:
      return true;
    case NodeKind::kCapture:
      Store(pattern, pattern->name, value);
      return true;
    case NodeKind::kAsPattern: {
      const std::optional<bool> fits = Matches(pattern->a, value);
      if (fits.value_or(true)) Store(pattern, pattern->name, value);
      return fits;
    }
    case NodeKind::kOrPattern: {
      bool open = false;
      for (const Node* part : pattern->list) {
        const std::optional<bool> fits = Matches(part, value);
        if (fits.value_or(false)) return true;
        open = open || !fits.has_value();
      }
      if (open) return std::nullopt;
      return false;
    }
    case NodeKind::kListPattern:
      return MatchesList(pattern, value);
    case NodeKind::kClassPattern:
      return MatchesClass(pattern, value);
    case NodeKind::kDictPattern: {
      if (IsUnknown(value)) return std::nullopt;
      Dict* dict = value.as<Dict>();
      if (dict == nullptr) return false;
      for (const Node* pair : pattern->list) {
        const Value* held = FindItem(*dict, Eval(pair->a));
        if (held == nullptr) return false;
        const std::optional<bool> fits = Matches(pair->b, *held);
        if (!fits.has_value() || !*fits) return fits;
      }
      if (pattern->name != nullptr) {
        Dict* rest = New<Dict>();
        for (const Dict::Entry& entry : std::vector<Dict::Entry>(dict->entries)) {
          const bool named = std::any_of(
              pattern->list.begin(), pattern->list.end(),
              [&](const Node* pair) { return Equal(entry.key, Eval(pair->a)).value_or(false); });
          if (entry.live && !named) SetItem(*rest, entry.key, entry.value);
        }
        Store(pattern, pattern->name, rest);
      }
      return true;
    }
    case NodeKind::kValuePattern:
      return Equal(value, Eval(pattern->a));
    default:
      return std::nullopt;
  }
}

}  // namespace tilewise::py
