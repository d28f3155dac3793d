// What only bytes have, and numbers as bytes.

#include <algorithm>

#include <fmt/format.h>

#include "python/native.h"

namespace tilewise::py {
namespace bytes_functions {
namespace {

Value MakeBytes(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() == 0) return in.New<Bytes>("");
  if (IsUnknown(taken[0])) return taken[0];
  if (const std::string* text = TextOf(taken[0])) return in.New<Bytes>(*text);
  if (const Bytes* bytes = taken[0].as<Bytes>()) return in.New<Bytes>(bytes->text);
  if (const auto size = AsInt(taken[0]); size.has_value()) {
    if (*size >= 1'000'000) return in.MakeUnknown("bytes");
    return in.New<Bytes>(std::string(static_cast<size_t>(std::max<int64_t>(0, *size)), '\0'));
  }
  Openness open;
  std::string result;
  for (const Value& item : in.Items(taken[0], &open)) {
    if (IsUnknown(item)) return item;
    const auto byte = AsInt(item);
    if (!byte.has_value() || *byte < 0 || *byte > 255) {
      in.Raise("ValueError", "bytes must be in range(0, 256)");
    }
    result += static_cast<char>(*byte);
  }
  if (open) return in.UnknownOf(open, "bytes");
  return in.New<Bytes>(std::move(result));
}

bool BigEnd(Interpreter& in, const Taken& taken, size_t at) {
  const Value order = taken.Or(at, "byteorder", in.Text("big"));
  return TextOf(order) == nullptr || *TextOf(order) == "big";
}

Value ToBytes(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const auto number = AsInt(taken[0]);
  const auto size = AsInt(taken.Or(1, "length", Value(int64_t{1})));
  if (!number.has_value() || !size.has_value() || *size > 4096) {
    return in.MakeUnknown("bytes of a number");
  }
  std::string result;
  int64_t left = *number;
  for (int64_t i = 0; i < *size; ++i, left >>= 8) result += static_cast<char>(left & 0xFF);
  if (left != 0 && left != -1) in.Raise("OverflowError", "int too big to convert");
  if (BigEnd(in, taken, 2)) std::reverse(result.begin(), result.end());
  return in.New<Bytes>(std::move(result));
}

Value FromBytes(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  const Value given = taken.Get(0, "bytes");
  Arguments made;
  made.positional = {given};
  const Value value = MakeBytes(in, made);
  const Bytes* bytes = value.as<Bytes>();
  if (bytes == nullptr || bytes->text.size() > 8) return in.MakeUnknown("a number of bytes");
  std::string text = bytes->text;
  if (BigEnd(in, taken, 1)) std::reverse(text.begin(), text.end());
  const bool has_sign = in.Truth(taken.Or(99, "signed", Value(false))).value_or(false);
  uint64_t number = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    number |= static_cast<uint64_t>(static_cast<uint8_t>(text[i])) << (8 * i);
  }
  const bool negative = has_sign && !text.empty() && (text.back() & 0x80) != 0;
  if (negative && text.size() < 8) number |= ~uint64_t{0} << (8 * text.size());
  return Value(static_cast<int64_t>(number));
}

Value Hex(Interpreter& in, Arguments& arguments) {
  const Bytes* bytes = SelfAs<Bytes>(arguments);
  if (bytes == nullptr) return in.MakeUnknown("digits of bytes");
  std::string result;
  for (const char c : bytes->text) result += fmt::format("{:02x}", static_cast<uint8_t>(c));
  return in.Text(std::move(result));
}

}  // namespace
}  // namespace bytes_functions

void DefineBytes(Interpreter& in) {
  using namespace bytes_functions;  // NOLINT: this file's
  Publish(in, in.types.bytes, MakeBytes);
  in.DefineMethod(*in.types.bytes, "hex", Hex);
  in.DefineMethod(*in.types.integer, "to_bytes", ToBytes);
  in.types.integer->members.Set(
      in.Name("from_bytes"),
      in.New<Wrapped>(Kind::kStaticMethod, in.New<Builtin>(in.Name("from_bytes"), FromBytes)));
}

}  // namespace tilewise::py
