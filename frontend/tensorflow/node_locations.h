// Tells where nodes stand. GraphDebugInfo, which TensorFlow writes next to a
// SavedModel (SaveOptions(save_debug_info=True)) or into a GraphDef, has the
// stack of Python frames that made each of them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/location.h"
#include "base/status.h"

namespace tilewise::tf {

class NodeLocations {
 public:
  explicit NodeLocations(std::string file) : file_(std::move(file)) {}

  // Reads a GraphDebugInfo, which must outlive this; nothing when it is empty.
  // Errors, after which nothing of it is used: malformed fields, more entries
  // than any model has.
  absl::Status Read(std::string_view debug_info);

  const std::string& file() const { return file_; }
  // The line of the user's program that made a node of a function (empty: of
  // the graph itself), which is the innermost frame of its stack that is not of
  // an installed package; without one, its name in the model's file.
  Location Of(std::string_view node, std::string_view function) const;

 private:
  struct Frame {
    std::string_view file;
    int32_t line = 0;
    int32_t column = 0;
    bool in_function = false;  // the frame names its function
  };
  // A StackTrace, looked into when it is asked for: none: not yet.
  struct Trace {
    std::string_view bytes;
    std::optional<Frame> user;
  };

  absl::Status ReadFields(std::string_view debug_info);
  absl::Status Counted();
  Trace* Find(const std::string& key) const;
  Frame UserFrame(std::string_view trace) const;
  Frame ReadFrame(std::string_view bytes) const;

  std::string file_;
  size_t entries_ = 0;
  std::vector<std::string_view> files_;
  // Frames name their file by number; they stay encoded, as the list of files
  // may come after them.
  absl::flat_hash_map<uint64_t, std::string_view> frames_;
  absl::flat_hash_map<std::string_view, uint64_t> trace_ids_;  // by node
  mutable absl::flat_hash_map<uint64_t, Trace> traces_by_id_;
  mutable absl::flat_hash_map<std::string_view, Trace> traces_;  // by node
};

// The GraphDebugInfo inside a GraphDef; empty: it has none.
std::string_view DebugInfoOf(std::string_view graph_def);

}  // namespace tilewise::tf
