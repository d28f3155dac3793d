// Python scripts and Jupyter notebooks -> Workload, without running them.

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "frontend/load.h"
#include "workload/workload.h"

namespace tilewise {

bool LooksLikePython(std::string_view path, std::string_view text);
bool LooksLikeNotebook(std::string_view path, std::string_view text);

absl::StatusOr<Workload> ReadPython(const std::string& path,
                                    const std::string& text,
                                    const LoadOptions& options);
// Code cells in order, lines of magics blanked.
absl::StatusOr<Workload> ReadNotebook(const std::string& path,
                                      const std::string& text,
                                      const LoadOptions& options);

}  // namespace tilewise
