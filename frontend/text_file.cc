// Looks at a bounded start; only CopyText touches the whole file.

#include "frontend/text_file.h"

#include <fmt/format.h>

namespace tilewise {
namespace {

constexpr size_t kStart = size_t{64} << 10;
constexpr size_t kLargestTextFile = size_t{256} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

std::string_view WithoutMark(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) {
    bytes.remove_prefix(kByteOrderMark.size());
  }
  return bytes;
}

bool LooksLikeText(const InputFile& file) {
  return file.bytes.substr(0, kStart).find('\0') == std::string_view::npos;
}

char FirstCharacter(const InputFile& file) {
  const std::string_view start = WithoutMark(file.bytes).substr(0, kStart);
  const size_t first = start.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? '\0' : start[first];
}

absl::StatusOr<std::string> CopyText(const InputFile& file) {
  if (file.bytes.size() > kLargestTextFile) {
    return InvalidInput(
        fmt::format("{}: found more than 256 MiB, expected a model or script of at most "
                    "256 MiB",
                    file.path));
  }
  return std::string(WithoutMark(file.bytes));
}

}  // namespace tilewise
