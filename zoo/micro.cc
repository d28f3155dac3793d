// Parameters that micro-workloads share.

#include "zoo/micro.h"

#include <fmt/format.h>

namespace tilewise {

int64_t PrecisionPasses(const ZooSpec& spec) {
  const std::string_view word = spec.Word("precision");
  if (word == "highest") return 6;
  return word == "high" ? 3 : 1;
}

absl::StatusOr<int64_t> ElementsOf(const ZooSpec& spec) {
  const int64_t bytes = spec.Integer("bytes");
  const int64_t bits = BitWidth(spec.Type("dtype"));
  if (8 * bytes % bits == 0) return 8 * bytes / bits;
  return InvalidInput(
      fmt::format("parameter 'bytes': found {}, expected a multiple of {}", bytes, bits / 8));
}

}  // namespace tilewise
