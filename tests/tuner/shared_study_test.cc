// Studies in a PostgreSQL server, which several processes search together.

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fields_json.h"
#include "tests/tuner/classifier.h"
#include "tests/tuner/postgres_server.h"
#include "tuner/study/read.h"
#include "tuner/study/schema.h"
#include "tuner/study/study.h"

namespace tilewise {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Found {
  std::string answer;
  int64_t candidates = 0, recalled = 0;
};

class SharedStudy : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<PostgresServer>(); }
  static void TearDownTestSuite() { server_.reset(); }
  void SetUp() override {
    if (!server_->missing().empty()) GTEST_SKIP() << server_->missing();
  }

  static Found Search(int64_t width, const std::string& where) {
    const Workload workload = Classifier(784, width);
    const Target target = *MakeTarget("v3", 0, "");
    const Session session(workload, target, {});
    SearchSpace space;
    space.knobs = {{"precision", {}}, {"accumulation", {"1", "2"}}};
    std::unique_ptr<Study> study;
    if (!where.empty()) {
      absl::StatusOr<std::unique_ptr<Study>> opened =
          Study::Open(where, IdentityOf(session, space));
      if (!opened.ok()) return {.answer = Message(opened.status())};
      study = *std::move(opened);
    }
    const absl::StatusOr<Tuning> tuning = Tune(session, space, {}, {.log = study.get()});
    if (!tuning.ok()) return {.answer = Message(tuning.status())};
    if (study != nullptr) {
      EXPECT_TRUE(study->Finish(*tuning).ok());
    }
    return {.answer = FieldsJson(tuning->curve).dump() + FieldsJson(tuning->contenders).dump() +
                      tuning->why,
            .candidates = tuning->effort.candidates,
            .recalled = tuning->effort.recalled};
  }

  static std::unique_ptr<PostgresServer> server_;
};

std::unique_ptr<PostgresServer> SharedStudy::server_;

TEST_F(SharedStudy, GoesOnWithTheTrialsThatAreThere) {
  const Found plain = Search(500, "");
  const Found first = Search(500, server_->url());
  const Found second = Search(500, server_->url());
  EXPECT_EQ(first.answer, plain.answer);
  EXPECT_EQ(second.answer, plain.answer);
  EXPECT_EQ(first.recalled, 0);
  EXPECT_EQ(second.recalled, second.candidates);
}

TEST_F(SharedStudy, ProcessesDivideTheWorkAndAgree) {
  const Found plain = Search(600, "");
  std::vector<Found> found(3);
  std::vector<std::thread> threads;
  threads.reserve(found.size());
  for (Found& one : found) {
    threads.emplace_back([&one] { one = Search(600, server_->url()); });
  }
  for (std::thread& thread : threads) thread.join();
  int64_t evaluated = 0;
  for (const Found& one : found) {
    EXPECT_EQ(one.answer, plain.answer);
    evaluated += one.candidates - one.recalled;
  }
  EXPECT_EQ(evaluated, plain.candidates) << "each candidate once";
}

TEST_F(SharedStudy, ALostConnectionIsMadeAgain) {
  const Found plain = Search(700, "");
  std::atomic<bool> ended = false;
  std::thread restarts([&] {
    for (int i = 0; i < 2 && !ended; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      server_->Stop();
      server_->Start();
    }
  });
  const Found found = Search(700, server_->url());
  ended = true;
  restarts.join();
  EXPECT_EQ(found.answer, plain.answer);
  EXPECT_EQ(Search(700, server_->url()).recalled, plain.candidates) << "nothing was lost";
}

TEST_F(SharedStudy, AServerThatIsGoneIsSaid) {
  server_->Stop();
  EXPECT_THAT(Search(800, server_->url()).answer, HasSubstr("cannot connect"));
  server_->Start();
}

TEST_F(SharedStudy, MessagesHoldNoPassword) {
  EXPECT_THAT(Search(800, "postgresql://me:secret@127.0.0.1:1/db").answer,
              AllOf(HasSubstr("postgresql://me@127.0.0.1:1/db"), Not(HasSubstr("secret"))));
  EXPECT_THAT(Search(800, "postgresql://127.0.0.1:1/db?password=secret&user=me").answer,
              Not(HasSubstr("secret")));
}

TEST_F(SharedStudy, AUrlThatIsNoneIsSaid) {
  EXPECT_THAT(Search(800, "postgresql://host/db?no_such_word=1").answer,
              HasSubstr("expected postgresql://USER@HOST/DATABASE"));
}

TEST_F(SharedStudy, AStudyOfAnotherVersionIsLeftAsItIs) {
  Search(900, server_->url());
  {
    const auto database = *OpenStudyDatabase(server_->url(), Access::kWrite);
    ASSERT_TRUE(database->Run("UPDATE tilewise_schema SET version = 99").ok());
  }
  EXPECT_THAT(Search(900, server_->url()).answer, HasSubstr("found studies of version 99"));
  const auto database = *OpenDatabase(server_->url(), Access::kWrite);
  ASSERT_TRUE(database->Run("UPDATE tilewise_schema SET version = 1").ok());
}

}  // namespace
}  // namespace tilewise
