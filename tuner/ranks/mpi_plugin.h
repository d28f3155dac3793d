// What the program and its plug-in for MPI have in common.

#pragma once

namespace tilewise {

inline constexpr char kMpiPluginFile[] = "libtilewise_mpi.so";
inline constexpr char kMpiShareTextName[] = "tilewise_mpi_share_text";
inline constexpr int kMpiTextSize = 4096;

// Gives all ranks the text of rank 0, which ends with a zero byte, and leaves
// MPI. 0: done.
using MpiShareText = int(char* text, int size);

}  // namespace tilewise
