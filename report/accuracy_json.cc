// The JSON of `tilewise validate`. Errors and shares are 0..1; what a set does
// not tell is null.

#include "report/accuracy_report.h"
#include "report/json_sections.h"

namespace tilewise {
namespace {

constexpr int kValidateSchemaVersion = 1;

Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json ErrorsJson(const std::string& name, const ErrorSummary& errors,
                const std::optional<double>& spearman) {
  return {{"name", name},
          {"n", errors.n},
          {"mape", OrNull(errors.mape)},
          {"median_ape", OrNull(errors.median_ape)},
          {"bias", OrNull(errors.bias)},
          {"spearman", OrNull(spearman)}};
}

Json RowJson(const ComparedRow& row) {
  const Point& point = row.point;
  Json json = {{"workload", point.label},
               {"line", point.line},
               {"group", point.group},
               {"spec", point.spec},
               {"unit", point.figure.unit}};
  if (!point.mesh.empty()) json["mesh"] = point.mesh;
  if (!row.prediction) {
    json["not_simulated"] = row.not_simulated;
    return json;
  }
  json["counted"] = point.counted;
  json["steps"] = point.figure.steps;
  json["evaluations"] = point.figure.evaluations;
  json["fits"] = row.prediction->fits;
  json["simulated"] = row.prediction->value;
  json["bound"] = row.prediction->bound;
  json["device_seconds"] = row.prediction->device.value;
  if (point.out_of_memory) {
    json["measured"] = "out of memory";
  } else {
    json["measured"] = point.figure.value;
    if (point.figure.value > 0) json["error"] = row.pair().error();
  }
  return json;
}

Json WorstJson(const SetAccuracy& set) {
  Json rows = Json::array();
  for (const size_t i : set.worst) {
    const ComparedRow& row = set.comparisons[i];
    rows.push_back({{"workload", row.point.label},
                    {"line", row.point.line},
                    {"unit", row.point.figure.unit},
                    {"measured", row.point.figure.value},
                    {"simulated", row.prediction->value},
                    {"error", row.pair().error()}});
  }
  return rows;
}

Json SkippedJson(const SetAccuracy& set) {
  Json rows = Json::array();
  for (const ComparedRow& row : set.comparisons) {
    if (row.prediction) continue;
    rows.push_back(
        {{"workload", row.point.label}, {"line", row.point.line}, {"reason", row.not_simulated}});
  }
  return rows;
}

Json PeersJson(const SetAccuracy& set) {
  Json peers = Json::array();
  for (const Peer& peer : set.published.peers) {
    peers.push_back({{"who", peer.who},
                     {"mape", OrNull(peer.mape)},
                     {"median_ape", OrNull(peer.median_ape)},
                     {"regret", OrNull(peer.regret)},
                     {"note", peer.note}});
  }
  return peers;
}

Json SetJson(const SetAccuracy& set, bool verbose) {
  Json json = ErrorsJson(set.name, set.errors, set.spearman);
  json["kind"] = set.kind;
  json["rows"] = set.rows;
  json["least_group_spearman"] = OrNull(set.least_group_spearman);
  json["oom_accuracy"] = OrNull(set.oom_accuracy);
  json["oom_rows"] = set.oom_rows;
  json["oom_wrong"] = set.wrong_memory;
  json["regret"] = OrNull(set.regret);
  json["oom_choices"] = set.oom_choices;
  json["window_rows"] = set.window_rows;
  json["same_windows"] =
      set.window_rows > 0
          ? Json(static_cast<double>(set.same_windows) / static_cast<double>(set.window_rows))
          : Json(nullptr);
  json["target"] = {{"mape", OrNull(set.published.target_mape)},
                    {"median_ape", OrNull(set.published.target_median_ape)},
                    {"spearman", OrNull(set.published.target_spearman)},
                    {"regret", OrNull(set.published.target_regret)}};
  json["worst"] = WorstJson(set);
  Json& groups = json["groups"] = Json::array();
  for (const GroupAccuracy& group : set.groups) {
    groups.push_back(ErrorsJson(group.name, group.errors, group.spearman));
  }
  json["uncounted"] = set.uncounted ? ErrorsJson(set.uncounted->name, set.uncounted->errors,
                                                 set.uncounted->spearman)
                                    : Json(nullptr);
  json["not_simulated"] = SkippedJson(set);
  json["peers"] = PeersJson(set);
  if (!verbose) return json;
  Json& rows = json["all"] = Json::array();
  for (const ComparedRow& row : set.comparisons) rows.push_back(RowJson(row));
  return json;
}

}  // namespace

std::string RenderAccuracyJson(const AccuracyReport& report, const RenderOptions& options) {
  Json json = {{"schema_version", kValidateSchemaVersion},
               {"tool", {{"name", "tilewise"}, {"version", report.version}}},
               {"command", "validate"}};
  Json& sets = json["sets"] = Json::array();
  for (const SetAccuracy& set : report.sets) {
    sets.push_back(SetJson(set, options.verbose));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilewise
