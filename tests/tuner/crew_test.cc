// Ranks that share a search, here as threads that talk over the sockets that
// processes would talk over.

#include "tuner/ranks/crew.h"

#include <memory>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fields_json.h"
#include "tests/tuner/classifier.h"
#include "tuner/ranks/channel.h"
#include "tuner/ranks/crew_messages.h"
#include "tuner/tuner.h"

namespace tilewise {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CrewTest : public ::testing::Test {
 protected:
  CrewTest() {
    search_.knobs = {{"precision", {}}, {"accumulation", {"1", "2"}}};
    space_ = *Space::Make(session_, search_);
    crew_ = *Crew::Make(1, "node0");
    crew_->Expect(key());
  }

  std::string key() const { return CrewKey(session_, search_, *space_); }

  static std::string Text(const Tuning& tuning) {
    return FieldsJson(tuning.curve).dump() + FieldsJson(tuning.contenders).dump() +
           FieldsJson(tuning.effort).dump() + tuning.why;
  }

  std::string Search(Executor* executor) const {
    const absl::StatusOr<Tuning> tuning = Tune(session_, search_, {}, {.executor = executor});
    return tuning.ok() ? Text(*tuning) : Message(tuning.status());
  }

  Hand AHand(int threads) const {
    return {.key = key(), .name = "rank 1", .machine = "node1", .threads = threads};
  }

  // Says hello as a worker does.
  Channel Greet(const std::string& token, const std::string& key, bool stands_by = false) const {
    const std::string& addresses = crew_->meeting_point().addresses;
    Channel channel(*Connect("127.0.0.1", std::stoi(addresses)));
    channel.Send(WriteMessage(CrewHello{.token = token,
                                        .key = key,
                                        .name = stands_by ? "rank 10" : "rank 9",
                                        .machine = "node9",
                                        .stands_by = stands_by}));
    return channel;
  }

  const Workload workload_ = Classifier(784, 900);
  const Target target_ = *MakeTarget("v3", 0, "");
  const Session session_{workload_, target_, {}};
  SearchSpace search_;
  std::unique_ptr<const Space> space_;
  std::unique_ptr<Crew> crew_;
};

TEST_F(CrewTest, ResultsAreThoseOfOneProcess) {
  absl::Status served;
  const MeetingPoint meeting_point = crew_->meeting_point();
  std::thread worker([&] { served = ServeCrew(*space_, meeting_point, AHand(2)); });
  EXPECT_EQ(Search(crew_.get()), Search(nullptr));
  EXPECT_THAT(crew_->TakeNotes(), ElementsAre());
  crew_.reset();
  worker.join();
  EXPECT_TRUE(served.ok()) << served;
}

TEST_F(CrewTest, WhatALostWorkerWasAtIsDoneByOthers) {
  int orders = 0;
  constexpr int kWorkers = 3;
  std::vector<std::thread> workers;
  workers.reserve(kWorkers);
  std::mutex mutex;
  for (int i = 0; i < kWorkers; ++i) {
    workers.emplace_back([&] {
      Channel channel = Greet(crew_->meeting_point().token, key());
      CrewOrder order;
      while (const std::optional<std::string> text = channel.Receive()) {
        if (ReadMessage(*text, order) && order.kind == CrewOrder::Kind::kEvaluate) break;
      }
      const std::lock_guard<std::mutex> lock(mutex);
      orders += order.kind == CrewOrder::Kind::kEvaluate ? 1 : 0;
    });  // it is gone without an answer
  }
  const std::string with_losses = Search(crew_.get());
  const size_t notes = crew_->TakeNotes().size();
  crew_.reset();
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(with_losses, Search(nullptr));
  EXPECT_LE(notes, 3u);
  EXPECT_LE(static_cast<size_t>(orders), 3u);
}

TEST_F(CrewTest, OneThatStandsByHasNothingToDoBesideTheFirstOfItsMachine) {
  const std::string token = crew_->meeting_point().token;
  Channel first = Greet(token, key());
  Channel second = Greet(token, key(), true);
  ASSERT_TRUE(first.Receive().has_value()) << "welcome";
  ASSERT_TRUE(second.Receive().has_value()) << "welcome";
  bool worked_beside_it = true;
  std::thread watcher([&] {
    CrewOrder order;
    EXPECT_TRUE(ReadMessage(first.Receive().value_or(""), order));
    EXPECT_EQ(order.kind, CrewOrder::Kind::kEvaluate);
    worked_beside_it = second.Receive(100).has_value();
    const Channel lost = std::move(first);
    const Channel lost_too = std::move(second);
  });
  EXPECT_EQ(Search(crew_.get()), Search(nullptr));
  watcher.join();
  EXPECT_FALSE(worked_beside_it);
  EXPECT_THAT(crew_->TakeNotes(), Contains(HasSubstr("rank 9 is lost")));
}

TEST_F(CrewTest, AMeetingPointIsReadAsItWasWritten) {
  const MeetingPoint point = crew_->meeting_point();
  const absl::StatusOr<MeetingPoint> read = MeetingPoint::Parse(point.Text());
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->token, point.token);
  EXPECT_EQ(read->machine, "node0");
  EXPECT_EQ(read->addresses, point.addresses);
  EXPECT_FALSE(MeetingPoint::Parse("token").ok());
}

TEST_F(CrewTest, OneWithAnotherProgramIsSentAway) {
  Channel channel = Greet(crew_->meeting_point().token, "another key");
  ASSERT_TRUE(channel.Receive().has_value()) << "welcome";
  EXPECT_EQ(Search(crew_.get()), Search(nullptr));
  CrewOrder order;
  ASSERT_TRUE(ReadMessage(channel.Receive().value_or(""), order));
  EXPECT_EQ(order.kind, CrewOrder::Kind::kSentAway);
  EXPECT_THAT(crew_->TakeNotes(), ElementsAre(HasSubstr("rank 9 is not used")));
}

TEST_F(CrewTest, StrangersAreNotHeard) {
  Channel channel = Greet("a guess", key());
  EXPECT_FALSE(channel.Receive().has_value());
  Channel noise(*Connect("127.0.0.1", std::stoi(crew_->meeting_point().addresses)));
  noise.Send("GET / HTTP/1.1");
  EXPECT_FALSE(noise.Receive().has_value());
}

TEST_F(CrewTest, AWorkerThatComesAfterTheEndHasNothingToDo) {
  const MeetingPoint meeting_point = crew_->meeting_point();
  crew_.reset();
  EXPECT_TRUE(ServeCrew(*space_, meeting_point, AHand(1)).ok());
}

TEST_F(CrewTest, MessagesComeBackAsTheyWere) {
  const CrewOrder order{.kind = CrewOrder::Kind::kEvaluate,
                        .why = "",
                        .number = 12,
                        .candidate = {.setting = 3, .batch_per_core = 8, .to_beat = 1.0 / 3}};
  CrewOrder read;
  ASSERT_TRUE(ReadMessage(WriteMessage(order), read));
  EXPECT_EQ(read.candidate.to_beat, 1.0 / 3);
  EXPECT_EQ(read.number, 12);
  EXPECT_FALSE(ReadMessage("[", read));
}

}  // namespace
}  // namespace tilewise
