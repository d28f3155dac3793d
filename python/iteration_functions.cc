// Functions of every module that go through items: zip, map, sorted, max ...

#include <algorithm>

#include <fmt/format.h>

#include "python/interpreter.h"

namespace tilewise::py {
namespace iteration_functions {
namespace {

// An iterator that a C++ function drives.
class MadeIterator : public Iterator {
 public:
  explicit MadeIterator(std::function<Value(Interpreter&)> next,
                        std::vector<Iterator*> sources = {})
      : sources_(std::move(sources)), next_(std::move(next)) {}
  Value Next(Interpreter& in) override {
    in.Step();
    in.CheckDepth();
    return next_(in);
  }
  Openness open() const override {
    Openness open = holds;
    for (const Iterator* source : sources_) open.Join(source->open());
    return open;
  }

 protected:
  std::vector<Iterator*> sources_;

 private:
  std::function<Value(Interpreter&)> next_;
};

// Numbers and items: the last number over what is open is not known.
class Numbered : public MadeIterator {
 public:
  Numbered(Iterator* items, int64_t start)
      : MadeIterator(
            [this](Interpreter& in) {
              last_ = sources_[0]->Next(in);
              return last_.set() ? in.Tuple({Value(at_++), last_}) : Value();
            },
            {items}),
        at_(start) {}
  Value Next(Interpreter& in) override {
    const Value item = MadeIterator::Next(in);
    if (item.set()) met_ = last_;
    return item;
  }
  Value Last(Interpreter& in) override {
    if (!met_.set()) return {};
    return in.Tuple({in.UnknownOf(open(), "the number of the last item"), met_});
  }

