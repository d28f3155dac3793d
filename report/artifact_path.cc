// Only the text of paths is looked at, never the disk.

#include "report/artifact_path.h"

#include <filesystem>

#include <fmt/format.h>

namespace tilewise {
namespace {

namespace fs = std::filesystem;

bool Unreserved(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool digit = c >= '0' && c <= '9';
  return letter || digit || std::string_view("-._~/").find(c) != std::string_view::npos;
}

}  // namespace

std::string ArtifactPath(std::string_view path, std::string_view root) {
  const fs::path normal = fs::path(path).lexically_normal();
  if (!normal.is_absolute() || root.empty()) return normal.generic_string();
  const fs::path relative = normal.lexically_relative(fs::path(root).lexically_normal());
  const bool below = !relative.empty() && *relative.begin() != "..";
  return (below ? relative : normal).generic_string();
}

std::string ArtifactUri(std::string_view path, std::string_view root) {
  const std::string plain = ArtifactPath(path, root);
  std::string uri = plain.starts_with('/') ? "file://" : "";
  for (const char c : plain) {
    if (Unreserved(c)) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

}  // namespace tilewise
