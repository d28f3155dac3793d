// Time by op, by category and by function of the host.

#pragma once

#include <string>
#include <vector>

#include "profile/analysis/op_class.h"
#include "profile/analysis/time_spans.h"
#include "profile/profile.h"

namespace tilewise {

// An op of the devices, over all of them.
struct OpTotal {
  uint32_t op = 0;  // index of Profile::ops
  ProfileOpClass kind = ProfileOpClass::kCompute;
  int64_t count = 0;
  Picoseconds self = 0;   // without ops within it
  Picoseconds whole = 0;  // with them
};

// A function of the host, over all threads.
struct HostTotal {
  uint32_t op = 0;
  HostClass kind = HostClass::kOther;
  int64_t count = 0;
  Picoseconds self = 0;
  Picoseconds whole = 0;
};

// What one device did.
struct DeviceTime {
  size_t plane = 0;                           // index of Profile::planes
  TimeSpans busy[kProfileOpClasses];          // by class, as the events have it
  TimeSpans asynchronous[kProfileOpClasses];  // copies and collectives in flight
  TimeSpans barriers;                         // waits for other chips before a launch
  double flops = 0, bytes = 0;                // of ops that begin within the steps
};

struct ProfileTotals {
  std::vector<OpTotal> ops;     // by self time, longest first
  std::vector<HostTotal> host;  // the same
  std::vector<DeviceTime> devices;
  // These are spans of the host, over its threads.
  TimeSpans input, compile, transfer;
};

// `windows`: those of the steps.
ProfileTotals TotalsOf(const Profile& profile, const TimeSpans& windows);

}  // namespace tilewise
