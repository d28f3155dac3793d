// A study on a server that is reached over a network: the server and the searches are
// in network namespaces of their own, as machines are.

#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "tests/cli/run_tilewise.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

bool Succeeds(const std::string& command) {
  return std::system(("cd / && { " + command + "; } >/dev/null 2>&1 </dev/null").c_str()) == 0;
}

// Two namespaces joined by a cable; a PostgreSQL server runs in the first.
class Network : public ::testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "namespaces need root";
    if (!Succeeds("id postgres && ls /usr/lib/postgresql/*/bin/initdb")) {
      GTEST_SKIP() << "no PostgreSQL server is installed (postgresql-15)";
    }
    if (!Succeeds("ip netns add " + server_ + " && ip netns add " + client_)) {
      GTEST_SKIP() << "this machine allows no network namespaces";
    }
    const std::string number = std::to_string(getpid() % 10000);
    const std::string a = "twa" + number, b = "twb" + number;
    ASSERT_TRUE(Succeeds("ip link add " + a + " netns " + server_ + " type veth peer name " + b +
                         " netns " + client_));
    ASSERT_TRUE(Succeeds(In(server_) + "ip addr add 10.77.0.1/24 dev " + a + " && " + In(server_) +
                         "ip link set " + a + " up"));
    ASSERT_TRUE(Succeeds(In(client_) + "ip addr add 10.77.0.2/24 dev " + b + " && " + In(client_) +
                         "ip link set " + b + " up && " + In(client_) + "ip link set lo up"));
    char name[] = "/tmp/tilewise_net_XXXXXX";
    folder_ = mkdtemp(name);
    ASSERT_TRUE(Succeeds("chown postgres " + folder_ + " && " + AsPostgres("initdb") + " -D " +
                         folder_ +
                         "/data -U tester -A trust --no-sync && echo 'host all all "
                         "10.77.0.0/24 trust' >> " +
                         folder_ + "/data/pg_hba.conf"));
    ASSERT_TRUE(Start());
  }
  void TearDown() override {
    if (!folder_.empty()) {
      Stop();
      Succeeds("rm -rf " + folder_);
    }
    Succeeds("ip netns del " + server_);
    Succeeds("ip netns del " + client_);
  }

  bool Start() const {
    return Succeeds(In(server_) + AsPostgres("pg_ctl") + " -D " + folder_ + "/data -l " + folder_ +
                    "/log -w -t 60 -o '-k " + folder_ +
                    " -c listen_addresses=10.77.0.1 -c fsync=off' start");
  }
  bool Stop() const {
    return Succeeds(AsPostgres("pg_ctl") + " -D " + folder_ + "/data -m immediate -w stop");
  }
  static std::string In(const std::string& name) { return "ip netns exec " + name + " "; }
  static std::string AsPostgres(const std::string& program) {
    return "runuser -u postgres -- $(ls -d /usr/lib/postgresql/*/bin | tail -n 1)/" + program;
  }
  RunResult Tune(const std::string& more = "") const {
    return RunTilewise("tune zoo:mlp --chip v3 --search precision --format json " + more,
                       In(client_));
  }

  const std::string server_ = "tw_server_" + std::to_string(getpid());
  const std::string client_ = "tw_client_" + std::to_string(getpid());
  const std::string study_ = "--study postgresql://tester@10.77.0.1/postgres";
  std::string folder_;
};

TEST_F(Network, AStudyOfAServerElsewhereGivesTheAnswerOfOneProcess) {
  const RunResult alone = Tune();
  const RunResult first = Tune(study_);
  const RunResult second = Tune(study_);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const auto best = [](const RunResult& run) {
    const nlohmann::json json = nlohmann::json::parse(run.out, nullptr, false);
    return json.is_discarded() ? nlohmann::json() : json["tuning"]["best"];
  };
  EXPECT_FALSE(best(alone).is_null());
  EXPECT_EQ(best(first), best(alone));
  EXPECT_EQ(best(second), best(alone));
}

TEST_F(Network, AServerThatIsGoneIsSaid) {
  Stop();
  const RunResult run = Tune(study_);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("10.77.0.1"));
  EXPECT_TRUE(Start());
}

}  // namespace
}  // namespace tilewise
