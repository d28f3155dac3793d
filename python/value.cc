// Namespaces, dicts and numbers.

#include "python/value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tilewise::py {

namespace {

// Every so many code points the byte is kept where they begin.
constexpr int64_t kMarkEvery = 64;
bool Begins(char c) { return (c & 0xC0) != 0x80; }

}  // namespace

int64_t Str::size() const {
  if (size_ < 0) size_ = std::count_if(text.begin(), text.end(), Begins);
  return size_;
}

size_t Str::Byte(int64_t at) const {
  if (at <= 0) return 0;
  if (at >= size()) return text.size();
  if (ascii()) return static_cast<size_t>(at);
  if (marks_.empty()) {
    int64_t point = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (Begins(text[i]) && point++ % kMarkEvery == 0) marks_.push_back(static_cast<uint32_t>(i));
    }
  }
  size_t byte = marks_[static_cast<size_t>(at / kMarkEvery)];
  for (int64_t left = at % kMarkEvery; left > 0; --left) {
    do ++byte;
    while (byte < text.size() && !Begins(text[byte]));
  }
  return byte;
}

int64_t Str::Point(size_t byte) const {
  if (ascii()) return static_cast<int64_t>(std::min(byte, text.size()));
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return std::count_if(text.begin(), end, Begins);
}

const Value* Namespace::Find(Symbol name) const {
  if (items_.size() <= kLinear) {
    for (const auto& [key, value] : items_) {
      if (key == name) return &value;
    }
    return nullptr;
  }
  const auto at = index_.find(name);
  return at == index_.end() ? nullptr : &items_[at->second].second;
}

Value* Namespace::Find(Symbol name) {
  return const_cast<Value*>(static_cast<const Namespace*>(this)->Find(name));
}

void Namespace::Set(Symbol name, Value value) {
  if (Value* held = Find(name)) {
    *held = value;
    return;
  }
  items_.emplace_back(name, value);
  if (items_.size() == kLinear + 1) {
    for (size_t i = 0; i < items_.size(); ++i) index_[items_[i].first] = i;
  } else if (items_.size() > kLinear) {
    index_[name] = items_.size() - 1;
  }
}

bool Namespace::Erase(Symbol name) {
  const auto at = std::find_if(items_.begin(), items_.end(),
                               [name](const auto& item) { return item.first == name; });
  if (at == items_.end()) return false;
  items_.erase(at);
  index_.clear();
  if (items_.size() > kLinear) {
    for (size_t i = 0; i < items_.size(); ++i) index_[items_[i].first] = i;
  }
  return true;
}

void Dict::Assign(Object& clone) {
  Dict& other = static_cast<Dict&>(clone);
  entries = std::move(other.entries);
  index = std::move(other.index);
  live = other.live;
  open = other.open;
}

void Instance::Assign(Object& clone) {
  Instance& other = static_cast<Instance&>(clone);
  type = other.type;
  attributes = std::move(other.attributes);
  base = other.base;
}

int64_t Range::size() const {
  const __int128 first = start, last = stop, by = step;
  __int128 count = 0;
  if (step > 0 && first < last) count = (last - first - 1) / by + 1;
  if (step < 0 && first > last) count = (first - last - 1) / -by + 1;
  return static_cast<int64_t>(std::min<__int128>(count, std::numeric_limits<int64_t>::max()));
}

int64_t Range::at(int64_t place) const {
  return static_cast<int64_t>(static_cast<uint64_t>(start) +
                              static_cast<uint64_t>(place) * static_cast<uint64_t>(step));
}

bool Class::Derives(const Class* base) const {
  return std::find(order.begin(), order.end(), base) != order.end();
}

const Value* Class::Find(Symbol member) const {
  for (const Class* type : order) {
    if (const Value* found = type->members.Find(member)) return found;
  }
  return nullptr;
}

std::optional<uint64_t> PlainHash(const Value& value) {
  switch (value.tag) {
    case Value::Tag::kBool:
      return value.truth ? 1 : 0;
    case Value::Tag::kInt:
      return static_cast<uint64_t>(value.integer);
    case Value::Tag::kFloat:
      if (value.real == std::floor(value.real) && std::abs(value.real) < 9e18) {
        return static_cast<uint64_t>(static_cast<int64_t>(value.real));
      }
      return std::bit_cast<uint64_t>(value.real);
    case Value::Tag::kObject:
      break;
    default:
      return 0x9e3779b97f4a7c15ULL + static_cast<uint64_t>(value.tag);
  }
  if (const Str* text = value.as<Str>()) return std::hash<std::string>{}(text->text);
  if (const Bytes* text = value.as<Bytes>()) return std::hash<std::string>{}(text->text) + 1;
  // What a tuple holds may hold itself many times over: its hash is counted as work.
  if (value.as<Sequence>() != nullptr) return std::nullopt;
  if (value.as<Instance>() != nullptr) return std::nullopt;
  if (const Dict* set = value.as<Dict>(); set != nullptr && set->frozen) {
    uint64_t hash = 0x1234567;
    for (const Dict::Entry& entry : set->entries) {
      if (entry.live) hash += entry.hash * 0x9e3779b97f4a7c15ULL;
    }
    return hash;
  }
  return reinterpret_cast<uint64_t>(value.object) >> 4;
}

std::optional<int64_t> AsInt(const Value& value) {
  if (value.tag == Value::Tag::kInt) return value.integer;
  if (value.tag == Value::Tag::kBool) return value.truth ? 1 : 0;
  if (const Instance* instance = value.as<Instance>(); instance && instance->base.set()) {
    return AsInt(instance->base);
  }
  return std::nullopt;
}

std::optional<double> AsNumber(const Value& value) {
  if (value.tag == Value::Tag::kFloat) return value.real;
  if (const std::optional<int64_t> integer = AsInt(value)) return static_cast<double>(*integer);
  if (const Instance* instance = value.as<Instance>(); instance && instance->base.set()) {
    return AsNumber(instance->base);
  }
  return std::nullopt;
}

const Unknown::Known& Unknown::known() const {
  static const Known nothing;
  return facts == nullptr ? nothing : *facts;
}

std::string Function::Qualified() const { return member ? *owner->name + "." + *name : *name; }

}  // namespace tilewise::py
