// The search and its answer as JSON.

#include "report/json_sections.h"

namespace tilewise {
namespace {

Json TrialJson(const Trial& trial) {
  Json json = {{"batch_per_core_examples", trial.batch_per_core},
               {"global_batch_examples", trial.global_batch},
               {"steps_per_execution_count", trial.steps_per_execution},
               {"fits", trial.fits},
               {"aligned", trial.aligned},
               {"allowed", trial.allowed},
               {"hbm_peak_bytes", trial.hbm_peak.value},
               {"hbm_available_bytes", trial.hbm_available.value},
               {"largest_buffers", JsonBuffers(trial.largest)}};
  if (trial.fits) json["loop"] = JsonLoop(trial.loop);
  return json;
}

Json TrialsJson(const std::vector<Trial>& trials) {
  Json json = Json::array();
  for (const Trial& trial : trials) json.push_back(TrialJson(trial));
  return json;
}

}  // namespace

Json JsonTuning(const Tuning& tuning) {
  Json json = Json::object();
  if (tuning.best) json["best"] = TrialJson(*tuning.best);
  if (tuning.current) json["current"] = TrialJson(*tuning.current);
  json["why"] = tuning.why;
  json["learning_rate"] = tuning.learning_rate;
  json["constraints"] = tuning.constraints;
  json["curve"] = TrialsJson(tuning.curve);
  json["executions"] = TrialsJson(tuning.executions);
  return json;
}

}  // namespace tilewise
