// What is counted over a whole profile, and profiles of several hosts as one.

#include "profile/profile.h"

#include <iterator>
#include <utility>

namespace tilewise {

int64_t Profile::event_count() const {
  int64_t count = 0;
  for (const ProfilePlane& plane : planes) {
    for (const ProfileLine& line : plane.lines) count += static_cast<int64_t>(line.events.size());
  }
  return count;
}

namespace {

template <class T>
void MoveBehind(std::vector<T>&& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

void MergeProfile(Profile&& other, Profile& profile) {
  const auto first_op = static_cast<uint32_t>(profile.ops.size());
  const auto first_plane = static_cast<int64_t>(profile.planes.size());
  for (ProfilePlane& plane : other.planes) {
    for (ProfileLine& line : plane.lines) {
      for (ProfileEvent& event : line.events) event.op += first_op;
    }
  }
  for (ProfileFlow& flow : other.flows) {
    if (flow.from_plane >= 0) flow.from_plane += first_plane;
    if (flow.to_plane >= 0) flow.to_plane += first_plane;
  }
  const bool had_figures =
      profile.stated.step || !profile.stated.ops.empty() || !profile.stated.counters.empty();
  if (!had_figures) profile.stated = std::move(other.stated);
  if (profile.format != other.format) profile.format += ", " + other.format;
  profile.simulated |= other.simulated;
  profile.dropped_events += other.dropped_events;
  MoveBehind(std::move(other.files), profile.files);
  MoveBehind(std::move(other.hosts), profile.hosts);
  MoveBehind(std::move(other.planes), profile.planes);
  MoveBehind(std::move(other.ops), profile.ops);
  MoveBehind(std::move(other.programs), profile.programs);
  MoveBehind(std::move(other.memory), profile.memory);
  MoveBehind(std::move(other.flows), profile.flows);
  MoveBehind(std::move(other.notes), profile.notes);
}

}  // namespace tilewise
