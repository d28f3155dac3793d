// What loops meet.

#include <utility>

#include <fmt/format.h>

#include "python/expecting.h"
#include "python/interpreter.h"
#include "python/unknowns.h"

namespace tilewise::py {
namespace {

class SequenceIterator : public Iterator {
 public:
  explicit SequenceIterator(Sequence* items) : items_(items) {}
  Value Next(Interpreter&) override {
    return at_ < items_->items.size() ? items_->items[at_++] : Value();
  }
  Openness open() const override { return items_->open; }

 private:
  Sequence* items_;
  size_t at_ = 0;
};

class RangeIterator : public Iterator {
 public:
  explicit RangeIterator(const Range* range) : range_(range), size_(range->size()) {}
  Value Next(Interpreter&) override {
    if (at_ >= size_) return {};
    return Value(range_->at(at_++));
  }
  int64_t SkipToLast() override {
    const int64_t skipped = std::max<int64_t>(0, size_ - 1 - at_);
    at_ += skipped;
    return skipped;
  }
  void Leap(int64_t n) override { at_ += std::max<int64_t>(0, std::min(n, size_ - 1 - at_)); }
  std::optional<int64_t> Rounds() const override { return size_; }

 private:
  const Range* range_;
  int64_t size_, at_ = 0;
};

class DictIterator : public Iterator {
 public:
  explicit DictIterator(const Dict* dict) : dict_(dict) {}
  Value Next(Interpreter&) override {
    while (at_ < dict_->entries.size()) {
      const Dict::Entry& entry = dict_->entries[at_++];
      if (entry.live) return entry.key;
    }
    return {};
  }
  Openness open() const override { return dict_->open; }

 private:
  const Dict* dict_;
  size_t at_ = 0;
};

// One item, which is not known: as many as one stand for all.
class UnknownIterator : public Iterator {
 public:
  explicit UnknownIterator(Value item) : item_(item) { holds.why = item.as<Unknown>(); }
  Value Next(Interpreter&) override { return std::exchange(item_, Value()); }

 private:
  Value item_;
};

class TextIterator : public Iterator {
 public:
  explicit TextIterator(std::string text) : text_(std::move(text)) {}
  Value Next(Interpreter& in) override {
    if (at_ >= text_.size()) return {};
    size_t size = 1;
    while (at_ + size < text_.size() && (text_[at_ + size] & 0xC0) == 0x80) ++size;
    at_ += size;
    return in.Text(text_.substr(at_ - size, size));
  }

 private:
  std::string text_;
  size_t at_ = 0;
};

class BytesIterator : public Iterator {
 public:
  explicit BytesIterator(std::string bytes) : bytes_(std::move(bytes)) {}
  Value Next(Interpreter&) override {
    if (at_ >= bytes_.size()) return {};
    return Value(static_cast<int64_t>(static_cast<uint8_t>(bytes_[at_++])));
  }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

// __next__ of a class, or __getitem__ with 0, 1, 2 ...
class InstanceIterator : public Iterator {
 public:
  InstanceIterator(Value object, bool by_index) : object_(object), by_index_(by_index) {}
  Value Next(Interpreter& in) override {
    std::optional<Value> raised;
    try {
      const Interpreter::Expecting expecting(in);
      if (by_index_) return in.CallMethod(object_, "__getitem__", {Value(at_++)});
      return in.CallMethod(object_, "__next__", {});
    } catch (const Raised& exception) {
      raised = exception.exception;
    }
    const char* ends = by_index_ ? "IndexError" : "StopIteration";
    if (in.IsInstance(*raised, in.ExceptionType(ends))) return {};
    throw Raised{*raised};
  }

 private:
  Value object_;
  bool by_index_;
  int64_t at_ = 0;
};

}  // namespace

Iterator* Interpreter::Iterate(const Value& value) {
  Step();
  if (value.is_object()) {
    switch (value.object->kind) {
      case Kind::kList:
      case Kind::kTuple:
        return New<SequenceIterator>(value.as<Sequence>());
      case Kind::kRange:
        return New<RangeIterator>(value.as<Range>());
      case Kind::kDict:
      case Kind::kSet:
        return New<DictIterator>(value.as<Dict>());
      case Kind::kStr:
        return New<TextIterator>(value.as<Str>()->text);
      case Kind::kBytes:
        return New<BytesIterator>(value.as<Bytes>()->text);
      case Kind::kIterator:
        return value.as<Iterator>();
      case Kind::kUnknown:
        if (const Value& inner = value.as<Unknown>()->known().wraps; IsWrapped(inner, "items")) {
          Note("RD002", UserLocation(),
               "what goes over a loader here is not known: it is taken to give its batches");
          return Iterate(inner);
        }
        return New<UnknownIterator>(value);
      case Kind::kClass: {
        Arguments none;
        if (auto made = CallHook(*value.as<Class>(), "__tilewise_class_iter__", none)) {
          return Iterate(*made);
        }
        break;
      }
      case Kind::kInstance: {
        const Instance* instance = value.as<Instance>();
        if (const Value* method = instance->type->Find(Name("__iter__"))) {
          const Value made = Call(*method, {value});
          if (made.Is(value)) return New<InstanceIterator>(value, false);
          // A loop asks what it was given once more: own modules give a loop
          // fewer items than next() would.
          return Iterate(made);
        }
        if (instance->type->Find(Name("__next__")) != nullptr) {
          return New<InstanceIterator>(value, false);
        }
        if (instance->base.set()) return Iterate(instance->base);
        if (instance->type->Find(Name("__getitem__")) != nullptr) {
          return New<InstanceIterator>(value, true);
        }
        if (instance->type->open) {
          return New<UnknownIterator>(MakeUnknown("an item of what is not known"));
        }
        break;
      }
      default:
        break;
    }
  }
  Raise("TypeError", fmt::format("'{}' object is not iterable", *TypeOf(value)->name));
}

std::vector<Value> Interpreter::Items(const Value& value, Openness* open) {
  if (const Sequence* items = value.as<Sequence>()) {
    if (open != nullptr) *open = items->open;
    Step(static_cast<int64_t>(items->items.size() / 32));
    // The room includes what a list that takes them grows by.
    CheckRoom(static_cast<int64_t>(3 * items->items.size() * sizeof(Value)));
    return items->items;
  }
  std::vector<Value> result;
  Iterator* items = Iterate(value);
  for (;;) {
    const Value item = items->Next(*this);
    if (!item.set()) {
      if (open != nullptr) *open = items->open();
      return result;
    }
    Step();
    if (result.size() == result.capacity()) {
      CheckRoom(static_cast<int64_t>(3 * result.size() * sizeof(Value)));
    }
    result.push_back(item);
  }
}

}  // namespace tilewise::py
