// A worker: each of its threads has a connection of its own and does one thing
// after the other.

#include <algorithm>
#include <mutex>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tuner/ranks/channel.h"
#include "tuner/ranks/crew.h"
#include "tuner/ranks/crew_messages.h"

namespace tilewise {
namespace {

constexpr int kWelcomeMilliseconds = 20000;

class Worker {
 public:
  Worker(const Space& space, const MeetingPoint& meeting_point, CrewHello hello)
      : space_(space), meeting_point_(meeting_point), hello_(std::move(hello)) {}

  absl::Status Serve() const {
    std::optional<Channel> channel = Meet();
    if (!channel) return absl::OkStatus();  // it has ended before
    for (;;) {
      const std::optional<std::string> text = channel->Receive();
      CrewOrder order;
      if (!text || !ReadMessage(*text, order)) {
        return absl::UnavailableError("rank 0 is lost: what was evaluated for it is not counted");
      }
      switch (order.kind) {
        case CrewOrder::Kind::kEnd:
          return absl::OkStatus();
        case CrewOrder::Kind::kSentAway:
          return absl::FailedPreconditionError("rank 0 does not use this one: " + order.why);
        case CrewOrder::Kind::kWelcome:
          break;
        case CrewOrder::Kind::kEvaluate:
          channel->Send(WriteMessage(
              CrewAnswer{.number = order.number, .result = Evaluate(space_, order.candidate)}));
          break;
      }
    }
  }

 private:
  // Connects to the one of several addresses at which rank 0 answers.
  std::optional<Channel> Meet() const {
    std::istringstream words(meeting_point_.addresses);
    int port = 0;
    words >> port;
    for (std::string address; words >> address;) {
      absl::StatusOr<Socket> socket = Connect(address, port);
      if (!socket.ok()) continue;
      Channel channel(*std::move(socket));
      if (!channel.Send(WriteMessage(hello_))) continue;
      const std::optional<std::string> text = channel.Receive(kWelcomeMilliseconds);
      CrewOrder order;
      const bool is_welcome =
          text && ReadMessage(*text, order) && order.kind == CrewOrder::Kind::kWelcome;
      if (is_welcome) return channel;
    }
    return std::nullopt;
  }

  const Space& space_;
  const MeetingPoint& meeting_point_;
  const CrewHello hello_;
};

}  // namespace

absl::Status ServeCrew(const Space& space, const MeetingPoint& meeting_point, const Hand& hand) {
  const Worker worker(space, meeting_point,
                      {.token = meeting_point.token,
                       .key = hand.key,
                       .name = hand.name,
                       .machine = hand.machine,
                       .stands_by = hand.stands_by});
  const size_t threads = std::min(static_cast<size_t>(hand.threads), LoweredAtOnce(space));
  std::mutex mutex;  // guards the status
  absl::Status status;
  std::vector<std::thread> all;
  all.reserve(threads);
  for (size_t i = 0; i < threads; ++i) {
    all.emplace_back([&] {
      absl::Status served = worker.Serve();
      const std::lock_guard<std::mutex> lock(mutex);
      if (status.ok()) status = std::move(served);
    });
  }
  for (std::thread& thread : all) thread.join();
  return status;
}

}  // namespace tilewise
