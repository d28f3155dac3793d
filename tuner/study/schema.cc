// Plain columns are for whoever reads the tables with SQL; `result` has the
// whole of a trial, which a search goes on from.

#include "tuner/study/schema.h"

#include <algorithm>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr const char* kTables[] = {
    "CREATE TABLE IF NOT EXISTS tilewise_schema (version bigint NOT NULL)",
    R"(CREATE TABLE IF NOT EXISTS tilewise_studies (
         study text PRIMARY KEY,
         tilewise text NOT NULL,
         program text NOT NULL,
         target text NOT NULL,
         objective text NOT NULL,
         started_at text NOT NULL,
         finished_at text,
         best_machine text,
         best_changes text,
         best_setting text,
         best_batch_per_core bigint,
         best_global_batch bigint,
         best_steps_per_execution bigint,
         best_step_s double precision,
         best_examples_per_second double precision,
         best_hbm_peak_bytes bigint))",
    R"(CREATE TABLE IF NOT EXISTS tilewise_trials (
         study text NOT NULL REFERENCES tilewise_studies(study),
         setting text NOT NULL,
         machine text NOT NULL,
         changes text NOT NULL,
         batch_per_core bigint NOT NULL,
         exhaustive boolean NOT NULL,
         to_beat double precision NOT NULL,
         global_batch bigint,
         steps_per_execution bigint,
         fits boolean NOT NULL,
         pruned boolean NOT NULL,
         error text,
         device_step_s double precision,
         step_s double precision,
         examples_per_second double precision,
         hbm_peak_bytes bigint,
         hbm_available_bytes bigint,
         finished_at text NOT NULL,
         result text NOT NULL,
         PRIMARY KEY (study, setting, batch_per_core, exhaustive)))",
};
constexpr std::string_view kPrefix = "tilewise_";
constexpr std::string_view kVersionTable = "tilewise_schema";

absl::Status CheckVersion(Database& database) {
  TW_ASSIGN_OR_RETURN(const std::vector<SqlRow> rows,
                      database.Run("SELECT version FROM tilewise_schema"));
  const int64_t version = rows.empty() ? 0 : IntegerOf(rows.front().front());
  if (version == kStudySchemaVersion) return absl::OkStatus();
  return InvalidInput(fmt::format(
      "{}: found studies of version {}, expected version {}; it is left as it is: use the tilewise "
      "that wrote it, or name another",
      database.name(), version, kStudySchemaVersion));
}

absl::Status MakeTables(Database& database) {
  for (const char* table : kTables) TW_RETURN_IF_ERROR(database.Run(table).status());
  TW_ASSIGN_OR_RETURN(const std::vector<SqlRow> rows,
                      database.Run("SELECT version FROM tilewise_schema"));
  if (!rows.empty()) return absl::OkStatus();
  const SqlValue version[] = {kStudySchemaVersion};
  return database.Run("INSERT INTO tilewise_schema VALUES ($1)", version).status();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Database>> OpenStudyDatabase(const std::string& where,
                                                            Access access) {
  TW_ASSIGN_OR_RETURN(std::unique_ptr<Database> database, OpenDatabase(where, access));
  TW_ASSIGN_OR_RETURN(const std::vector<std::string> tables, database->Tables());
  const bool has_studies = std::ranges::find(tables, kVersionTable) != tables.end();
  const bool is_of_others = std::ranges::any_of(
      tables, [](const std::string& table) { return !table.starts_with(kPrefix); });
  if (has_studies) {
    TW_RETURN_IF_ERROR(CheckVersion(*database));
  } else if (access == Access::kRead || (is_of_others && !IsPostgresUrl(where))) {
    return InvalidInput(fmt::format(
        "{}: found a database without studies, expected one that 'tune --study' wrote{}",
        database->name(), access == Access::kRead ? "" : ", or a name that is free"));
  }
  if (access == Access::kRead) return database;
  TW_RETURN_IF_ERROR(database->PrepareWrites());
  if (!has_studies) {
    TW_RETURN_IF_ERROR(database->DoAlone([&] { return MakeTables(*database); }));
    TW_RETURN_IF_ERROR(CheckVersion(*database));
  }
  return database;
}

}  // namespace tilewise
