// compile_modules FOLDER OUTPUT: parses tilewise's own modules of a folder into
// OUTPUT.bin, and writes OUTPUT.cc, which holds those bytes and OwnModule().

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "python/parsed_code.h"

namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = R"(// Generated from frontend/program/modules; do not edit.

#include <algorithm>
#include <iterator>
#include <string_view>

asm(".pushsection .rodata\n"
    ".global tilewise_own_modules\n"
    "tilewise_own_modules:\n"
    ".incbin \"{}\"\n"
    ".popsection\n");
extern "C" const char tilewise_own_modules[];

namespace tilewise::program {{
namespace {{
struct OwnFile {{
  std::string_view path;
  size_t begin;
  size_t size;
}};
constexpr OwnFile kFiles[] = {{
{}}};
}}  // namespace

std::string_view OwnModule(std::string_view path) {{
  const auto at =
      std::lower_bound(std::begin(kFiles), std::end(kFiles), path,
                       [](const OwnFile& file, std::string_view p) {{ return file.path < p; }});
  if (at == std::end(kFiles) || at->path != path) return {{}};
  return {{tilewise_own_modules + at->begin, at->size}};
}}
}}  // namespace tilewise::program
)";

std::string TextOf(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> FilesOf(const fs::path& folder) {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".py") {
      files.push_back(entry.path().lexically_relative(folder).generic_string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::cerr << "compile_modules: expected FOLDER OUTPUT\n";
    return 2;
  }
  const fs::path folder = words[1];
  const std::string output = words[2];
  std::string bytes, table;
  for (const std::string& file : FilesOf(folder)) {
    const auto code = tilewise::py::ParseCode("<" + file + ">", TextOf(folder / file));
    if (!code.ok() || !(*code)->errors.empty()) {
      std::cerr << "compile_modules: " << file << " cannot be parsed\n";
      return 1;
    }
    const absl::StatusOr<std::string> written = tilewise::py::WriteCode(**code);
    if (!written.ok()) {
      std::cerr << "compile_modules: " << file << ": " << written.status().message() << "\n";
      return 1;
    }
    table += fmt::format("    {{\"{}\", {}, {}}},\n", file, bytes.size(), written->size());
    bytes += *written;
  }
  std::ofstream(output + ".bin", std::ios::binary) << bytes;
  std::ofstream(output + ".cc") << fmt::format(kSource, output + ".bin", table);
}
