// Edits made in the bytes of files.

#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/status.h"
#include "workload/workload.h"

namespace tilewise {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// What files hold or are to hold, by path.
using FileTexts = std::map<std::string, std::string>;

// Whether two edits are of one text and share a byte, or where one inserts the
// other begins or ends: applying both could give another text than their
// authors meant.
bool Collide(const TextEdit& a, const TextEdit& b);

// `bytes` of `file` with the edits made; a byte order mark stays, and new lines
// end as the file's do. Errors: edits that overlap or reach beyond the text, a
// file whose bytes are not the text that was read (the model inside of an
// archive).
absl::StatusOr<std::string> EditBytes(const SourceFile& file, std::string_view bytes,
                                      std::vector<TextEdit> edits);

// The same for all files that the edits are of. Errors: a file that is not
// among `files` and `texts`.
absl::StatusOr<FileTexts> EditFiles(std::span<const SourceFile> files, FileTexts texts,
                                    std::span<const TextEdit> edits);

}  // namespace tilewise
