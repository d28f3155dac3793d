// Truth of unknown values under assumptions, followed through their relations.

#include "frontend/python/assumptions.h"

#include <fmt/format.h>

namespace tilewise::python {
namespace {

// Different library names need not be different values, unless they are members
// of one enumeration: ModeKeys.TRAIN and ModeKeys.EVAL.
bool Excludes(const std::string& a, const std::string& b) {
  const bool path_a = a.starts_with("path "), path_b = b.starts_with("path ");
  if (path_a != path_b) return false;
  if (!path_a) return a != b;
  return a != b && a.substr(0, a.rfind('.')) == b.substr(0, b.rfind('.'));
}

}  // namespace

std::string ConstantText(const Value& value) {
  if (value.none()) return "none";
  if (const std::string* text = value.as<std::string>()) return "str " + *text;
  if (const std::optional<double> number = AsNumber(value)) {
    return fmt::format("number {}", *number);
  }
  if (const Path* path = value.as<Path>()) return "path " + path->name;
  return "";
}

std::optional<bool> Assumptions::Holds(const Unknown& value) const {
  using Relation = Unknown::Relation;
  const auto assumed = truth_.find(&value);
  if (assumed != truth_.end()) return assumed->second;
  if (value.relation == Relation::kNone || value.of.empty()) return {};
  const Unknown& first = *value.of[0];
  if (value.relation == Relation::kNot) {
    const std::optional<bool> inner = Holds(first);
    return inner.has_value() ? std::optional<bool>(!*inner) : std::nullopt;
  }
  if (value.relation == Relation::kEquals) {
    const auto known = equal_.find(&first);
    if (known != equal_.end()) {
      if (known->second == value.constant) return true;
      if (Excludes(known->second, value.constant)) return false;
    }
    // What is true is not None.
    if (value.constant == "none" && Holds(first).value_or(false)) return false;
    return std::nullopt;
  }
  const bool all = value.relation == Relation::kAll;
  for (const Unknown* part : value.of) {
    const std::optional<bool> inner = Holds(*part);
    if (!inner.has_value()) return std::nullopt;
    if (*inner != all) return !all;
  }
  return all;
}

void Assumptions::Assume(const Unknown& value, bool truth) {
  using Relation = Unknown::Relation;
  if (!truth_.emplace(&value, truth).second) return;
  trail_.emplace_back(&value, false);
  if (value.relation == Relation::kNot) Assume(*value.of[0], !truth);
  const bool each =
      (value.relation == Relation::kAll && truth) || (value.relation == Relation::kAny && !truth);
  if (each) {
    for (const Unknown* part : value.of) Assume(*part, truth);
  }
  if (value.relation == Relation::kEquals && truth &&
      equal_.emplace(value.of[0], value.constant).second) {
    trail_.emplace_back(value.of[0], true);
  }
}

void Assumptions::Undo(size_t mark) {
  while (trail_.size() > mark) {
    const auto& [value, equal] = trail_.back();
    if (equal) {
      equal_.erase(value);
    } else {
      truth_.erase(value);
    }
    trail_.pop_back();
  }
}

}  // namespace tilewise::python
