// What a C++ source says of its layers where no model was read: sizes that are written or constant.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rules/rule.h"
#include "workload/source_facts.h"

namespace tilewise {

// A layer of LibTorch with its sizes. Those that are not known are 0.
struct WrittenLayer {
  const SourceCall* call = nullptr;
  bool is_convolution = false;
  int64_t in = 0;
  int64_t out = 0;
  int64_t groups = 1;
};
std::vector<WrittenLayer> WrittenLayers(const SourceFacts& facts);

// Whether C++ sources speak for themselves: a model that was read says more.
bool SpeaksWithoutModel(const Facts& facts);
// This is the reason in Cost::unknown of what they say.
inline constexpr char kNoStepInCpp[] = "no model was read, so there is no step to simulate";

// Whether the sources train, as far as they tell, or build modules and say nothing of it.
bool MayTrain(const Facts& facts);

// The number that the argument is known to be; `other` where it is not given; 0: not known.
int64_t KnownNumber(const SourceArgument* argument, int64_t other);

}  // namespace tilewise
