// Small HDF5 files, written by the HDF5 library, whose format the project's own
// reader must take.

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tilewise {

enum class Hdf5Text { kVariable, kFixed };

struct Hdf5Options {
  Hdf5Text text = Hdf5Text::kVariable;
  bool newest_version = false;  // else the oldest that can hold it
  size_t user_block = 0;        // bytes before the file, 512 or more
};

// The bytes of a file whose root group has these attributes and a data set of
// weights.
std::string WriteHdf5(const std::vector<std::pair<std::string, std::string>>& attributes,
                      const Hdf5Options& options = {});

}  // namespace tilewise
