// nlohmann::json throws; the exceptions end here.

#include "tuner/study/result_json.h"

#include <utility>

#include "base/fields_json.h"

namespace tilewise {
namespace {

using ResultJson = nlohmann::json;

}  // namespace

std::string WriteResult(const Result& result) {
  // Names of ops may be any bytes.
  return FieldsJson(result).dump(-1, ' ', false, ResultJson::error_handler_t::replace);
}

absl::StatusOr<Result> ReadResult(std::string_view text) {
  try {
    Result result;
    ReadFields(ResultJson::parse(text), result);
    return result;
  } catch (const ResultJson::exception& error) {
    return InvalidInput(error.what());
  }
}

void FillIn(const Space& space, const Candidate& candidate, Result& result) {
  if (result.error.empty()) {
    result.trial = Rated(space, candidate.setting, std::move(result.trial));
  }
}

}  // namespace tilewise
