// The Trace protobuf of TensorFlow's first profiler (HOST.trace).

#include <fmt/format.h>

#include "profile/readers/builder.h"
#include "profile/readers/readers.h"
#include "profile/readers/wire_cursor.h"

namespace tilewise {
namespace {

// A map's entry: {1 key, 2 value}.
std::pair<int64_t, std::string_view> EntryOf(std::string_view bytes) {
  std::pair<int64_t, std::string_view> entry;
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() == 1) entry.first = at.integer();
    if (at.field() == 2) entry.second = at.bytes();
  }
  return entry;
}

void ReadDevice(std::string_view bytes, ProfileBuilder& builder) {
  const auto [id, device] = EntryOf(bytes);
  const size_t plane = builder.Plane(id);
  for (WireCursor at(device); at.Next();) {
    if (at.field() == 1) builder.profile.planes[plane].name = at.text();
    if (at.field() != 3) continue;
    const auto [resource, value] = EntryOf(at.bytes());
    ProfileLine& line = builder.LineAt(plane, builder.Line(plane, resource));
    for (WireCursor field(value); field.Next();) {
      if (field.field() == 1) line.name = field.text();
    }
  }
}

void ReadArgument(std::string_view bytes, ProfileOp& op) {
  std::string_view key, value;
  for (WireCursor at(bytes); at.Next();) {
    if (at.field() == 1) key = at.bytes();
    if (at.field() == 2) value = at.bytes();
  }
  if (key == "long_name") op.hlo = value;
  if (key == "hlo_category") op.kind = value;
  if (key == "tf_op") op.path = value;
  if (key == "flops") op.flops = NumberIn(value);
  if (key == "bytes_accessed") op.bytes = NumberIn(value);
}

void ReadEvent(std::string_view bytes, ProfileBuilder& builder) {
  int64_t device = 0, resource = 0;
  ProfileOp op;
  ProfileEvent event;
  for (WireCursor at(bytes); at.Next();) {
    switch (at.field()) {
      case 1:
        device = at.integer();
        break;
      case 2:
        resource = at.integer();
        break;
      case 3:
        op.name = at.text();
        break;
      case 9:
        event.start = at.integer();
        break;
      case 10:
        event.duration = at.integer();
        break;
      case 11:
        ReadArgument(at.bytes(), op);
        break;
      default:
        break;
    }
  }
  int64_t end = 0;
  if (event.duration < 0 || __builtin_add_overflow(event.start, event.duration, &end)) {
    event.duration = 0;
  }
  const size_t plane = builder.Plane(device);
  event.op = builder.Op(std::move(op));
  builder.Add(builder.LineAt(plane, builder.Line(plane, resource)), event);
}

}  // namespace

absl::StatusOr<Profile> ReadTraceProto(ByteSource& source) {
  ProfileBuilder builder("Trace protobuf");
  WireCursor at(source.All(kMostProfileBytes));
  while (at.Next()) {
    if (at.field() == 1) ReadDevice(at.bytes(), builder);
    if (at.field() == 4) ReadEvent(at.bytes(), builder);
    source.Drop(at.at());
  }
  if (builder.profile.planes.empty()) {
    return InvalidInput("found no devices, expected a Trace protobuf (HOST.trace)");
  }
  for (ProfilePlane& plane : builder.profile.planes) {
    ClassifyPlane(plane);
    for (ProfileLine& line : plane.lines) line.kind = LineKindOf(line.name, plane.kind);
  }
  if (!source.problem().empty()) builder.Note(source.problem());
  if (at.damaged()) builder.Note("The file is cut or damaged: what stands before is read.");
  return builder.Finish();
}

}  // namespace tilewise
