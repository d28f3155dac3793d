// A TCP connection that carries texts.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tilewise {

// A file descriptor that is closed with its owner.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();
  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

class Channel {
 public:
  explicit Channel(Socket socket);
  int fd() const { return socket_.fd(); }
  // These return false or none where the other end is lost, or says what no
  // tilewise says.
  bool Send(std::string_view text);
  // Waits for a text; `milliseconds` < 0: for as long as the other end lives.
  std::optional<std::string> Receive(int milliseconds = -1);
  // What has arrived, without waiting.
  bool ReadArrived();
  // The next text of what has arrived.
  std::optional<std::string> Next();
  bool is_broken() const { return broken_; }

 private:
  Socket socket_;
  std::string arrived_;
  bool broken_ = false;
};

// Others reach this process at these addresses: "PORT ADDRESS ADDRESS ..",
// loopback last.
struct Listener {
  Socket socket;
  std::string addresses;
};
absl::StatusOr<Listener> Listen();

// Connects to a listener. Errors: nobody is there.
absl::StatusOr<Socket> Connect(const std::string& address, int port);

}  // namespace tilewise
