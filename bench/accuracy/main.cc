// Compares simulated with published times:
//   tilewise_accuracy FOLDER EXAMPLE [ROWS.csv]
// FOLDER holds the tables of measurements, EXAMPLE is
// examples/alexnet_cifar/train.py, and ROWS.csv receives each ParaDnn row.
// Results of one run: docs/accuracy.md.

#include <cstdio>
#include <string>

#include <fmt/core.h>

#include "bench/accuracy/comparisons.h"

namespace {

absl::Status Compare(const std::string& folder, const std::string& example,
                     const std::string& rows) {
  TW_RETURN_IF_ERROR(tilewise::CompareParaDnn(folder, rows));
  fmt::print("\n");
  TW_RETURN_IF_ERROR(tilewise::CompareLadder(example));
  fmt::print("\n");
  return tilewise::CompareMatmuls(folder);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    fmt::print(stderr, "usage: tilewise_accuracy FOLDER EXAMPLE [ROWS.csv]\n");
    return 2;
  }
  const absl::Status status =
      Compare(argv[1], argv[2], argc == 4 ? argv[3] : "");
  if (status.ok()) return 0;
  fmt::print(stderr, "tilewise_accuracy: {}\n", tilewise::Message(status));
  return 2;
}
