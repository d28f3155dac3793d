// Asked in this order: lines of steps, spans of the host that are numbered, the
// program that runs longest, the whole of a timeline.

#include "profile/analysis/steps.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace tilewise {
namespace {

struct Run {
  Picoseconds start, end;
};

ProfileSteps StepsOf(std::vector<Run> runs, std::string source) {
  ProfileSteps steps;
  if (runs.empty()) return steps;
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.start < b.start; });
  steps.source = std::move(source);
  std::vector<Seconds> device, wall;
  for (size_t i = 0; i < runs.size(); ++i) {
    device.push_back(SecondsOf(runs[i].end - runs[i].start));
    const bool last = i + 1 == runs.size();
    const Picoseconds end = last ? runs[i].end : runs[i + 1].start;
    steps.windows.push_back({runs[i].start, std::max(end, runs[i].start)});
    wall.push_back(SecondsOf(steps.windows.back().end - runs[i].start));
  }
  steps.device = TimesOf(device);
  steps.wall = TimesOf(wall);
  return steps;
}

// Returns the runs of the first device that has such a line.
std::vector<Run> RunsOfLine(const Profile& profile, LineKind kind) {
  for (const ProfilePlane& plane : profile.planes) {
    if (plane.kind != PlaneKind::kDevice) continue;
    std::vector<Run> runs;
    for (const ProfileLine& line : plane.lines) {
      if (line.kind != kind) continue;
      for (const ProfileEvent& event : line.events) {
        // `simulate` draws the steps after the first ones as one block.
        if (profile.OpOf(event).name.ends_with(" more steps")) continue;
        runs.push_back({event.start, event.end()});
      }
    }
    if (!runs.empty()) return runs;
  }
  return {};
}

bool IsNumberedStep(const ProfileOp& op) {
  return op.kind == "step" || op.name.starts_with("ProfilerStep#");
}

// Spans of one thread: several may mark the same steps.
std::vector<Run> RunsOfHost(const Profile& profile) {
  std::vector<Run> best;
  for (const ProfilePlane& plane : profile.planes) {
    if (plane.kind == PlaneKind::kDevice && plane.hardware != Hardware::kCpu) continue;
    for (const ProfileLine& line : plane.lines) {
      std::vector<Run> runs;
      for (const ProfileEvent& event : line.events) {
        if (!IsNumberedStep(profile.OpOf(event))) continue;
        // One that stands in another one of the same number is a part of it.
        if (!runs.empty() && event.start < runs.back().end) continue;
        runs.push_back({event.start, event.end()});
      }
      if (runs.size() > best.size()) best = std::move(runs);
    }
  }
  return best;
}

// Runs of the program that takes most of the first device's time.
ProfileSteps StepsOfModules(const Profile& profile) {
  for (const ProfilePlane& plane : profile.planes) {
    if (plane.kind != PlaneKind::kDevice) continue;
    std::map<std::string, std::vector<Run>> by_name;
    for (const ProfileLine& line : plane.lines) {
      if (line.kind != LineKind::kModules) continue;
      for (const ProfileEvent& event : line.events) {
        by_name[ModuleName(profile.OpOf(event).name)].push_back({event.start, event.end()});
      }
    }
    const std::pair<const std::string, std::vector<Run>>* longest = nullptr;
    Picoseconds most = -1;
    for (const auto& entry : by_name) {
      Picoseconds time = 0;
      for (const Run& run : entry.second) time += run.end - run.start;
      if (time > most) longest = &entry;
      most = std::max(most, time);
    }
    if (longest != nullptr) {
      return StepsOf(longest->second, fmt::format("runs of {}", longest->first));
    }
  }
  return {};
}

ProfileSteps WholeSpan(const Profile& profile, std::string source) {
  std::vector<Run> span;
  for (const ProfilePlane& plane : profile.planes) {
    for (const ProfileLine& line : plane.lines) {
      for (const ProfileEvent& event : line.events) {
        if (span.empty()) span.push_back({event.start, event.end()});
        span[0].start = std::min(span[0].start, event.start);
        span[0].end = std::max(span[0].end, event.end());
      }
    }
  }
  return StepsOf(std::move(span), std::move(source));
}

}  // namespace

std::string ModuleName(const std::string& name) {
  const size_t open = name.rfind('(');
  if (open == std::string::npos || open == 0 || !name.ends_with(')')) return name;
  return name.substr(0, open);
}

StepTimes TimesOf(const std::vector<Seconds>& each) {
  StepTimes times;
  times.each = each;
  times.count = static_cast<int64_t>(each.size());
  if (each.empty()) return times;
  const auto count = static_cast<double>(each.size());
  times.least = times.most = each.front();
  for (const Seconds step : each) {
    times.mean += step / count;
    times.least = std::min(times.least, step);
    times.most = std::max(times.most, step);
  }
  double squares = 0;
  for (const Seconds step : each) {
    const double difference = (step - times.mean).value;
    squares += difference * difference / count;
  }
  times.deviation = {std::sqrt(squares)};
  return times;
}

ProfileSteps FindSteps(const Profile& profile) {
  if (std::vector<Run> runs = RunsOfLine(profile, LineKind::kSteps); !runs.empty()) {
    return StepsOf(std::move(runs), "the Steps line");
  }
  if (std::vector<Run> runs = RunsOfHost(profile); !runs.empty()) {
    return StepsOf(std::move(runs), "numbered steps of the host");
  }
  if (ProfileSteps steps = StepsOfModules(profile); !steps.source.empty()) return steps;
  // A timeline is of one step; other profiles are of any time.
  if (profile.format.starts_with("TensorFlow")) return WholeSpan(profile, "the whole timeline");
  return WholeSpan(profile, kWholeProfile);
}

}  // namespace tilewise
