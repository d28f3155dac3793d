// A folder for the files that a test writes. Tests run side by side, so none
// writes where another may.

#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tilewise {

// Of this process and object alone; goes away with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  // Writes a file and returns its path.
  std::string Write(const std::string& name, std::string_view text) const;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace tilewise
