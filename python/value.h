// Values of the Python programs that are read: numbers as they are, everything
// else an object of a heap that lives as long as the reading.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "base/location.h"

namespace tilewise::py {

// An interned name; equal names are the same pointer.
using Symbol = const std::string*;

struct Object;

struct Value {
  enum class Tag : uint8_t { kUnset, kNone, kBool, kInt, kFloat, kEllipsis, kOther, kObject };
  Tag tag = Tag::kUnset;
  union {
    bool truth;
    int64_t integer;
    double real;
    Object* object;
  };

  Value() : integer(0) {}
  explicit Value(Tag t) : tag(t), integer(0) {}
  explicit Value(bool b) : tag(Tag::kBool), integer(0) { truth = b; }
  explicit Value(int64_t i) : tag(Tag::kInt), integer(i) {}
  explicit Value(double d) : tag(Tag::kFloat), real(d) {}
  Value(Object* o) : tag(Tag::kObject), object(o) {}  // NOLINT: an object is a value

  bool set() const { return tag != Tag::kUnset; }
  bool none() const { return tag == Tag::kNone; }
  bool is_object() const { return tag == Tag::kObject; }
  // The object when it is one of that type, else null.
  template <typename T>
  T* as() const;
  // The same object, or the same plain value of the same type.
  bool Is(const Value& other) const {
    if (tag != other.tag) return false;
    if (tag == Tag::kFloat) return real == other.real;
    return tag == Tag::kBool ? truth == other.truth : integer == other.integer;
  }
};

inline Value None() { return Value(Value::Tag::kNone); }
inline Value NotImplemented() { return Value(Value::Tag::kOther); }
inline Value EllipsisValue() { return Value(Value::Tag::kEllipsis); }

enum class Kind : uint8_t {
  kStr,
  kBytes,
  kList,
  kTuple,
  kDict,
  kSet,
  kSlice,
  kRange,
  kIterator,
  kFunction,
  kMethod,
  kBuiltin,
  kClass,
  kInstance,
  kModule,
  kProperty,
  kStaticMethod,
  kClassMethod,
  kSuper,
  kUnknown,
  kOpaque,
  kEnvironment,
};

class Interpreter;

// `epoch`: when the object was made, or last copied for a branch (branches.h).
struct Object {
  explicit Object(Kind k) : kind(k) {}
  virtual ~Object() = default;
  Object(const Object&) = default;
  Object& operator=(const Object&) = default;
  // A copy of what may change, for branches; null when nothing may.
  virtual Object* Clone() const { return nullptr; }
  // Takes the changing part of a clone.
  virtual void Assign(Object&) {}
  Kind kind;
  uint32_t epoch = 0;
};

template <typename T>
T* Value::as() const {
  return tag == Tag::kObject && T::Is(object->kind) ? static_cast<T*>(object) : nullptr;
}

// Names with values, in order of insertion.
class Namespace {
 public:
  const Value* Find(Symbol name) const;
  Value* Find(Symbol name);
  void Set(Symbol name, Value value);
  bool Erase(Symbol name);
  const std::vector<std::pair<Symbol, Value>>& items() const { return items_; }

 private:
  static constexpr size_t kLinear = 8;
  std::vector<std::pair<Symbol, Value>> items_;
  absl::flat_hash_map<Symbol, size_t> index_;  // of more than kLinear names
};

// A text in UTF-8, which programs index by code points.
struct Str : Object {
  explicit Str(std::string t) : Object(Kind::kStr), text(std::move(t)) {}
  static bool Is(Kind k) { return k == Kind::kStr; }
  // Code points.
  int64_t size() const;
  bool ascii() const { return size() == static_cast<int64_t>(text.size()); }
  // The byte where code point `at` begins; that after the last: the end.
  size_t Byte(int64_t at) const;
  // The code point that begins at a byte, or before it.
  int64_t Point(size_t byte) const;
  std::string text;

