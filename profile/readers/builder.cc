// What the readers share.

#include "profile/readers/builder.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr int64_t kMostEvents = 5'000'000;
constexpr uint32_t kMostOps = 2'000'000;
constexpr int64_t kMostTracks = 100'000;
constexpr int64_t kRest = std::numeric_limits<int64_t>::min();
constexpr size_t kMostNotes = 100;

void ShiftToStart(Profile& profile) {
  Picoseconds first = std::numeric_limits<Picoseconds>::max();
  for (const ProfilePlane& plane : profile.planes) {
    for (const ProfileLine& line : plane.lines) {
      if (!line.events.empty()) first = std::min(first, line.events.front().start);
    }
  }
  if (first == std::numeric_limits<Picoseconds>::max()) return;
  for (ProfilePlane& plane : profile.planes) {
    for (ProfileLine& line : plane.lines) {
      for (ProfileEvent& event : line.events) event.start -= first;
    }
  }
  for (ProfileMemory& memory : profile.memory) {
    for (MemorySample& sample : memory.samples) sample.at -= first;
  }
  for (ProfileFlow& flow : profile.flows) {
    flow.from -= first;
    flow.to -= first;
  }
}

// Outer events stand before those within them.
bool StartsBefore(const ProfileEvent& a, const ProfileEvent& b) {
  return a.start != b.start ? a.start < b.start : a.duration > b.duration;
}

}  // namespace

uint32_t ProfileBuilder::Op(ProfileOp op) {
  if (profile.ops.size() >= kMostOps) {
    // The rest of the names is one op: their time still counts.
    op = ProfileOp{.name = "others", .kind = op.kind};
  }
  std::string key = fmt::format("{}\n{}\n{}\n{}", op.name, op.kind, op.program, op.path);
  const auto [found, fresh] =
      ops_.try_emplace(std::move(key), static_cast<uint32_t>(profile.ops.size()));
  if (fresh) profile.ops.push_back(std::move(op));
  return found->second;
}

size_t ProfileBuilder::Plane(int64_t id) {
  if (tracks_ >= kMostTracks && !planes_.contains(id)) id = kRest;
  const auto [found, fresh] = planes_.try_emplace(id, profile.planes.size());
  if (fresh) {
    ++tracks_;
    profile.planes.emplace_back();
    profile.planes.back().id = id;
  }
  return found->second;
}

size_t ProfileBuilder::Line(size_t plane, int64_t id) {
  std::vector<ProfileLine>& lines = profile.planes[plane].lines;
  std::pair key(static_cast<int64_t>(plane), id);
  if (tracks_ >= kMostTracks && !lines_.contains(key)) key.second = kRest;
  const auto [found, fresh] = lines_.try_emplace(key, lines.size());
  if (fresh) {
    ++tracks_;
    lines.emplace_back();
    lines.back().id = key.second;
  }
  return found->second;
}

bool ProfileBuilder::Add(ProfileLine& line, const ProfileEvent& event) {
  if (line.id == kRest) {
    ++of_the_rest_;
    return false;
  }
  if (kept_ >= kMostEvents) {
    ++profile.dropped_events;
    return false;
  }
  // What sums of durations rely on.
  Picoseconds all = 0;
  if (event.duration < 0 || __builtin_add_overflow(kept_time_, event.duration, &all)) {
    ++impossible_;
    return false;
  }
  kept_time_ = all;
  ++kept_;
  line.events.push_back(event);
  return true;
}

void ProfileBuilder::Note(std::string note) {
  if (profile.notes.size() < kMostNotes) profile.notes.push_back(std::move(note));
}

Profile ProfileBuilder::Finish() {
  for (ProfilePlane& plane : profile.planes) {
    for (ProfileLine& line : plane.lines) {
      if (!std::is_sorted(line.events.begin(), line.events.end(), StartsBefore)) {
        std::stable_sort(line.events.begin(), line.events.end(), StartsBefore);
      }
    }
    std::erase_if(plane.lines, [](const ProfileLine& line) { return line.events.empty(); });
  }
  for (ProfileMemory& memory : profile.memory) {
    std::stable_sort(memory.samples.begin(), memory.samples.end(),
                     [](const MemorySample& a, const MemorySample& b) { return a.at < b.at; });
    for (const MemorySample& sample : memory.samples) {
      memory.peak = std::max(memory.peak, sample.in_use);
    }
  }
  ShiftToStart(profile);
  if (impossible_ > 0) {
    Note(fmt::format(
        "{} events are left out: with them all events would take more than 100 days, so the "
        "profile's clock or its bytes are wrong.",
        impossible_));
  }
  if (of_the_rest_ > 0) {
    Note(fmt::format(
        "{} events are left out: {} processes and threads are kept, the first ones of the file.",
        of_the_rest_, kMostTracks));
  }
  if (profile.dropped_events > 0) {
    Note(fmt::format("{} events are left out: {} are kept, the first ones of the file.",
                     profile.dropped_events, kMostEvents));
  }
  return std::move(profile);
}

LineKind LineKindOf(std::string_view line, PlaneKind plane) {
  if (plane == PlaneKind::kHost) return LineKind::kThread;
  if (line == "Steps" || line == "Sparse Core Steps") return LineKind::kSteps;
  if (line == "XLA Modules" || line == "Sparse Core Modules") return LineKind::kModules;
  if (line == "XLA Ops" || line == "Sparse Core Ops") return LineKind::kOps;
  if (line.starts_with("Async XLA Ops") || line == "Host Offload Ops") return LineKind::kAsync;
  if (line == "XLA TraceMe") return LineKind::kWaits;
  if (line.starts_with("Stream #") || line.starts_with("stream")) return LineKind::kOps;
  if (line == "Framework Ops" || line == "Framework Name Scope" || line == "Source code" ||
      line == "Source" || line == "TensorFlow Ops" || line == "TensorFlow Name Scope") {
    return LineKind::kScopes;
  }
  return LineKind::kOther;
}

void ClassifyPlane(ProfilePlane& plane) {
  const std::string& name = plane.name;
  if (name.starts_with("/device:TPU") && name.find("SparseCore") == std::string::npos) {
    plane.kind = PlaneKind::kDevice;
    plane.hardware = Hardware::kTpu;
  } else if (name.starts_with("/device:GPU") || name.starts_with("/gpu:")) {
    plane.kind = PlaneKind::kDevice;
    plane.hardware = Hardware::kGpu;
  } else if (name.starts_with("/host:") && name != "/host:metadata") {
    plane.kind = PlaneKind::kHost;
  }
}

double NumberIn(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? value : 0;
}

}  // namespace tilewise
