// A bounded fuzz run without a fuzzer: every reader gets its seeds, changed in
// ways that a fixed sequence of numbers chooses, and comes back within limits.
// docs/reliability.md says how to run the real one.

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontend/load.h"
#include "workload/coverage.h"

namespace tilewise {

void PrintTo(const InputFormat& format, std::ostream* out) { *out << format.name; }

namespace {

namespace fs = std::filesystem;

constexpr double kSlowestSeconds = 10;

// TILEWISE_MUTATIONS asks for more of them for each reader. Clang takes a tenth of a second for
// each source, a hundred times what other readers take.
int RunsOf(const InputFormat& format) {
  const char* runs = std::getenv("TILEWISE_MUTATIONS");
  if (runs != nullptr) return std::atoi(runs);
  return format.name == "cpp" ? 60 : 300;
}

struct Seed {
  std::string name;
  std::string bytes;
};

// "hlo-text" -> "hlo_text", as files of a target are named.
std::string FolderOf(std::string_view format) {
  std::string name(format);
  std::replace(name.begin(), name.end(), '-', '_');
  return TILEWISE_SOURCE_DIR "/fuzz/seeds/" + name;
}

std::vector<Seed> SeedsOf(std::string_view format) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(FolderOf(format), error)) {
    paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Seed> seeds;
  for (const std::string& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    seeds.push_back({fs::path(path).filename().string(), bytes.str()});
  }
  return seeds;
}

// A few changes: bytes flipped, parts cut off, repeated, overwritten with what
// stands elsewhere, numbers made large.
class Mutator {
 public:
  std::string Mutate(std::string bytes) {
    const int changes = 1 + Below(4);
    for (int i = 0; i < changes && !bytes.empty(); ++i) Change(bytes);
    return bytes;
  }

 private:
  int Below(size_t limit) { return static_cast<int>(random_() % std::max<size_t>(limit, 1)); }

  void Change(std::string& bytes) {
    const size_t at = Below(bytes.size());
    const size_t size = Below(bytes.size() - at);
    switch (Below(6)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << Below(8)));
        break;
      case 1:
        bytes.resize(at);
        break;
      case 2:
        bytes.insert(at, bytes.substr(at, std::min<size_t>(size, 4096)));
        break;
      case 3:
        bytes.erase(at, std::min<size_t>(size, 64));
        break;
      case 4:
        bytes[at] = "\xFF\x7F\x80\0{}()[]\"9-"[Below(13)];
        break;
      default:
        bytes.replace(at, std::min<size_t>(size, 16), bytes.substr(Below(bytes.size()), 16));
    }
  }

  std::mt19937 random_{12345};
};

void ReadOnce(const InputFormat& format, const InputFile& file) {
  const absl::StatusOr<Workload> read = format.read(file, {});
  if (!read.ok()) {
    EXPECT_FALSE(Message(read.status()).empty());
    return;
  }
  if (read->graph && CheckBindable(*read->graph, 1).ok()) {
    MeasureCoverage(*read, 1);
  }
}

// Of the processor, as a busy machine makes all else slow.
double SecondsSince(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

class MutatedSeeds : public testing::TestWithParam<InputFormat> {};

TEST_P(MutatedSeeds, AreReadOrRefusedInTime) {
  const InputFormat& format = GetParam();
  const std::vector<Seed> seeds = SeedsOf(format.name);
  ASSERT_FALSE(seeds.empty()) << FolderOf(format.name);
  Mutator mutator;
  const int runs = RunsOf(format);
  for (int run = 0; run < runs; ++run) {
    const Seed& seed = seeds[static_cast<size_t>(run) % seeds.size()];
    const std::string bytes = mutator.Mutate(seed.bytes);
    const std::clock_t start = std::clock();
    ReadOnce(format, {seed.name, bytes});
    ASSERT_LT(SecondsSince(start), kSlowestSeconds) << "run " << run << " of " << seed.name;
  }
}

TEST_P(MutatedSeeds, AreReadAsTheyAre) {
  const InputFormat& format = GetParam();
  for (const Seed& seed : SeedsOf(format.name)) {
    const InputFile file = {seed.name, seed.bytes};
    const absl::StatusOr<Workload> read = format.read(file, {});
    EXPECT_TRUE(read.ok()) << seed.name << ": " << read.status();
    const InputFormat* sniffed = SniffFormat(file);
    ASSERT_NE(sniffed, nullptr) << seed.name;
    EXPECT_EQ(sniffed->name, format.name) << seed.name;
    for (const InputFormat& other : InputFormats()) {
      EXPECT_EQ(other.sniff(file), other.name == format.name)
          << other.name << " about " << seed.name;
    }
  }
}

// Those with a file of their own: a folder is read through them.
std::vector<InputFormat> FileFormats() {
  std::vector<InputFormat> formats;
  for (const InputFormat& format : InputFormats()) {
    if (format.name != "xla-dump") formats.push_back(format);
  }
  return formats;
}

std::string NameOf(const testing::TestParamInfo<InputFormat>& info) {
  std::string name(info.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, MutatedSeeds, testing::ValuesIn(FileFormats()), NameOf);

}  // namespace
}  // namespace tilewise
