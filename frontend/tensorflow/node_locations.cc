// GraphDebugInfo in both of its forms: a stack for each node (until TensorFlow
// 2.12), and numbered stacks of numbered frames. Keys are "node@function".

#include "frontend/tensorflow/node_locations.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "frontend/tensorflow/tensorflow.pb.h"
#include "frontend/tensorflow/wire.h"

namespace tilewise::tf {
namespace {

using protozero::pbf_reader;
using DebugInfo = tensorflow::GraphDebugInfo;

// Files, frames and stacks together. A node has one stack at most, and the
// largest public models have some 10^5 nodes.
constexpr size_t kMaxEntries = 4'000'000;

// Code that no user wrote: installed packages, the modules of the interpreter,
// TensorFlow in a tree of its sources, and what AutoGraph made of a function.
bool IsUserCode(std::string_view file) {
  constexpr std::array<std::string_view, 5> kInstalled = {"site-packages", "dist-packages",
                                                          "lib/python3", "tensorflow/python/",
                                                          "__autograph_generated_file"};
  if (file.empty()) return false;
  // "<frozen importlib>", "<embedded ...>"; a cell of a notebook is the user's.
  if (file[0] == '<' && !file.starts_with("<ipython-input")) return false;
  return std::ranges::none_of(
      kInstalled, [&](std::string_view part) { return file.find(part) != std::string_view::npos; });
}

uint64_t Fixed(pbf_reader& reader) {
  if (reader.wire_type() != protozero::pbf_wire_type::fixed64) {
    reader.skip();
    return 0;
  }
  return reader.get_fixed64();
}

int32_t Number(pbf_reader& reader) {
  const int64_t number = Varint(reader);
  return number > 0 && number <= INT32_MAX ? static_cast<int32_t>(number) : 0;
}

// An entry of a map: from a text or a number, to a message or a number.
struct TraceEntry {
  std::string_view name;
  uint64_t id = 0;
  std::string_view message;
  uint64_t number = 0;
};

TraceEntry ReadEntry(std::string_view bytes) {
  TraceEntry entry;
  pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    const bool text = reader.wire_type() == protozero::pbf_wire_type::length_delimited;
    if (reader.tag() == 1 && text) {
      entry.name = Bytes(reader);
    } else if (reader.tag() == 1) {
      entry.id = Fixed(reader);
    } else if (reader.tag() == 2 && text) {
      entry.message = Bytes(reader);
    } else if (reader.tag() == 2) {
      entry.number = Fixed(reader);
    } else {
      reader.skip();
    }
  }
  return entry;
}

}  // namespace

absl::Status NodeLocations::Counted() {
  if (++entries_ <= kMaxEntries) return absl::OkStatus();
  return InvalidInput(
      fmt::format("found more than {} files, frames and stacks, which no model has", kMaxEntries));
}

absl::Status NodeLocations::ReadFields(std::string_view debug_info) {
  pbf_reader reader = Reader(debug_info);
  while (reader.next()) {
    const uint32_t tag = reader.tag();  // reading its value ends it
    if (tag == DebugInfo::kFilesFieldNumber) {
      files_.push_back(Bytes(reader));
    } else {
      const TraceEntry entry = ReadEntry(Bytes(reader));
      if (tag == DebugInfo::kFramesByIdFieldNumber) {
        frames_.try_emplace(entry.id, entry.message);
      } else if (tag == DebugInfo::kTracesByIdFieldNumber) {
        traces_by_id_.try_emplace(entry.id, Trace{entry.message, {}});
      } else if (tag == DebugInfo::kNameToTraceIdFieldNumber) {
        trace_ids_.try_emplace(entry.name, entry.number);
      } else if (tag == DebugInfo::kTracesFieldNumber) {
        traces_.try_emplace(entry.name, Trace{entry.message, {}});
      }
    }
    TW_RETURN_IF_ERROR(Counted());
  }
  return absl::OkStatus();
}