 private:
  mutable int64_t size_ = -1;
  mutable std::vector<uint32_t> marks_;  // bytes of some code points, not for ASCII
};
struct Bytes : Object {
  explicit Bytes(std::string t) : Object(Kind::kBytes), text(std::move(t)) {}
  static bool Is(Kind k) { return k == Kind::kBytes; }
  std::string text;
};

struct Unknown;

// Whether the items that a container or an iterator holds stand for more of
// them: `why` says what is not known, null where nothing is. `counted`: what
// the items hold is not known, but their number was assumed, with a note.
struct Openness {
  const Unknown* why = nullptr;
  bool counted = false;
  explicit operator bool() const { return why != nullptr; }
  bool uncounted() const { return why != nullptr && !counted; }
  void Join(const Openness& other) {
    if (other.why == nullptr) return;
    counted = other.counted && (why == nullptr || counted);
    if (why == nullptr) why = other.why;
  }
};

// A list or a tuple.
struct Sequence : Object {
  Sequence(Kind k, std::vector<Value> i) : Object(k), items(std::move(i)) {}
  static bool Is(Kind k) { return k == Kind::kList || k == Kind::kTuple; }
  Object* Clone() const override { return kind == Kind::kList ? new Sequence(*this) : nullptr; }
  void Assign(Object& clone) override {
    items = std::move(static_cast<Sequence&>(clone).items);
    open = static_cast<Sequence&>(clone).open;
  }
  bool tuple() const { return kind == Kind::kTuple; }
  std::vector<Value> items;
  Openness open;
  int64_t stands_for = 0;          // of a part of what is open: its items if it is full
  const Unknown* count = nullptr;  // of what is open: how many there are, once it was asked for
  const char* view = nullptr;      // "dict_keys": of what a dict gives
};

// Keys with values in order of insertion: a dict, or the keys of a set.
struct Dict : Object {
  explicit Dict(Kind k = Kind::kDict) : Object(k) {}
  static bool Is(Kind k) { return k == Kind::kDict || k == Kind::kSet; }
  Object* Clone() const override { return new Dict(*this); }
  void Assign(Object& clone) override;
  struct Entry {
    Value key, value;
    uint64_t hash = 0;
    bool live = false;
  };
  size_t size() const { return live; }
  std::vector<Entry> entries;  // removed ones stay, not live
  absl::flat_hash_map<uint64_t, std::vector<uint32_t>> index;
  size_t live = 0;
  bool frozen = false;
  Openness open;          // never counted
  Value default_factory;  // of a defaultdict
};

struct Slice : Object {
  Slice(Value a, Value b, Value c) : Object(Kind::kSlice), start(a), stop(b), step(c) {}
  static bool Is(Kind k) { return k == Kind::kSlice; }
  Value start, stop, step;
};
struct Range : Object {
  Range(int64_t a, int64_t b, int64_t c) : Object(Kind::kRange), start(a), stop(b), step(c) {}
  static bool Is(Kind k) { return k == Kind::kRange; }
  int64_t size() const;
  int64_t at(int64_t place) const;
  int64_t start, stop, step;
};

// Gives one item at a time; kUnset when there is none left.
struct Iterator : Object {
  Iterator() : Object(Kind::kIterator) {}
  static bool Is(Kind k) { return k == Kind::kIterator; }
  virtual Value Next(Interpreter& in) = 0;
  // What generators take; others ignore it.
  virtual Value Send(Interpreter& in, Value) { return Next(in); }
  // Goes on to the last item, where that is known: how many were left out.
  virtual int64_t SkipToLast() { return 0; }
  // Leaves out so many items, but for the last.
  virtual void Leap(int64_t) {}
  // How many numbers a range gives; nullopt: it is none.
  virtual std::optional<int64_t> Rounds() const { return std::nullopt; }
  // What is known of the items so far.
  virtual Openness open() const { return holds; }
  // What a loop over more than its items ends with, where that is not what it
  // met last; kUnset: that.
  virtual Value Last(Interpreter&) { return {}; }
  Openness holds;
  Value returned;  // of a generator that has ended
};

struct Node;
struct ScopeInfo;
struct Module;
struct Class;

// The names of one call of a function.
struct Environment : Object {
  Environment(const ScopeInfo* i, Environment* o, size_t slots)
      : Object(Kind::kEnvironment), info(i), outer(o), values(slots) {}
  static bool Is(Kind k) { return k == Kind::kEnvironment; }
  Object* Clone() const override { return new Environment(*this); }
  void Assign(Object& clone) override {
    values = std::move(static_cast<Environment&>(clone).values);
  }
  // A function or a generator keeps it, and those around it, beyond the call.
  void Hold() {
    for (Environment* each = this; each != nullptr && !each->held; each = each->outer) {
      each->held = true;
    }
  }
  const ScopeInfo* info;
  Environment* outer;
  std::vector<Value> values;
  bool held = false;
};

// Arguments of a call. `open`: more were given by * or ** of what is not known.
struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<Symbol, Value>> keyword;
  const Node* at = nullptr;
  bool open = false;
  Openness stars;  // of what was given by *
  Openness names;  // of what was given by **: a dict that may hold more
};

