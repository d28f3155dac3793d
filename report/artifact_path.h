// Paths of the user's files as other programs want them: relative to the root
// of the sources.

#pragma once

#include <string>
#include <string_view>

namespace tilewise {

// Without "./" and "..", relative to `root` where the path is below it.
std::string ArtifactPath(std::string_view path, std::string_view root);

// The same as a URI (RFC 3986): all but unreserved characters and slashes
// percent-encoded; "file://" before a path that is absolute.
std::string ArtifactUri(std::string_view path, std::string_view root);

}  // namespace tilewise
