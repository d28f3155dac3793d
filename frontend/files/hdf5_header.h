// The frame of an HDF5 file: its superblock, and the messages of an object
// header in both of its versions.

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tilewise {

struct Hdf5File {
  std::string_view bytes;  // from the base address on
  uint64_t offset_size = 8;
  uint64_t length_size = 8;
  uint64_t root_header = 0;  // address
};

inline constexpr uint64_t kHdf5Attribute = 0x0C;
inline constexpr uint64_t kHdf5AttributeHeap = 0x15;

struct Hdf5Message {
  uint64_t type = 0;
  std::string_view data;
};

// Errors: no signature, versions that are not known, a superblock cut short.
absl::StatusOr<Hdf5File> OpenHdf5(std::string_view bytes);

// Of the root group, continuations included; messages that are stored elsewhere
// are left out.
absl::StatusOr<std::vector<Hdf5Message>> RootMessages(const Hdf5File& file);

// Whether an attribute-info message points to a heap.
bool HasHeap(const Hdf5File& file, const Hdf5Message& message);

}  // namespace tilewise
