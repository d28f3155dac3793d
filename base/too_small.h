// What a rule sees in the program, rightly, and costs too little there to be a finding.

#pragma once

#include <string>

#include "base/diagnostic.h"

namespace tilewise {

struct TooSmall {
  Diagnostic finding;
  std::string why;  // in a few words: "hidden behind the input"
};

}  // namespace tilewise
