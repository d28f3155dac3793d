// The bytes of a trace in the order of the file, inflated where they are gzip,
// without holding more than a part of them.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tilewise {

class ByteSource {
 public:
  // Errors: no readable regular file.
  static absl::StatusOr<ByteSource> Open(const std::string& path);
  // `bytes` outlive it.
  static ByteSource Of(std::string_view bytes);

  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  ~ByteSource();

  // Reads up to `size` further bytes; 0 at the end.
  size_t Read(char* to, size_t size);
  // The first bytes, inflated, which stay to be read; up to 64 KiB.
  std::string_view Head();
  // Returns all bytes that are still to be read, from memory: of the file as it is mapped, or
  // inflated up to `most`. They are valid as long as this object.
  std::string_view All(size_t most);
  // Pages of a mapped file before `to` are not needed any more.
  void Drop(const char* to);
  // Drops all other pages until they are read again; reading goes on at `from`. A reader of single
  // parts of a file would have far more of it in memory otherwise.
  void Rewind(const char* from);

  bool gzipped() const;
  size_t file_size() const;
  // Returns why the bytes ended before their end; empty: they did not.
  const std::string& problem() const;

 private:
  struct State;
  explicit ByteSource(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tilewise
