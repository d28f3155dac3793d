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
  const Unknown::Known& facts = value.known();
  if (facts.relation == Relation::kNone || facts.of.empty()) return std::nullopt;
  const Unknown& first = *facts.of[0];
  if (facts.relation == Relation::kNot) {
    const std::optional<bool> inner = Holds(first);
    return inner.has_value() ? std::optional<bool>(!*inner) : std::nullopt;
  }
  if (facts.relation == Relation::kEquals) {
    const auto known = equal_.find(&first);
    if (known != equal_.end()) return known->second == ConstantText(facts.constant);
    // What is true is not None.
    if (facts.constant.none() && Holds(first).value_or(false)) return false;
    return std::nullopt;
  }
  const bool all = facts.relation == Relation::kAll;
  for (const Unknown* part : facts.of) {
    const std::optional<bool> inner = Holds(*part);
    if (!inner.has_value()) return std::nullopt;
    if (*inner != all) return !all;
  }
  return all;
}

void Assumptions::Assume(const Unknown& value, bool truth) {
  using Relation = Unknown::Relation;
  if (!truth_.emplace(&value, truth).second) return;
  const Unknown::Known& facts = value.known();
  if (facts.relation == Relation::kNot) Assume(*facts.of[0], !truth);
  const bool each =
      (facts.relation == Relation::kAll && truth) || (facts.relation == Relation::kAny && !truth);
  if (each) {
    for (const Unknown* part : facts.of) Assume(*part, truth);
  }
  if (facts.relation == Relation::kEquals && truth) {
    equal_.emplace(facts.of[0], ConstantText(facts.constant));
  }
}

}  // namespace tilewise::py
