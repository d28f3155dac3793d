// Traces and profiles of all formats, recognised by what they hold.

#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "profile/profile.h"

namespace tilewise {

// Errors: no readable file; of no format that is known; nothing in it that can
// be read. A file that is cut or partly damaged is read as far as it goes, and
// the notes say so.
absl::StatusOr<Profile> ReadProfile(const std::string& path);
// The same of bytes; `name` is a hint where formats look alike.
absl::StatusOr<Profile> ReadProfileBytes(std::string_view bytes, std::string_view name);

// Whether the file at `path` is one that ReadProfile takes.
bool LooksLikeProfile(const std::string& path);

}  // namespace tilewise
