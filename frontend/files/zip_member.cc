// The directory's sizes are not believed: inflating stops at the limit.

#include "frontend/files/zip_member.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <zip.h>

#include "frontend/files/byte_cursor.h"

namespace tilewise {
namespace {

constexpr uint64_t kMostMembers = 100'000;

zip_t* Archive(void* archive) { return static_cast<zip_t*>(archive); }

// Members as the end of the directory counts them, before anything is made for
// each of them. The end stands in the last 64 KiB; archives with 65,535 members
// or more count them in a record before it.
uint64_t CountMembers(std::string_view bytes) {
  constexpr size_t kLongestEnd = (size_t{64} << 10) + 22;
  const size_t from = bytes.size() - std::min(bytes.size(), kLongestEnd);
  const std::string_view tail = bytes.substr(from);
  const size_t end = tail.rfind("PK\x05\x06");
  if (end == std::string_view::npos) return 0;
  ByteCursor at(tail, end + 10);
  const uint64_t count = at.Number(2);
  if (count != 0xFFFF) return count;
  const size_t large = tail.rfind("PK\x06\x06");
  if (large == std::string_view::npos) return count;
  return ByteCursor(tail, large + 32).Number(8);
}

struct FileCloser {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

}  // namespace

void ZipArchive::Closer::operator()(void* archive) const { zip_discard(Archive(archive)); }

absl::StatusOr<ZipArchive> ZipArchive::Open(std::string_view bytes) {
  const uint64_t members = CountMembers(bytes);
  if (members > kMostMembers) {
    return InvalidInput(fmt::format("found a zip archive of {} members, expected at most {}",
                                    members, kMostMembers));
  }
  zip_error_t error;
  zip_error_init(&error);
  // Not freed by libzip (0), and only read.
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
  if (archive == nullptr && source != nullptr) zip_source_free(source);
  const std::string problem = zip_error_strerror(&error);
  zip_error_fini(&error);
  if (archive == nullptr) {
    return InvalidInput(fmt::format("damaged zip archive ({}), expected a whole one", problem));
  }
  return ZipArchive(archive);
}

absl::StatusOr<std::optional<std::string>> ZipArchive::Read(const std::string& name,
                                                            size_t limit) const {
  zip_t* archive = Archive(archive_.get());
  const zip_int64_t index = zip_name_locate(archive, name.c_str(), ZIP_FL_ENC_RAW);
  if (index < 0) return std::optional<std::string>();
  const std::unique_ptr<zip_file_t, FileCloser> file(
      zip_fopen_index(archive, static_cast<zip_uint64_t>(index), 0));
  if (file == nullptr) {
    return InvalidInput(
        fmt::format("{}: cannot be inflated, expected plain or deflated data "
                    "without a password",
                    name));
  }
  std::string text;
  std::array<char, 1 << 14> block;
  for (;;) {
    const zip_int64_t got = zip_fread(file.get(), block.data(), block.size());
    if (got < 0) {
      return InvalidInput(fmt::format("{}: damaged data in the archive", name));
    }
    if (got == 0) return std::optional<std::string>(std::move(text));
    text.append(block.data(), got);
    if (text.size() > limit) {
      return InvalidInput(fmt::format("{}: found more than {} bytes, expected fewer", name, limit));
    }
  }
}

}  // namespace tilewise