absl::Status NodeLocations::Read(std::string_view debug_info) {
  absl::Status read = Fenced("GraphDebugInfo", [&] { return ReadFields(debug_info); });
  if (!read.ok()) *this = NodeLocations(std::move(file_));
  return read;
}

NodeLocations::Frame NodeLocations::ReadFrame(std::string_view bytes) const {
  Frame frame;
  int64_t file = 0;
  pbf_reader reader = Reader(bytes);
  while (reader.next()) {
    switch (reader.tag()) {
      case DebugInfo::FileLineCol::kFileIndexFieldNumber:
        file = Varint(reader);
        break;
      case DebugInfo::FileLineCol::kLineFieldNumber:
        frame.line = Number(reader);
        break;
      case DebugInfo::FileLineCol::kColFieldNumber:
        frame.column = Number(reader);
        break;
      case DebugInfo::FileLineCol::kFuncFieldNumber:
        frame.in_function = true;
        reader.skip();
        break;
      default:
        reader.skip();
    }
  }
  if (file >= 0 && std::cmp_less(file, files_.size())) {
    frame.file = files_[file];
  }
  return frame;
}

// Stacks that TensorFlow's Python wrote begin with the innermost frame, and
// their frames name no function; its C++ writes them as Python shows them, the
// innermost last.
NodeLocations::Frame NodeLocations::UserFrame(std::string_view trace) const {
  std::vector<Frame> frames;
  const auto add = [&](uint64_t id) {
    const auto frame = frames_.find(id);
    if (frame != frames_.end()) frames.push_back(ReadFrame(frame->second));
  };
  bool innermost_last = true;
  pbf_reader reader = Reader(trace);
  while (reader.next()) {
    if (reader.tag() == DebugInfo::StackTrace::kFileLineColsFieldNumber) {
      frames.push_back(ReadFrame(Bytes(reader)));
      innermost_last = frames.back().in_function;
    } else if (reader.tag() != DebugInfo::StackTrace::kFrameIdFieldNumber) {
      reader.skip();
    } else if (reader.wire_type() == protozero::pbf_wire_type::length_delimited) {
      for (const uint64_t id : reader.get_packed_fixed64()) add(id);
    } else {
      add(Fixed(reader));
    }
  }
  if (innermost_last) std::ranges::reverse(frames);
  const auto user = std::ranges::find_if(
      frames, [](const Frame& frame) { return frame.line > 0 && IsUserCode(frame.file); });
  return user == frames.end() ? Frame{} : *user;
}

NodeLocations::Trace* NodeLocations::Find(const std::string& key) const {
  const auto trace = traces_.find(key);
  if (trace != traces_.end()) return &trace->second;
  const auto id = trace_ids_.find(key);
  if (id == trace_ids_.end()) return nullptr;
  const auto by_id = traces_by_id_.find(id->second);
  return by_id == traces_by_id_.end() ? nullptr : &by_id->second;
}

Location NodeLocations::Of(std::string_view node, std::string_view function) const {
  Location place;
  place.file = file_;
  place.item = node;
  if (traces_.empty() && trace_ids_.empty()) return place;
  Trace* trace = Find(fmt::format("{}@{}", node, function));
  if (trace == nullptr && function.empty()) trace = Find(place.item);
  if (trace == nullptr) return place;
  if (!trace->user) {
    trace->user = Frame{};
    try {
      trace->user = UserFrame(trace->bytes);
    } catch (const protozero::exception&) {  // as one without frames
    }
  }
  if (trace->user->line == 0) return place;
  place.file = trace->user->file;
  place.line = trace->user->line;
  place.column = trace->user->column;
  return place;
}

std::string_view DebugInfoOf(std::string_view graph_def) {
  std::string_view found;
  try {
    pbf_reader reader = Reader(graph_def);
    while (reader.next(tensorflow::GraphDef::kDebugInfoFieldNumber)) {
      found = Bytes(reader);
    }
  } catch (const protozero::exception&) {
    return {};  // what reads the graph says what is wrong
  }
  return found;
}

}  // namespace tilewise::tf
