// Places where a script waits for what the device computes.

#pragma once

#include <string_view>
#include <vector>

#include "workload/source_facts.h"

namespace tilewise {

// Whether the call brings one of `on_device` to the host, or waits for it:
// float(loss), loss.item(), print(loss), jax.device_get(metrics).
bool Fetches(const SourceCall& call, const std::vector<std::string>& on_device);

// float, .item() and the like, of whatever.
bool IsHostConversion(const SourceCall& call);
// Whether the call waits until the device is done.
bool Waits(const SourceCall& call);

}  // namespace tilewise
