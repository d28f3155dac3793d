// The machine that a program is lowered for and simulated on.

#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "cli/options/arguments.h"
#include "cli/options/config_options.h"
#include "hardware/mesh.h"
#include "hardware/target.h"

namespace tilewise {

struct TargetOptions {
  std::string chip;
  bool chip_given = false;  // else it is the default
  int64_t cores = 0;        // 0: those of the mesh, or the smallest slice
  std::string host;         // empty: the chip's
  Mesh mesh;
};

inline constexpr char kTargetGroup[] = "Target";
inline constexpr int64_t kMaxCores = 16384;

void Add(Arguments& arguments, TargetOptions& options);

// Errors: an unknown chip or host, with the known ones and where it was named;
// cores that make no mesh.
absl::StatusOr<Target> TargetOf(const TargetOptions& options, const Origins& origins);

}  // namespace tilewise
