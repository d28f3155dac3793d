// A Profile as its readers fill it: ops by what they are, lines by their ids,
// and no more events than memory is planned for.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <absl/container/flat_hash_map.h>

#include "profile/profile.h"

namespace tilewise {

class ProfileBuilder {
 public:
  explicit ProfileBuilder(std::string_view format) { profile.format = format; }

  // Index of the op; ops that are alike are one.
  uint32_t Op(ProfileOp op);
  uint32_t OpNamed(std::string_view name) { return Op({.name = std::string(name)}); }
  // These make what is not there yet, when it is asked for first. They return
  // indices, as both lists grow. What is asked for when there are many already
  // is one line of the rest, whose events are counted and not kept.
  size_t Plane(int64_t id);
  size_t Line(size_t plane, int64_t id);
  ProfileLine& LineAt(size_t plane, size_t line) { return profile.planes[plane].lines[line]; }

  // False: it is counted, but not kept.
  bool Add(ProfileLine& line, const ProfileEvent& event);
  void Note(std::string note);

  // Events by start, lines and planes by what their names say; empty lines are
  // left out, and times count from the first event.
  Profile Finish();

  Profile profile;

 private:
  int64_t kept_ = 0;
  Picoseconds kept_time_ = 0;  // durations of all of them
  int64_t impossible_ = 0;
  int64_t tracks_ = 0;  // planes and lines
  int64_t of_the_rest_ = 0;
  absl::flat_hash_map<std::string, uint32_t> ops_;
  absl::flat_hash_map<int64_t, size_t> planes_;
  absl::flat_hash_map<std::pair<int64_t, int64_t>, size_t> lines_;
};

// What a line of a plane holds by the names of XProf.
LineKind LineKindOf(std::string_view line, PlaneKind plane);
// Sets kind and hardware by the plane's name.
void ClassifyPlane(ProfilePlane& plane);

// "12.5" -> 12.5; 0 for what is no number.
double NumberIn(std::string_view text);

}  // namespace tilewise
