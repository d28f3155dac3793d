// One reader per format. Each is asked whether a file's first bytes are its own,
// and reads what is there: of a file that ends early, the part before the end.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "profile/profile.h"
#include "profile/readers/byte_source.h"

namespace tilewise {

// What a reader that needs all bytes at once takes.
inline constexpr size_t kMostProfileBytes = size_t{4} << 30;
inline constexpr size_t kMostToolBytes = size_t{256} << 20;
inline constexpr int kDeepestNode = 100;

inline constexpr Seconds SecondsOfMs(double milliseconds) { return {milliseconds * 1e-3}; }

// Errors: not of the format after all. `name`: the file's, a hint where several
// protobufs look alike.
absl::StatusOr<Profile> ReadChromeTrace(ByteSource& source);
absl::StatusOr<Profile> ReadXSpace(ByteSource& source);
absl::StatusOr<Profile> ReadRunMetadata(ByteSource& source);
absl::StatusOr<Profile> ReadRunMetadataText(ByteSource& source);
absl::StatusOr<Profile> ReadTraceProto(ByteSource& source);
absl::StatusOr<Profile> ReadToolJson(ByteSource& source);
absl::StatusOr<Profile> ReadOverviewPage(ByteSource& source);
absl::StatusOr<Profile> ReadInputPipeline(ByteSource& source);
absl::StatusOr<Profile> ReadTfStats(ByteSource& source);
absl::StatusOr<Profile> ReadOpProfile(ByteSource& source);
absl::StatusOr<Profile> ReadMemoryPprof(ByteSource& source);
absl::StatusOr<Profile> ReadMlperfLog(ByteSource& source);

struct ProfileFormat {
  std::string_view name;     // "xspace"
  std::string_view summary;  // for `list`
  // How well the first bytes fit: 0: not at all, 1: perhaps, 2: surely.
  int (*fits)(std::string_view head, std::string_view file_name);
  absl::StatusOr<Profile> (*read)(ByteSource& source);
};

// Returns the formats in the order in which they are asked.
std::span<const ProfileFormat> ProfileFormats();

}  // namespace tilewise
