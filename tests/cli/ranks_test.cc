// `mpirun -n N tilewise tune`: what one process prints, whoever is lost.

#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

constexpr const char* kTune =
    "tune zoo:mlp --chip v3 --search batch=8..400:8 --search precision --format json";
// Ranks that are told how many threads they have all work, also on one machine.
const std::string kAllWork = std::string(kTune) + " --jobs 1";
constexpr const char* kRanks = "mpirun --allow-run-as-root --oversubscribe --enable-recovery -n 4 ";

class Ranks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("mpirun --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no mpirun";
    const auto plugin = std::filesystem::path(TILEWISE_BINARY).parent_path() / "libtilewise_mpi.so";
    if (!std::filesystem::exists(plugin)) GTEST_SKIP() << "built without Open MPI";
  }
};

TEST_F(Ranks, PrintWhatOneProcessPrints) {
  const RunResult one = RunTilewise(kTune);
  for (const std::string& arguments : {kAllWork, std::string(kTune)}) {
    const RunResult four = RunTilewise(arguments, kRanks);
    EXPECT_EQ(four.exit_code, 0) << four.err;
    EXPECT_EQ(four.out, one.out);
  }
}

// A rank whose shell kills it, early enough for the others not to have met it.
TEST_F(Ranks, OneThatIsKilledIsReplacedByTheOthers) {
  const RunResult one = RunTilewise(kTune);
  for (const char* moment : {"0.1", "1.5"}) {
    const std::string kills = std::string(kRanks) +
                              "bash -c 'if [ \"$OMPI_COMM_WORLD_RANK\" = 2 ]; then exec timeout "
                              "-s KILL " +
                              moment + " \"$0\" \"$@\"; fi; exec \"$0\" \"$@\"'";
    const RunResult with_loss = RunTilewise(kAllWork, kills);
    EXPECT_EQ(with_loss.out, one.out) << with_loss.err;
  }
}

TEST_F(Ranks, EachSaysWhichItIs) {
  const RunResult run = RunTilewise("tune no_such_file.json --jobs 1", kRanks);
  EXPECT_THAT(run.err, HasSubstr("tilewise: error: no_such_file.json"));
  EXPECT_THAT(run.err, HasSubstr("tilewise: error: rank 1 on "));
}

}  // namespace
}  // namespace tilewise
