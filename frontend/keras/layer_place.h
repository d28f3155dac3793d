// How errors name a layer: "model.json:12: layer conv1".

#pragma once

#include <string>
#include <utility>

#include "base/location.h"

namespace tilewise {

inline std::string LayerPlace(Location location) {
  const std::string name = std::move(location.item);
  location.item.clear();
  std::string place = FormatLocation(location);
  if (name.empty()) return place;
  return place + (place.empty() ? "layer " : ": layer ") + name;
}

}  // namespace tilewise
