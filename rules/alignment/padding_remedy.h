// What can be done about a tensor whose dims are padded.

#pragma once

#include <optional>
#include <string>

#include "advice/nearest_width.h"
#include "rules/alignment/padding_waste.h"

namespace tilewise {

// What the author can do about it.
struct PaddingRemedy {
  PaddedDim most;
  bool fixed = false;
  std::optional<NewWidth> width;  // one that can be followed through the model
  bool near = false;              // a multiple is not far from the size
  bool larger = false;            // another dim would fill the tile better
  bool narrower() const { return width && width->size < most.size; }
  // Requests one by one are not worth a layer that computes more.
  bool any(bool single) const {
    return fixed || narrower() || larger || (!single && (width || near));
  }
};

// For a value of the lowered graph. `image`: of a convolution, which the
// compiler lays out by itself.
PaddingRemedy FindRemedy(const Facts& facts, OpId value, bool image);

// In words. `written`: what the fix edits, if anything.
std::string AdviceOf(const PaddingRemedy& remedy, const std::string& written);

}  // namespace tilewise
