// Named by process and object.

#include "tests/support/temporary_folder.h"

#include <atomic>
#include <fstream>
#include <system_error>

#include <unistd.h>

namespace tilewise {

TemporaryFolder::TemporaryFolder() {
  static std::atomic<int> number = 0;
  folder_ = std::filesystem::temp_directory_path() /
            ("tilewise_test_" + std::to_string(getpid()) + "_" + std::to_string(number++));
  std::filesystem::create_directories(folder_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string TemporaryFolder::Write(const std::string& name, std::string_view text) const {
  std::filesystem::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name, std::ios::binary) << text;
  return path(name);
}

}  // namespace tilewise
