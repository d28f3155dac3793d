// Arbitrary words for what arguments and variables are read as: globs, words of
// --fixed-dims, text of a report. One word a line; the last one is a name.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"
#include "lint/fixed_dims.h"
#include "lint/glob.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string printed = tilewise::WithoutCommands(tilewise::PrintableLines(text));
  if (tilewise::PrintableLines(printed) != printed) __builtin_trap();
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  for (const std::string& word : words) {
    (void)tilewise::MatchesPath({word}, "/base", words.back());
    (void)tilewise::MatchesNode(word, words.back());
    (void)tilewise::MatchesGitGlob(word, words.back());
  }
  (void)tilewise::FixedDims(words);
  return 0;
}
