// list, tuple, range and slice.

#include <algorithm>

#include <fmt/format.h>

#include "python/native.h"

namespace tilewise::py {
namespace sequence_functions {
namespace {

Sequence& Self(Interpreter& in, Arguments& arguments) {
  Sequence* list = SelfAs<Sequence>(arguments);
  if (list == nullptr) in.Raise("TypeError", "expected a list");
  return *list;
}
Sequence& Changed(Interpreter& in, Arguments& arguments) {
  Sequence& list = Self(in, arguments);
  in.Touch(list);
  return list;
}

Value MakeList(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() == 0) return in.List({});
  Openness open;
  std::vector<Value> items = in.Items(taken[0], &open);
  const Instance* instance = taken[0].as<Instance>();
  const Value* hook =
      instance == nullptr ? nullptr : instance->type->Find(in.Name("__tilewise_open__"));
  // Why the items that a loop is given stand for more of them; None: they do not.
  const Value why = hook == nullptr ? None() : in.Call(*hook, {taken[0]});
  if (!why.none()) open.Join({in.MakeUnknown(in.Display(why)).as<Unknown>(), false});
  return in.List(std::move(items), open);
}
Value MakeTuple(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() == 0) return in.Tuple({});
  if (IsUnknown(taken[0])) return taken[0];
  Openness open;
  std::vector<Value> items = in.Items(taken[0], &open);
  return in.Tuple(std::move(items), open);
}
Value StartList(Interpreter& in, Arguments& arguments) {
  Sequence& list = Changed(in, arguments);
  const Taken taken(in, arguments);
  if (taken.Has(1)) list.items = in.Items(taken[1], &list.open);
  return None();
}
Value MakeRange(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  std::vector<int64_t> bounds;
  for (Value value : arguments.positional) {
    if (const Instance* instance = value.as<Instance>()) {
      if (const Value* method = instance->type->Find(in.Name("__index__"))) {
        value = in.Call(*method, {value});
      }
    }
    if (IsUnknown(value)) return value;
    const auto bound = AsInt(value);
    if (!bound.has_value()) {
      in.Raise("TypeError", fmt::format("'{}' object cannot be interpreted as an integer",
                                        *in.TypeOf(value)->name));
    }
    bounds.push_back(*bound);
  }
  if (bounds.empty()) in.Raise("TypeError", "range expected at least 1 argument, got 0");
  const int64_t step = bounds.size() > 2 ? bounds[2] : 1;
  if (step == 0) in.Raise("ValueError", "range() arg 3 must not be zero");
  if (bounds.size() == 1) return in.New<Range>(int64_t{0}, bounds[0], step);
  return in.New<Range>(bounds[0], bounds[1], step);
}
Value MakeSlice(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() == 1) return in.New<Slice>(None(), taken[0], None());
  return in.New<Slice>(taken[0], taken[1], taken.size() > 2 ? taken[2] : None());
}

