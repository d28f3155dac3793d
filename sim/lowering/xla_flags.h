// Flags of XLA that change what a step costs.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace tilewise {

struct XlaFlags {
  // Gathers of what tensor parallelism keeps in parts run piece by piece during
  // the matmuls that want them (xla_tpu_decompose_all_gather_einsum).
  bool gathers_in_pieces = false;
  // Gathers stay gathers where the compiler would make them as sums
  // (xla_tpu_prefer_async_allgather_to_allreduce).
  bool prefers_gathers = false;
  // Matmuls whose weights are gathered, or whose results are scattered, run in pieces around the
  // ring of the cores that share them (xla_tpu_all_gather_collective_matmul_mode,
  // xla_tpu_reduce_scatter_collective_matmul_mode: other than none) ..
  bool gathers_around_ring = false;
  bool scatters_around_ring = false;
  // .. where results have so many MiB (xla_jf_spmd_threshold_for_windowed_einsum_mib).
  int32_t least_ring_mib = 0;
  // Copies to and from the memory of the host run from one iteration of a loop over layers into the
  // next (xla_lhs_prioritize_async_depth_over_stall).
  bool copies_across_trips = false;
  // The same of gathers between slices (xla_tpu_enable_ag_backward_pipelining,
  // which leaves those on the links within a slice alone).
  bool slice_gathers_across_trips = false;
  // Collectives of a layer run one after the other beside its kernels, so that its whole gradients
  // do not all wait for its end (xla_tpu_enable_latency_hiding_layer_scheduler).
  bool schedules_by_layer = false;
  // SparseCores sum gradients to parts beside the kernels
  // (xla_tpu_enable_sparse_core_collective_offload_reduce_scatter).
  bool scatters_on_sparse_cores = false;
  // SparseCores sum gradients beside the kernels, whole and not in place
  // (xla_tpu_enable_sparse_core_collective_offload_all_reduce).
  bool sums_on_sparse_cores = false;
  // The scheduler looks at what is alive, and lets values end early when it nears
  // its limit (xla_tpu_enable_scheduler_memory_pressure_tracking).
  bool tracks_memory = false;
  // That limit, as a share of HBM in percent; 0: not stated
  // (xla_tpu_scheduler_percent_shared_memory_limit).
  int32_t memory_percent = 0;
  // Barriers that keep second runs of kernels behind a gradient are gone before kernels are ordered
  // (xla_tpu_aggressive_opt_barrier_removal); none: not stated.
  std::optional<bool> removes_barriers;
  // The state of the clock, 0 to 7 (xla_tpu_dvfs_p_state). What the compiler
  // asks for unless told is 3: published steps with and without it are alike.
  int32_t clock_state = kUsualClock;
  static constexpr int32_t kUsualClock = 3;
  static constexpr int32_t kTopClock = 7;

  bool operator==(const XlaFlags&) const = default;

  // Values wait for nothing that HBM has no room for.
  bool ends_values_early() const { return tracks_memory && memory_percent <= 100; }
};

// "--xla_tpu_decompose_all_gather_einsum=true ...", separated by white space,
// as in LIBTPU_INIT_ARGS. Flags that nothing here depends on are passed over,
// and of two settings of one flag the last counts, as in XLA. Errors: a word
// that does not begin with --; a value that the flag cannot have.
absl::StatusOr<XlaFlags> ParseXlaFlags(std::string_view text);

}  // namespace tilewise
