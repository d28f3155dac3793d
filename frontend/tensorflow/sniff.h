// Tells the files of TensorFlow from others, by a bounded part of their
// content.

#pragma once

#include <cstdint>
#include <string_view>

namespace tilewise::tf {

enum class FileKind : uint8_t {
  kNone,
  kGraphDef,
  kFunctionLibrary,
  kMetaGraph,
  kSavedModel,
};

struct FileForm {
  FileKind kind = FileKind::kNone;
  bool text = false;
};

FileForm Sniff(std::string_view bytes);

// The modelTopology of TensorFlow.js with nodes rather than layers.
bool LooksLikeJsGraph(std::string_view bytes);

}  // namespace tilewise::tf
