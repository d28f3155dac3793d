// The tables of a study.

#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "tuner/study/database.h"

namespace tilewise {

// This number is raised when a table changes.
inline constexpr int64_t kStudySchemaVersion = 1;

// A database whose tables are those of this version; with write access they are
// made where there are none. Errors: those of OpenDatabase; tables of another
// version, a database of something else, both left as they are.
absl::StatusOr<std::unique_ptr<Database>> OpenStudyDatabase(const std::string& where,
                                                            Access access);

}  // namespace tilewise