Value Append(Interpreter& in, Arguments& a) {
  Changed(in, a).items.push_back(Taken(in, a)[1]);
  return None();
}
Value Extend(Interpreter& in, Arguments& a) {
  Openness open;
  const std::vector<Value> items = in.Items(Taken(in, a)[1], &open);
  Sequence& list = Changed(in, a);
  list.open.Join(open);
  in.Spend(static_cast<int64_t>(items.size() * sizeof(Value)));
  list.items.insert(list.items.end(), items.begin(), items.end());
  return None();
}
Value Insert(Interpreter& in, Arguments& a) {
  Sequence& list = Changed(in, a);
  const Taken taken(in, a);
  const auto size = static_cast<int64_t>(list.items.size());
  int64_t at = AsInt(taken[1]).value_or(size);
  if (at < 0) at += size;
  in.Step(size / 16);
  list.items.insert(list.items.begin() + std::clamp<int64_t>(at, 0, size), taken[2]);
  return None();
}
Value Pop(Interpreter& in, Arguments& a) {
  Sequence& list = Changed(in, a);
  const auto size = static_cast<int64_t>(list.items.size());
  int64_t at = AsInt(Taken(in, a).Or(1, "index", Value(int64_t{-1}))).value_or(-1);
  if (at < 0) at += size;
  if (at < 0 || at >= size) {
    if (list.open.uncounted()) return in.UnknownOf(list.open, "an item");
    in.Raise("IndexError", size == 0 ? "pop from empty list" : "pop index out of range");
  }
  in.Step((size - at) / 16);
  const Value item = list.items[static_cast<size_t>(at)];
  list.items.erase(list.items.begin() + at);
  return item;
}
// nullopt: whether it is there, and where, is not known.
std::optional<size_t> Place(Interpreter& in, Arguments& a, bool removes = false) {
  Sequence& list = Self(in, a);
  const Value& wanted = Taken(in, a)[1];
  bool maybe = false;
  in.Step(static_cast<int64_t>(list.items.size() / 16));
  for (size_t i = 0; i < list.items.size(); ++i) {
    // A copy: comparing runs the program's code, which may change the list.
    const Value item = list.items[i];
    const std::optional<bool> same =
        item.Is(wanted) ? std::optional<bool>(true) : in.Equal(item, wanted);
    if (same.value_or(false)) return i;
    maybe = maybe || !same.has_value();
  }
  if (list.open || maybe) return std::nullopt;
  in.Raise("ValueError", removes ? "list.remove(x): x not in list"
                                 : fmt::format("{} is not in list", in.Represent(wanted)));
}
Value Remove(Interpreter& in, Arguments& a) {
  const std::optional<size_t> at = Place(in, a, true);
  Sequence& list = Changed(in, a);
  if (!at.has_value()) {
    // One of them goes, and which one is not known.
    if (list.open || list.items.empty()) return None();
    list.items.pop_back();
    list.open = {in.MakeUnknown("which item of a list was removed").as<Unknown>(), true};
    return None();
  }
  if (*at < list.items.size()) {
    list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(*at));
  }
  return None();
}
Value Index(Interpreter& in, Arguments& a) {
  const std::optional<size_t> at = Place(in, a);
  const Openness& open = Self(in, a).open;
  if (!at.has_value() && !open) return in.MakeUnknown("the place of an item that is not known");
  if (!at.has_value() || open.uncounted()) return in.UnknownOf(open, "the place of an item");
  return Value(static_cast<int64_t>(*at));
}
Value Count(Interpreter& in, Arguments& a) {
  if (Self(in, a).open) return in.UnknownOf(Self(in, a).open, "how many items are alike");
  int64_t count = 0;
  const Value& wanted = Taken(in, a)[1];
  in.Step(static_cast<int64_t>(Self(in, a).items.size() / 8));
  for (const Value& item : in.Items(&Self(in, a))) {
    count += item.Is(wanted) || in.Equal(item, wanted).value_or(false) ? 1 : 0;
  }
  return Value(count);
}
Value Reverse(Interpreter& in, Arguments& a) {
  Sequence& list = Changed(in, a);
  std::reverse(list.items.begin(), list.items.end());
  return None();
}
Value Clear(Interpreter& in, Arguments& a) {
  Sequence& list = Changed(in, a);
  list.items.clear();
  list.open = {};
  return None();
}
Value Copy(Interpreter& in, Arguments& a) { return in.List(Self(in, a).items, Self(in, a).open); }

// A merge sort of its own: comparisons run the program's code and may raise.
void MergeSort(Interpreter& in, std::vector<std::pair<Value, Value>>& items, bool reverse) {
  std::vector<std::pair<Value, Value>> other(items.size());
  for (size_t width = 1; width < items.size(); width *= 2) {
    in.Step(static_cast<int64_t>(items.size() / 4));
    for (size_t begin = 0; begin < items.size(); begin += 2 * width) {
      const size_t middle = std::min(begin + width, items.size());
      const size_t end = std::min(begin + 2 * width, items.size());
      size_t left = begin, right = middle;
      for (size_t at = begin; at < end; ++at) {
        bool take_right = left == middle;
        if (left < middle && right < end) {
          const Value before =
              reverse ? in.Compare(Operator::kLess, items[left].first, items[right].first)
                      : in.Compare(Operator::kLess, items[right].first, items[left].first);
          take_right = in.Truth(before).value_or(false);
        }
        other[at] = take_right ? items[right++] : items[left++];
      }
    }
    std::swap(items, other);
  }
}

Value Sort(Interpreter& in, Arguments& a) {
  Sequence& list = Changed(in, a);
  const Taken taken(in, a);
  const Value key = taken.Or(99, "key", None());
  const bool reverse = in.Truth(taken.Or(99, "reverse", Value(false))).value_or(false);
  std::vector<std::pair<Value, Value>> items;
  for (const Value& item : std::vector<Value>(list.items)) {
    items.emplace_back(key.none() ? item : in.Call(key, {item}), item);
  }
  MergeSort(in, items, reverse);
  for (size_t i = 0; i < items.size() && i < list.items.size(); ++i)
    list.items[i] = items[i].second;
  return None();
}

