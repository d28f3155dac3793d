// Typed reading of a layer's configuration. Whatever the JSON holds, every
// getter returns a usable value; the first misfit is recorded in the builder,
// as "filters is a string, expected a positive integer", so that layer code
// reads on and the caller checks once.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "graph/graph_builder.h"

namespace tilewise {

// "a string", "3.5", "a list of 2", for messages.
std::string DescribeJson(const nlohmann::json& value);

// The member of an object; null when there is none, when it is null, or when
// `value` is no object.
const nlohmann::json* MemberOf(const nlohmann::json& value, std::string_view key);

// The value as an integer when it is one (2.0 counts) within +-2^31.
std::optional<int64_t> AsInteger(const nlohmann::json& value);

class LayerConfig {
 public:
  // Both arguments must outlive this.
  LayerConfig(const nlohmann::json& config, GraphBuilder& builder)
      : config_(config), builder_(builder) {}

  // Returns null when the key is absent or its value is null.
  const nlohmann::json* Find(std::string_view key) const { return MemberOf(config_, key); }
  bool Has(std::string_view key) const { return Find(key) != nullptr; }

  // An integer >= 1. Without a fallback the key must be there.
  int64_t Positive(std::string_view key, std::optional<int64_t> fallback = std::nullopt) const;
  int64_t Integer(std::string_view key, int64_t fallback) const;
  double Number(std::string_view key, double fallback) const;
  bool Flag(std::string_view key, bool fallback) const;
  std::string Text(std::string_view key, std::string_view fallback) const;
  // An integer >= 1 for each of `count` dims, or one for all of them.
  std::vector<int64_t> PerDim(std::string_view key, int64_t count,
                              std::optional<int64_t> fallback = std::nullopt) const;
  // A list of integers; one integer counts as a list of one.
  std::vector<int64_t> Integers(std::string_view key) const;
  // "channels_first" in data_format.
  bool ChannelsFirst() const;

 private:
  void Misfit(std::string_view key, const nlohmann::json* found, std::string_view expected) const;

  const nlohmann::json& config_;
  GraphBuilder& builder_;
};

}  // namespace tilewise
