// --dump-lowering: the program after every pass, as text.

#pragma once

#include <string>

#include "base/status.h"
#include "cli/subject.h"

namespace tilewise {

// Lowers the subject's model once more and writes 00_source.txt and one file
// per pass that ran, named after its place in the list and its name. The folder
// is made if there is none; nothing happens when it is empty. Errors: what
// cannot be written.
absl::Status DumpLowering(const Subject& subject, const std::string& folder);

}  // namespace tilewise
