// Write-ahead logging: what was committed is there after the process is killed,
// and others read meanwhile.

#include <chrono>
#include <filesystem>
#include <map>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "tuner/study/database.h"

namespace tilewise {
namespace {

constexpr int kBusyMilliseconds = 5000;

struct CloseStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
struct CloseConnection {
  void operator()(sqlite3* connection) const { sqlite3_close(connection); }
};
using Statement = std::unique_ptr<sqlite3_stmt, CloseStatement>;
using Connection = std::unique_ptr<sqlite3, CloseConnection>;

// A write that fails for another reason than room is as good as unheard of.
bool IsOutOfSpace(int extended_code) {
  return extended_code == SQLITE_FULL || extended_code == SQLITE_IOERR_WRITE ||
         extended_code == SQLITE_IOERR_SHMSIZE;
}

absl::Status ErrorOf(const std::string& path, int extended_code, std::string_view said) {
  if (IsOutOfSpace(extended_code)) {
    return absl::ResourceExhaustedError(
        fmt::format("{}: there is no room to write ({}); what was written is kept, make room and "
                    "run again",
                    path, said));
  }
  switch (extended_code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::UnavailableError(
          fmt::format("{}: another process has had it locked for {} s; run again when that has "
                      "ended, what was written is kept",
                      path, kBusyMilliseconds / 1000));
    case SQLITE_NOTADB:
      return InvalidInput(fmt::format(
          "{}: found a file that is no database, expected a study or a name that is free; it is "
          "left as it is",
          path));
    case SQLITE_CORRUPT:
      return InvalidInput(fmt::format(
          "{}: found a damaged database ({}), expected a study; it is left as it is: keep a copy, "
          "try 'sqlite3 FILE .recover', or name another file",
          path, said));
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      return absl::UnavailableError(
          fmt::format("{}: it cannot be opened or written to: {}", path, said));
    default:
      return absl::UnavailableError(fmt::format("{}: {}", path, said));
  }
}

// What is wrong with the name alone.
absl::Status CheckPath(const std::string& path, Access access) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return InvalidInput(fmt::format("{}: found a folder, expected a file", path));
  }
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    return InvalidInput(fmt::format("{}: there is no folder {}, make it or name another file", path,
                                    folder.string()));
  }
  if (access == Access::kRead && !fs::exists(path, error)) {
    return InvalidInput(fmt::format("{}: there is no such file, expected a study", path));
  }
  return absl::OkStatus();
}

class Sqlite : public Database {
 public:
  Sqlite(std::string path, Connection connection)
      : path_(std::move(path)), connection_(std::move(connection)) {}

  const std::string& name() const override { return path_; }

  absl::StatusOr<std::vector<SqlRow>> Run(const std::string& sql,
                                          std::span<const SqlValue> values) override {
    TW_ASSIGN_OR_RETURN(sqlite3_stmt* const statement, Prepared(sql));
    for (size_t i = 0; i < values.size(); ++i) {
      Bind(statement, static_cast<int>(i + 1), values[i]);
    }
    std::vector<SqlRow> rows;
    int code = sqlite3_step(statement);
    for (; code == SQLITE_ROW; code = sqlite3_step(statement)) rows.push_back(RowOf(statement));
    absl::Status status = code == SQLITE_DONE ? absl::OkStatus() : Error();
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    TW_RETURN_IF_ERROR(status);
    return rows;
  }

  absl::Status DoAlone(const std::function<absl::Status()>& work) override {
    TW_RETURN_IF_ERROR(Run("BEGIN IMMEDIATE", {}).status());
    absl::Status done = work();
    const absl::Status ended = Run(done.ok() ? "COMMIT" : "ROLLBACK", {}).status();
    return done.ok() ? ended : done;
  }

  absl::StatusOr<std::vector<std::string>> Tables() override {
    TW_ASSIGN_OR_RETURN(const std::vector<SqlRow> rows,
                        Run("SELECT name FROM sqlite_master WHERE type = 'table'", {}));
    std::vector<std::string> names;
    names.reserve(rows.size());
    for (const SqlRow& row : rows) names.push_back(TextOf(row.front()));
    return names;
  }

  absl::Status PrepareWrites() override {
    TW_ASSIGN_OR_RETURN(const std::vector<SqlRow> check, Run("PRAGMA quick_check(1)", {}));
    const std::string said = check.empty() ? "" : TextOf(check.front().front());
    if (said != "ok") return ErrorOf(path_, SQLITE_CORRUPT, said);
    TW_RETURN_IF_ERROR(UseWriteAheadLog());
    return Run("PRAGMA synchronous = NORMAL", {}).status();
  }

  absl::Status Error() const {
    sqlite3* const connection = connection_.get();
    return ErrorOf(path_, sqlite3_extended_errcode(connection), sqlite3_errmsg(connection));
  }

 private:
  // SQLite does not wait by itself where two connections change the log at once.
  absl::Status UseWriteAheadLog() {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::milliseconds(kBusyMilliseconds);
    absl::Status status = Run("PRAGMA journal_mode = WAL", {}).status();
    while (absl::IsUnavailable(status) && Clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      status = Run("PRAGMA journal_mode = WAL", {}).status();
    }
    return status;
  }

  absl::StatusOr<sqlite3_stmt*> Prepared(const std::string& sql) {
    Statement& statement = statements_[sql];
    if (statement == nullptr) {
      sqlite3_stmt* made = nullptr;
      const int code = sqlite3_prepare_v3(connection_.get(), sql.c_str(), -1,
                                          SQLITE_PREPARE_PERSISTENT, &made, nullptr);
      if (code != SQLITE_OK) return Error();
      statement.reset(made);
    }
    return statement.get();
  }

  static void Bind(sqlite3_stmt* statement, int at, const SqlValue& value) {
    if (const auto* yes = std::get_if<bool>(&value)) {
      sqlite3_bind_int(statement, at, *yes ? 1 : 0);
    } else if (const auto* whole = std::get_if<int64_t>(&value)) {
      sqlite3_bind_int64(statement, at, *whole);
    } else if (const auto* number = std::get_if<double>(&value)) {
      sqlite3_bind_double(statement, at, *number);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      sqlite3_bind_text64(statement, at, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    }
  }

  static SqlRow RowOf(sqlite3_stmt* statement) {
    SqlRow row;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      SqlValue& value = row.emplace_back();
      switch (sqlite3_column_type(statement, i)) {
        case SQLITE_INTEGER:
          value = static_cast<int64_t>(sqlite3_column_int64(statement, i));
          break;
        case SQLITE_FLOAT:
          value = sqlite3_column_double(statement, i);
          break;
        case SQLITE_TEXT: {
          const unsigned char* text = sqlite3_column_text(statement, i);
          value = std::string(reinterpret_cast<const char*>(text),
                              static_cast<size_t>(sqlite3_column_bytes(statement, i)));
          break;
        }
        default:
          break;
      }
    }
    return row;
  }

  const std::string path_;
  const Connection connection_;
  std::map<std::string, Statement> statements_;  // by their text
};

}  // namespace

absl::StatusOr<std::unique_ptr<Database>> OpenSqlite(const std::string& path, Access access) {
  TW_RETURN_IF_ERROR(CheckPath(path, access));
  const int flags =
      access == Access::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
  auto database = std::make_unique<Sqlite>(path, Connection(opened));
  if (code != SQLITE_OK) return database->Error();
  sqlite3_busy_timeout(opened, kBusyMilliseconds);
  return database;
}

}  // namespace tilewise
