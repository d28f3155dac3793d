// Looks up source locations by frame.

#include "frontend/hlo/stack_frames.h"

#include <algorithm>
#include <limits>

namespace tilewise::hlo {
namespace {

template <typename T>
const T* Row(const std::vector<T>& rows, int64_t id) {
  const bool exists = id >= 1 && id <= static_cast<int64_t>(rows.size());
  return exists ? &rows[id - 1] : nullptr;
}

int32_t Narrow(int64_t number) {
  return static_cast<int32_t>(std::clamp<int64_t>(number, 0, std::numeric_limits<int32_t>::max()));
}

}  // namespace

void StackFrames::Locate(int64_t id, Metadata& metadata) const {
  if (!metadata.source_file.empty()) return;
  const int64_t* place = Row(frames, id);
  if (place == nullptr) return;
  const FileLocation* location = Row(locations, *place);
  if (location == nullptr) return;
  const std::string_view* file = Row(files, location->file);
  if (file == nullptr) return;
  metadata.source_file = *file;
  metadata.source_line = Narrow(location->line);
  metadata.source_column = Narrow(location->column);
}

}  // namespace tilewise::hlo
