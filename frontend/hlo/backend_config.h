// Numbers and words of a custom call's backend config, be it JSON or MLIR
// attributes: {"alpha_real":1,"lhs_contracting_dimensions":["1"]} or
// {attn_heads = 32 : i64}. Only what stands after a key is read.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tilewise::hlo {

// Returns the number after the first `key`. Nothing when there is none or it is
// no number.
std::optional<double> ConfigNumber(std::string_view config, std::string_view key);
// The integers of the list after the first `key`; empty when there is none.
std::vector<int64_t> ConfigList(std::string_view config, std::string_view key);
// The word after the first `key`; empty when there is none.
std::string_view ConfigWord(std::string_view config, std::string_view key);

// The n of {"known_trip_count":{"n":"5"}}, among whatever else stands there.
// Nothing when it is not stated or negative.
std::optional<int64_t> KnownTripCount(std::string_view backend_config);

}  // namespace tilewise::hlo
