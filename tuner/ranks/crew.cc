// One thread of rank 0 greets; the one that runs a round hands out and collects.

#include "tuner/ranks/crew.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/content_hash.h"
#include "tuner/ranks/channel.h"
#include "tuner/ranks/crew_messages.h"
#include "tuner/study/key.h"

namespace tilewise {
namespace {

constexpr int kHelloMilliseconds = 5000;
// Candidates that other processes of a study release are looked for so often.
constexpr int kPollMilliseconds = 20;

std::string RandomToken() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", device());
  return token;
}

void Wake(int fd) {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(fd, &one, sizeof(one));
}

}  // namespace

std::string MeetingPoint::Text() const { return token + " " + machine + " " + addresses; }

absl::StatusOr<MeetingPoint> MeetingPoint::Parse(const std::string& text) {
  const size_t machine = text.find(' ') + 1;
  const size_t addresses = text.find(' ', machine) + 1;
  if (machine < 2 || addresses == 0) return InvalidInput("rank 0 did not say where it is");
  return MeetingPoint{.token = text.substr(0, machine - 1),
                      .machine = text.substr(machine, addresses - 1 - machine),
                      .addresses = text.substr(addresses)};
}

std::string CrewKey(const Session& session, const SearchSpace& search, const Space& space) {
  ContentHash hash;
  hash.Add(IdentityOf(session, search).key);
  for (int32_t i = 0; i < space.settings(); ++i) hash.Add(SettingKey(space.setting(i)));
  return hash.Hex();
}

struct Crew::Parts {
  // One thread of another rank.
  struct Connection {
    Channel channel;
    CrewHello hello;
    int64_t process = 0;  // see Round::Owners
    // What it is at; 0: nothing.
    int64_t number = 0;
    size_t index = 0;
  };

  int threads = 1;
  Listener listener;
  MeetingPoint meeting_point;
  Socket wake;     // eventfd: somebody came, or an own thread has nothing left
  Socket closing;  // eventfd: the greeter is to end
  std::string key;
  std::vector<Connection> hands;
  int64_t orders = 0;
  std::map<std::string, int64_t> processes;  // that have come, by name
  Round::Owners owners;
  std::vector<std::string> notes;

  std::mutex mutex;  // guards `came`
  std::vector<Connection> came;
  std::thread greeter;

  void Greet();
  void GreetOne(Socket socket);
  void TakeIn();
  void Note(std::string note);
  bool IsNeeded(const Connection& hand) const;
  void Order(Round& round, Connection& hand);
  void Hear(Round& round, int64_t first_order, Connection& hand);
  void Lose(Round& round, int64_t first_order, const Connection& hand);
  void PollHands(Round& round, int64_t first_order);
};