using NativeFunction = Value (*)(Interpreter&, Arguments&);

struct Builtin : Object {
  Builtin(Symbol n, NativeFunction f) : Object(Kind::kBuiltin), name(n), call(f) {}
  static bool Is(Kind k) { return k == Kind::kBuiltin; }
  Symbol name;
  NativeFunction call;
  bool method = false;      // takes the object it is an attribute of first
  std::vector<Value> held;  // arguments that come before the others
};

struct Function : Object {
  Function() : Object(Kind::kFunction) {}
  static bool Is(Kind k) { return k == Kind::kFunction; }
  Object* Clone() const override { return new Function(*this); }
  void Assign(Object& clone) override {
    attributes = std::move(static_cast<Function&>(clone).attributes);
  }
  std::string Qualified() const;
  Symbol name = nullptr;
  bool member = false;         // of its owner; otherwise of a function in its body
  const Node* node = nullptr;  // a def or a lambda
  Environment* closure = nullptr;
  Module* module = nullptr;
  Class* owner = nullptr;       // whose body it stands in, for super()
  std::vector<Value> defaults;  // by parameter; kUnset: none
  Namespace attributes;
  mutable bool called = false;
};

struct Method : Object {
  Method(Value f, Value s) : Object(Kind::kMethod), function(f), self(s) {}
  static bool Is(Kind k) { return k == Kind::kMethod; }
  Value function, self;
};

struct Class : Object {
  explicit Class(Symbol n) : Object(Kind::kClass), name(n) {}
  static bool Is(Kind k) { return k == Kind::kClass; }
  Object* Clone() const override { return new Class(*this); }
  void Assign(Object& clone) override { members = std::move(static_cast<Class&>(clone).members); }
  bool Derives(const Class* base) const;
  // The member of this class, or of the nearest one that it derives from.
  const Value* Find(Symbol member) const;
  Symbol name;
  std::vector<Class*> bases;
  std::vector<Class*> order;  // method resolution order, itself first
  Namespace members;
  Module* module = nullptr;
  const Node* node = nullptr;
  bool open = false;              // a base is not known
  NativeFunction make = nullptr;  // of types of the language: makes an instance
  Value metaclass;
};

struct Instance : Object {
  explicit Instance(Class* t) : Object(Kind::kInstance), type(t) {}
  static bool Is(Kind k) { return k == Kind::kInstance; }
  Object* Clone() const override { return new Instance(*this); }
  void Assign(Object& clone) override;
  Class* type;
  Namespace attributes;
  Value base;  // of classes that derive from list, dict, str, int ...
};

struct LateState;

struct Module : Object {
  Module() : Object(Kind::kModule) {}
  static bool Is(Kind k) { return k == Kind::kModule; }
  Object* Clone() const override { return new Module(*this); }
  void Assign(Object& clone) override { names = std::move(static_cast<Module&>(clone).names); }
  // This says whose code it is: the user's, a library's on the machine,
  // tilewise's own account of a framework.
  enum class Origin : uint8_t { kUser, kLibrary, kOwn, kMissing };
  Origin origin = Origin::kUser;
  std::string name;  // dotted
  std::string file;
  std::vector<std::string> made_of;  // beside the file, by the cells of its nodes from 1 on
  std::string package;               // what relative imports start from
  std::vector<std::string> path;     // of a package: where its modules are
  Namespace names;
  bool complete = false;  // its code has run
  // The file of a package whose code runs when something is asked of it that is
  // not there.
  std::string deferred;
  // tilewise's own modules have this: which names still wait for their values
  // (late_names.h).
  std::shared_ptr<LateState> late;
};

