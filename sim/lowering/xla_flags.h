// Flags of XLA that change what a step costs.

#pragma once

#include <string_view>

#include "base/status.h"

namespace tilewise {

struct XlaFlags {
  // Gathers of what tensor parallelism keeps in parts run piece by piece beside
  // the products that want them (xla_tpu_decompose_all_gather_einsum).
  bool gathers_in_pieces = false;
  // Of a loop over layers: copies to and from the memory of the host run from
  // one iteration into the next (xla_lhs_prioritize_async_depth_over_stall).
  bool copies_across_trips = false;
  // The same of gathers between slices (xla_tpu_enable_ag_backward_pipelining,
  // which leaves those on the links within a slice alone).
  bool slice_gathers_across_trips = false;
};

// "--xla_tpu_decompose_all_gather_einsum=true ...", separated by white space,
// as in LIBTPU_INIT_ARGS. Flags that nothing here depends on are passed over,
// and of two settings of one flag the last counts, as in XLA. Errors: a word
// that does not begin with --; a value that the flag cannot have.
absl::StatusOr<XlaFlags> ParseXlaFlags(std::string_view text);

}  // namespace tilewise
