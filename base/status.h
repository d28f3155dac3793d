// Error propagation on absl::Status: two macros, and one function to add
// context.
//
// A failure is an absl::Status whose message says what was found, what was
// expected and where, in lower case and without a full stop. Each layer adds
// its context at most once, through Annotate.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <absl/status/status.h>
#include <absl/status/statusor.h>

namespace tilewise {

// "context: message", same code. Status text is std::string here because
// Debian's absl::string_view is not std::string_view.
inline absl::Status Annotate(const absl::Status& status, std::string_view context) {
  if (status.ok()) return status;
  return absl::Status(
      status.code(),
      std::string(context) + ": " + std::string(status.message().data(), status.message().size()));
}

inline std::string Message(const absl::Status& status) {
  return std::string(status.message().data(), status.message().size());
}

inline absl::Status InvalidInput(const std::string& message) {
  return absl::InvalidArgumentError(message);
}

}  // namespace tilewise

#define TW_CONCAT_INNER(a, b) a##b
#define TW_CONCAT(a, b) TW_CONCAT_INNER(a, b)

#define TW_RETURN_IF_ERROR(expr)           \
  do {                                     \
    absl::Status tw_status = (expr);       \
    if (!tw_status.ok()) return tw_status; \
  } while (false)

#define TW_ASSIGN_OR_RETURN(lhs, expr) \
  TW_ASSIGN_OR_RETURN_IMPL(TW_CONCAT(tw_result_, __LINE__), lhs, expr)
#define TW_ASSIGN_OR_RETURN_IMPL(result, lhs, expr) \
  auto result = (expr);                             \
  if (!result.ok()) return result.status();         \
  lhs = std::move(result).value()
