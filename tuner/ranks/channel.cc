// Before each text stands its length in four bytes, the highest first. The
// system notices within half a minute that another machine is gone.

#include "tuner/ranks/channel.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tilewise {
namespace {

constexpr size_t kHeader = 4;
constexpr size_t kLongestText = size_t{16} << 20;
constexpr int kConnectMilliseconds = 3000;
constexpr int kSendSeconds = 30;

void SetOption(int fd, int level, int option, int value) {
  setsockopt(fd, level, option, &value, sizeof(value));
}

void NoticeLoss(int fd) {
  SetOption(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  SetOption(fd, IPPROTO_TCP, TCP_KEEPIDLE, 10);
  SetOption(fd, IPPROTO_TCP, TCP_KEEPINTVL, 5);
  SetOption(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
  SetOption(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 30000);
  SetOption(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  const timeval patience{.tv_sec = kSendSeconds, .tv_usec = 0};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
}

bool IsReady(int fd, short events, int milliseconds) {
  pollfd one{.fd = fd, .events = events, .revents = 0};
  int ready = 0;
  do {
    ready = poll(&one, 1, milliseconds);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

absl::Status SystemError(std::string_view what) {
  return absl::UnavailableError(fmt::format("{}: {}", what, std::strerror(errno)));
}

// IPv4 addresses of the interfaces that are up; loopback last.
std::vector<std::string> OwnAddresses() {
  std::vector<std::string> addresses;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) == 0) {
    for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
      const bool usable = one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET &&
                          (one->ifa_flags & IFF_UP) != 0 && (one->ifa_flags & IFF_LOOPBACK) == 0;
      if (!usable) continue;
      sockaddr_in address{};
      std::memcpy(&address, one->ifa_addr, sizeof(address));
      char text[INET_ADDRSTRLEN] = "";
      inet_ntop(AF_INET, &address.sin_addr, text, sizeof(text));
      addresses.emplace_back(text);
    }
    freeifaddrs(all);
  }
  addresses.emplace_back("127.0.0.1");
  return addresses;
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Socket::~Socket() {
  if (fd_ >= 0) close(fd_);
}

Channel::Channel(Socket socket) : socket_(std::move(socket)) { NoticeLoss(fd()); }

bool Channel::Send(std::string_view text) {
  std::string message;
  const auto size = static_cast<uint32_t>(text.size());
  for (int shift = 24; shift >= 0; shift -= 8) message += static_cast<char>(size >> shift & 0xFF);
  message += text;
  size_t sent = 0;
  while (sent < message.size() && !broken_) {
    const ssize_t n = send(fd(), message.data() + sent, message.size() - sent, MSG_NOSIGNAL);
    if (n > 0) {
      sent += static_cast<size_t>(n);
    } else if (errno != EINTR) {
      broken_ = true;
    }
  }
  return !broken_;
}

bool Channel::ReadArrived() {
  char buffer[65536];
  while (!broken_) {
    const ssize_t n = recv(fd(), buffer, sizeof(buffer), MSG_DONTWAIT);
    if (n > 0) {
      arrived_.append(buffer, static_cast<size_t>(n));
    } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return true;
    } else if (n == 0 || errno != EINTR) {
      broken_ = true;
    }
  }
  return false;
}

std::optional<std::string> Channel::Next() {
  if (arrived_.size() < kHeader) return std::nullopt;
  size_t size = 0;
  for (size_t i = 0; i < kHeader; ++i) size = size << 8 | static_cast<unsigned char>(arrived_[i]);
  if (size > kLongestText) broken_ = true;
  if (broken_ || arrived_.size() < kHeader + size) return std::nullopt;
  std::string text = arrived_.substr(kHeader, size);
  arrived_.erase(0, kHeader + size);
  return text;
}

std::optional<std::string> Channel::Receive(int milliseconds) {
  for (;;) {
    if (std::optional<std::string> text = Next()) return text;
    if (broken_ || !IsReady(fd(), POLLIN, milliseconds)) return std::nullopt;
    // What came before the end still counts.
    if (!ReadArrived()) {
      broken_ = false;
      std::optional<std::string> text = Next();
      broken_ = true;
      return text;
    }
  }
}

absl::StatusOr<Listener> Listen() {
  Listener listener{.socket = Socket(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
                    .addresses = {}};
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof(any);
  const int fd = listener.socket.fd();
  if (fd < 0 || bind(fd, reinterpret_cast<sockaddr*>(&any), sizeof(any)) != 0 ||
      listen(fd, SOMAXCONN) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&any), &size) != 0) {
    return SystemError("cannot listen for other ranks");
  }
  listener.addresses = fmt::format("{}", ntohs(any.sin_port));
  for (const std::string& address : OwnAddresses()) listener.addresses += " " + address;
  return listener;
}

absl::StatusOr<Socket> Connect(const std::string& address, int port) {
  Socket made(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(static_cast<uint16_t>(port));
  if (!made.is_open() || inet_pton(AF_INET, address.c_str(), &there.sin_addr) != 1) {
    return SystemError("cannot connect");
  }
  if (connect(made.fd(), reinterpret_cast<sockaddr*>(&there), sizeof(there)) != 0 &&
      errno != EINPROGRESS) {
    return SystemError("cannot connect");
  }
  int error = ETIMEDOUT;
  socklen_t size = sizeof(error);
  if (IsReady(made.fd(), POLLOUT, kConnectMilliseconds)) {
    getsockopt(made.fd(), SOL_SOCKET, SO_ERROR, &error, &size);
  }
  errno = error;
  if (error != 0) return SystemError("cannot connect");
  fcntl(made.fd(), F_SETFL, fcntl(made.fd(), F_GETFL) & ~O_NONBLOCK);
  return made;
}

}  // namespace tilewise