Value GetItem(Interpreter& in, Arguments& a) { return in.Subscript(&Self(in, a), Taken(in, a)[1]); }
Value SetItemCall(Interpreter& in, Arguments& a) {
  const Taken taken(in, a);
  in.SetSubscript(&Self(in, a), taken[1], taken[2]);
  return None();
}
Value LenCall(Interpreter& in, Arguments& a) {
  const Sequence& list = Self(in, a);
  if (list.open.uncounted()) return in.UnknownOf(list.open, "how many items there are");
  return Value(static_cast<int64_t>(list.items.size()));
}
Value IterCall(Interpreter& in, Arguments& a) { return in.Iterate(&Self(in, a)); }
Value ContainsCall(Interpreter& in, Arguments& a) {
  const auto holds = in.Contains(&Self(in, a), Taken(in, a)[1]);
  return holds.has_value() ? Value(*holds) : in.MakeUnknown("whether an item is there");
}
Value AddCall(Interpreter& in, Arguments& a) {
  return in.Binary(Operator::kAdd, &Self(in, a), Taken(in, a)[1]);
}
Value NewTuple(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  Class* type = taken[0].as<Class>();
  Openness open;
  std::vector<Value> held = taken.size() > 1 ? in.Items(taken[1], &open) : std::vector<Value>{};
  const Value items = in.Tuple(std::move(held), open);
  if (type == nullptr || type == in.types.tuple) return items;
  Instance* instance = in.New<Instance>(type);
  instance->base = items;
  return instance;
}

Value RangePart(Interpreter& in, Arguments& a, int64_t Range::*part) {
  Range* range = SelfAs<Range>(a);
  if (range == nullptr) in.Raise("TypeError", "expected a range");
  return Value(range->*part);
}
Value RangeStart(Interpreter& in, Arguments& a) { return RangePart(in, a, &Range::start); }
Value RangeStop(Interpreter& in, Arguments& a) { return RangePart(in, a, &Range::stop); }
Value RangeStep(Interpreter& in, Arguments& a) { return RangePart(in, a, &Range::step); }
Value SlicePart(Interpreter& in, Arguments& a, Value Slice::*part) {
  Slice* slice = SelfAs<Slice>(a);
  if (slice == nullptr) in.Raise("TypeError", "expected a slice");
  return slice->*part;
}
Value SliceStart(Interpreter& in, Arguments& a) { return SlicePart(in, a, &Slice::start); }
Value SliceStop(Interpreter& in, Arguments& a) { return SlicePart(in, a, &Slice::stop); }
Value SliceStep(Interpreter& in, Arguments& a) { return SlicePart(in, a, &Slice::step); }
Value Indices(Interpreter& in, Arguments& a) {
  const Taken taken(in, a);
  const Value all = in.New<Range>(int64_t{0}, AsInt(taken[1]).value_or(0), int64_t{1});
  const Value part = in.Subscript(all, taken[0]);
  const Range* range = part.as<Range>();
  if (range == nullptr) return part;
  return in.Tuple({Value(range->start), Value(range->stop), Value(range->step)});
}

void DefineGetter(Interpreter& in, Class& type, const char* name, NativeFunction get) {
  Builtin* function = in.New<Builtin>(in.Name(name), get);
  type.members.Set(in.Name(name), in.New<Property>(function));
}

}  // namespace
}  // namespace sequence_functions

void DefineSequences(Interpreter& in) {
  using namespace sequence_functions;  // NOLINT: this file's
  Publish(in, in.types.list, MakeList);
  Publish(in, in.types.tuple, MakeTuple);
  Publish(in, in.types.range, MakeRange);
  Publish(in, in.types.slice, MakeSlice);
  constexpr MethodRow kList[] = {
      {"append", Append},
      {"extend", Extend},
      {"insert", Insert},
      {"pop", Pop},
      {"remove", Remove},
      {"index", Index},
      {"count", Count},
      {"reverse", Reverse},
      {"clear", Clear},
      {"copy", Copy},
      {"sort", Sort},
      {"__init__", StartList},
      {"__getitem__", GetItem},
      {"__setitem__", SetItemCall},
      {"__len__", LenCall},
      {"__iter__", IterCall},
      {"__contains__", ContainsCall},
      {"__add__", AddCall},
  };
  constexpr MethodRow kTuple[] = {
      {"index", Index},     {"count", Count},       {"__getitem__", GetItem},
      {"__len__", LenCall}, {"__iter__", IterCall}, {"__contains__", ContainsCall},
      {"__add__", AddCall},
  };
  DefineMethods(in, *in.types.list, kList);
  DefineMethods(in, *in.types.tuple, kTuple);
  in.types.tuple->members.Set(
      in.Name("__new__"),
      in.New<Wrapped>(Kind::kStaticMethod, in.New<Builtin>(in.Name("__new__"), NewTuple)));
  DefineGetter(in, *in.types.range, "start", RangeStart);
  DefineGetter(in, *in.types.range, "stop", RangeStop);
  DefineGetter(in, *in.types.range, "step", RangeStep);
  DefineGetter(in, *in.types.slice, "start", SliceStart);
  DefineGetter(in, *in.types.slice, "stop", SliceStop);
  DefineGetter(in, *in.types.slice, "step", SliceStep);
  in.DefineMethod(*in.types.slice, "indices", Indices);
}

}  // namespace tilewise::py
