// Switches between stacks, with what AddressSanitizer has to know of them.

#include "python/fiber.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <sys/mman.h>

#include "python/interpreter.h"

#if defined(__SANITIZE_ADDRESS__)
#define TW_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TW_ADDRESS_SANITIZER
#endif
#endif

#ifdef TW_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace tilewise::py {
namespace {

constexpr size_t kGuardBytes = size_t{4} << 10;

#ifdef TW_ADDRESS_SANITIZER
// Frames are several times as large with its red zones.
constexpr size_t kStackScale = 4;

void BeginSwitch(void** kept, const void* base, size_t bytes) {
  __sanitizer_start_switch_fiber(kept, base, bytes);
}
void EndSwitch(void* kept, const void** base, size_t* bytes) {
  __sanitizer_finish_switch_fiber(kept, base, bytes);
}
void ForgetStack(char* base, size_t bytes) { __asan_unpoison_memory_region(base, bytes); }
#else
constexpr size_t kStackScale = 1;
void BeginSwitch(void**, const void*, size_t) {}
void EndSwitch(void*, const void**, size_t*) {}
void ForgetStack(char*, size_t) {}
#endif

// These are stacks that the next ones of a thread take: what touches new pages costs more than what
// small programs do with them. The uppermost pages of each keep their memory.
class KeptStacks {
 public:
  KeptStacks() = default;
  ~KeptStacks() {
    for (const Kept& stack : stacks_) Unmap(stack.base, stack.bytes);
  }
  KeptStacks(const KeptStacks&) = delete;
  KeptStacks& operator=(const KeptStacks&) = delete;

  // Null: there is none of that size.
  char* Take(size_t bytes) {
    for (auto stack = stacks_.begin(); stack != stacks_.end(); ++stack) {
      if (stack->bytes != bytes) continue;
      char* base = stack->base;
      stacks_.erase(stack);
      return base;
    }
    return nullptr;
  }
  void Give(char* base, size_t bytes) {
    constexpr size_t kMost = 4;
    constexpr size_t kTouched = size_t{64} << 10;
    if (stacks_.size() == kMost || madvise(base, bytes - kTouched, MADV_DONTNEED) != 0) {
      return Unmap(base, bytes);
    }
    stacks_.push_back({base, bytes});
  }

 private:
  struct Kept {
    char* base = nullptr;
    size_t bytes = 0;
  };
  static void Unmap(char* base, size_t bytes) { munmap(base - kGuardBytes, bytes + kGuardBytes); }

  std::vector<Kept> stacks_;
};

KeptStacks& Kept() {
  thread_local KeptStacks kept;
  return kept;
}

}  // namespace

Stack::Stack(size_t bytes) : base_(Kept().Take(bytes * kStackScale)), bytes_(bytes * kStackScale) {
  if (base_ != nullptr) return;
  void* memory = mmap(nullptr, bytes_ + kGuardBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw Stopped{"there is no memory for another stack"};
  base_ = static_cast<char*>(memory) + kGuardBytes;
  if (mprotect(memory, kGuardBytes, PROT_NONE) != 0) {
    munmap(memory, bytes_ + kGuardBytes);
    throw Stopped{"there is no memory for another stack"};
  }
  ForgetStack(base_, bytes_);
}
Stack::~Stack() {
  ForgetStack(base_, bytes_);
  Kept().Give(base_, bytes_);
}

Fiber::Fiber(size_t stack_bytes, std::function<void()> body)
    : body_(std::move(body)), stack_(stack_bytes) {
  getcontext(&inside_);
  inside_.uc_stack.ss_sp = stack_.base();
  inside_.uc_stack.ss_size = stack_.bytes();
  inside_.uc_link = nullptr;
  const auto address = reinterpret_cast<uint64_t>(this);
  makecontext(&inside_, reinterpret_cast<void (*)()>(&Fiber::Start), 2,
              static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
}

void Fiber::Start(unsigned high, unsigned low) {
  auto* self = reinterpret_cast<Fiber*>((static_cast<uint64_t>(high) << 32) | low);
  EndSwitch(nullptr, &self->outer_base_, &self->outer_bytes_);
  self->body_();
  self->Back(true);
}

void Fiber::Enter() {
  void* kept = nullptr;
  BeginSwitch(&kept, stack_.base(), stack_.bytes());
  swapcontext(&outside_, &inside_);
  EndSwitch(kept, nullptr, nullptr);
}

void Fiber::Leave() { Back(false); }

void Fiber::Back(bool ends) {
  BeginSwitch(ends ? nullptr : &kept_inside_, outer_base_, outer_bytes_);
  swapcontext(&inside_, &outside_);
  EndSwitch(kept_inside_, &outer_base_, &outer_bytes_);
}

}  // namespace tilewise::py
