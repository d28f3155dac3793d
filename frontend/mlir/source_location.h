// Tells where an operation comes from by what stands in loc(...):
// "name"("file":3:5), fused<..>[..], callsite(.. at ..), and aliases of them
// that may be defined anywhere in the file.

#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include <absl/container/flat_hash_map.h>

namespace tilewise::mlir {

struct SourceName {
  std::string_view name;  // "jit(f)/jit(main)/add"; empty: none is given
  std::string_view file;
  int32_t line = 0;
  int32_t column = 0;
};

class SourceLocations {
 public:
  using Aliases = absl::flat_hash_map<std::string_view, std::string_view>;

  // Views go into the text of the file, or into `texts` where the text has
  // escapes.
  SourceLocations(const Aliases& aliases, std::deque<std::string>& texts)
      : aliases_(aliases), texts_(texts) {}

  // The outermost name and the innermost location. Aliases that are missing or
  // that go in a circle end the search.
  const SourceName& Find(std::string_view location);

 private:
  SourceName Read(std::string_view location);
  std::string_view Plain(std::string_view quoted);

  const Aliases& aliases_;
  std::deque<std::string>& texts_;
  absl::flat_hash_map<std::string_view, SourceName> known_;
};

}  // namespace tilewise::mlir
