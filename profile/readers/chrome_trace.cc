// Chrome traces of XProf and JAX, of TensorFlow's Timeline, of PyTorch's
// profiler and of `simulate`: one form, told apart by what they name.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "profile/readers/builder.h"
#include "profile/readers/chrome_event.h"
#include "profile/readers/event_splitter.h"
#include "profile/readers/readers.h"
#include "profile/readers/tensorflow_planes.h"

namespace tilewise {
namespace {

constexpr double kNanosecondsSince1970 = 1e17;  // as microseconds: the year 5138
constexpr double kLargestTime = 4e18;           // picoseconds; 46 days
constexpr size_t kMostFlows = 1'000'000;

std::string WithoutSuffix(std::string_view text, std::string_view suffix) {
  if (text.ends_with(suffix)) text.remove_suffix(suffix.size());
  return std::string(text);
}

class ChromeTraceReader {
 public:
  absl::StatusOr<Profile> Read(ByteSource& source) {
    EventSplitter splitter(source);
    ChromeEventParser parser;
    ChromeEvent event;
    for (std::string_view json; splitter.Next(json);) {
      if (json == "{}") continue;  // XProf ends its list with it
      if (parser.Parse(json, event)) {
        Take(event);
      } else {
        ++unread_;
      }
    }
    if (!splitter.found_events()) {
      return InvalidInput("found JSON without traceEvents, expected a Chrome trace");
    }
    for (const auto& [key, text] : splitter.members()) TakeMember(key, text);
    NoteProblems(source.problem(), splitter.complete());
    NamePlanes();
    return builder_.Finish();
  }

 private:
  struct Open {
    uint32_t op;
    Picoseconds start;
    int32_t group;
  };
  struct Flow {
    Picoseconds at;
    int64_t plane;
  };
  struct Track {
    size_t plane, line;
  };

  void TakeMember(const std::string& key, const std::string& text) {
    if (key == "otherData" && text.find("\"tool\":\"tilewise") != std::string::npos) {
      builder_.profile.simulated = true;
    }
    if (key == "schemaVersion" || key == "deviceProperties") torch_ = true;
  }

  void NoteProblems(const std::string& problem, bool complete) {
    if (!problem.empty()) builder_.Note(problem);
    if (!complete) {
      builder_.Note(fmt::format(
          "The trace is cut: its list of events does not end; {} events before that are read.",
          taken_));
    }
    if (unread_ > 0) builder_.Note(fmt::format("{} events are no valid JSON.", unread_));
    if (backwards_ > 0) {
      builder_.Note(fmt::format(
          "{} events end before they begin: the clock went backwards; they count no time.",
          backwards_));
    }
    if (far_ > 0) {
      builder_.Note(fmt::format(
          "{} events are more than a month from the first: their clock is another, and they are "
          "left out.",
          far_));
    }
    int64_t open = 0;
    for (const auto& [track, stack] : open_) open += static_cast<int64_t>(stack.size());
    if (open > 0) builder_.Note(fmt::format("{} events begin and never end.", open));
    if (scale_ != 1) {
      builder_.Note("Times are nanoseconds since 1970 where microseconds are expected.");
    }
  }

  // False: no time that can be.
  bool At(double microseconds, Picoseconds& at) {
    if (!has_base_) {
      has_base_ = true;
      if (microseconds > kNanosecondsSince1970) scale_ = 1e-3;
      base_ = microseconds;
    }
    const double time = (microseconds - base_) * scale_ * 1e6;
    if (!(std::abs(time) < kLargestTime)) {
      ++far_;
      return false;
    }
    at = std::llround(time);
    return true;
  }

  Track TrackOf(const ChromeEvent& event) {
    if (!has_last_ || event.process != last_process_ || event.thread != last_thread_) {
      has_last_ = true;
      last_process_ = event.process;
      last_thread_ = event.thread;
      last_.plane = builder_.Plane(event.process);
      last_.line = builder_.Line(last_.plane, event.thread);
    }
    return last_;
  }

  uint32_t OpOf(const ChromeEvent& event) {
    ProfileOp op;
    if (event.category == "Op" && !event.arg_op.empty()) {  // TensorFlow's timeline
      timeline_ = true;
      op.name = event.arg_name.empty() ? event.name : event.arg_name;
      op.kind = event.arg_op;
      return builder_.Op(std::move(op));
    }
    op.name = event.name;
    op.kind = event.step >= 0               ? std::string_view("step")
              : !event.hlo_category.empty() ? event.hlo_category
                                            : event.category;
    op.hlo = event.long_name;
    op.path = event.tf_op;
    op.source = event.source;
    op.flops = event.flops;
    op.bytes = event.bytes;
    return builder_.Op(std::move(op));
  }

  void TakeDevice(const ChromeEvent& event, const Track& track) {
    const std::string_view kind = event.category;
    if (kind != "Kernel" && kind != "kernel" && kind != "Memcpy" && kind != "Memset" &&
        kind != "gpu_memcpy" && kind != "gpu_memset") {
      return;
    }
    builder_.profile.planes[track.plane].kind = PlaneKind::kDevice;
    builder_.LineAt(track.plane, track.line).kind = LineKind::kOps;
    torch_ = true;
  }

  void TakeSpan(const ChromeEvent& event) {
    ProfileEvent made;
    if (!At(event.start, made.start)) return;
    const double length = event.duration * scale_ * 1e6;
    if (length < 0) ++backwards_;
    made.duration = length > 0 && length < kLargestTime ? std::llround(length) : 0;
    made.op = OpOf(event);
    made.group = static_cast<int32_t>(event.step >= 0 ? event.step : event.group);
    const Track track = TrackOf(event);
    TakeDevice(event, track);
    builder_.Add(builder_.LineAt(track.plane, track.line), made);
  }

