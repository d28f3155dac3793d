// What the backend config of a while instruction says about its iterations.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilewise::hlo {

// The n of {"known_trip_count":{"n":"5"}}, among whatever else stands there.
// Nothing when it is not stated or negative.
std::optional<int64_t> KnownTripCount(std::string_view backend_config);

}  // namespace tilewise::hlo
