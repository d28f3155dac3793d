// libpq is loaded when a server is asked for: other runs do not wait for it and
// the libraries that it needs, and machines without it run all else.

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "tuner/study/database.h"

#ifdef TILEWISE_LIBPQ

#include <libpq-fe.h>

namespace tilewise {
namespace {

// The functions that are called of it.
struct Libpq {
  decltype(&PQconnectdbParams) connect;
  decltype(&PQconninfoParse) parse;
  decltype(&PQconninfoFree) free_parsed;
  decltype(&PQstatus) status;
  decltype(&PQerrorMessage) error;
  decltype(&PQreset) reset;
  decltype(&PQfinish) finish;
  decltype(&PQsetNoticeProcessor) set_notice_processor;
  decltype(&PQprepare) prepare;
  decltype(&PQexecPrepared) run;
  decltype(&PQresultStatus) result_status;
  decltype(&PQresultErrorField) result_error;
  decltype(&PQclear) clear;
  decltype(&PQntuples) rows;
  decltype(&PQnfields) columns;
  decltype(&PQftype) type;
  decltype(&PQgetisnull) is_null;
  decltype(&PQgetvalue) value;
};

template <class Function>
bool Load(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

// Returns null where the library is missing.
const Libpq* LoadLibpq() {
  void* const library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  static Libpq pq;
  const bool loaded =
      Load(library, "PQconnectdbParams", pq.connect) &&
      Load(library, "PQconninfoParse", pq.parse) &&
      Load(library, "PQconninfoFree", pq.free_parsed) && Load(library, "PQstatus", pq.status) &&
      Load(library, "PQerrorMessage", pq.error) && Load(library, "PQreset", pq.reset) &&
      Load(library, "PQfinish", pq.finish) &&
      Load(library, "PQsetNoticeProcessor", pq.set_notice_processor) &&
      Load(library, "PQprepare", pq.prepare) && Load(library, "PQexecPrepared", pq.run) &&
      Load(library, "PQresultStatus", pq.result_status) &&
      Load(library, "PQresultErrorField", pq.result_error) && Load(library, "PQclear", pq.clear) &&
      Load(library, "PQntuples", pq.rows) && Load(library, "PQnfields", pq.columns) &&
      Load(library, "PQftype", pq.type) && Load(library, "PQgetisnull", pq.is_null) &&
      Load(library, "PQgetvalue", pq.value);
  return loaded ? &pq : nullptr;
}

// Types of columns, of the server's pg_type.
constexpr Oid kBool = 16, kInt8 = 20, kInt4 = 23, kFloat8 = 701;
// Chosen: the schema is made under this lock.
constexpr int64_t kSchemaLock = 0x74696c6577697365;
// A server that is restarted is back by then.
constexpr std::array<int, 5> kRetryMilliseconds = {200, 500, 1000, 2000, 4000};

// The end of a message is a line's.
std::string Said(const char* message) {
  std::string said = message == nullptr ? "" : message;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return said;
}

// The URL without its password, in either place where it may stand.
std::string WithoutPassword(std::string url) {
  const size_t host = url.find("://") + 3;
  const size_t at = url.find('@', host);
  const size_t colon = url.find(':', host);
  if (at != std::string::npos && colon < at) url.erase(colon, at - colon);
  const size_t word = url.find("password=");
  if (word != std::string::npos) {
    const size_t end = std::min(url.find('&', word), url.size());
    url.replace(word, end - word, "password=...");
  }
  return url;
}

std::string TextFor(const SqlValue& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return *yes ? "t" : "f";
  if (const auto* whole = std::get_if<int64_t>(&value)) return fmt::format("{}", *whole);
  // The shortest text that reads back as the same number.
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  return TextOf(value);
}

template <class Number>
SqlValue Parse(std::string_view text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

SqlValue ValueOf(Oid type, std::string_view text) {
  switch (type) {
    case kBool:
      return text == "t";
    case kInt4:
    case kInt8:
      return Parse<int64_t>(text);
    case kFloat8:
      return Parse<double>(text);
    default:
      return std::string(text);
  }
}

// A server that is gone is noticed within half a minute. What the URL says goes
// before.
PGconn* ConnectTo(const Libpq& pq, const std::string& url) {
  constexpr std::array keywords = {
      "fallback_application_name", "connect_timeout",  "keepalives_idle", "keepalives_interval",
      "keepalives_count",          "tcp_user_timeout", "dbname"};
  std::array<const char*, keywords.size() + 1> names{}, values{};
  std::ranges::copy(keywords, names.begin());
  const std::array settings = {"tilewise", "10", "10", "5", "3", "30000", url.c_str()};
  std::ranges::copy(settings, values.begin());
  return pq.connect(names.data(), values.data(), 1);
}

class Postgres : public Database {
 public:
  Postgres(const Libpq& pq, const std::string& url)
      : pq_(pq), name_(WithoutPassword(url)), connection_(ConnectTo(pq, url)) {
    // Warnings of the server are not for the user: what matters fails.
    pq_.set_notice_processor(
        connection_, [](void*, const char*) {}, nullptr);
  }
  ~Postgres() override { pq_.finish(connection_); }
  Postgres(const Postgres&) = delete;
  Postgres& operator=(const Postgres&) = delete;

  const std::string& name() const override { return name_; }
  bool is_connected() const { return !lost_ && pq_.status(connection_) == CONNECTION_OK; }

  absl::Status NotConnected(std::string_view what) const {
    return absl::UnavailableError(fmt::format("{}: {}: {}", name_, what, ErrorText()));
  }

  absl::StatusOr<std::vector<SqlRow>> Run(const std::string& sql,
                                          std::span<const SqlValue> values) override {
    // Half of a transaction is not for another connection.
    if (is_alone_) return RunOnce(sql, values);
    return Insist([&] { return RunOnce(sql, values); });
  }

  absl::Status DoAlone(const std::function<absl::Status()>& work) override {
    is_alone_ = true;
    absl::Status done = Insist([&] { return DoAloneOnce(work); });
    is_alone_ = false;
    return done;
  }

  absl::StatusOr<bool> Claim(int64_t key) override {
    const SqlValue lock[] = {key};
    TW_ASSIGN_OR_RETURN(const std::vector<SqlRow> rows,
                        Run("SELECT pg_try_advisory_lock($1)", lock));
    return !rows.empty() && BoolOf(rows.front().front());
  }

  // Releasing a claim that was lost with the connection succeeds as well.
  absl::Status Release(int64_t key) override {
    const SqlValue lock[] = {key};
    return Run("SELECT pg_advisory_unlock($1)", lock).status();
  }

  absl::StatusOr<std::vector<std::string>> Tables() override {
    TW_ASSIGN_OR_RETURN(const std::vector<SqlRow> rows,
                        Run("SELECT table_name::text FROM information_schema.tables "
                            "WHERE table_schema = current_schema()",
                            {}));
    std::vector<std::string> names;
    names.reserve(rows.size());
    for (const SqlRow& row : rows) names.push_back(TextOf(row.front()));
    return names;
  }

 private:
  // Does it on a new connection where one is lost.
  template <class Work>
  auto Insist(const Work& work) -> decltype(work()) {
    for (const int pause : kRetryMilliseconds) {
      auto done = work();
      if (is_connected()) return done;
      std::this_thread::sleep_for(std::chrono::milliseconds(pause));
      prepared_.clear();
      lost_ = false;
      pq_.reset(connection_);
    }
    auto done = work();
    if (is_connected()) return done;
    return NotConnected(
        "the connection is lost and was not made again; what was written is kept, run again when "
        "the server is back");
  }

  absl::Status DoAloneOnce(const std::function<absl::Status()>& work) {
    TW_RETURN_IF_ERROR(RunOnce("BEGIN", {}).status());
    const SqlValue lock[] = {kSchemaLock};
    TW_RETURN_IF_ERROR(RunOnce("SELECT pg_advisory_xact_lock($1)", lock).status());
    absl::Status done = work();
    if (!is_connected()) return done;
    const absl::Status ended = RunOnce(done.ok() ? "COMMIT" : "ROLLBACK", {}).status();
    return done.ok() ? ended : done;
  }

  std::string ErrorText() const {
    const std::string said = Said(pq_.error(connection_));
    return said.empty() ? "no reason given" : said;
  }

  absl::StatusOr<std::vector<SqlRow>> RunOnce(const std::string& sql,
                                              std::span<const SqlValue> values) {
    auto name = prepared_.find(sql);
    if (name == prepared_.end()) {
      const std::string made = fmt::format("tilewise_{}", prepared_.size());
      TW_RETURN_IF_ERROR(
          Taken(pq_.prepare(connection_, made.c_str(), sql.c_str(), 0, nullptr)).status());
      name = prepared_.emplace(sql, made).first;
    }
    std::vector<std::string> texts;
    for (const SqlValue& value : values) texts.push_back(TextFor(value));
    std::vector<const char*> parameters;
    for (size_t i = 0; i < values.size(); ++i) {
      const bool none = std::holds_alternative<std::monostate>(values[i]);
      parameters.push_back(none ? nullptr : texts[i].c_str());
    }
    return Taken(pq_.run(connection_, name->second.c_str(), static_cast<int>(values.size()),
                         parameters.data(), nullptr, nullptr, 0));
  }

  absl::StatusOr<std::vector<SqlRow>> Taken(PGresult* result) {
    const ExecStatusType status = pq_.result_status(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
      const std::string message = Said(pq_.result_error(result, PG_DIAG_MESSAGE_PRIMARY));
      const std::string code = Said(pq_.result_error(result, PG_DIAG_SQLSTATE));
      pq_.clear(result);
      return ErrorOf(code, message.empty() ? ErrorText() : message);
    }
    std::vector<SqlRow> rows;
    for (int i = 0; i < pq_.rows(result); ++i) {
      SqlRow& row = rows.emplace_back();
      for (int k = 0; k < pq_.columns(result); ++k) {
        const bool none = pq_.is_null(result, i, k) != 0;
        row.push_back(none ? SqlValue() : ValueOf(pq_.type(result, k), pq_.value(result, i, k)));
      }
    }
    pq_.clear(result);
    return rows;
  }

  absl::Status ErrorOf(const std::string& code, const std::string& message) {
    // 08 and 57P: the server ends, or has not begun yet. What has no code is said
    // by libpq, which may still hold a closed connection for a good one.
    lost_ = code.empty() || code.starts_with("08") || code.starts_with("57P");
    // Class 53 of SQLSTATE: the server lacks room, memory or connections.
    if (code.starts_with("53")) {
      return absl::ResourceExhaustedError(
          fmt::format("{}: {}; what was written is kept, make room and run again", name_, message));
    }
    return absl::UnavailableError(fmt::format("{}: {}", name_, message));
  }

  const Libpq& pq_;
  const std::string name_;
  PGconn* const connection_;
  bool lost_ = false;                            // the server or libpq said so
  bool is_alone_ = false;                        // in DoAlone
  std::map<std::string, std::string> prepared_;  // names, by their text
};

}  // namespace

absl::StatusOr<std::unique_ptr<Database>> OpenPostgres(const std::string& url) {
  static const Libpq* const pq = LoadLibpq();
  if (pq == nullptr) {
    return absl::UnavailableError(
        fmt::format("{}: libpq.so.5 is not on this machine: install libpq5, or name a file",
                    WithoutPassword(url)));
  }
  char* error = nullptr;
  PQconninfoOption* const parsed = pq->parse(url.c_str(), &error);
  if (parsed == nullptr) {
    return InvalidInput(
        fmt::format("--study: found {}, expected postgresql://USER@HOST/DATABASE: {}",
                    WithoutPassword(url), Said(error)));
  }
  pq->free_parsed(parsed);
  auto database = std::make_unique<Postgres>(*pq, url);
  if (!database->is_connected()) return database->NotConnected("cannot connect");
  return database;
}

}  // namespace tilewise

#else

namespace tilewise {

absl::StatusOr<std::unique_ptr<Database>> OpenPostgres(const std::string&) {
  return absl::UnimplementedError(
      "--study: this tilewise was built without libpq (libpq-dev), so that it knows no PostgreSQL: "
      "name a file");
}

}  // namespace tilewise

#endif
