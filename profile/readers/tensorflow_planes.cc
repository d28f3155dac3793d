// "/gpu:0/stream:all" holds all streams and copies again, and the row of
// "/job:../gpu:0" is the host's time of launching.

#include "profile/readers/tensorflow_planes.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace tilewise {
namespace {

bool NameHas(const std::string& name, std::string_view word) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(name.begin(), name.end(), word.begin(), word.end(), same) != name.end();
}

void SetLines(ProfilePlane& plane, LineKind kind) {
  for (ProfileLine& line : plane.lines) line.kind = kind;
}

}  // namespace

void ClassifyTensorFlowPlanes(Profile& profile) {
  bool streams = false;
  bool accelerators = false;
  for (const ProfilePlane& plane : profile.planes) {
    if (plane.lines.empty()) continue;
    streams |= NameHas(plane.name, "stream:all");
    accelerators |= NameHas(plane.name, "gpu:") || NameHas(plane.name, "tpu:");
  }
  for (ProfilePlane& plane : profile.planes) {
    const bool gpu = NameHas(plane.name, "gpu:");
    const bool cpu = NameHas(plane.name, "cpu:");
    const bool part = NameHas(plane.name, "stream:") || NameHas(plane.name, "memcpy");
    const bool tpu = NameHas(plane.name, "tpu:");
    plane.hardware = tpu   ? Hardware::kTpu
                     : gpu ? Hardware::kGpu
                     : cpu ? Hardware::kCpu
                           : Hardware::kUnknown;
    if (part) {
      plane.kind = NameHas(plane.name, "stream:all") ? PlaneKind::kDevice : PlaneKind::kOther;
    } else if (gpu && streams) {
      plane.kind = PlaneKind::kHost;
    } else if (cpu) {
      plane.kind = accelerators ? PlaneKind::kHost : PlaneKind::kDevice;
    } else if (gpu || tpu) {
      plane.kind = PlaneKind::kDevice;
    }
    SetLines(plane, plane.kind == PlaneKind::kDevice ? LineKind::kOps
                    : plane.kind == PlaneKind::kHost ? LineKind::kThread
                                                     : LineKind::kOther);
  }
}

}  // namespace tilewise
