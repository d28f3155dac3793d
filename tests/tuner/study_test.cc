// Searches that keep their trials: what is found again is what was kept, to the
// last bit, and what is no study is left as it is.

#include "tuner/study/study.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "base/fields_json.h"
#include "tests/support/temporary_folder.h"
#include "tests/tuner/classifier.h"
#include "tuner/study/read.h"
#include "tuner/study/result_json.h"
#include "tuner/study/schema.h"

namespace tilewise {
namespace {

using ::testing::HasSubstr;

// All that a search says, but for what came from a study.
std::string Text(const Tuning& tuning) {
  std::string text = FieldsJson(tuning.curve).dump() + FieldsJson(tuning.executions).dump() +
                     FieldsJson(tuning.best).dump() + FieldsJson(tuning.contenders).dump();
  Effort effort = tuning.effort;
  effort.recalled = 0;
  return text + FieldsJson(effort).dump() + tuning.changes + tuning.why + tuning.learning_rate;
}

SearchSpace SmallSpace() {
  SearchSpace space;
  space.knobs = {{"precision", {}}, {"accumulation", {"1", "2"}}};
  return space;
}

// A search for a program on a v3-8, kept in `where` unless that is empty.
class Searched {
 public:
  explicit Searched(int64_t width) : workload_(Classifier(784, width)) {}

  absl::StatusOr<Tuning> Search(const SearchSpace& space, const std::string& where) const {
    const Session session(workload_, target_, {});
    std::unique_ptr<Study> study;
    if (!where.empty()) {
      TW_ASSIGN_OR_RETURN(study, Study::Open(where, IdentityOf(session, space)));
    }
    absl::StatusOr<Tuning> tuning = Tune(session, space, {}, {.log = study.get()});
    if (tuning.ok() && study != nullptr) TW_RETURN_IF_ERROR(study->Finish(*tuning));
    return tuning;
  }

  std::string KeyWith(const SearchSpace& space, const SessionOptions& options = {}) const {
    const Session session(workload_, target_, options);
    return IdentityOf(session, space).key;
  }

  std::string ErrorAt(const std::string& where) const {
    return Message(Search(SmallSpace(), where).status());
  }

