// Plain files are mapped, so that protobufs are read in place; gzip is inflated
// by zlib as it is asked for.

#include "profile/readers/byte_source.h"

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace tilewise {
namespace {

constexpr size_t kHead = size_t{64} << 10;
// A small file may inflate to any size; no trace of a run is larger.
constexpr size_t kMostInflated = size_t{16} << 30;

}  // namespace

struct ByteSource::State {
  std::string_view raw;  // the file
  size_t at = 0;         // of the raw bytes
  void* mapping = nullptr;
  z_stream stream{};
  bool gzipped = false;
  bool ended = false;
  size_t inflated = 0;
  std::string head;  // inflated, not yet read
  size_t head_at = 0;
  std::string all;
  std::string problem;
  uintptr_t dropped = 0;

  ~State() {
    if (gzipped) inflateEnd(&stream);
    if (mapping != nullptr) munmap(mapping, raw.size());
  }

  void Start() {
    gzipped = raw.size() > 2 && raw[0] == '\x1f' && raw[1] == '\x8b';
    // 16: with the header of gzip; 15: its largest window.
    if (gzipped && inflateInit2(&stream, 16 + 15) != Z_OK) ended = true;
  }

  size_t Copy(char* to, size_t size) {
    const size_t count = std::min(size, raw.size() - at);
    std::memcpy(to, raw.data() + at, count);
    at += count;
    return count;
  }

  // Another member may follow the first: files that were joined.
  bool NextMember() {
    while (at < raw.size() && raw[at] == '\0') ++at;
    if (raw.size() - at < 2 || raw[at] != '\x1f' || raw[at + 1] != '\x8b') return false;
    return inflateReset(&stream) == Z_OK;
  }

  size_t Inflate(char* to, size_t size) {
    size_t made = 0;
    while (made < size && !ended) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(raw.data() + at));
      stream.avail_in = static_cast<uInt>(std::min<size_t>(raw.size() - at, 1U << 30));
      stream.next_out = reinterpret_cast<Bytef*>(to + made);
      stream.avail_out = static_cast<uInt>(std::min<size_t>(size - made, 1U << 30));
      const uInt given = stream.avail_in;
      const uInt room = stream.avail_out;
      const int result = inflate(&stream, Z_NO_FLUSH);
      at += given - stream.avail_in;
      made += room - stream.avail_out;
      inflated += room - stream.avail_out;
      if (result == Z_STREAM_END) {
        ended = !NextMember();
      } else if (result == Z_BUF_ERROR ||
                 (result == Z_OK && at == raw.size() && stream.avail_out == room)) {
        problem = fmt::format("The gzip data ends early, after {} of text.",
                              fmt::format("{} bytes", inflated));
        ended = true;
      } else if (result != Z_OK) {
        problem = fmt::format("The gzip data is damaged after {} bytes of text.", inflated);
        ended = true;
      } else if (inflated > kMostInflated) {
        problem =
            fmt::format("The rest is left out: the text is longer than {} bytes.", kMostInflated);
        ended = true;
      }
    }
    return made;
  }

  size_t Fresh(char* to, size_t size) { return gzipped ? Inflate(to, size) : Copy(to, size); }
};

ByteSource::ByteSource(std::unique_ptr<State> state) : state_(std::move(state)) {}
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;
ByteSource::~ByteSource() = default;

absl::StatusOr<ByteSource> ByteSource::Open(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat about {};
  if (file < 0 || fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
    if (file >= 0) close(file);
    return absl::NotFoundError(
        fmt::format("{}: found no readable file, expected a trace or profile", path));
  }
  auto state = std::make_unique<State>();
  if (about.st_size > 0) {
    const auto size = static_cast<size_t>(about.st_size);
    void* mapping = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapping == MAP_FAILED) {
      close(file);
      return absl::UnavailableError(fmt::format("{}: cannot be mapped into memory", path));
    }
    madvise(mapping, size, MADV_SEQUENTIAL);
    state->mapping = mapping;
    state->raw = {static_cast<const char*>(mapping), size};
  }
  close(file);
  state->Start();
  return ByteSource(std::move(state));
}

ByteSource ByteSource::Of(std::string_view bytes) {
  auto state = std::make_unique<State>();
  state->raw = bytes;
  state->Start();
  return ByteSource(std::move(state));
}

size_t ByteSource::Read(char* to, size_t size) {
  State& state = *state_;
  const size_t kept = std::min(size, state.head.size() - state.head_at);
  std::memcpy(to, state.head.data() + state.head_at, kept);
  state.head_at += kept;
  const size_t fresh = kept < size ? state.Fresh(to + kept, size - kept) : 0;
  if (!state.raw.empty()) Drop(state.raw.data() + state.at);
  return kept + fresh;
}

std::string_view ByteSource::Head() {
  State& state = *state_;
  if (state.head.empty()) {
    state.head.resize(kHead);
    state.head.resize(state.Fresh(state.head.data(), kHead));
  }
  return std::string_view(state.head).substr(state.head_at);
}

std::string_view ByteSource::All(size_t most) {
  State& state = *state_;
  if (!state.gzipped) return state.raw;
  constexpr size_t kPart = size_t{1} << 20;
  state.all = state.head.substr(state.head_at);
  while (state.all.size() < most) {
    const size_t before = state.all.size();
    state.all.resize(before + kPart);
    const size_t fresh = state.Fresh(state.all.data() + before, kPart);
    state.all.resize(before + fresh);
    if (fresh == 0) break;
  }
  if (state.all.size() >= most) {
    state.problem = fmt::format("The rest is left out: only the first {} bytes are read.", most);
  }
  return state.all;
}

void ByteSource::Drop(const char* to) {
  State& state = *state_;
  if (state.mapping == nullptr) return;
  constexpr uintptr_t kStep = uintptr_t{32} << 20;
  constexpr uintptr_t kPage = 4096;
  const auto begin = std::max(state.dropped, reinterpret_cast<uintptr_t>(state.mapping));
  const auto end = reinterpret_cast<uintptr_t>(to) / kPage * kPage;
  if (end < begin + kStep) return;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  state.dropped = end;
}

void ByteSource::Rewind(const char* from) {
  State& state = *state_;
  if (state.mapping == nullptr) return;
  madvise(state.mapping, state.raw.size(), MADV_DONTNEED);
  constexpr uintptr_t kPage = 4096;
  state.dropped = reinterpret_cast<uintptr_t>(from) / kPage * kPage;
}

bool ByteSource::gzipped() const { return state_->gzipped; }
size_t ByteSource::file_size() const { return state_->raw.size(); }
const std::string& ByteSource::problem() const { return state_->problem; }

}  // namespace tilewise
