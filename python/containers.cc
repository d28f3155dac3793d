// Dicts, subscripts and lengths.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "python/interpreter.h"
#include "python/unknowns.h"

namespace tilewise::py {
namespace {

int64_t Clamped(int64_t value, int64_t low, int64_t high) {
  return std::min(std::max(value, low), high);
}

// Returns where the entry of a key is; nullopt: there is none.
std::optional<size_t> EntryOf(Interpreter& in, const Dict& dict, const Value& key) {
  const uint64_t hash = in.Hash(key);
  // Looked up anew each time: __eq__ of the program may change the dict.
  for (size_t n = 0;; ++n) {
    const auto at = dict.index.find(hash);
    if (at == dict.index.end() || n >= at->second.size()) return std::nullopt;
    const size_t place = at->second[n];
    if (!dict.entries[place].live) continue;
    if (n > 0) in.Step();
    const Value held = dict.entries[place].key;
    const bool same = held.Is(key) || in.Equal(held, key).value_or(false);
    if (same && place < dict.entries.size()) return place;
  }
}

}  // namespace

uint64_t Interpreter::Hash(const Value& value) {
  const bool changes = value.is_object() &&
                       (value.object->kind == Kind::kList || value.object->kind == Kind::kDict ||
                        (value.object->kind == Kind::kSet && !value.as<Dict>()->frozen));
  if (changes) Raise("TypeError", fmt::format("unhashable type: '{}'", *TypeOf(value)->name));
  if (const std::optional<uint64_t> plain = PlainHash(value)) return *plain;
  CheckDepth();
  Step();
  if (const Sequence* items = value.as<Sequence>()) {
    uint64_t hash = 0x345678;
    for (const Value& item : items->items) hash = (hash ^ Hash(item)) * 1000003;
    return hash;
  }
  const Instance* instance = value.as<Instance>();
  if (instance != nullptr) {
    if (const Value* method = instance->type->Find(Name("__hash__")); method && !method->none()) {
      if (const std::optional<int64_t> hash = AsInt(Call(*method, {value}))) {
        return static_cast<uint64_t>(*hash);
      }
    }
    if (instance->base.set()) return Hash(instance->base);
  }
  return reinterpret_cast<uint64_t>(value.object) >> 4;
}

Value* Interpreter::FindItem(Dict& dict, const Value& key) {
  const std::optional<size_t> place = EntryOf(*this, dict, key);
  return place.has_value() ? &dict.entries[*place].value : nullptr;
}

void Interpreter::SetItem(Dict& dict, const Value& key, const Value& value) {
  Touch(dict);
  if (Value* held = FindItem(dict, key)) {
    *held = value;
    return;
  }
  // What it is a key of is not known from then on.
  if (const Unknown* unknown = key.as<Unknown>()) dict.open.Join({unknown, false});
  const uint64_t hash = Hash(key);
  constexpr int64_t kEntryBytes = 160;  // with its slot in the index
  bytes_ += kEntryBytes;
  if (bytes_ > limits_.bytes) StopWork();
  dict.index[hash].push_back(static_cast<uint32_t>(dict.entries.size()));
  dict.entries.push_back({key, value, hash, true});
  ++dict.live;
}

bool Interpreter::EraseItem(Dict& dict, const Value& key) {
  const std::optional<size_t> place = EntryOf(*this, dict, key);
  if (!place.has_value()) return false;
  Touch(dict);
  dict.entries[*place].live = false;
  --dict.live;
  const auto at = dict.index.find(dict.entries[*place].hash);
  if (at != dict.index.end()) std::erase(at->second, static_cast<uint32_t>(*place));
  return true;
}

std::optional<int64_t> Interpreter::Length(const Value& value) {
  if (value.is_object()) {
    switch (value.object->kind) {
      case Kind::kStr:
        return value.as<Str>()->size();
      case Kind::kBytes:
        return static_cast<int64_t>(value.as<Bytes>()->text.size());
      case Kind::kList:
      case Kind::kTuple:
        if (value.as<Sequence>()->open.uncounted()) return std::nullopt;
        return static_cast<int64_t>(value.as<Sequence>()->items.size());
      case Kind::kDict:
      case Kind::kSet:
        if (value.as<Dict>()->open) return std::nullopt;
        return static_cast<int64_t>(value.as<Dict>()->live);
      case Kind::kRange:
        return value.as<Range>()->size();
      case Kind::kUnknown:
        return std::nullopt;
      case Kind::kClass: {
        Arguments none;
        if (auto made = CallHook(*value.as<Class>(), "__tilewise_class_len__", none)) {
          return AsInt(*made);
        }
        break;
      }
      case Kind::kInstance: {
        const Instance* instance = value.as<Instance>();
        if (const Value* method = instance->type->Find(Name("__len__"))) {
          return AsInt(Call(*method, {value}));
        }
        if (instance->base.set()) return Length(instance->base);
        if (instance->type->open) return std::nullopt;
        break;
      }
      default:
        break;
    }
  }
  Raise("TypeError", fmt::format("object of type '{}' has no len()", *TypeOf(value)->name));
}

// The slice is not known: nobody knows which of the items a part of what is
// open has. A part with two bounds is taken to be full if its items are numbers or not known:
// batches are cut so from the tokens of texts.
Value Interpreter::SliceOpen(const Sequence& sequence, const Slice& slice) {
  std::vector<Value> items = sequence.items;
  if (AsInt(slice.step).value_or(1) < 0) std::reverse(items.begin(), items.end());
  Sequence* part = New<Sequence>(sequence.kind, std::move(items));
  part->open = sequence.open;
  const int64_t start = slice.start.none() ? 0 : AsInt(slice.start).value_or(-1);
  const int64_t stop = AsInt(slice.stop).value_or(-1);
  if (start >= 0 && AsInt(slice.step).value_or(1) == 1 && !part->items.empty() &&
      std::ranges::all_of(part->items, [](const Value& item) {
        return IsUnknown(item) || AsNumber(item).has_value();
      })) {
    part->stands_for = std::max<int64_t>(0, stop - start);
  }
  return part;
}

namespace {

// The part of a list, tuple, text, bytes or range of `size` items.
Value SliceOf(Interpreter& in, const Value& object, int64_t size, const Slice& slice) {
  const Sequence* sequence = object.as<Sequence>();
  const Str* text = object.as<Str>();
  const Bytes* bytes = object.as<Bytes>();
  const Range* range = object.as<Range>();
  for (const Value& bound : {slice.start, slice.stop, slice.step}) {
    if (IsUnknown(bound)) return bound;
  }
  const auto bound = [&](const Value& value) {
    const Value* method = nullptr;
    if (const Instance* instance = value.as<Instance>()) {
      method = instance->type->Find(in.Name("__index__"));
    }
    return AsInt(method == nullptr ? value : in.Call(*method, {value}));
  };
  const int64_t step = bound(slice.step).value_or(1);
  if (step == 0) in.Raise("ValueError", "slice step cannot be zero");
  const bool assumed =
      sequence != nullptr && sequence->open && sequence->open.counted && size > 0 && step > 0;
  const auto resolved = [&](const Value& value, int64_t otherwise) {
    std::optional<int64_t> number = bound(value);
    if (!number.has_value()) return otherwise;
    // Who holds back as many files as were assumed has more of them.
    if (assumed && (*number >= size || *number <= -size)) return otherwise;
    if (*number < 0) *number += size;
    return step > 0 ? Clamped(*number, 0, size) : Clamped(*number, -1, size - 1);
  };
  const int64_t start = resolved(slice.start, step > 0 ? 0 : size - 1);
  const int64_t stop = resolved(slice.stop, step > 0 ? size : -1);
  if (range != nullptr) {
    int64_t by = 0;
    if (__builtin_mul_overflow(range->step, step, &by)) {
      constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
      by = (range->step < 0) == (step < 0) ? kMost : -kMost;
    }
    return in.New<Range>(range->at(start), range->at(stop), by);
  }
  std::vector<Value> items;
  std::string part;
  in.Step(std::max<int64_t>(0, step > 0 ? stop - start : start - stop) / 64);
  // Steps beyond the size take one item.
  const int64_t by = Clamped(step, -size - 1, size + 1);
  for (int64_t i = start; by > 0 ? i < stop : i > stop; i += by) {
    if (text != nullptr && step == 1) {
      part = text->text.substr(text->Byte(start), text->Byte(stop) - text->Byte(start));
      break;
    }
    if (text != nullptr) {
      part.append(text->text, text->Byte(i), text->Byte(i + 1) - text->Byte(i));
    } else if (bytes != nullptr) {
      part += bytes->text[static_cast<size_t>(i)];
    } else {
      items.push_back(sequence->items[static_cast<size_t>(i)]);
    }
  }
  if (bytes != nullptr) return in.New<Bytes>(std::move(part));
  if (text != nullptr) return in.Text(std::move(part));
  Sequence* some = in.New<Sequence>(sequence->kind, std::move(items));
  some->open = sequence->open;
  return some;
}

}  // namespace

Value Interpreter::IndexSequence(const Value& object, const Value& index) {
  const Sequence* sequence = object.as<Sequence>();
  const Str* text = object.as<Str>();
  const Bytes* bytes = object.as<Bytes>();
  const Range* range = object.as<Range>();
  const Openness open = sequence == nullptr ? Openness() : sequence->open;
  const int64_t size = sequence == nullptr ? Length(object).value_or(0)
                                           : static_cast<int64_t>(sequence->items.size());
  // Each item of an open list stands for all of them.
  const bool any = open.uncounted() && size > 0;
  if (IsUnknown(index) && any) return sequence->items.back();
  if (IsUnknown(index))
    return sequence == nullptr ? index : EitherOf(*this, index, sequence->items);
  if (const Slice* slice = index.as<Slice>()) {
    if (open.uncounted()) return SliceOpen(*sequence, *slice);
    return SliceOf(*this, object, size, *slice);
  }
  std::optional<int64_t> at = AsInt(index);
  if (!at.has_value()) {
    if (const Instance* instance = index.as<Instance>()) {
      if (const Value* method = instance->type->Find(Name("__index__"))) {
        const Value number = Call(*method, {index});
        if (IsUnknown(number)) return any ? sequence->items.back() : number;
        at = AsInt(number);
      }
    }
  }
  if (!at.has_value()) {
    const std::string type = text != nullptr ? "string" : *TypeOf(object)->name;
    Raise("TypeError", fmt::format("{} indices must be integers{}, not {}", type,
                                   text != nullptr ? "" : " or slices", *TypeOf(index)->name));
  }
  if (*at < 0) *at += size;
  if (*at < 0 || *at >= size) {
    if (open.uncounted()) return size > 0 ? sequence->items.back() : UnknownOf(open, "an item");
    const std::string type = text != nullptr ? "string" : *TypeOf(object)->name;
    Raise("IndexError",
          fmt::format("{} {}index out of range", type, range != nullptr ? "object " : ""));
  }
  if (range != nullptr) return Value(range->at(*at));
  if (bytes != nullptr) {
    return Value(static_cast<int64_t>(static_cast<uint8_t>(bytes->text[static_cast<size_t>(*at)])));
  }
  if (text != nullptr) {
    const size_t begin = text->Byte(*at);
    return Text(text->text.substr(begin, text->Byte(*at + 1) - begin));
  }
  return sequence->items[static_cast<size_t>(*at)];
}

Value Interpreter::Subscript(const Value& object, const Value& index) {
  Step();
  if (!object.is_object()) {
    Raise("TypeError", fmt::format("'{}' object is not subscriptable", *TypeOf(object)->name));
  }
  switch (object.object->kind) {
    case Kind::kUnknown: {
      // The part of that name is the same each time.
      if (const std::string* name = TextOf(index)) return FindAttribute(object, Name(*name));
      const Unknown* unknown = object.as<Unknown>();
      return New<Unknown>(unknown->cause);
    }
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kStr:
    case Kind::kBytes:
    case Kind::kRange:
      return IndexSequence(object, index);
    case Kind::kDict: {
      Dict& dict = *object.as<Dict>();
      if (const Value* held = FindItem(dict, index)) return *held;
      if (IsUnknown(index)) {
        const Value first = FirstOfClasses(dict, *index.as<Unknown>());
        return first.set() ? first : index;
      }
      if (dict.open) return UnknownOf(dict.open, "an item");
      RaiseKey(index);
    }
    case Kind::kInstance: {
      const Instance* instance = object.as<Instance>();
      const Value* method = instance->type->Find(Name("__getitem__"));
      const bool own = method != nullptr && method->as<Builtin>() == nullptr;
      if (own || (method != nullptr && !instance->base.set())) {
        return Call(*method, {object, index});
      }
      if (instance->base.set()) {
        if (Dict* dict = instance->base.as<Dict>()) {
          if (const Value* held = FindItem(*dict, index)) return *held;
          if (dict->open && !IsUnknown(index)) return UnknownOf(dict->open, "an item");
          if (const Value* missing = instance->type->Find(Name("__missing__"))) {
            return Call(*missing, {object, index});
          }
        }
        return Subscript(instance->base, index);
      }
      if (instance->type->open) return MakeUnknown("an item of what is not known");
      break;
    }
    case Kind::kClass: {
      Class& type = *object.as<Class>();
      Arguments arguments;
      arguments.positional = {index};
      if (auto made = CallHook(type, "__tilewise_class_getitem__", arguments)) return *made;
      Arguments again;
      again.positional = {index};
      if (auto made = CallHook(type, "__class_getitem__", again)) return *made;
      return object;  // list[int]
    }
    case Kind::kBuiltin:
    case Kind::kFunction:
      return object;
    default:
      break;
  }
  Raise("TypeError", fmt::format("'{}' object is not subscriptable", *TypeOf(object)->name));
}

void Interpreter::SetSubscript(const Value& object, const Value& index, const Value& value) {
  if (const Unknown* unknown = object.as<Unknown>()) {
    for (const Value& one : unknown->known().either) {
      Dict* dict = one.as<Dict>();
      if (dict == nullptr) continue;
      const Value* held = FindItem(*dict, index);
      SetItem(*dict, index, held == nullptr ? value : Merged(*held, value, object));
      dict->open.Join({unknown, false});
    }
    return;
  }
  if (Instance* instance = object.as<Instance>()) {
    if (const Value* method = instance->type->Find(Name("__setitem__"))) {
      Call(*method, {object, index, value});
      return;
    }
    if (instance->base.set()) {
      SetSubscript(instance->base, index, value);
      return;
    }
    if (instance->type->open) return;
  }
  if (Dict* dict = object.as<Dict>()) {
    SetItem(*dict, index, value);
    return;
  }
  Sequence* list = object.as<Sequence>();
  if (list == nullptr || list->tuple()) {
    Raise("TypeError",
          fmt::format("'{}' object does not support item assignment", *TypeOf(object)->name));
  }
  if (IsUnknown(index)) return;
  Touch(*list);
  const auto size = static_cast<int64_t>(list->items.size());
  if (const Slice* slice = index.as<Slice>()) {
    const auto bound = [&](const Value& v, int64_t otherwise) {
      std::optional<int64_t> number = AsInt(v);
      if (!number.has_value()) return otherwise;
      return Clamped(*number < 0 ? *number + size : *number, 0, size);
    };
    const int64_t step = AsInt(slice->step).value_or(1);
    Openness open;
    const std::vector<Value> items = Items(value, &open);
    const int64_t start = bound(slice->start, 0);
    const int64_t stop = std::max(start, bound(slice->stop, size));
    if (step == 1) {
      if (start == 0 && stop == size) list->open = {};
      list->open.Join(open);
      list->items.erase(list->items.begin() + start, list->items.begin() + stop);
      list->items.insert(list->items.begin() + start, items.begin(), items.end());
    } else {
      const Value part = IndexSequence(New<Range>(int64_t{0}, size, int64_t{1}), index);
      const Range* places = part.as<Range>();
      if (places == nullptr || places->size() != static_cast<int64_t>(items.size())) {
        Raise("ValueError",
              fmt::format("found {} values for a slice of another size", items.size()));
      }
      for (int64_t i = 0; i < places->size(); ++i) {
        list->items[static_cast<size_t>(places->at(i))] = items[static_cast<size_t>(i)];
      }
    }
    return;
  }
  std::optional<int64_t> at = AsInt(index);
  if (at.has_value() && *at < 0) *at += size;
  if (!at.has_value() || *at < 0 || *at >= size) {
    if (list->open.uncounted()) return;
    Raise("IndexError", "list assignment index out of range");
  }
  list->items[static_cast<size_t>(*at)] = value;
}

void Interpreter::DeleteSubscript(const Value& object, const Value& index) {
  if (IsUnknown(object)) return;
  if (const Instance* instance = object.as<Instance>()) {
    if (const Value* method = instance->type->Find(Name("__delitem__"))) {
      Call(*method, {object, index});
      return;
    }
    if (instance->base.set()) return DeleteSubscript(instance->base, index);
  }
  if (Dict* dict = object.as<Dict>()) {
    if (EraseItem(*dict, index) || IsUnknown(index) || dict->open) return;
    RaiseKey(index);
  }
  Sequence* list = object.as<Sequence>();
  if (list == nullptr) return;
  Touch(*list);
  if (index.as<Slice>() != nullptr) {
    const auto all = static_cast<int64_t>(list->items.size());
    Step(all / 16);
    const Value part = IndexSequence(New<Range>(int64_t{0}, all, int64_t{1}), index);
    const Range* places = part.as<Range>();
    std::vector<Value> kept;
    for (int64_t i = 0; i < all; ++i) {
      const bool gone = places != nullptr && Contains(part, Value(i)).value_or(false);
      if (!gone) kept.push_back(list->items[static_cast<size_t>(i)]);
    }
    list->items = std::move(kept);
    return;
  }
  std::optional<int64_t> at = AsInt(index);
  const auto size = static_cast<int64_t>(list->items.size());
  if (at.has_value() && *at < 0) *at += size;
  if (!at.has_value() || *at < 0 || *at >= size) {
    if (list->open.uncounted() || IsUnknown(index)) return;
    Raise("IndexError", "list index out of range");
  }
  list->items.erase(list->items.begin() + *at);
}

}  // namespace tilewise::py
