// Each list is checked alone, so that the message can name its option.

#include "cli/selection.h"

namespace tilewise {

absl::StatusOr<RuleSelection> SelectionOf(const Options& options) {
  TW_RETURN_IF_ERROR(Annotate(
      CheckSelection({.select = options.select, .ignore = {}}), "--select"));
  TW_RETURN_IF_ERROR(Annotate(
      CheckSelection({.select = {}, .ignore = options.ignore}), "--ignore"));
  return RuleSelection{.select = options.select, .ignore = options.ignore};
}

}  // namespace tilewise
