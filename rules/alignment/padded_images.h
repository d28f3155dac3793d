// Images whose padding is as it should be: their tiles hold what the data has.

#pragma once

#include <vector>

#include "rules/rule.h"

namespace tilewise {

class PaddedImages {
 public:
  explicit PaddedImages(const Program& program);

  // Of a convolution, which the compiler lays out by itself.
  bool IsImage(OpId value) const;
  // No other width or order of dims is right for the value: it is an image with
  // the colours of its data, or, `single`, one example and its channels.
  bool IsRight(OpId value, bool single) const;

 private:
  const Program& program_;
  std::vector<bool> images_;
  std::vector<bool> early_;  // computed before any trained weight
};

}  // namespace tilewise
