// The attributes of an HDF5 file's root group, read from its bytes. Format:
// HDF5 File Format Specification 3.0. The HDF5 library is not used, as it does
// not defend itself against files that were tampered with.

#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tilewise {

// Whether the signature stands at the start, or after a user block.
bool HasHdf5Signature(std::string_view bytes);

// Returns those of `names` that are there and are texts: strings of fixed and
// of variable length; the strings of an array are joined. Errors: damaged
// headers, with the byte; attributes in a fractal heap, which only files with
// more than eight, or with one above 64 KiB of the newest version, have.
absl::StatusOr<std::map<std::string, std::string>> RootAttributes(
    std::string_view bytes, std::span<const std::string_view> names);

}  // namespace tilewise
