// RunMetadata of TensorFlow 1: when each node of a step ran, on which device.

#include <algorithm>

#include <fmt/format.h>

#include "profile/readers/builder.h"
#include "profile/readers/readers.h"
#include "profile/readers/tensorflow_planes.h"
#include "profile/readers/text_fields.h"
#include "profile/readers/wire_cursor.h"

namespace tilewise {
namespace {

constexpr size_t kMostText = size_t{64} << 20;

// NodeExecStats: as much of it as counts. Times in microseconds.
struct NodeStats {
  std::string name, label;
  int64_t start_us = 0, length_us = 0;
  int64_t start_ns = 0, length_ns = 0;
  int64_t thread = 0;
  std::vector<std::pair<std::string, int64_t>> memory;  // allocator, its bytes in use
};

// "conv1 = Conv2D(x, w)": the op, "Conv2D".
std::string OpOfLabel(std::string_view label, std::string_view name) {
  const size_t equals = label.find(" = ");
  if (equals != std::string_view::npos) {
    label.remove_prefix(equals + 3);
    return std::string(label.substr(0, label.find('(')));
  }
  // Streams have "name:Conv2D#id=1#", or in the label "name:Conv2D regs:17".
  for (const std::string_view text : {name, label}) {
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos) continue;
    return std::string(text.substr(colon + 1, text.find_first_of("# ", colon) - colon - 1));
  }
  return std::string(name.substr(0, 60));
}

class StepBuilder {
 public:
  void Device(const std::string& name) {
    AddPending();
    plane_ = builder_.Plane(next_++);
    builder_.profile.planes[plane_].name = name;
  }

  void Node(const NodeStats& node) {
    const bool nanos = node.start_ns > 0;
    if (!has_base_) {
      has_base_ = true;
      base_ = nanos ? node.start_ns / 1000 : node.start_us;
    }
    // Nanoseconds in a field of microseconds: streams of 2017 and 2018.
    int64_t micros = nanos ? node.start_ns / 1000 : node.start_us;
    const bool wrong = base_ > 0 && micros / 100 > base_;
    if (wrong) micros /= 1000;
    wrong_units_ |= wrong;
    int64_t since = 0;
    ProfileEvent event;
    if (__builtin_sub_overflow(micros, base_, &since) ||
        __builtin_mul_overflow(since, int64_t{1'000'000}, &event.start)) {
      ++impossible_;
      return;
    }
    if (nanos) event.start += node.start_ns % 1000 * 1000;
    int64_t length = nanos ? node.length_ns : node.length_us;
    const int64_t unit = nanos || wrong ? 1000 : 1'000'000;
    if (length < 0 || __builtin_mul_overflow(length, unit, &event.duration)) {
      ++impossible_;
      event.duration = 0;
    }
    event.op = builder_.Op({.name = node.name, .kind = OpOfLabel(node.label, node.name)});
    pending_.emplace_back(node.thread, event);
    for (const auto& [allocator, bytes] : node.memory) Sample(allocator, event.start, bytes);
  }

  void Note(std::string note) { builder_.Note(std::move(note)); }
  bool empty() const { return next_ == 0; }

  Profile Finish() {
    AddPending();
    if (wrong_units_) {
      builder_.Note("Some devices state nanoseconds where microseconds are expected.");
    }
    if (impossible_ > 0) {
      builder_.Note(fmt::format("{} nodes have times that cannot be.", impossible_));
    }
    ClassifyTensorFlowPlanes(builder_.profile);
    return builder_.Finish();
  }

 private:
  // Nodes of a device, of which the first releases name no thread: those that
  // overlap ran on threads of their own.
  void AddPending() {
    std::stable_sort(pending_.begin(), pending_.end(),
                     [](const auto& a, const auto& b) { return a.second.start < b.second.start; });
    std::vector<Picoseconds> ends;
    for (const auto& node : pending_) {
      const ProfileEvent& event = node.second;
      int64_t line = node.first;
      if (line == 0) {
        const auto free =
            std::ranges::find_if(ends, [&](Picoseconds end) { return end <= event.start; });
        line = free - ends.begin();
        constexpr int64_t kMostLanes = 1000;
        if (free != ends.end()) {
          *free = event.end();
        } else if (line < kMostLanes) {
          ends.push_back(event.end());
        }
      }
      builder_.Add(builder_.LineAt(plane_, builder_.Line(plane_, line)), event);
    }
    pending_.clear();
  }