  void Begin(const ChromeEvent& event) {
    Picoseconds at = 0;
    if (!At(event.start, at)) return;
    const Track track = TrackOf(event);
    open_[{track.plane, track.line}].push_back(
        {OpOf(event), at, static_cast<int32_t>(event.step >= 0 ? event.step : event.group)});
  }

  void End(const ChromeEvent& event) {
    Picoseconds at = 0;
    if (!At(event.start, at)) return;
    const Track track = TrackOf(event);
    std::vector<Open>& stack = open_[{track.plane, track.line}];
    if (stack.empty()) return;
    const Open open = stack.back();
    stack.pop_back();
    if (at < open.start) ++backwards_;
    builder_.Add(builder_.LineAt(track.plane, track.line),
                 {.start = open.start,
                  .duration = std::max<Picoseconds>(at - open.start, 0),
                  .op = open.op,
                  .group = open.group});
  }

  void TakeCounter(const ChromeEvent& event) {
    Picoseconds at = 0;
    if (!event.has_value || !At(event.start, at)) return;
    const std::string name(event.name);
    // Counters of other things than bytes are told by their names.
    if (name.find("percent") != std::string::npos || name.find("busy") != std::string::npos) return;
    const double value = std::clamp(event.value, -9e18, 9e18);
    auto& all = builder_.profile.memory;
    auto found = std::find_if(all.begin(), all.end(), [&](const ProfileMemory& memory) {
      return memory.allocator == name;
    });
    if (found == all.end()) {
      if (all.size() >= 1000) return;
      all.push_back({.allocator = name});
      found = all.end() - 1;
    }
    found->samples.push_back({.at = at, .in_use = {static_cast<int64_t>(value)}});
  }

  void TakeFlow(const ChromeEvent& event) {
    Picoseconds at = 0;
    if (flows_.size() > kMostFlows || !At(event.start, at)) return;
    const auto plane = static_cast<int64_t>(builder_.Plane(event.process));
    const std::string key = fmt::format("{} {}", event.category, event.id);
    if (event.phase == 's') {
      flows_[key] = {at, plane};
      return;
    }
    const auto found = flows_.find(key);
    if (found == flows_.end() || builder_.profile.flows.size() > kMostFlows) return;
    builder_.profile.flows.push_back(
        {.from = found->second.at, .to = at, .from_plane = found->second.plane, .to_plane = plane});
  }

  void TakeMeta(const ChromeEvent& event) {
    if (event.name == "process_name") {
      ProfilePlane& plane = builder_.profile.planes[builder_.Plane(event.process)];
      plane.name = event.arg_name;
      plane.peak_flops = event.peak_flops;
      plane.peak_hbm = event.peak_hbm;
      timeline_ |= event.arg_name.ends_with(" Compute");
    } else if (event.name == "thread_name") {
      const size_t plane = builder_.Plane(event.process);
      builder_.LineAt(plane, builder_.Line(plane, event.thread)).name = event.arg_name;
    }
  }

  void Take(const ChromeEvent& event) {
    ++taken_;
    switch (event.phase) {
      case 'X':
        if (event.has_start) TakeSpan(event);
        break;
      case 'B':
        if (event.has_start) Begin(event);
        break;
      case 'E':
        if (event.has_start) End(event);
        break;
      case 'C':
        TakeCounter(event);
        break;
      case 's':
      case 't':
      case 'f':
        TakeFlow(event);
        break;
      case 'M':
        TakeMeta(event);
        break;
      default:
        break;
    }
  }

  void NamePlanes() {
    Profile& profile = builder_.profile;
    bool xprof = false;
    for (ProfilePlane& plane : profile.planes) {
      if (timeline_) {
        if (plane.name.ends_with(" Tensors") || plane.name == "Allocators") plane.lines.clear();
        plane.name = WithoutSuffix(plane.name, " Compute");
        continue;
      }
      const PlaneKind told = plane.kind;
      ClassifyPlane(plane);
      xprof |= plane.kind != PlaneKind::kOther;
      if (told == PlaneKind::kDevice) {  // by its kernels
        plane.name = fmt::format("GPU {}", plane.id);
        plane.kind = told;
        plane.hardware = Hardware::kGpu;
        continue;
      }
      if (plane.kind == PlaneKind::kOther && plane.id < (int64_t{1} << 56)) {
        plane.kind = PlaneKind::kHost;
      }
      for (ProfileLine& line : plane.lines) line.kind = LineKindOf(line.name, plane.kind);
    }
    if (timeline_) {
      profile.format = "TensorFlow timeline";
      ClassifyTensorFlowPlanes(profile);
    } else if (profile.simulated) {
      profile.format = "trace of tilewise simulate";
    } else if (torch_) {
      profile.format = "PyTorch profiler trace";
    } else if (xprof) {
      profile.format = "XProf trace";
    }
  }

  ProfileBuilder builder_{"Chrome trace"};
  absl::flat_hash_map<std::pair<size_t, size_t>, std::vector<Open>> open_;
  absl::flat_hash_map<std::string, Flow> flows_;
  bool has_last_ = false;
  int64_t last_process_ = 0, last_thread_ = 0;
  Track last_{};
  bool has_base_ = false;
  double base_ = 0, scale_ = 1;
  bool timeline_ = false, torch_ = false;
  int64_t taken_ = 0, unread_ = 0, backwards_ = 0, far_ = 0;
};

}  // namespace

absl::StatusOr<Profile> ReadChromeTrace(ByteSource& source) {
  return ChromeTraceReader().Read(source);
}

}  // namespace tilewise
