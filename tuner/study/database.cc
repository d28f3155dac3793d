// SQLite has no type for yes and no: it answers with 0 and 1.

#include "tuner/study/database.h"

namespace tilewise {

bool IsPostgresUrl(std::string_view where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

absl::StatusOr<std::unique_ptr<Database>> OpenDatabase(const std::string& where, Access access) {
  return IsPostgresUrl(where) ? OpenPostgres(where) : OpenSqlite(where, access);
}

bool BoolOf(const SqlValue& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return *yes;
  return IntegerOf(value) != 0;
}

int64_t IntegerOf(const SqlValue& value) {
  const auto* number = std::get_if<int64_t>(&value);
  return number == nullptr ? 0 : *number;
}

double NumberOf(const SqlValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return static_cast<double>(IntegerOf(value));
}

std::string TextOf(const SqlValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? "" : *text;
}

}  // namespace tilewise
