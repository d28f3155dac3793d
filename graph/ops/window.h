// What pooling and convolutions share: windows over spatial dims.

#pragma once

#include "graph/shape_checks.h"

namespace tilewise {

inline size_t FirstSpatialDim(const WindowedAttrs& attrs) { return attrs.channels_first ? 2 : 1; }

// Returns the feature dim of what a window slides over.
inline int64_t WindowFeatureDim(const WindowedAttrs& attrs) {
  return attrs.channels_first ? 1 : static_cast<int64_t>(attrs.window.size()) + 1;
}

// `x` with its spatial dims replaced by the number of window positions.
ShapeOr WindowedShape(const WindowedAttrs& attrs, const Shape& x);

}  // namespace tilewise
