// A table of names.

#include "sim/lowering/xla_flags.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr std::pair<std::string_view, bool XlaFlags::*> kFlags[] = {
    {"xla_lhs_prioritize_async_depth_over_stall", &XlaFlags::copies_across_trips},
    {"xla_tpu_decompose_all_gather_einsum", &XlaFlags::gathers_in_pieces},
    {"xla_tpu_enable_ag_backward_pipelining", &XlaFlags::slice_gathers_across_trips},
};

constexpr std::string_view kSpace = " \t\r\n";

absl::StatusOr<bool> ParseSwitch(std::string_view flag, std::string_view value) {
  if (value == "true" || value == "1" || value == "ENABLED") return true;
  if (value == "false" || value == "0" || value == "DISABLED") return false;
  return InvalidInput(fmt::format("found --{}={}, expected true or false", flag, value));
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
