// Truth of unknown values under assumptions, followed through their relations.

#include "python/assumptions.h"

#include <fmt/format.h>

namespace tilewise::py {
namespace {

// A constant as text that two equal constants share. Objects that are no plain
// values are those of an enumeration: each is itself.
std::string ConstantText(const Value& value) {
  if (value.none()) return "none";
  if (const std::string* text = TextOf(value)) return "str " + *text;
  if (const std::optional<double> number = AsNumber(value))
    return fmt::format("number {}", *number);
  if (value.is_object()) return fmt::format("object {}", fmt::ptr(value.object));
  return "";
}

}  // namespace

std::optional<bool> Assumptions::Holds(const Unknown& value) const {
  using Relation = Unknown::Relation;
  if (truth_.empty()) return std::nullopt;
  const auto assumed = truth_.find(&value);
  if (assumed != truth_.end()) return assumed->second;
  if (value.relation == Relation::kNone || value.of.empty()) return std::nullopt;
  const Unknown& first = *value.of[0];
  if (value.relation == Relation::kNot) {
    const std::optional<bool> inner = Holds(first);
    return inner.has_value() ? std::optional<bool>(!*inner) : std::nullopt;
  }
  if (value.relation == Relation::kEquals) {
    const auto known = equal_.find(&first);
    if (known != equal_.end()) return known->second == ConstantText(value.constant);
    // What is true is not None.
    if (value.constant.none() && Holds(first).value_or(false)) return false;
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
  if (value.relation == Relation::kNot) Assume(*value.of[0], !truth);
  const bool each =
      (value.relation == Relation::kAll && truth) || (value.relation == Relation::kAny && !truth);
  if (each) {
    for (const Unknown* part : value.of) Assume(*part, truth);
  }
  if (value.relation == Relation::kEquals && truth) {
    equal_.emplace(value.of[0], ConstantText(value.constant));
  }
}

}  // namespace tilewise::py
