// dict, set and frozenset.

#include <fmt/format.h>

#include "python/native.h"

namespace tilewise::py {
namespace dict_functions {
namespace {

Dict& Self(Interpreter& in, Arguments& arguments) {
  Dict* dict = SelfAs<Dict>(arguments);
  if (dict == nullptr) in.Raise("TypeError", "expected a dict or a set");
  return *dict;
}

std::vector<Dict::Entry> Entries(const Dict& dict) {
  std::vector<Dict::Entry> result;
  for (const Dict::Entry& entry : dict.entries) {
    if (entry.live) result.push_back(entry);
  }
  return result;
}

void Fill(Interpreter& in, Dict& dict, const Value& source) {
  if (source.none()) return;
  if (const Unknown* unknown = source.as<Unknown>()) {
    in.Touch(dict);
    dict.open.Join({unknown, false});
    return;
  }
  const Instance* instance = source.as<Instance>();
  const Value& held = instance != nullptr && instance->base.set() ? instance->base : source;
  if (const Dict* other = held.as<Dict>(); other && other->kind == Kind::kDict) {
    if (other->open) in.Touch(dict);
    dict.open.Join(other->open);
    for (const Dict::Entry& entry : Entries(*other)) in.SetItem(dict, entry.key, entry.value);
    return;
  }
  if (instance != nullptr && instance->type->Find(in.Name("keys")) != nullptr) {
    for (const Value& key : in.Items(in.CallMethod(source, "keys", {}))) {
      in.SetItem(dict, key, in.Subscript(source, key));
    }
    return;
  }
  Openness open;
  const std::vector<Value> pairs = in.Items(source, &open);
  if (open) in.Touch(dict);
  dict.open.Join({open.why, false});
  for (const Value& pair : pairs) {
    const std::vector<Value> parts = in.Items(pair);
    if (const Unknown* unknown = pair.as<Unknown>()) {
      in.Touch(dict);
      dict.open.Join({unknown, false});
      continue;
    }
    if (parts.size() != 2) in.Raise("ValueError", "expected pairs to make a dict of");
    in.SetItem(dict, parts[0], parts[1]);
  }
}

void FillFrom(Interpreter& in, Dict& dict, Arguments& arguments, size_t first) {
  if (arguments.positional.size() > first) Fill(in, dict, arguments.positional[first]);
  for (const auto& [name, value] : arguments.keyword) in.SetItem(dict, in.Text(*name), value);
}

Value MakeDict(Interpreter& in, Arguments& arguments) {
  Dict* dict = in.New<Dict>();
  FillFrom(in, *dict, arguments, 0);
  return dict;
}
Value StartDict(Interpreter& in, Arguments& arguments) {
  FillFrom(in, Self(in, arguments), arguments, 1);
  return None();
}
Value MakeSet(Interpreter& in, Arguments& arguments) {
  Dict* set = in.New<Dict>(Kind::kSet);
  if (!arguments.positional.empty()) {
    Openness open;
    for (const Value& item : in.Items(arguments.positional[0], &open)) {
      in.SetItem(*set, item, None());
    }
    set->open.Join({open.why, false});
  }
  return set;
}
Value MakeFrozenSet(Interpreter& in, Arguments& arguments) {
  const Value set = MakeSet(in, arguments);
  set.as<Dict>()->frozen = true;
  return set;
}

Value Get(Interpreter& in, Arguments& a) {
  const Taken taken(in, a);
  if (IsUnknown(taken[1])) return taken[1];
  Dict& dict = Self(in, a);
  const Value* found = in.FindItem(dict, taken[1]);
  if (found == nullptr && dict.open) return in.UnknownOf(dict.open, "an item");
  return found == nullptr ? taken.Or(2, "default", None()) : *found;
}
Value SetDefault(Interpreter& in, Arguments& a) {
  const Taken taken(in, a);
  Dict& dict = Self(in, a);
  if (const Value* found = in.FindItem(dict, taken[1])) return *found;
  const Value value = taken.Or(2, "default", None());
  in.SetItem(dict, taken[1], value);
  return value;
}
Value View(Interpreter& in, std::vector<Value> items, const Dict& of, const char* name) {
  const Value view = in.List(std::move(items), of.open);
  view.as<Sequence>()->view = name;
  return view;
}
Value Keys(Interpreter& in, Arguments& a) {
  std::vector<Value> items;
  for (const Dict::Entry& entry : Entries(Self(in, a))) items.push_back(entry.key);
  return View(in, std::move(items), Self(in, a), "dict_keys");
}
Value Values(Interpreter& in, Arguments& a) {
  std::vector<Value> items;
  for (const Dict::Entry& entry : Entries(Self(in, a))) items.push_back(entry.value);
  return View(in, std::move(items), Self(in, a), "dict_values");
}
Value Pairs(Interpreter& in, Arguments& a) {
  std::vector<Value> items;
  for (const Dict::Entry& entry : Entries(Self(in, a))) {
    items.push_back(in.Tuple({entry.key, entry.value}));
  }
  return View(in, std::move(items), Self(in, a), "dict_items");
}
Value Pop(Interpreter& in, Arguments& a) {
  Dict& dict = Self(in, a);
  const Taken taken(in, a);
  if (dict.kind == Kind::kSet) {
    for (const Dict::Entry& entry : Entries(dict)) {
      in.EraseItem(dict, entry.key);
      return entry.key;
    }
    if (dict.open) return in.UnknownOf(dict.open, "an item");
    in.Raise("KeyError", "pop from an empty set");
  }
  if (IsUnknown(taken[1])) return taken[1];
  if (const Value* found = in.FindItem(dict, taken[1])) {
    const Value value = *found;
    in.EraseItem(dict, taken[1]);
    return value;
  }
  if (dict.open) return in.UnknownOf(dict.open, "an item");
  if (taken.Has(2, "default")) return taken.Get(2, "default");
  in.RaiseKey(taken[1]);
}
Value PopItem(Interpreter& in, Arguments& a) {
  Dict& dict = Self(in, a);
  const std::vector<Dict::Entry> entries = Entries(dict);
  if (entries.empty() && dict.open) return in.UnknownOf(dict.open, "an item");
  if (entries.empty()) in.Raise("KeyError", "popitem(): dictionary is empty");
  const bool last = in.Truth(Taken(in, a).Or(1, "last", Value(true))).value_or(true);
  const Dict::Entry entry = last ? entries.back() : entries.front();
  in.EraseItem(dict, entry.key);
  return in.Tuple({entry.key, entry.value});
}
Value Update(Interpreter& in, Arguments& a) {
  Dict& dict = Self(in, a);
  if (dict.kind == Kind::kSet) {
    for (size_t i = 1; i < a.positional.size(); ++i) {
      Openness open;
      for (const Value& item : in.Items(a.positional[i], &open)) in.SetItem(dict, item, None());
      if (open) in.Touch(dict);
      dict.open.Join({open.why, false});
    }
    return None();
  }
  FillFrom(in, dict, a, 1);
  return None();
}
Value Clear(Interpreter& in, Arguments& a) {
  Dict& dict = Self(in, a);
  in.Touch(dict);
  dict.entries.clear();
  dict.index.clear();
  dict.live = 0;
  dict.open = {};
  return None();
}
Value Copy(Interpreter& in, Arguments& a) {
  const Dict& dict = Self(in, a);
  Dict* copy = in.New<Dict>(dict.kind);
  copy->open = dict.open;
  for (const Dict::Entry& entry : Entries(dict)) in.SetItem(*copy, entry.key, entry.value);
  return copy;
}
Value FromKeys(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const size_t first = taken.size() > 0 && taken[0].as<Class>() != nullptr ? 1 : 0;
  Dict* dict = in.New<Dict>();
  const Value value = taken.Or(first + 1, "value", None());
  Openness open;
  for (const Value& key : in.Items(taken[first], &open)) in.SetItem(*dict, key, value);
  dict->open.Join({open.why, false});
  return dict;
}
Value MoveToEnd(Interpreter& in, Arguments& a) {
  Dict& dict = Self(in, a);
  const Value key = Taken(in, a)[1];
  const Value* found = in.FindItem(dict, key);
  if (found == nullptr) in.RaiseKey(key);
  const Value value = *found;
  in.EraseItem(dict, key);
  in.SetItem(dict, key, value);
  return None();
}

Value GetItem(Interpreter& in, Arguments& a) { return in.Subscript(&Self(in, a), Taken(in, a)[1]); }
Value SetItemCall(Interpreter& in, Arguments& a) {
  const Taken taken(in, a);
  in.SetItem(Self(in, a), taken[1], taken[2]);
  return None();
}
Value DelItem(Interpreter& in, Arguments& a) {
  in.DeleteSubscript(&Self(in, a), Taken(in, a)[1]);
  return None();
}
Value LenCall(Interpreter& in, Arguments& a) {
  const Dict& dict = Self(in, a);
  if (dict.open) return in.UnknownOf(dict.open, "how many items there are");
  return Value(static_cast<int64_t>(dict.live));
}
Value IterCall(Interpreter& in, Arguments& a) { return in.Iterate(&Self(in, a)); }
Value ContainsCall(Interpreter& in, Arguments& a) {
  if (IsUnknown(Taken(in, a)[1])) return a.positional[1];
  Dict& dict = Self(in, a);
  if (in.FindItem(dict, a.positional[1]) != nullptr) return Value(true);
  return dict.open ? in.UnknownOf(dict.open, "whether an item is there") : Value(false);
}

// --- Sets.

Value Add(Interpreter& in, Arguments& a) {
  in.SetItem(Self(in, a), Taken(in, a)[1], None());
  return None();
}
Value Discard(Interpreter& in, Arguments& a) {
  in.EraseItem(Self(in, a), Taken(in, a)[1]);
  return None();
}
Value Remove(Interpreter& in, Arguments& a) {
  if (!in.EraseItem(Self(in, a), Taken(in, a)[1]) && !Self(in, a).open) {
    in.RaiseKey(a.positional[1]);
  }
  return None();
}
Value Combined(Interpreter& in, Arguments& a, Operator op) {
  Value result = Copy(in, a);
  for (size_t i = 1; i < a.positional.size(); ++i) {
    Arguments other;
    other.positional = {a.positional[i]};
    result = in.Binary(op, result, MakeSet(in, other));
  }
  return result;
}
Value UnionOf(Interpreter& in, Arguments& a) { return Combined(in, a, Operator::kOr); }
Value Intersection(Interpreter& in, Arguments& a) { return Combined(in, a, Operator::kAnd); }
Value Difference(Interpreter& in, Arguments& a) { return Combined(in, a, Operator::kSubtract); }
Value SymmetricDifference(Interpreter& in, Arguments& a) { return Combined(in, a, Operator::kXor); }
Value Compared(Interpreter& in, Arguments& a, Operator op) {
  Arguments other;
  other.positional = {Taken(in, a)[1]};
  return in.Compare(op, &Self(in, a), MakeSet(in, other));
}
Value IsSubset(Interpreter& in, Arguments& a) { return Compared(in, a, Operator::kLessEqual); }
Value IsSuperset(Interpreter& in, Arguments& a) { return Compared(in, a, Operator::kGreaterEqual); }
Value IsDisjoint(Interpreter& in, Arguments& a) {
  const Dict& common = *Intersection(in, a).as<Dict>();
  if (common.live > 0) return Value(false);
  return common.open ? in.UnknownOf(common.open, "whether sets have items in common") : Value(true);
}
Value DifferenceUpdate(Interpreter& in, Arguments& a) {
  for (size_t i = 1; i < a.positional.size(); ++i) {
    for (const Value& item : in.Items(a.positional[i])) in.EraseItem(Self(in, a), item);
  }
  return None();
}

}  // namespace
}  // namespace dict_functions

void DefineDicts(Interpreter& in) {
  using namespace dict_functions;  // NOLINT: this file's
  Publish(in, in.types.dict, MakeDict);
  Publish(in, in.types.set, MakeSet);
  Publish(in, in.types.frozen_set, MakeFrozenSet);
  constexpr MethodRow kDict[] = {
      {"__init__", StartDict},
      {"get", Get},
      {"setdefault", SetDefault},
      {"keys", Keys},
      {"values", Values},
      {"items", Pairs},
      // Python 2's
      {"iterkeys", Keys},
      {"itervalues", Values},
      {"iteritems", Pairs},
      {"has_key", ContainsCall},
      {"pop", Pop},
      {"popitem", PopItem},
      {"update", Update},
      {"clear", Clear},
      {"copy", Copy},
      {"fromkeys", FromKeys},
      {"move_to_end", MoveToEnd},
      {"__getitem__", GetItem},
      {"__setitem__", SetItemCall},
      {"__delitem__", DelItem},
      {"__len__", LenCall},
      {"__iter__", IterCall},
      {"__contains__", ContainsCall},
  };
  constexpr MethodRow kSet[] = {
      {"add", Add},
      {"discard", Discard},
      {"remove", Remove},
      {"pop", Pop},
      {"update", Update},
      {"clear", Clear},
      {"copy", Copy},
      {"union", UnionOf},
      {"intersection", Intersection},
      {"difference", Difference},
      {"symmetric_difference", SymmetricDifference},
      {"issubset", IsSubset},
      {"issuperset", IsSuperset},
      {"isdisjoint", IsDisjoint},
      {"difference_update", DifferenceUpdate},
      {"__len__", LenCall},
      {"__iter__", IterCall},
      {"__contains__", ContainsCall},
  };
  DefineMethods(in, *in.types.dict, kDict);
  DefineMethods(in, *in.types.set, kSet);
  DefineMethods(in, *in.types.frozen_set, kSet);
}

}  // namespace tilewise::py
