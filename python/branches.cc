// Conditions that are not known: both branches run, one after the other, from
// the same state.

#include "python/branches.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "python/open.h"
#include "python/unknowns.h"

namespace tilewise::py {
namespace {

constexpr int kCompareDepth = 4;
// Branches within branches that are both followed; beyond, the first alone.
constexpr size_t kMaxBranchDepth = 3;

// Whether a program may take one for the other but for numbers in tensors.
bool Alike(const Value& a, const Value& b, int depth) {
  if (a.Is(b)) return true;
  if (depth == 0 || a.tag != b.tag || !a.is_object()) return false;
  if (a.object->kind != b.object->kind) return false;
  if (const Str* text = a.as<Str>()) return text->text == b.as<Str>()->text;
  if (const Opaque* tensor = a.as<Opaque>()) return tensor->Alike(*b.as<Opaque>());
  if (const Sequence* items = a.as<Sequence>()) {
    const Sequence* others = b.as<Sequence>();
    return std::equal(items->items.begin(), items->items.end(), others->items.begin(),
                      others->items.end(),
                      [depth](const Value& x, const Value& y) { return Alike(x, y, depth - 1); });
  }
  const Instance* one = a.as<Instance>();
  const Instance* other = b.as<Instance>();
  if (one == nullptr || one->type != other->type) return false;
  if (one->attributes.items().size() != other->attributes.items().size()) return false;
  for (const auto& [name, value] : one->attributes.items()) {
    const Value* held = other->attributes.Find(name);
    if (held == nullptr || !Alike(value, *held, depth - 1)) return false;
  }
  return true;
}

// What it takes to copy an object, in steps.
int64_t CopySteps(const Object& object) {
  size_t parts = 0;
  if (const auto* dict = dynamic_cast<const Dict*>(&object)) parts = dict->entries.size();
  if (const auto* items = dynamic_cast<const Sequence*>(&object)) parts = items->items.size();
  if (const auto* names = dynamic_cast<const Environment*>(&object)) parts = names->values.size();
  if (const auto* one = dynamic_cast<const Instance*>(&object)) {
    parts = one->attributes.items().size();
  }
  if (const auto* module = dynamic_cast<const Module*>(&object)) {
    parts = module->names.items().size();
  }
  return static_cast<int64_t>(1 + parts / 4);
}

using Changes = std::vector<BranchRun::Change>;

// Puts `after` states back into their objects.
void Apply(Changes& changes) {
  for (BranchRun::Change& change : changes) change.object->Assign(*change.before);
}

}  // namespace

// How one branch ended.
struct Interpreter::Outcome {
  Flow flow = Flow::kNext;
  Value returned;
  std::optional<Value> raised;
};

BranchRun::BranchRun(Interpreter& in) : in_(in), epoch_(++in.epoch_) {
  in.branches_.push_back(this);
}
BranchRun::~BranchRun() { std::erase(in_.branches_, this); }

void BranchRun::Save(Object& object) {
  if (object.epoch >= epoch_) return;
  in_.Step(CopySteps(object));
  std::unique_ptr<Object> copy(object.Clone());
  if (copy != nullptr) changes_.push_back({&object, std::move(copy)});
}

std::vector<BranchRun::Change> BranchRun::TakeBack() {
  std::vector<Change> after;
  for (Change& change : changes_) {
    in_.Step(CopySteps(*change.object));
    after.push_back({change.object, std::unique_ptr<Object>(change.object->Clone())});
    change.object->Assign(*change.before);
  }
  changes_.clear();
  return after;
}

void Interpreter::Touch(Object& object) {
  if (Sequence::Is(object.kind)) {
    static_cast<Sequence&>(object).stands_for = 0;
    static_cast<Sequence&>(object).count = nullptr;
  }
  if (object.epoch >= epoch_ || (branches_.empty() && open_runs_.empty())) return;
  for (BranchRun* run : branches_) run->Save(object);
  for (OpenRun* run : open_runs_) run->Save(object);
  object.epoch = epoch_;
}

Value Interpreter::Merged(const Value& one, const Value& other, const Value& condition) {
  if (!one.set()) return other;
  if (!other.set()) return one;
  if (one.Is(other) || Alike(one, other, kCompareDepth)) return one;
  if (IsUnknown(one) || IsUnknown(other)) {
    return EitherOf(*this, IsUnknown(one) ? one : other, {{one, other}});
  }
  const Sequence *left = one.as<Sequence>(), *right = other.as<Sequence>();
  if (left != nullptr && right != nullptr && left->kind == right->kind && left->stands_for > 0 &&
      left->stands_for == right->stands_for) {
    return one;  // a row that is cut, or filled up, to the same length
  }
  const Instance *first = one.as<Instance>(), *second = other.as<Instance>();
  if (first != nullptr && second != nullptr) {
    if (host_.TakesFirst(*first) && host_.TakesFirst(*second)) return one;
    // The class may say what is either of two.
    const Value* hook =
        first->type == second->type ? first->type->Find(Name("__tilewise_merge__")) : nullptr;
    if (hook != nullptr) {
      const Value merged = Call(*hook, {one, other});
      if (merged.tag != Value::Tag::kOther) return merged;
    }
  }
  const Unknown* unknown = condition.as<Unknown>();
  return EitherOf(*this,
                  MakeUnknown(fmt::format("it depends on what is not known: {}",
                                          unknown == nullptr ? "a condition" : unknown->reason())),
                  {{one, other}});
}

namespace {

// Joins, name by name, what an object became in one branch with what it is now.
template <typename Join>
void MergeNames(Namespace& now, const Namespace& other, const Join& join) {
  for (const auto& [name, value] : other.items()) {
    const Value* held = now.Find(name);
    now.Set(name, held == nullptr ? value : join(value, *held));
  }
}

template <typename Join>
void MergeDict(Interpreter& in, Dict& now, const Dict& other, const Join& join) {
  now.open.Join(other.open);
  for (const Dict::Entry& entry : other.entries) {
    if (!entry.live) continue;
    Value* held = in.FindItem(now, entry.key);
    if (held == nullptr) {
      in.SetItem(now, entry.key, entry.value);
    } else {
      *held = join(entry.value, *held);
    }
  }
}

template <typename Join>
void MergeInto(Interpreter& in, Object& now, Object& other, const Join& join) {
  switch (now.kind) {
    case Kind::kEnvironment: {
      auto& values = static_cast<Environment&>(now).values;
      const auto& others = static_cast<Environment&>(other).values;
      for (size_t i = 0; i < values.size() && i < others.size(); ++i) {
        values[i] = join(others[i], values[i]);
      }
      break;
    }
    case Kind::kInstance: {
      auto& instance = static_cast<Instance&>(now);
      MergeNames(instance.attributes, static_cast<Instance&>(other).attributes, join);
      // What the class itself says is None where it is not known.
      const Value* forgets = instance.type->Find(in.Name("__tilewise_forgets__"));
      if (forgets == nullptr || TextOf(*forgets) == nullptr) break;
      Value* held = instance.attributes.Find(in.Name(*TextOf(*forgets)));
      if (held != nullptr && IsUnknown(*held)) *held = None();
      break;
    }
    case Kind::kModule:
      MergeNames(static_cast<Module&>(now).names, static_cast<Module&>(other).names, join);
      break;
    case Kind::kClass:
      MergeNames(static_cast<Class&>(now).members, static_cast<Class&>(other).members, join);
      break;
    case Kind::kDict:
    case Kind::kSet:
      MergeDict(in, static_cast<Dict&>(now), static_cast<Dict&>(other), join);
      break;
    case Kind::kList: {
      static_cast<Sequence&>(now).open.Join(static_cast<Sequence&>(other).open);
      auto& items = static_cast<Sequence&>(now).items;
      const auto& others = static_cast<Sequence&>(other).items;
      for (size_t i = 0; i < others.size(); ++i) {
        if (i < items.size()) {
          items[i] = join(others[i], items[i]);
        } else {
          items.push_back(others[i]);
        }
      }
      break;
    }
    default:
      break;
  }
}

}  // namespace

Value Interpreter::Related(Unknown::Relation relation, const Value& one, const Value& other) {
  const Unknown* first = one.as<Unknown>();
  const Unknown* second = other.as<Unknown>();
  if (first == nullptr || (other.set() && second == nullptr)) return one;
  Unknown* made = New<Unknown>(first->cause);
  Unknown::Known& facts = Know(*this, *made);
  facts.relation = relation;
  facts.of = {first};
  if (second != nullptr) facts.of.push_back(second);
  return made;
}

Value Interpreter::Compared(Operator op, const Value& a, const Value& b, const Value& result) {
  if (!result.Is(a) && !result.Is(b)) return result;
  const bool left = IsUnknown(a);
  const Unknown* unknown = (left ? a : b).as<Unknown>();
  if (unknown == nullptr) return result;
  const Value& other = left ? b : a;
  Unknown* made = New<Unknown>(unknown->cause);
  const bool unequal = op == Operator::kNotEqual || op == Operator::kIsNot;
  if (!unequal && op != Operator::kEqual && op != Operator::kIs) return made;
  if (IsUnknown(other)) return made;
  Unknown::Known& facts = Know(*this, *made);
  facts.relation = Unknown::Relation::kEquals;
  facts.of = {unknown};
  facts.constant = other;
  return unequal ? Related(Unknown::Relation::kNot, made, Value()) : Value(made);
}

std::optional<bool> Interpreter::Decided(const Node* node, const Value& condition) {
  const std::optional<bool> way = host_.Decide(*this, node);
  const Unknown* unknown = condition.as<Unknown>();
  if (way.has_value() && unknown != nullptr) assumptions_.Assume(*unknown, *way);
  return way;
}

namespace {

// `x is None`: what is given from outside seldom is.
bool AsksForNone(const Node* condition) {
  return condition->kind == NodeKind::kCompare && condition->ops.size() == 1 &&
         condition->ops[0] == Operator::kIs && condition->list[1]->kind == NodeKind::kConstant &&
         condition->list[1]->constant.none();
}

// Joins what the branches changed, after the second ran; `first`: the state after the first.
template <typename Join>
void JoinChanges(Interpreter& in, Changes& first, const Changes& second, const Join& join) {
  // What only the second branch changed is joined with what it was.
  for (const BranchRun::Change& change : second) {
    const bool both = std::any_of(first.begin(), first.end(),
                                  [&](const auto& c) { return c.object == change.object; });
    if (!both) MergeInto(in, *change.object, *change.before, join);
  }
  for (BranchRun::Change& change : first) {
    in.Touch(*change.object);
    MergeInto(in, *change.object, *change.before, join);
  }
}

}  // namespace

Interpreter::Outcome Interpreter::RunBranch(const Node* branch) {
  Outcome outcome;
  if (branch == nullptr) return outcome;
  const Frame* const own = frames_.empty() ? nullptr : frames_.back();
  const Undecided maybe(*this);
  try {
    outcome.flow = Exec(branch);
    outcome.returned = frames_.back()->returned;
  } catch (const Raised& raised) {
    ReturnTo(own);
    outcome.raised = raised.exception;
  }
  return outcome;
}

Flow Interpreter::ExecBranches(const Node* node, const Value& condition) {
  const Node *one = node->b, *other = node->c;
  if (const std::optional<bool> way = Decided(node, condition)) {
    const Node* taken = *way ? one : other;
    return taken == nullptr ? Flow::kNext : Exec(taken);
  }
  if (branches_.size() >= kMaxBranchDepth) {
    const Outcome outcome = RunBranch(one);
    if (outcome.raised.has_value()) return other == nullptr ? Flow::kNext : Exec(other);
    return outcome.flow;
  }
  const int64_t built = built_;
  const auto takes = [&](const Outcome& outcome, bool truth) {
    const bool whole = outcome.flow == Flow::kNext || other != nullptr;
    if (built_ == built || outcome.raised.has_value() || !whole) return false;
    if (const Unknown* unknown = condition.as<Unknown>()) assumptions_.Assume(*unknown, truth);
    host_.TookBuilder(*this, node);
    return true;
  };
  Outcome first, second;
  if (built > 0 && other != nullptr && AsksForNone(node->a)) {
    BranchRun changes(*this);
    second = RunBranch(other);
    if (takes(second, false)) return second.flow;
    changes.TakeBack();
  }
  Changes after_first;
  {
    BranchRun changes(*this);
    first = RunBranch(one);
    if (takes(first, true)) return first.flow;
    after_first = changes.TakeBack();
  }
  {
    BranchRun changes(*this);
    second = RunBranch(other);
    if (other != nullptr && takes(second, false)) return second.flow;
    const bool take_first =
        !first.raised.has_value() &&
        (second.raised.has_value() || (first.flow == Flow::kNext && second.flow != Flow::kNext));
    if (take_first) {
      changes.TakeBack();
      Apply(after_first);
      if (!second.raised.has_value() && second.flow == Flow::kReturn) {
        frames_.back()->maybe_returned.push_back(second.returned);
      }
      if (!second.raised.has_value() && second.flow == Flow::kBreak) {
        frames_.back()->maybe_broke = condition;
      }
      frames_.back()->returned = first.returned;
      return first.flow;
    }
    if (first.raised.has_value()) {
      if (second.raised.has_value()) throw Raised{*second.raised};
      return second.flow;
    }
    if (second.flow == Flow::kNext && first.flow != Flow::kNext) {
      if (first.flow == Flow::kReturn) frames_.back()->maybe_returned.push_back(first.returned);
      if (first.flow == Flow::kBreak) frames_.back()->maybe_broke = condition;
      return second.flow;
    }
    JoinChanges(*this, after_first, changes.changes(),
                [&](const Value& a, const Value& b) { return Merged(a, b, condition); });
  }
  if (first.flow == Flow::kReturn) {
    frames_.back()->returned = Merged(first.returned, second.returned, condition);
  }
  return second.flow;
}

Value Interpreter::EvalBranches(const Node* node, const Value& condition) {
  const Node *one = node->a, *other = node->c;
  if (const std::optional<bool> way = Decided(node, condition)) return Eval(*way ? one : other);
  const int64_t built = built_;
  const auto run = [&](const Node* branch) -> std::optional<Value> {
    const Frame* const own = frames_.empty() ? nullptr : frames_.back();
    const Undecided maybe(*this);
    try {
      return Eval(branch);
    } catch (const Raised&) {
      ReturnTo(own);
      return std::nullopt;
    }
  };
  const std::optional<Value> first = run(one);
  if (built_ != built && first.has_value()) {
    if (const Unknown* unknown = condition.as<Unknown>()) assumptions_.Assume(*unknown, true);
    host_.TookBuilder(*this, node);
    return *first;
  }
  const std::optional<Value> second = run(other);
  if (!first.has_value()) return second.value_or(MakeUnknown("both branches fail"));
  if (!second.has_value()) return *first;
  return Merged(*first, *second, condition);
}

}  // namespace tilewise::py