 private:
  const Workload workload_;
  const Target target_ = *MakeTarget("v3", 0, "");
};

std::string ContentOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void RunSql(const std::string& path, const std::string& sql) {
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(connection);
  sqlite3_close(connection);
}

TEST(Study, ASearchThatIsRunAgainEvaluatesNothing) {
  const TemporaryFolder folder;
  const std::string path = folder.path("study.db");
  const Searched searched(512);
  const absl::StatusOr<Tuning> plain = searched.Search(SmallSpace(), "");
  const absl::StatusOr<Tuning> first = searched.Search(SmallSpace(), path);
  const absl::StatusOr<Tuning> second = searched.Search(SmallSpace(), path);
  ASSERT_TRUE(plain.ok() && first.ok() && second.ok()) << first.status() << second.status();
  EXPECT_EQ(Text(*first), Text(*plain));
  EXPECT_EQ(Text(*second), Text(*plain));
  EXPECT_EQ(first->effort.recalled, 0);
  EXPECT_EQ(second->effort.recalled, second->effort.candidates);
}

TEST(Study, GoesOnFromAnyNumberOfTrials) {
  const TemporaryFolder folder;
  const std::string path = folder.path("study.db");
  const Searched searched(640);
  const absl::StatusOr<Tuning> whole = searched.Search(SmallSpace(), path);
  ASSERT_TRUE(whole.ok()) << whole.status();
  for (int64_t left = whole->effort.candidates - 1; left >= 0; left -= 5) {
    RunSql(path,
           "DELETE FROM tilewise_trials WHERE rowid NOT IN "
           "(SELECT rowid FROM tilewise_trials ORDER BY rowid LIMIT " +
               std::to_string(left) + ")");
    const absl::StatusOr<Tuning> resumed = searched.Search(SmallSpace(), path);
    ASSERT_TRUE(resumed.ok()) << resumed.status();
    EXPECT_EQ(Text(*resumed), Text(*whole)) << left;
    EXPECT_EQ(resumed->effort.recalled, left);
  }
}

TEST(Study, KeepsTheAnswerAndItsTrials) {
  const TemporaryFolder folder;
  const std::string path = folder.path("study.db");
  const absl::StatusOr<Tuning> tuning = Searched(512).Search(SmallSpace(), path);
  ASSERT_TRUE(tuning.ok() && tuning->best) << tuning.status();
  const auto database = *OpenStudyDatabase(path, Access::kRead);
  const std::vector<StoredStudy> studies = *ReadStudies(*database);
  ASSERT_EQ(studies.size(), 1u);
  EXPECT_EQ(studies[0].program, "mlp");
  EXPECT_EQ(studies[0].trials, tuning->effort.candidates);
  ASSERT_TRUE(studies[0].best.has_value());
  EXPECT_EQ(studies[0].best->global_batch, tuning->best->global_batch);
  EXPECT_EQ(studies[0].best->examples_per_second, Throughput(*tuning->best));
  EXPECT_EQ(studies[0].best->machine, "v3-8");
  const std::vector<StoredTrial> trials = *ReadTrials(*database, studies[0].key);
  EXPECT_EQ(static_cast<int64_t>(trials.size()), tuning->effort.candidates);
}

TEST(Study, AnExhaustiveSearchTakesNoPrunedTrial) {
  const TemporaryFolder folder;
  const std::string path = folder.path("study.db");
  const Searched searched(2048);
  SearchSpace space = SmallSpace();
  ASSERT_TRUE(searched.Search(space, path).ok());
  space.strategy = "exhaustive";
  const absl::StatusOr<Tuning> plain = searched.Search(space, "");
  const absl::StatusOr<Tuning> kept = searched.Search(space, path);
  ASSERT_TRUE(plain.ok() && kept.ok()) << kept.status();
  EXPECT_EQ(Text(*kept), Text(*plain));
  EXPECT_EQ(kept->effort.pruned, 0);
}

TEST(Study, ProcessesThatWriteAtOnceEndWithTheSameAnswer) {
  const TemporaryFolder folder;
  const std::string path = folder.path("study.db");
  const Searched searched(768);
  const absl::StatusOr<Tuning> alone = searched.Search(SmallSpace(), "");
  std::vector<std::string> answers(3);
  std::vector<std::thread> threads;
  threads.reserve(answers.size());
  for (std::string& answer : answers) {
    threads.emplace_back([&] {
      const absl::StatusOr<Tuning> tuning = searched.Search(SmallSpace(), path);
      answer = tuning.ok() ? Text(*tuning) : Message(tuning.status());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& answer : answers) EXPECT_EQ(answer, Text(*alone));
  const auto database = *OpenStudyDatabase(path, Access::kRead);
  EXPECT_EQ((*ReadStudies(*database))[0].trials, alone->effort.candidates);
}

TEST(Study, NameTellsProgramsMachinesAndOptionsApart) {
  const Searched searched(512);
  const SearchSpace space = SmallSpace();
  const std::string key = searched.KeyWith(space);
  EXPECT_EQ(key, Searched(512).KeyWith(space));
  EXPECT_NE(key, Searched(513).KeyWith(space));
  SessionOptions options;
  options.shard_update = true;
  EXPECT_NE(key, searched.KeyWith(space, options));
  SearchSpace other = space;
  other.steps_per_execution = {1, 7};
  EXPECT_NE(key, searched.KeyWith(other));
  other = space;
  other.certainty = 0.5;
  other.max_global_batch = 4096;
  EXPECT_EQ(key, searched.KeyWith(other)) << "constraints are applied to what is found again";
}

TEST(Study, ResultsComeBackToTheLastBit) {
  Result result;
  result.trial.batch_per_core = 24;
  result.trial.device_step = Seconds{0.1 + 0.2};
  result.trial.certainty = std::nextafter(1.0, 0.0);
  result.trial.hbm_peak = Bytes{std::numeric_limits<int64_t>::max()};
  result.trial.roomy_part = 5e-324;
  result.trial.largest = {{"a \"name\"\n", "f32[8,128]{1,0}", Bytes{1}, Bytes{2}}};
  result.trial.loop.examples_per_second = std::numeric_limits<double>::infinity();
  result.trial.loop.stages = {{.stage = 3, .parallelism = 1.0 / 3, .unknown_ops = {"f"}}};
  result.points = 7;
  const absl::StatusOr<Result> read = ReadResult(WriteResult(result));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(WriteResult(*read), WriteResult(result));
  EXPECT_EQ(read->trial.device_step, result.trial.device_step);
  EXPECT_EQ(*read->trial.roomy_part, 5e-324);
  EXPECT_EQ(read->trial.loop.examples_per_second, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(ReadResult("[1,2]").ok());
  EXPECT_FALSE(ReadResult("no JSON").ok());
}

class BadStudy : public ::testing::Test {
 protected:
  // The message for a file of this content, which has to be as it was after it.
  std::string ErrorFor(const std::string& content) const {
    const std::string path = folder_.Write("study.db", content);
    std::string message = searched_.ErrorAt(path);
    EXPECT_EQ(ContentOf(path), content) << "it was written to";
    EXPECT_THAT(message, HasSubstr(path));
    return message;
  }

  const TemporaryFolder folder_;
  const Searched searched_{256};
};

TEST_F(BadStudy, AFileThatIsNoDatabase) {
  EXPECT_THAT(ErrorFor(std::string(5000, 'x')), HasSubstr("found a file that is no database"));
}

TEST_F(BadStudy, ADamagedDatabase) {
  const std::string path = folder_.path("study.db");
  ASSERT_TRUE(searched_.Search(SmallSpace(), path).ok());
  std::string content = ContentOf(path);
  std::fill(content.begin() + 4096, content.end() - 4096, '\x55');
  EXPECT_THAT(ErrorFor(content), HasSubstr("found a damaged database"));
}

TEST_F(BadStudy, ADatabaseOfSomethingElse) {
  const std::string path = folder_.path("study.db");
  RunSql(path, "CREATE TABLE addresses (name text)");
  EXPECT_THAT(ErrorFor(ContentOf(path)), HasSubstr("found a database without studies"));
}

TEST_F(BadStudy, AStudyOfAnotherVersion) {
  const std::string path = folder_.path("study.db");
  ASSERT_TRUE(searched_.Search(SmallSpace(), path).ok());
  RunSql(path, "PRAGMA journal_mode = DELETE; UPDATE tilewise_schema SET version = 99");
  EXPECT_THAT(ErrorFor(ContentOf(path)),
              HasSubstr("found studies of version 99, expected version 1"));
}

TEST_F(BadStudy, ATrialThatIsDamaged) {
  const std::string path = folder_.path("study.db");
  ASSERT_TRUE(searched_.Search(SmallSpace(), path).ok());
  RunSql(path, "UPDATE tilewise_trials SET result = '[]'");
  EXPECT_THAT(searched_.ErrorAt(path), HasSubstr("that is damaged"));
}

TEST_F(BadStudy, AFolderThatIsMissing) {
  EXPECT_THAT(searched_.ErrorAt(folder_.path("no/study.db")), HasSubstr("there is no folder"));
}

TEST_F(BadStudy, AFolderInPlaceOfAFile) {
  EXPECT_THAT(searched_.ErrorAt(folder_.path("")), HasSubstr("found a folder, expected a file"));
}

TEST_F(BadStudy, ALockedOneIsWaitedForAndThenSaid) {
  const std::string path = folder_.path("study.db");
  ASSERT_TRUE(searched_.Search(SmallSpace(), path).ok());
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_THAT(searched_.ErrorAt(path), HasSubstr("another process has had it locked for 5 s"));
  std::thread releases([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    sqlite3_exec(other, "COMMIT", nullptr, nullptr, nullptr);
  });
  EXPECT_TRUE(searched_.Search(SmallSpace(), path).ok());
  releases.join();
  sqlite3_close(other);
}

}  // namespace
}  // namespace tilewise
