// The steps of a run, from whatever in its profile marks them.

#pragma once

#include <string>

#include "profile/analysis/time_spans.h"
#include "profile/profile.h"

namespace tilewise {

struct ProfileSteps {
  std::string source;  // "the Steps line", "runs of jit_f"; empty: nothing marks steps
  StepTimes device;    // of a step on the device, or of the marked span
  StepTimes wall;      // from start to start
  TimeSpans windows;   // from start to start; of a single step, that step
};

ProfileSteps FindSteps(const Profile& profile);

// "jit_f(123)" -> "jit_f".
std::string ModuleName(const std::string& name);

StepTimes TimesOf(const std::vector<Seconds>& each);

}  // namespace tilewise