// Others may come at any time, also while this process still reads its files.
void Crew::Parts::Greet() {
  for (;;) {
    pollfd both[] = {{.fd = listener.socket.fd(), .events = POLLIN, .revents = 0},
                     {.fd = closing.fd(), .events = POLLIN, .revents = 0}};
    if (poll(both, std::size(both), -1) < 0) continue;
    if (both[1].revents != 0) return;
    Socket socket(accept4(listener.socket.fd(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.is_open()) GreetOne(std::move(socket));
  }
}

void Crew::Parts::GreetOne(Socket socket) {
  Channel channel(std::move(socket));
  CrewHello hello;
  const std::optional<std::string> text = channel.Receive(kHelloMilliseconds);
  if (!text || !ReadMessage(*text, hello) || hello.token != meeting_point.token) return;
  if (!channel.Send(WriteMessage(CrewOrder{.kind = CrewOrder::Kind::kWelcome}))) return;
  const std::lock_guard<std::mutex> lock(mutex);
  came.push_back({.channel = std::move(channel), .hello = std::move(hello)});
  Wake(wake.fd());
}

void Crew::Parts::TakeIn() {
  const std::lock_guard<std::mutex> lock(mutex);
  for (Connection& hand : came) {
    if (hand.hello.key == key) {
      const auto next = static_cast<int64_t>(processes.size()) + 1;
      hand.process = processes.try_emplace(hand.hello.name, next).first->second;
      hands.push_back(std::move(hand));
      continue;
    }
    const std::string why =
        "it has other files, options or another tilewise than rank 0, so that its trials would be "
        "others";
    hand.channel.Send(WriteMessage(CrewOrder{.kind = CrewOrder::Kind::kSentAway, .why = why}));
    Note(fmt::format("{} is not used: {}", hand.hello.name, why));
  }
  came.clear();
}

// The threads of a rank have the same to say.
void Crew::Parts::Note(std::string note) {
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
}

// A rank stands by while another one works with all cores of its machine.
bool Crew::Parts::IsNeeded(const Connection& hand) const {
  if (!hand.hello.stands_by) return true;
  return std::ranges::none_of(hands, [&](const Connection& other) {
    return !other.hello.stands_by && other.hello.machine == hand.hello.machine;
  });
}

void Crew::Parts::Order(Round& round, Connection& hand) {
  const std::optional<size_t> index = round.Take(Round::Taker::kOther, hand.process);
  if (!index) return;
  hand.number = ++orders;
  hand.index = *index;
  hand.channel.Send(WriteMessage(CrewOrder{.kind = CrewOrder::Kind::kEvaluate,
                                           .number = hand.number,
                                           .candidate = round.candidate(*index)}));
}

// An answer to an order of an earlier round, which others have answered
// meanwhile, counts no more.
void Crew::Parts::Hear(Round& round, int64_t first_order, Connection& hand) {
  hand.channel.ReadArrived();
  while (const std::optional<std::string> text = hand.channel.Next()) {
    CrewAnswer answer;
    if (!ReadMessage(*text, answer) || answer.number != hand.number) continue;
    const bool counts = std::exchange(hand.number, 0) >= first_order;
    if (!counts) continue;
    answer.result.trial.setting = round.candidate(hand.index).setting;
    round.Finish(hand.index, std::move(answer.result));
  }
}

void Crew::Parts::Lose(Round& round, int64_t first_order, const Connection& hand) {
  if (hand.number >= first_order) round.GiveBack(hand.index);
  Note(fmt::format("{} is lost; others do what it was at", hand.hello.name));
  std::erase_if(owners, [&](const auto& owner) { return owner.second == hand.process; });
}

void Crew::Parts::PollHands(Round& round, int64_t first_order) {
  std::vector<pollfd> all = {{.fd = wake.fd(), .events = POLLIN, .revents = 0}};
  for (const Connection& hand : hands) {
    all.push_back({.fd = hand.channel.fd(), .events = POLLIN, .revents = 0});
  }
  if (poll(all.data(), all.size(), kPollMilliseconds) <= 0) return;
  if (all.front().revents != 0) {
    uint64_t count = 0;
    [[maybe_unused]] const ssize_t n = read(wake.fd(), &count, sizeof(count));
    TakeIn();
  }
  for (size_t i = 1; i < all.size(); ++i) {
    if (all[i].revents != 0) Hear(round, first_order, hands[i - 1]);
  }
}

absl::StatusOr<std::unique_ptr<Crew>> Crew::Make(int threads, std::string machine) {
  auto parts = std::make_unique<Parts>();
  parts->threads = std::max(1, threads);
  TW_ASSIGN_OR_RETURN(parts->listener, Listen());
  parts->meeting_point = {.token = RandomToken(),
                          .machine = std::move(machine),
                          .addresses = parts->listener.addresses};
  parts->wake = Socket(eventfd(0, EFD_CLOEXEC));
  parts->closing = Socket(eventfd(0, EFD_CLOEXEC));
  if (!parts->wake.is_open() || !parts->closing.is_open()) {
    return absl::UnavailableError("no file descriptor is left for other ranks");
  }
  parts->greeter = std::thread([all = parts.get()] { all->Greet(); });
  return std::unique_ptr<Crew>(new Crew(std::move(parts)));
}

Crew::Crew(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Crew::~Crew() {
  Wake(parts_->closing.fd());
  parts_->greeter.join();
  const std::string end = WriteMessage(CrewOrder{.kind = CrewOrder::Kind::kEnd});
  for (Parts::Connection& hand : parts_->came) hand.channel.Send(end);
  for (Parts::Connection& hand : parts_->hands) hand.channel.Send(end);
}

const MeetingPoint& Crew::meeting_point() const { return parts_->meeting_point; }

void Crew::Expect(std::string key) { parts_->key = std::move(key); }

void Crew::Run(Round& round) {
  Parts& parts = *parts_;
  const int64_t first_order = parts.orders + 1;
  round.ShareOut(&parts.owners);
  std::vector<std::thread> own;
  const size_t threads = std::min(static_cast<size_t>(parts.threads), LoweredAtOnce(round.space()));
  own.reserve(threads);
  for (size_t i = 0; i < threads; ++i) {
    own.emplace_back([&] {
      EvaluateHere(round);
      Wake(parts.wake.fd());
    });
  }
  while (!round.has_ended()) {
    for (Parts::Connection& hand : parts.hands) {
      if (hand.number == 0 && parts.IsNeeded(hand)) parts.Order(round, hand);
    }
    parts.PollHands(round, first_order);
    for (const Parts::Connection& hand : parts.hands) {
      if (hand.channel.is_broken()) parts.Lose(round, first_order, hand);
    }
    std::erase_if(parts.hands,
                  [](const Parts::Connection& hand) { return hand.channel.is_broken(); });
  }
  for (std::thread& thread : own) thread.join();
}

std::vector<std::string> Crew::TakeNotes() { return std::exchange(parts_->notes, {}); }

}  // namespace tilewise
