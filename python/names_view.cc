// __dict__ of instances, classes, modules and functions: a view that changes
// what it shows.

#include "python/native.h"

namespace tilewise::py {
namespace names_view_functions {
namespace {

struct Owner {
  Object* object = nullptr;
  Namespace* names = nullptr;
  Module* module = nullptr;  // when it is one

  Value* Find(Interpreter& in, Symbol key) const {
    if (module != nullptr) in.FindName(*module, key);
    return names->Find(key);
  }
  bool Erase(Interpreter& in, Symbol key) const {
    if (module != nullptr) return in.EraseName(*module, key);
    in.Touch(*object);
    return names->Erase(key);
  }
};

Owner OwnerOf(Interpreter& in, Arguments& arguments) {
  const Value& self = Taken(in, arguments)[0];
  const Instance* view = self.as<Instance>();
  const Value* held = view == nullptr ? nullptr : view->attributes.Find(in.Name("owner"));
  if (held != nullptr) {
    if (Instance* instance = held->as<Instance>()) return {instance, &instance->attributes};
    if (Class* type = held->as<Class>()) return {type, &type->members};
    if (Module* module = held->as<Module>()) return {module, &module->names, module};
    if (Function* function = held->as<Function>()) return {function, &function->attributes};
  }
  in.Raise("TypeError", "expected the names of an object");
}

Symbol Key(Interpreter& in, const Value& value) {
  const std::string* text = TextOf(value);
  return in.Name(text == nullptr ? in.Display(value) : *text);
}

std::vector<std::pair<Symbol, Value>> ItemsOf(Interpreter& in, Arguments& arguments) {
  const Owner owner = OwnerOf(in, arguments);
  if (owner.module != nullptr) in.DefineAll(*owner.module);
  std::vector<std::pair<Symbol, Value>> items = owner.names->items();
  // Names that were deleted, or that a statement that failed was to set.
  std::erase_if(items, [](const auto& item) { return !item.second.set(); });
  return items;
}
const Value* FindName(Interpreter& in, Arguments& arguments, const Value& key) {
  const Value* found = OwnerOf(in, arguments).Find(in, Key(in, key));
  return found != nullptr && found->set() ? found : nullptr;
}

Value Keys(Interpreter& in, Arguments& a) {
  std::vector<Value> items;
  for (const auto& [name, value] : ItemsOf(in, a)) items.push_back(in.Text(*name));
  return in.List(std::move(items));
}
Value Values(Interpreter& in, Arguments& a) {
  std::vector<Value> items;
  for (const auto& [name, value] : ItemsOf(in, a)) items.push_back(value);
  return in.List(std::move(items));
}
Value Pairs(Interpreter& in, Arguments& a) {
  std::vector<Value> items;
  for (const auto& [name, value] : ItemsOf(in, a)) {
    items.push_back(in.Tuple({in.Text(*name), value}));
  }
  return in.List(std::move(items));
}
Value Iter(Interpreter& in, Arguments& a) { return in.Iterate(Keys(in, a)); }
Value Len(Interpreter& in, Arguments& a) {
  return Value(static_cast<int64_t>(ItemsOf(in, a).size()));
}
Value Contains(Interpreter& in, Arguments& a) {
  return Value(FindName(in, a, Taken(in, a)[1]) != nullptr);
}
Value Get(Interpreter& in, Arguments& a) {
  const Taken taken(in, a);
  const Value* found = FindName(in, a, taken[1]);
  return found == nullptr ? taken.Or(2, "default", None()) : *found;
}
Value GetItem(Interpreter& in, Arguments& a) {
  const Value* found = FindName(in, a, Taken(in, a)[1]);
  if (found == nullptr) in.RaiseKey(a.positional[1]);
  return *found;
}
Value SetItem(Interpreter& in, Arguments& a) {
  const Taken taken(in, a);
  const Owner owner = OwnerOf(in, a);
  in.SetName(*owner.object, *owner.names, Key(in, taken[1]), taken[2]);
  return None();
}
Value SetDefault(Interpreter& in, Arguments& a) {
  const Taken taken(in, a);
  const Owner owner = OwnerOf(in, a);
  const Symbol key = Key(in, taken[1]);
  if (const Value* found = owner.Find(in, key)) return *found;
  const Value value = taken.Or(2, "default", None());
  in.SetName(*owner.object, *owner.names, key, value);
  return value;
}
Value DelItem(Interpreter& in, Arguments& a) {
  if (!OwnerOf(in, a).Erase(in, Key(in, Taken(in, a)[1]))) in.RaiseKey(a.positional[1]);
  return None();
}
Value Pop(Interpreter& in, Arguments& a) {
  const Taken taken(in, a);
  const Owner owner = OwnerOf(in, a);
  const Symbol key = Key(in, taken[1]);
  const Value* found = owner.Find(in, key);
  if (found == nullptr) {
    if (taken.Has(2, "default")) return taken.Get(2, "default");
    in.RaiseKey(taken[1]);
  }
  const Value value = *found;
  owner.Erase(in, key);
  return value;
}
Value Copy(Interpreter& in, Arguments& a) {
  Dict* dict = in.New<Dict>();
  for (const auto& [name, value] : ItemsOf(in, a)) in.SetItem(*dict, in.Text(*name), value);
  return dict;
}
Value Update(Interpreter& in, Arguments& a) {
  const Owner owner = OwnerOf(in, a);
  Arguments source;
  source.positional.assign(a.positional.begin() + 1, a.positional.end());
  source.keyword = a.keyword;
  const Value made = in.types.dict->make(in, source);
  for (const Dict::Entry& entry : std::vector<Dict::Entry>(made.as<Dict>()->entries)) {
    if (entry.live) in.SetName(*owner.object, *owner.names, Key(in, entry.key), entry.value);
  }
  return None();
}
Value Clear(Interpreter& in, Arguments& a) {
  const Owner owner = OwnerOf(in, a);
  for (const auto& item : ItemsOf(in, a)) owner.Erase(in, item.first);
  return None();
}
Value Repr(Interpreter& in, Arguments& a) { return in.Text(in.Represent(Copy(in, a))); }
Value Equals(Interpreter& in, Arguments& a) {
  Value other = Taken(in, a)[1];
  const Instance* view = other.as<Instance>();
  if (view != nullptr && view->type == in.types.names_view) {
    Arguments rest;
    rest.positional = {other};
    other = Copy(in, rest);
  }
  const std::optional<bool> same = in.Equal(Copy(in, a), other);
  return same.has_value() ? Value(*same) : in.MakeUnknown("whether two objects are equal");
}

}  // namespace
}  // namespace names_view_functions

// The dict that the program put in the place of an instance's names, which both then share.
static Dict* DictOfNames(Interpreter& in, const Instance& instance) {
  const Value* held = instance.attributes.Find(in.Name("__dict__"));
  if (held == nullptr) return nullptr;
  const Instance* derived = held->as<Instance>();
  return (derived == nullptr ? *held : derived->base).as<Dict>();
}

const Value* Interpreter::FindOwn(Instance& instance, Symbol name) {
  if (const Value* own = instance.attributes.Find(name)) return own;
  Dict* dict = DictOfNames(*this, instance);
  return dict == nullptr ? nullptr : FindItem(*dict, Text(*name));
}

void Interpreter::SetOwn(Instance& instance, Symbol name, const Value& value) {
  const Instance* view = value.as<Instance>();
  if (*name == "__class__" && value.as<Class>() != nullptr) {
    Touch(instance);
    instance.type = value.as<Class>();
  } else if (*name == "__dict__" && view != nullptr && view->type == types.names_view) {
    // The names of another object: they are taken as they are now.
    const Value* other = view->attributes.Find(Name("owner"));
    const Instance* source = other == nullptr ? nullptr : other->as<Instance>();
    if (source == nullptr || source == &instance) return;
    Touch(instance);
    instance.attributes = source->attributes;
  } else if (Dict* dict = *name == "__dict__" ? nullptr : DictOfNames(*this, instance)) {
    SetItem(*dict, Text(*name), value);
  } else {
    SetName(instance, instance.attributes, name, value);
  }
}

bool Interpreter::EraseOwn(Instance& instance, Symbol name) {
  Dict* dict = DictOfNames(*this, instance);
  if (dict != nullptr) return EraseItem(*dict, Text(*name));
  Touch(instance);
  return instance.attributes.Erase(name);
}

Value Interpreter::NamesIn(const Environment* names) {
  Dict* dict = New<Dict>();
  for (size_t i = 0; names != nullptr && i < names->info->slots.size(); ++i) {
    if (names->values[i].set()) SetItem(*dict, Text(*names->info->slots[i]), names->values[i]);
  }
  return dict;
}

Value Interpreter::NamesOf(const Value& owner) {
  Instance* view = New<Instance>(types.names_view);
  view->attributes.Set(Name("owner"), owner);
  return view;
}

void DefineNamesView(Interpreter& in) {
  using namespace names_view_functions;  // NOLINT: this file's
  constexpr MethodRow kRows[] = {
      {"keys", Keys},
      {"values", Values},
      {"items", Pairs},
      {"get", Get},
      {"pop", Pop},
      {"setdefault", SetDefault},
      {"update", Update},
      {"copy", Copy},
      {"__copy__", Copy},
      {"clear", Clear},
      {"__iter__", Iter},
      {"__len__", Len},
      {"__contains__", Contains},
      {"__getitem__", GetItem},
      {"__setitem__", SetItem},
      {"__delitem__", DelItem},
      {"__repr__", Repr},
      {"__eq__", Equals},
  };
  in.types.names_view = in.DefineType("dict", in.types.dict, nullptr);
  DefineMethods(in, *in.types.names_view, kRows);
}

}  // namespace tilewise::py
