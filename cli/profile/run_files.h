// The files of one run among what the user names: folders of profiles are
// opened, and what repeats another file is left out.

#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"

namespace tilewise {

struct RunFiles {
  std::vector<std::string> files;
  std::vector<std::string> notes;  // what was left out, and why
};

// Folders that hold profiles (LOGDIR/plugins/profile/TIME/HOST.TOOL) are replaced
// by the files of their latest run. Of files that say the same of one host the
// most detailed one is kept: an XSpace, else its trace, else a tool's summary.
RunFiles FilesOfRun(const std::vector<std::string>& paths);

// All files as one profile; at least one. Errors: those of the readers; devices of
// several kinds, which are not of one run.
absl::StatusOr<Profile> ReadRun(const std::vector<std::string>& files);

}  // namespace tilewise
