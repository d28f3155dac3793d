// The parameters of one zoo model as the user gave them, checked and completed
// with defaults.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "graph/shape.h"
#include "zoo/zoo.h"

namespace tilewise {

class ZooSpec {
 public:
  // `arguments` is what follows the comma after the model's name, such as
  // "layers=4,nodes=512"; none when there is no comma.
  static absl::StatusOr<ZooSpec> Parse(const ZooModel& model,
                                       std::optional<std::string_view> arguments, bool training);

  // The value of a parameter that the model declares; another name or kind is a
  // bug.
  int64_t Integer(std::string_view name) const;
  // The same; `fallback` for 0.
  int64_t IntegerOr(std::string_view name, int64_t fallback) const;
  std::string_view Word(std::string_view name) const;
  bool Flag(std::string_view name) const;
  DType Type(std::string_view name) const;
  bool Has(std::string_view name) const;  // declares it

  const std::string& text() const { return text_; }  // "zoo:mlp,layers=2"
  std::string_view model() const { return model_; }
  bool training() const { return training_; }

 private:
  std::string text_;
  std::string_view model_;
  bool training_ = true;
  std::map<std::string, std::string, std::less<>> values_;
};

// Error unless `part`, the value of a parameter, divides `whole`.
absl::Status CheckDivides(std::string_view parameter, int64_t part, int64_t whole);

// Words of parameters that many models share.
inline constexpr std::string_view kFlagWords = "0|1";
inline constexpr std::string_view kFloatTypes = "f32|bf16|f16";
inline constexpr std::string_view kNetworkTypes = "f32|bf16|f16|fp8|s8";

// What a model computes in, and what its weights are kept in.
inline constexpr ZooParameter ComputeType(std::string_view fallback = "bf16") {
  return {"dtype", fallback, "type of activations and products", kFloatTypes};
}
// Models whose dense layers may be quantised have this: see Net::Dot.
inline constexpr ZooParameter kNetworkType = {
    "dtype", "bf16",
    "type of activations and products; fp8, s8: bf16 with the products of dense layers quantised",
    kNetworkTypes};
inline constexpr ZooParameter kWeightType = {
    "params", "auto",
    "type of the weights; auto: f32 in training, converted where used, and dtype in inference",
    "auto|f32|bf16|f16|s8"};

// Micro-workloads have this.
inline constexpr ZooParameter kOperandFloatType = {"dtype", "bf16", "type of operands and result",
                                                   kFloatTypes};

}  // namespace tilewise
