// The C interface, without checks: a test that writes nothing fails.

#include "tests/frontend/hdf5_writer.h"

#include <array>
#include <fstream>
#include <sstream>

#include <hdf5.h>

#include "tests/support/temporary_folder.h"

namespace tilewise {
namespace {

void WriteAttribute(hid_t group, const std::string& name, const std::string& value, Hdf5Text text) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, text == Hdf5Text::kFixed ? value.size() : H5T_VARIABLE);
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(group, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
  const char* pointer = value.c_str();
  const void* data = text == Hdf5Text::kFixed ? static_cast<const void*>(pointer)
                                              : static_cast<const void*>(&pointer);
  H5Awrite(attribute, type, data);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

void WriteWeights(hid_t file) {
  const std::array<hsize_t, 2> dims = {16, 16};
  const hid_t space = H5Screate_simple(2, dims.data(), nullptr);
  const hid_t data =
      H5Dcreate2(file, "kernel", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const std::vector<float> values(256, 0.5F);
  H5Dwrite(data, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Dclose(data);
  H5Sclose(space);
}

}  // namespace

std::string WriteHdf5(const std::vector<std::pair<std::string, std::string>>& attributes,
                      const Hdf5Options& options) {
  const TemporaryFolder folder;
  const std::string path = folder.path("model.h5");
  const hid_t create = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_userblock(create, options.user_block);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (options.newest_version) {
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  }
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, create, access);
  for (const auto& [name, value] : attributes) {
    WriteAttribute(file, name, value, options.text);
  }
  WriteWeights(file);
  H5Fclose(file);
  H5Pclose(access);
  H5Pclose(create);
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

}  // namespace tilewise
