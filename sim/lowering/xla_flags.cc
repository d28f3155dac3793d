// A table of names.

#include "sim/lowering/xla_flags.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr std::pair<std::string_view, bool XlaFlags::*> kFlags[] = {
    {"xla_lhs_prioritize_async_depth_over_stall", &XlaFlags::copies_across_trips},
    {"xla_tpu_decompose_all_gather_einsum", &XlaFlags::gathers_in_pieces},
    {"xla_tpu_enable_ag_backward_pipelining", &XlaFlags::slice_gathers_across_trips},
    {"xla_tpu_enable_latency_hiding_layer_scheduler", &XlaFlags::schedules_by_layer},
    {"xla_tpu_enable_scheduler_memory_pressure_tracking", &XlaFlags::tracks_memory},
    {"xla_tpu_enable_sparse_core_collective_offload_all_reduce", &XlaFlags::sums_on_sparse_cores},
    {"xla_tpu_enable_sparse_core_collective_offload_reduce_scatter",
     &XlaFlags::scatters_on_sparse_cores},
    {"xla_tpu_prefer_async_allgather_to_allreduce", &XlaFlags::prefers_gathers},
};

// These are other than none for collective matmuls.
constexpr std::pair<std::string_view, bool XlaFlags::*> kModes[] = {
    {"xla_tpu_all_gather_collective_matmul_mode", &XlaFlags::gathers_around_ring},
    {"xla_tpu_reduce_scatter_collective_matmul_mode", &XlaFlags::scatters_around_ring},
};

constexpr std::string_view kLeastRing = "xla_jf_spmd_threshold_for_windowed_einsum_mib";
constexpr int32_t kMostMebibytes = 1'000'000'000;

constexpr std::string_view kMemoryPercent = "xla_tpu_scheduler_percent_shared_memory_limit";
constexpr int32_t kMostPercent = 100'000;
constexpr std::string_view kClockState = "xla_tpu_dvfs_p_state";

constexpr std::string_view kRemovesBarriers = "xla_tpu_aggressive_opt_barrier_removal";

constexpr std::string_view kSpace = " \t\r\n";

absl::StatusOr<bool> ParseSwitch(std::string_view flag, std::string_view value) {
  if (value == "true" || value == "1" || value == "ENABLED") return true;
  if (value == "false" || value == "0" || value == "DISABLED") return false;
  return InvalidInput(fmt::format("found --{}={}, expected true or false", flag, value));
}

absl::StatusOr<int32_t> ParseWhole(std::string_view flag, std::string_view value, int32_t least,
                                   int32_t most) {
  int32_t number = 0;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool is_whole = error == std::errc() && rest == value.data() + value.size();
  if (is_whole && number >= least && number <= most) return number;
  return InvalidInput(fmt::format("found --{}={}, expected a whole number from {} to {}", flag,
                                  value, least, most));
}

// "--name=value" or "--name", which is true.
absl::Status ReadFlag(std::string_view word, XlaFlags& flags) {
  if (!word.starts_with("--")) {
    return InvalidInput(fmt::format("found '{}', expected flags of XLA, each with its --", word));
  }
  word.remove_prefix(2);
  const size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? "true" : word.substr(equals + 1);
  if (name == kMemoryPercent) {
    TW_ASSIGN_OR_RETURN(flags.memory_percent, ParseWhole(name, value, 1, kMostPercent));
  }
  if (name == kLeastRing) {
    TW_ASSIGN_OR_RETURN(flags.least_ring_mib, ParseWhole(name, value, 0, kMostMebibytes));
  }
  for (const auto& [known, field] : kModes) {
    if (name == known) flags.*field = value != "none" && value != "NONE";
  }
  // The compiler's own choice, as if the flag were not there.
  const bool is_auto = value == "auto" || value == "AUTO";
  if (name == kRemovesBarriers && is_auto) flags.removes_barriers.reset();
  if (is_auto) return absl::OkStatus();
  if (name == kRemovesBarriers) {
    TW_ASSIGN_OR_RETURN(flags.removes_barriers, ParseSwitch(name, value));
  }
  if (name == kClockState) {
    TW_ASSIGN_OR_RETURN(flags.clock_state, ParseWhole(name, value, 0, XlaFlags::kTopClock));
  }
  for (const auto& [known, field] : kFlags) {
    if (name != known) continue;
    TW_ASSIGN_OR_RETURN(flags.*field, ParseSwitch(name, value));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<XlaFlags> ParseXlaFlags(std::string_view text) {
  XlaFlags flags;
  size_t begin = text.find_first_not_of(kSpace);
  while (begin != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(kSpace, begin), text.size());
    TW_RETURN_IF_ERROR(ReadFlag(text.substr(begin, end - begin), flags));
    begin = text.find_first_not_of(kSpace, end);
  }
  return flags;
}

}  // namespace tilewise
