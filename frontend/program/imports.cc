// Looks for lines that import, and for modules around a program.

#include "frontend/program/imports.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/paths.h"

namespace tilewise::program {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBlanks = " \t";

std::string_view WithoutBlanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

// The first part of the module that a line imports: "a" of `from a.b import c`; empty: none.
std::string_view PackageOfLine(std::string_view line) {
  line = WithoutBlanks(line);
  for (const std::string_view word : {"import ", "from "}) {
    if (!line.starts_with(word)) continue;
    line = WithoutBlanks(line.substr(word.size()));
    return line.substr(0, line.find_first_of(" \t.,;#\r"));
  }
  return {};
}

// Whether it lies beside the program, or up to three folders above, from where people run it.
bool LiesAround(const std::string& package, const std::string& path) {
  fs::path folder = AbsolutePath(path).parent_path();
  std::error_code error;
  for (int up = 0; up < 4 && folder.has_relative_path(); ++up, folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / (package + ".py"), error)) return true;
    if (fs::is_directory(folder / package, error) || IsCheckoutOf(folder, package)) return true;
  }
  return false;
}

// Whether what a line imports begins with the package, or one whose name goes on with "_".
bool BeginsWith(std::string_view imported, std::string_view package) {
  if (!imported.starts_with(package)) return false;
  const std::string_view rest = imported.substr(package.size());
  return rest.empty() || std::string_view(" .,_").find(rest.front()) != std::string_view::npos;
}

}  // namespace

bool IsCheckoutOf(const fs::path& folder, const std::string& package) {
  const std::string name = folder.filename().string();
  if (name == package) return true;
  if (name.size() <= package.size() + 1) return false;
  const auto separates = [](char c) { return c == '-' || c == '+' || c == '.'; };
  std::error_code error;
  if (!fs::exists(folder / "README.md", error) && !fs::exists(folder / ".git", error)) return false;
  return (name.starts_with(package) && separates(name[package.size()])) ||
         (name.ends_with(package) && separates(name[name.size() - package.size() - 1]));
}

bool Imports(std::string_view text, std::span<const std::string_view> packages) {
  for (const std::string_view word : {"import ", "from "}) {
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      std::string_view rest = text.substr(at + word.size());
      rest = WithoutBlanks(rest.substr(0, rest.find_first_of("\n\r")));
      // `import numpy as np, tensorflow as tf`
      while (true) {
        const auto is_first = [&](std::string_view name) { return BeginsWith(rest, name); };
        if (std::ranges::any_of(packages, is_first)) return true;
        const size_t comma = rest.find(',');
        if (comma == std::string_view::npos) break;
        rest = WithoutBlanks(rest.substr(comma + 1));
      }
    }
  }
  return false;
}

bool ImportsBeside(std::string_view text, const std::string& path) {
  std::set<std::string_view> asked;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view package = PackageOfLine(line);
    if (WithoutBlanks(line).starts_with("from .")) return true;
    if (package.empty() || !asked.insert(package).second) continue;
    if (LiesAround(std::string(package), path)) return true;
  }
  return false;
}

bool MakesConfiguration(std::string_view text) {
  if (text.find("\ndef get_config(") == std::string_view::npos) return false;
  constexpr std::string_view kLibrary[] = {"ml_collections"};
  if (Imports(text, kLibrary)) return true;
  // One that starts from another of the same folder: `from project.configs import common`.
  for (size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    at += line.size() + 1;
    const bool imports = line.starts_with("import ") || line.starts_with("from ");
    if (imports && line.find("configs") != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace tilewise::program
