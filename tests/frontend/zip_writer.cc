// Through a file, as libzip writes.

#include "tests/frontend/zip_writer.h"

#include <fstream>
#include <sstream>

#include <zip.h>

#include "tests/support/temporary_folder.h"

namespace tilewise {

std::string WriteZip(const std::vector<std::pair<std::string, std::string>>& members) {
  const TemporaryFolder folder;
  const std::string path = folder.path("model.keras");
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  for (const auto& [name, text] : members) {
    zip_source_t* source = zip_source_buffer(archive, text.data(), text.size(), 0);
    zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  }
  zip_close(archive);
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

}  // namespace tilewise
