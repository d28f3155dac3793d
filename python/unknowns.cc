// Which containers a value that is not known may be, and sums of numbers of items.

#include "python/unknowns.h"

#include <algorithm>
#include <map>

#include "python/expecting.h"

namespace tilewise::py {
namespace {

// A sum of numbers of items that are not known, each times a number, and of a known one.
struct Sum {
  std::map<const Unknown*, int64_t> times;
  int64_t plus = 0;

  void Add(const Sum& other, int64_t sign) {
    plus += sign * other.plus;
    for (const auto& [count, by] : other.times) {
      if ((times[count] += sign * by) == 0) times.erase(count);
    }
  }
};

constexpr int64_t kMostItems = int64_t{1} << 40;

std::optional<Sum> SumOf(const Unknown& unknown) {
  const Unknown::Known& facts = unknown.known();
  if (facts.counts.empty()) return std::nullopt;
  return Sum{{facts.counts.begin(), facts.counts.end()}, facts.plus};
}
std::optional<Sum> SumOf(const Value& value) {
  if (const Unknown* unknown = value.as<Unknown>()) {
    return SumOf(*unknown);
  }
  const auto number = value.is_object() ? std::nullopt : AsInt(value);
  if (!number.has_value() || *number > kMostItems || *number < -kMostItems) return std::nullopt;
  return Sum{{}, *number};
}

// How many items a list has, in such a sum.
std::optional<Sum> SumOf(const Sequence& items) {
  if (!items.open.uncounted()) return Sum{{}, static_cast<int64_t>(items.items.size())};
  if (items.count == nullptr) return std::nullopt;
  const Unknown::Known& facts = items.count->known();
  return Sum{{facts.counts.begin(), facts.counts.end()}, facts.plus};
}

Value ValueOf(Interpreter& in, const Sum& sum, const Unknown& like) {
  if (sum.times.empty()) return Value(sum.plus);
  Unknown* made = in.New<Unknown>(like.cause);
  Unknown::Known& facts = Know(in, *made);
  facts.counts.assign(sum.times.begin(), sum.times.end());
  facts.plus = sum.plus;
  return made;
}

// Whether a container's method of that name puts something into it.
bool Grows(std::string_view name) {
  constexpr std::string_view kNames[] = {"add", "append", "extend", "setdefault", "update"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

}  // namespace

Unknown::Known& Know(Interpreter& in, Unknown& unknown) {
  if (unknown.facts == nullptr) {
    unknown.facts = std::make_unique<Unknown::Known>();
    in.Spend(sizeof(Unknown::Known));
  }
  return *unknown.facts;
}

bool IsWrapped(const Value& value, std::string_view use) {
  const Instance* instance = value.set() ? value.as<Instance>() : nullptr;
  const Value* says =
      instance == nullptr ? nullptr : instance->type->Find(SymbolOf("__tilewise_wrapped__"));
  const std::string* text = says == nullptr ? nullptr : TextOf(*says);
  return text != nullptr && *text == use;
}

Value WrappedOf(const Arguments& arguments) {
  std::vector<Value> given = arguments.positional;
  for (const auto& [name, value] : arguments.keyword) given.push_back(value);
  const auto loader =
      std::ranges::find_if(given, [&](const Value& each) { return IsWrapped(each, "items"); });
  if (loader != given.end()) return *loader;
  const auto is_model = [&](const Value& each) { return IsWrapped(each, "call"); };
  const bool one = std::ranges::count_if(given, is_model) == 1;
  return one && !arguments.positional.empty() && is_model(given.front()) ? given.front() : Value();
}

Value PartOfUnknown(Interpreter& in, Unknown& unknown, Symbol name) {
  for (const auto& [part, held] : unknown.known().parts) {
    if (part == name) return held;
  }
  if (const Value wraps = unknown.known().wraps; wraps.set()) {
    try {
      const Interpreter::Expecting expecting(in);
      if (const Value held = in.FindAttribute(wraps, name); held.set()) return held;
    } catch (const Raised&) {
      // A model may raise for what it lacks.
    }
  }
  Unknown* result = in.New<Unknown>(unknown.cause);
  if (Grows(*name)) {
    const std::vector<Value> either = unknown.known().either;
    for (const Value& one : either) Know(in, *result).either.push_back(in.Attribute(one, name));
  }
  constexpr size_t kMaxParts = 64;
  std::vector<std::pair<Symbol, Unknown*>>& parts = Know(in, unknown).parts;
  if (parts.size() < kMaxParts) parts.emplace_back(name, result);
  return result;
}

Value EitherOf(Interpreter& in, const Value& unknown, std::span<const Value> values) {
  constexpr size_t kMost = 64;
  std::vector<Value> either;
  for (const Value& value : values) {
    const Sequence* items = value.as<Sequence>();
    if (const Unknown* nested = value.as<Unknown>()) {
      const std::vector<Value>& more = nested->known().either;
      either.insert(either.end(), more.begin(), more.end());
    } else if (value.as<Dict>() != nullptr || (items != nullptr && !items->tuple())) {
      either.push_back(value);
    }
    if (either.size() > kMost) return unknown;
  }
  if (either.empty()) return unknown;
  const Unknown& held = *unknown.as<Unknown>();
  Unknown* made = in.New<Unknown>(held.cause);
  Know(in, *made).either = std::move(either);
  return made;
}

Value CountOf(Interpreter& in, const Value& container) {
  Sequence* items = container.as<Sequence>();
  if (items != nullptr && items->count != nullptr) {
    return ValueOf(in, *SumOf(*items), *items->count);
  }
  const Value made = in.UnknownOf(in.OpennessOf(container), "how many items there are");
  const Dict* dict = container.as<Dict>();
  if (items == nullptr && dict == nullptr) return made;
  Unknown* count = made.as<Unknown>();
  Unknown::Known& facts = Know(in, *count);
  facts.counts = {{count, 1}};
  facts.least = (items == nullptr ? dict->live > 0 : !items->items.empty()) ? 1 : 0;
  if (items != nullptr) items->count = count;
  return made;
}

std::optional<int64_t> LeastOf(const Unknown& unknown) {
  const Unknown::Known& facts = unknown.known();
  if (facts.counts.empty()) return std::nullopt;
  int64_t least = facts.plus;
  for (const auto& [count, times] : facts.counts) {
    if (times < 0) return std::nullopt;
    least += times * count->known().least;
  }
  return least;
}

std::optional<bool> CountCompared(Operator op, const Value& a, const Value& b) {
  const bool on_left = IsUnknown(a);
  const Unknown* count = (on_left ? a : b).as<Unknown>();
  const Value& number = on_left ? b : a;
  const std::optional<int64_t> least = count == nullptr ? std::nullopt : LeastOf(*count);
  const auto than = number.is_object() ? std::nullopt : AsInt(number);
  if (!least.has_value() || !than.has_value() || *than > *least) return std::nullopt;
  const bool more = *than < *least;  // than that number, and not as many
  switch (op) {
    case Operator::kEqual:
    case Operator::kNotEqual:
      return more ? std::optional(op == Operator::kNotEqual) : std::nullopt;
    case Operator::kGreater:
    case Operator::kLessEqual:
      if (on_left) return more ? std::optional(op == Operator::kGreater) : std::nullopt;
      return op == Operator::kLessEqual;
    case Operator::kGreaterEqual:
    case Operator::kLess:
      if (!on_left) return more ? std::optional(op == Operator::kLess) : std::nullopt;
      return op == Operator::kGreaterEqual;
    default:
      return std::nullopt;
  }
}

std::optional<Value> CountsCombined(Interpreter& in, Operator op, const Value& a, const Value& b) {
  const Unknown* like = a.as<Unknown>() != nullptr ? a.as<Unknown>() : b.as<Unknown>();
  if (op == Operator::kMultiply) {
    const Value& other = like == a.as<Unknown>() ? b : a;
    const Sequence* items = other.as<Sequence>();
    if (items == nullptr || like->known().counts.empty() || items->items.size() != 1)
      return std::nullopt;
    Sequence* repeated = in.New<Sequence>(items->kind, items->items);
    repeated->open = {like, false};
    repeated->count = like;
    return repeated;
  }
  if (op != Operator::kAdd && op != Operator::kSubtract) return std::nullopt;
  std::optional<Sum> sum = SumOf(a);
  const std::optional<Sum> other = SumOf(b);
  if (!sum.has_value() || !other.has_value()) return std::nullopt;
  sum->Add(*other, op == Operator::kAdd ? 1 : -1);
  return ValueOf(in, *sum, *like);
}

const Unknown* JoinedCount(Interpreter& in, const Sequence& a, const Sequence& b) {
  const Openness& open = a.open.uncounted() ? a.open : b.open;
  std::optional<Sum> sum = SumOf(a);
  const std::optional<Sum> other = SumOf(b);
  if (!open.uncounted() || !sum.has_value() || !other.has_value()) return nullptr;
  sum->Add(*other, 1);
  Unknown* count = in.New<Unknown>(open.why->cause);
  Unknown::Known& facts = Know(in, *count);
  facts.counts.assign(sum->times.begin(), sum->times.end());
  facts.plus = sum->plus;
  return count;
}

void SetCount(Sequence& items, const Unknown* count) {
  items.count = count;
  if (count != nullptr && count->known().counts.empty()) {
    items.stands_for = std::max<int64_t>(0, count->known().plus);
  }
}

}  // namespace tilewise::py
