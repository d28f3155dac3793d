// What the XML formats share: text inside XML, and findings in groups of one
// file.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/report.h"

namespace tilewise {

// Escapes text for attributes in double quotes and for content: markup is
// escaped, line ends are kept as references, and what XML 1.0 cannot hold
// (control characters, bytes that are not UTF-8) is replaced by U+FFFD.
std::string EscapeXml(std::string_view text);

struct FileFindings {
  std::string file;  // as an artifact path
  std::vector<const Diagnostic*> findings;
};

// Groups findings by file name; they keep their order. Programs and files
// without findings have a group too, an empty one, so that a reader sees that
// they were looked at. A finding without a file is in the group of the
// workload.
std::vector<FileFindings> GroupByFile(const Report& report, const RenderOptions& options);

}  // namespace tilewise
