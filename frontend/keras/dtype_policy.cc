// Reads dtype policies.

#include "frontend/keras/dtype_policy.h"

#include <string>

namespace tilewise {

using nlohmann::json;

std::optional<DTypePolicy> ReadDTypePolicy(const json& dtype, DTypePolicy inherited) {
  if (dtype.is_null()) return inherited;
  if (dtype.is_object()) {
    const auto config = dtype.find("config");
    if (config == dtype.end() || !config->is_object()) return std::nullopt;
    const auto name = config->find("name");
    if (name == config->end() || !name->is_string()) return std::nullopt;
    return ReadDTypePolicy(*name, inherited);
  }
  if (!dtype.is_string()) return std::nullopt;
  const std::string name = dtype.get<std::string>();
  if (name == "mixed_bfloat16") return DTypePolicy{DType::kBF16, DType::kF32};
  if (name == "mixed_float16") return DTypePolicy{DType::kF16, DType::kF32};
  if (name == "float") return inherited;
  const std::optional<DType> type = ParseDType(name);
  if (!type) return std::nullopt;
  if (!IsFloat(*type)) return inherited;
  return DTypePolicy{*type, *type};
}

}  // namespace tilewise
