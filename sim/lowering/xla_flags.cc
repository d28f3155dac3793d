// A table of names; the last of two settings of one flag counts, as in XLA.

#include "sim/lowering/xla_flags.h"

#include <algorithm>
#include <utility>

namespace tilewise {
namespace {

constexpr std::pair<std::string_view, bool LowerOptions::*> kFlags[] = {
    {"xla_tpu_decompose_all_gather_einsum", &LowerOptions::gathers_in_pieces},
};

// "--name=value" or "--name", which is true.
void ReadFlag(std::string_view flag, LowerOptions& options) {
  while (flag.starts_with('-')) flag.remove_prefix(1);
  const size_t equals = flag.find('=');
  const std::string_view name = flag.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? "true" : flag.substr(equals + 1);
  for (const auto& [known, field] : kFlags) {
    if (name == known) {
      options.*field = value == "true" || value == "1" || value == "ENABLED";
    }
  }
}

}  // namespace

void ReadXlaFlags(std::string_view flags, LowerOptions& options) {
  while (!flags.empty()) {
    const size_t end = std::min(flags.find(' '), flags.size());
    ReadFlag(flags.substr(0, end), options);
    flags.remove_prefix(std::min(end + 1, flags.size()));
  }
}

}  // namespace tilewise