  void Sample(const std::string& allocator, Picoseconds at, int64_t bytes) {
    auto& all = builder_.profile.memory;
    for (ProfileMemory& memory : all) {
      if (memory.allocator == allocator) {
        memory.samples.push_back({.at = at, .in_use = {bytes}});
        return;
      }
    }
    if (all.size() < 1000) {
      all.push_back({.allocator = allocator, .samples = {{.at = at, .in_use = {bytes}}}});
    }
  }

  ProfileBuilder builder_{"TensorFlow RunMetadata"};
  std::vector<std::pair<int64_t, ProfileEvent>> pending_;  // with their threads
  size_t plane_ = 0;
  int64_t next_ = 0;
  bool has_base_ = false;
  int64_t base_ = 0;
  int64_t impossible_ = 0;
  bool wrong_units_ = false;
};

void ReadMemory(std::string_view bytes, NodeStats& node) {
  std::string allocator;
  int64_t in_use = 0;
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() == 1) allocator = at.text();
    if (at.field() == 5) in_use = at.integer();
  }
  if (in_use > 0) node.memory.emplace_back(allocator, in_use);
}

NodeStats ReadNode(std::string_view bytes) {
  NodeStats node;
  for (WireCursor at(bytes); at.Next();) {
    switch (at.field()) {
      case 1:
        node.name = at.text();
        break;
      case 2:
        node.start_us = at.integer();
        break;
      case 5:
        node.length_us = at.integer();
        break;
      case 6:
        ReadMemory(at.bytes(), node);
        break;
      case 8:
        node.label = at.text();
        break;
      case 10:
        node.thread = at.integer();
        break;
      case 13:
        node.start_ns = at.integer();
        break;
      case 16:
        node.length_ns = at.integer();
        break;
      default:
        break;
    }
  }
  return node;
}

void ReadDevice(std::string_view bytes, StepBuilder& step) {
  std::string name;
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() == 1) name = at.text();
  }
  step.Device(name);
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() == 2) step.Node(ReadNode(at.bytes()));
  }
}

void ReadTextNode(const TextFields& fields, StepBuilder& step) {
  NodeStats node;
  node.name = fields.Text("node_name");
  node.label = fields.Text("timeline_label");
  node.start_us = fields.Whole("all_start_micros");
  node.length_us = fields.Whole("all_end_rel_micros");
  node.start_ns = fields.Whole("all_start_nanos");
  node.length_ns = fields.Whole("all_end_rel_nanos");
  node.thread = fields.Whole("thread_id");
  for (const TextFields* memory : fields.All("memory")) {
    const int64_t in_use = memory->Whole("allocator_bytes_in_use");
    if (in_use > 0) node.memory.emplace_back(memory->Text("allocator_name"), in_use);
  }
  step.Node(node);
}

}  // namespace

absl::StatusOr<Profile> ReadRunMetadata(ByteSource& source) {
  const std::string_view bytes = source.All(kMostProfileBytes);
  StepBuilder step;
  WireCursor at(bytes);
  while (at.Next()) {
    if (at.field() != 1) continue;
    for (WireCursor stats(at.bytes()); stats.Next();) {
      if (stats.field() == 1) ReadDevice(stats.bytes(), step);
    }
  }
  if (step.empty()) {
    return InvalidInput("found no statistics of devices, expected a RunMetadata protobuf");
  }
  if (!source.problem().empty()) step.Note(source.problem());
  if (at.damaged()) step.Note("The file is cut or damaged: what stands before is read.");
  return step.Finish();
}

absl::StatusOr<Profile> ReadRunMetadataText(ByteSource& source) {
  bool complete = false;
  const TextFields root = ParseTextFields(source.All(kMostText).substr(0, kMostText), complete);
  StepBuilder step;
  for (const TextFields* stats : root.All("step_stats")) {
    for (const TextFields* device : stats->All("dev_stats")) {
      step.Device(device->Text("device"));
      for (const TextFields* node : device->All("node_stats")) ReadTextNode(*node, step);
    }
  }
  if (step.empty()) {
    return InvalidInput("found no statistics of devices, expected RunMetadata as text");
  }
  if (!source.problem().empty()) step.Note(source.problem());
  if (!complete) step.Note("The text is cut or damaged: what stands before is read.");
  return step.Finish();
}

}  // namespace tilewise