 private:
  int64_t at_;
  Value last_, met_;
};

Value Iter(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() < 2) {
    // An object that iterates stays itself, with its other methods.
    const Instance* instance = taken[0].as<Instance>();
    const Value* method = instance == nullptr ? nullptr : instance->type->Find(in.Name("__iter__"));
    if (method == nullptr) return in.Iterate(taken[0]);
    const Value made = in.Call(*method, {taken[0]});
    return made.as<Instance>() != nullptr ? made : Value(in.Iterate(made));
  }
  const Value callee = taken[0], end = taken[1];
  return in.New<MadeIterator>([callee, end](Interpreter& i) {
    const Value item = i.Call(callee, std::vector<Value>{});
    return i.Equal(item, end).value_or(true) ? Value() : item;
  });
}

Value Next(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (IsUnknown(taken[0])) return taken[0];
  Value item;
  if (const Instance* instance = taken[0].as<Instance>()) {
    if (taken.size() < 2) return in.CallMethod(taken[0], "__next__", {});
    (void)instance;
    item = in.Iterate(taken[0])->Next(in);
  } else {
    Iterator* items = taken[0].as<Iterator>();
    if (items == nullptr) {
      in.Raise("TypeError",
               fmt::format("'{}' object is not an iterator", *in.TypeOf(taken[0])->name));
    }
    item = items->Next(in);
    if (!item.set() && taken.size() < 2) in.RaiseStop(*items);
  }
  if (item.set()) return item;
  if (taken.size() > 1) return taken[1];
  in.Raise("StopIteration", "");
}

Value Enumerate(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  Iterator* items = in.Iterate(taken[0]);
  const auto start = AsInt(taken.Or(1, "start", Value(int64_t{0})));
  return in.New<Numbered>(items, start.value_or(0));
}

Value Zip(Interpreter& in, Arguments& arguments) {
  std::vector<Iterator*> several;
  for (const Value& value : arguments.positional) several.push_back(in.Iterate(value));
  return in.New<MadeIterator>(
      [several](Interpreter& i) {
        std::vector<Value> items;
        for (Iterator* each : several) {
          items.push_back(each->Next(i));
          if (!items.back().set()) return Value();
        }
        return items.empty() ? Value() : i.Tuple(std::move(items));
      },
      several);
}

Value Map(Interpreter& in, Arguments& arguments) {
  const Value callee = Taken(in, arguments)[0];
  std::vector<Iterator*> several;
  for (size_t n = 1; n < arguments.positional.size(); ++n) {
    several.push_back(in.Iterate(arguments.positional[n]));
  }
  return in.New<MadeIterator>(
      [several, callee](Interpreter& i) {
        std::vector<Value> items;
        for (Iterator* each : several) {
          items.push_back(each->Next(i));
          if (!items.back().set()) return Value();
        }
        return i.Call(callee, std::move(items));
      },
      several);
}

Value Filter(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const Value callee = taken[0];
  Iterator* items = in.Iterate(taken[1]);
  return in.New<MadeIterator>(
      [items, callee](Interpreter& i) {
        for (;;) {
          const Value item = items->Next(i);
          if (!item.set()) return item;
          const Value kept = callee.none() ? item : i.Call(callee, {item});
          if (i.Truth(kept).value_or(true)) return item;
        }
      },
      std::vector<Iterator*>{items});
}

Value Reversed(Interpreter& in, Arguments& arguments) {
  const Value& value = Taken(in, arguments)[0];
  if (const Instance* instance = value.as<Instance>()) {
    if (const Value* method = instance->type->Find(in.Name("__reversed__"))) {
      return in.Call(*method, {value});
    }
    if (!instance->base.set()) {
      std::vector<Value> items;
      const int64_t size = in.Length(value).value_or(0);
      for (int64_t i = size - 1; i >= 0; --i) items.push_back(in.Subscript(value, Value(i)));
      return in.Iterate(in.List(std::move(items)));
    }
  }
  if (IsUnknown(value)) return value;
  Openness open;
  std::vector<Value> items = in.Items(value, &open);
  std::reverse(items.begin(), items.end());
  return in.Iterate(in.List(std::move(items), open));
}

Value Sum(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  Value total = taken.Or(1, "start", Value(int64_t{0}));
  Openness open;
  for (const Value& item : in.Items(taken[0], &open)) {
    total = in.Binary(Operator::kAdd, total, item);
  }
  // A sum of tensors is a tensor of their shape.
  const bool plain = !total.is_object() || IsUnknown(total);
  return open && plain ? in.UnknownOf(open, "a sum of all items") : total;
}

Value Extreme(Interpreter& in, Arguments& arguments, Operator better) {
  const Taken taken(in, arguments);
  const Value key = taken.Or(99, "key", None());
  const Value* otherwise = taken.Find(99, "default");
  Openness open = taken.size() == 1 ? Openness() : arguments.stars;
  const std::vector<Value> items =
      taken.size() == 1 ? in.Items(taken[0], &open) : arguments.positional;
  if (open) return in.UnknownOf(open, "the extreme of all items");
  Value best, best_key;
  for (const Value& item : items) {
    const Value measure = key.none() ? item : in.Call(key, {item});
    if (IsUnknown(measure)) return measure;
    if (best.set()) {
      const std::optional<bool> wins = in.Truth(in.Compare(better, measure, best_key));
      if (!wins.has_value()) return in.MakeUnknown("the order of two values");
      if (!*wins) continue;
    }
    best = item;
    best_key = measure;
  }
  if (best.set()) return best;
  if (otherwise != nullptr) return *otherwise;
  in.Raise("ValueError", "max() or min() of nothing");
}
Value Max(Interpreter& in, Arguments& a) { return Extreme(in, a, Operator::kGreater); }
Value Min(Interpreter& in, Arguments& a) { return Extreme(in, a, Operator::kLess); }

Value Any(Interpreter& in, Arguments& arguments) {
  Value open(false);
  Iterator* items = in.Iterate(Taken(in, arguments)[0]);
  for (;;) {
    in.Step();
    const Value item = items->Next(in);
    if (!item.set()) {
      return items->open() ? in.UnknownOf(items->open(), "whether one of several holds") : open;
    }
    const std::optional<bool> truth = in.Truth(item);
    if (truth.value_or(false)) return Value(true);
    if (!truth.has_value()) open = in.MakeUnknown("whether one of several holds");
  }
}
Value All(Interpreter& in, Arguments& arguments) {
  Value open(true);
  Iterator* items = in.Iterate(Taken(in, arguments)[0]);
  for (;;) {
    in.Step();
    const Value item = items->Next(in);
    if (!item.set()) {
      return items->open() ? in.UnknownOf(items->open(), "whether all of several hold") : open;
    }
    const std::optional<bool> truth = in.Truth(item);
    if (!truth.value_or(true)) return Value(false);
    if (!truth.has_value()) open = in.MakeUnknown("whether all of several hold");
  }
}

Value Sorted(Interpreter& in, Arguments& arguments) {
  Openness open;
  std::vector<Value> items = in.Items(Taken(in, arguments)[0], &open);
  const Value list = in.List(std::move(items), open);
  Arguments rest;
  rest.positional = {};
  rest.keyword = arguments.keyword;
  in.Call(in.Attribute(list, in.Name("sort")), rest);
  return list;
}

}  // namespace
}  // namespace iteration_functions

void DefineIteration(Interpreter& in) {
  using namespace iteration_functions;  // NOLINT: this file's
  const std::pair<const char*, NativeFunction> kFunctions[] = {
      {"iter", Iter},         {"next", Next}, {"enumerate", Enumerate},
      {"zip", Zip},           {"map", Map},   {"filter", Filter},
      {"reversed", Reversed}, {"sum", Sum},   {"max", Max},
      {"min", Min},           {"any", Any},   {"all", All},
      {"sorted", Sorted},
  };
  for (const auto& [name, function] : kFunctions) in.Define(*in.builtins(), name, function);
}

}  // namespace tilewise::py