struct Property : Object {
  explicit Property(Value g) : Object(Kind::kProperty), get(g) {}
  static bool Is(Kind k) { return k == Kind::kProperty; }
  Value get, set, remove;
  bool cached = false;
};
// staticmethod or classmethod.
struct Wrapped : Object {
  Wrapped(Kind k, Value f) : Object(k), function(f) {}
  static bool Is(Kind k) { return k == Kind::kStaticMethod || k == Kind::kClassMethod; }
  Value function;
};
struct Super : Object {
  Super(Class* a, Value s, Class* t) : Object(Kind::kSuper), after(a), self(s), type(t) {}
  static bool Is(Kind k) { return k == Kind::kSuper; }
  Class* after;
  Value self;
  Class* type;  // whose order is followed
};

// This value is not known, for a reason, since a location. Programs whose data are absent make
// hundreds of thousands of them, so that what follows from one shares its cause.
struct Unknown : Object {
  // How its truth follows from that of other values that are not known.
  enum class Relation : uint8_t { kNone, kNot, kAll, kAny, kEquals };
  struct Cause {
    std::string reason;
    Location location;
    size_t size() const { return sizeof(Cause) + reason.size() + location.file.size(); }
  };
  // What is known all the same, which is nothing of most.
  struct Known {
    Relation relation = Relation::kNone;
    std::vector<const Unknown*> of;
    Value constant;  // of kEquals
    // A number of items is the sum of such numbers, each times another, and of `plus`.
    std::vector<std::pair<const Unknown*, int64_t>> counts;
    int64_t plus = 0;
    int64_t least = 0;  // of how many items there are: those that stand for all of them
    // The containers, or the methods of them, of which it is one.
    std::vector<Value> either;
    // What was given to what made it, where that is taken to be in it: a loader, a model.
    Value wraps;
    // Its attributes that were asked for: the same each time.
    std::vector<std::pair<Symbol, Unknown*>> parts;
  };
  Unknown(std::string r, Location l)
      : Object(Kind::kUnknown),
        cause(std::make_shared<const Cause>(Cause{std::move(r), std::move(l)})) {}
  explicit Unknown(std::shared_ptr<const Cause> c) : Object(Kind::kUnknown), cause(std::move(c)) {}
  static bool Is(Kind k) { return k == Kind::kUnknown; }
  const std::string& reason() const { return cause->reason; }
  const Location& location() const { return cause->location; }
  const Known& known() const;
  std::shared_ptr<const Cause> cause;
  std::unique_ptr<Known> facts;  // null: none
};

// What the host of the interpreter passes through it: tensors.
struct Opaque : Object {
  Opaque() : Object(Kind::kOpaque) {}
  static bool Is(Kind k) { return k == Kind::kOpaque; }
  // Whether a program cannot tell the two apart (but by their numbers).
  virtual bool Alike(const Opaque&) const { return false; }
};

// An exception of the program on its way up.
struct Raised {
  Value exception;
};
// The reading is over: a budget is used up.
struct Stopped {
  std::string reason;
};

// Python's hash of values of the language; nothing for objects with a hash of
// their own.
std::optional<uint64_t> PlainHash(const Value& value);

inline bool IsUnknown(const Value& value) { return value.as<Unknown>() != nullptr; }
// The text of a str, or null.
inline const std::string* TextOf(const Value& value) {
  const Str* text = value.as<Str>();
  return text == nullptr ? nullptr : &text->text;
}
// The list, number .. that an instance of a class that derives from it is.
inline const Value& Plain(const Value& value) {
  const Instance* instance = value.as<Instance>();
  return instance != nullptr && instance->base.set() ? instance->base : value;
}
// The whole number that a bool or an int is.
std::optional<int64_t> AsInt(const Value& value);
std::optional<double> AsNumber(const Value& value);

}  // namespace tilewise::py
