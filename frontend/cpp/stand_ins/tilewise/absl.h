// Stand-in for what programs around XLA name of Abseil.
#ifndef TILEWISE_STAND_IN_ABSL
#define TILEWISE_STAND_IN_ABSL

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace absl {
using string_view = std::string_view;
using std::nullopt;
using std::optional;
template <class T>
class Span {
 public:
  constexpr Span() {}
  constexpr Span(T* data, std::size_t size) {}
  template <class V, class = decltype(std::declval<V>().data())>
  constexpr Span(const V& list) {}
  template <std::size_t N>
  constexpr Span(T (&list)[N]) {}
  constexpr Span(std::initializer_list<std::remove_const_t<T>> list) {}
  std::size_t size() const;
  bool empty() const;
  T& operator[](std::size_t index) const;
  T& back() const;
  T& front() const;
  T* data() const;
  T* begin() const;
  T* end() const;
  Span subspan(std::size_t from, std::size_t count = -1) const;
};
template <class V>
Span<const typename V::value_type> MakeSpan(const V& list);
template <class V>
Span<const typename V::value_type> MakeConstSpan(const V& list);
class Status {
 public:
  Status() {}
  bool ok() const;
  std::string ToString() const;
  std::string_view message() const;
  void IgnoreError() const;
};
Status OkStatus();
Status InvalidArgumentError(std::string_view message);
Status InternalError(std::string_view message);
Status UnimplementedError(std::string_view message);
template <class T>
class StatusOr {
 public:
  using value_type = T;
  StatusOr() {}
  StatusOr(const Status& status) {}
  StatusOr(const T& value) {}
  StatusOr(T&& value) {}
  bool ok() const;
  Status status() const;
  T& value();
  T&& ValueOrDie();
  T& operator*();
  T* operator->();
};
template <class... A>
std::string StrCat(A&&... parts);
template <class L>
std::string StrJoin(const L& list, std::string_view between);
template <class T, std::size_t N>
class InlinedVector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
};
}  // namespace absl

#endif
