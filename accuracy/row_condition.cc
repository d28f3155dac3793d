// The relation is the first of its characters in the text, the longer one
// first.

#include "accuracy/row_condition.h"

#include <optional>

#include <fmt/format.h>

namespace tilewise {
namespace {

using Relation = RowCondition::Relation;

struct RelationText {
  std::string_view text;
  Relation relation;
};
constexpr RelationText kRelations[] = {{"<=", Relation::kAtMost}, {">=", Relation::kAtLeast},
                                       {"!=", Relation::kNot},    {"<", Relation::kLess},
                                       {">", Relation::kMore},    {"=", Relation::kEqual}};

bool IsOrder(Relation relation) {
  return relation != Relation::kEqual && relation != Relation::kNot;
}

template <typename T>
bool Compare(const T& cell, Relation relation, const T& value) {
  switch (relation) {
    case Relation::kLess:
      return cell < value;
    case Relation::kAtMost:
      return cell <= value;
    case Relation::kEqual:
      return cell == value;
    case Relation::kNot:
      return cell != value;
    case Relation::kAtLeast:
      return cell >= value;
    case Relation::kMore:
      break;
  }
  return cell > value;
}

}  // namespace

absl::StatusOr<bool> RowCondition::Holds(const Csv& csv, size_t row) const {
  if (!csv.Has(column)) {
    return InvalidInput(fmt::format(
        "{}: condition on column '{}': found columns {}, expected it among them", csv.name(),
        column, fmt::format("{}", fmt::join(csv.columns(), ",")).substr(0, 200)));
  }
  const std::string& cell = csv.Cell(row, column);
  const std::optional<double> number = ParseNumber(cell);
  const std::optional<double> bound = ParseNumber(value);
  if (number && bound) return Compare(*number, relation, *bound);
  if (IsOrder(relation)) return csv.Error(row, column, "a number");
  return Compare(cell, relation, value);
}

absl::StatusOr<RowCondition> ParseRowCondition(std::string_view text) {
  const size_t at = text.find_first_of("<>=!");
  if (at != 0 && at != std::string_view::npos) {
    for (const RelationText& known : kRelations) {
      const std::string_view rest = text.substr(at);
      if (!rest.starts_with(known.text)) continue;
      RowCondition condition;
      condition.column = text.substr(0, at);
      condition.relation = known.relation;
      condition.value = rest.substr(known.text.size());
      if (IsOrder(known.relation) && !ParseNumber(condition.value)) break;
      return condition;
    }
  }
  return InvalidInput(
      fmt::format("found condition '{}', expected a column, one of < <= = != "
                  ">= > and a value, as in m<=1024",
                  text.substr(0, 100)));
}

}  // namespace tilewise
