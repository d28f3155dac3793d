// What is counted over a whole profile.

#include "profile/profile.h"

namespace tilewise {

int64_t Profile::event_count() const {
  int64_t count = 0;
  for (const ProfilePlane& plane : planes) {
    for (const ProfileLine& line : plane.lines) count += static_cast<int64_t>(line.events.size());
  }
  return count;
}

}  // namespace tilewise
