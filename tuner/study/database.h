// What studies are kept in: a file of SQLite, or a PostgreSQL server that several
// machines share. The SQL is what both understand.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"

namespace tilewise {

using SqlValue = std::variant<std::monostate, bool, int64_t, double, std::string>;
using SqlRow = std::vector<SqlValue>;

// A database is for one thread at a time.
class Database {
 public:
  virtual ~Database() = default;
  // Returns its name for messages: its path, or its URL without the password.
  virtual const std::string& name() const = 0;
  // One statement with $1, $2 .. for the values, each first used in that order.
  // It is prepared once.
  virtual absl::StatusOr<std::vector<SqlRow>> Run(const std::string& sql,
                                                  std::span<const SqlValue> values = {}) = 0;
  // Does the work in a transaction that no other process makes at the same time.
  // It is done again as a whole where its connection was lost on the way.
  virtual absl::Status DoAlone(const std::function<absl::Status()>& work) = 0;
  // A claim that other processes see and that ends with this one. False: it is
  // another's. Where no others are expected, always true.
  virtual absl::StatusOr<bool> Claim(int64_t) { return true; }
  virtual absl::Status Release(int64_t) { return absl::OkStatus(); }
  // The tables that are in it.
  virtual absl::StatusOr<std::vector<std::string>> Tables() = 0;
  // Checks, before the first write, whether the file is whole, and sets how it is written to.
  virtual absl::Status PrepareWrites() { return absl::OkStatus(); }
};

enum class Access : uint8_t { kRead, kWrite };

// A path, or a URL that begins with postgresql:// or postgres://. Errors: what
// cannot be opened, and why.
absl::StatusOr<std::unique_ptr<Database>> OpenDatabase(const std::string& where, Access access);
bool IsPostgresUrl(std::string_view where);

// tuner/study/sqlite.cc and postgres.cc.
absl::StatusOr<std::unique_ptr<Database>> OpenSqlite(const std::string& path, Access access);
absl::StatusOr<std::unique_ptr<Database>> OpenPostgres(const std::string& url);

// These read a value of a row; other types than expected read as none.
bool BoolOf(const SqlValue& value);
int64_t IntegerOf(const SqlValue& value);
double NumberOf(const SqlValue& value);
std::string TextOf(const SqlValue& value);

}  // namespace tilewise
