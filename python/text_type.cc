// str and bytes.

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "python/native.h"
#include "python/text.h"
#include "python/text_methods.h"

namespace tilewise::py {
namespace text_functions {

const std::string& Self(Interpreter& in, Arguments& arguments) {
  if (const Str* text = SelfAs<Str>(arguments)) return text->text;
  if (const Bytes* text = SelfAs<Bytes>(arguments)) return text->text;
  in.Raise("TypeError", "expected a str");
}

// The text of argument `at`; raises for what is no text.
const std::string& Other(Interpreter& in, Arguments& arguments, size_t at, std::string_view name) {
  const Value& value = Taken(in, arguments).Get(at, name);
  if (const std::string* text = TextOf(value)) return *text;
  if (const Bytes* bytes = value.as<Bytes>()) return bytes->text;
  const Instance* instance = value.as<Instance>();
  if (instance != nullptr && instance->base.set() && TextOf(instance->base) != nullptr) {
    return *TextOf(instance->base);
  }
  in.Raise("TypeError", fmt::format("found a '{}', expected a str", *in.TypeOf(value)->name));
}

// A result, of the type that the method is called on.
Value Same(Interpreter& in, Arguments& arguments, std::string text) {
  if (SelfAs<Bytes>(arguments) != nullptr) return in.New<Bytes>(std::move(text));
  return in.Text(std::move(text));
}

namespace {

bool AnyUnknown(const Arguments& arguments, Value& unknown) {
  for (const Value& value : arguments.positional) {
    if (IsUnknown(value)) {
      unknown = value;
      return true;
    }
  }
  return false;
}

Value MakeText(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() == 0) return in.Text("");
  if (IsUnknown(taken[0])) return taken[0];
  if (const Bytes* bytes = taken[0].as<Bytes>(); bytes && taken.size() > 1) {
    return in.Text(bytes->text);
  }
  return in.Text(in.Display(taken[0]));
}
std::string Cased(std::string text, int (*change)(int)) {
  for (char& c : text) c = static_cast<char>(change(static_cast<uint8_t>(c)));
  return text;
}
Value Upper(Interpreter& in, Arguments& a) { return Same(in, a, Cased(Self(in, a), std::toupper)); }
Value Lower(Interpreter& in, Arguments& a) { return Same(in, a, Cased(Self(in, a), std::tolower)); }
Value Capitalize(Interpreter& in, Arguments& a) {
  std::string text = Cased(Self(in, a), std::tolower);
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<uint8_t>(text[0])));
  return Same(in, a, std::move(text));
}
Value SwapCase(Interpreter& in, Arguments& a) {
  std::string text = Self(in, a);
  for (char& c : text) {
    const auto u = static_cast<uint8_t>(c);
    c = static_cast<char>(std::isupper(u) != 0 ? std::tolower(u) : std::toupper(u));
  }
  return Same(in, a, std::move(text));
}
Value Title(Interpreter& in, Arguments& a) {
  std::string text = Self(in, a);
  bool inside = false;
  for (char& c : text) {
    const auto u = static_cast<uint8_t>(c);
    c = static_cast<char>(inside ? std::tolower(u) : std::toupper(u));
    inside = std::isalpha(u) != 0;
  }
  return Same(in, a, std::move(text));
}

Value StripWith(Interpreter& in, Arguments& arguments, bool left, bool right) {
  const std::string& text = Self(in, arguments);
  const Taken taken(in, arguments);
  const std::string set =
      taken.Has(1) && !taken[1].none() ? Other(in, arguments, 1) : " \t\n\r\v\f";
  const size_t begin = left ? text.find_first_not_of(set) : 0;
  if (begin == std::string::npos) return Same(in, arguments, "");
  const size_t last = right ? text.find_last_not_of(set) : text.size() - 1;
  if (last == std::string::npos) return Same(in, arguments, "");
  return Same(in, arguments, text.substr(begin, last + 1 - begin));
}
Value Strip(Interpreter& in, Arguments& a) { return StripWith(in, a, true, true); }
Value LStrip(Interpreter& in, Arguments& a) { return StripWith(in, a, true, false); }
Value RStrip(Interpreter& in, Arguments& a) { return StripWith(in, a, false, true); }

Value SplitSpace(Interpreter& in, Arguments& arguments, const std::string& text, int64_t most) {
  std::vector<Value> parts;
  size_t at = 0;
  const std::string space = " \t\n\r\v\f";
  for (;;) {
    at = text.find_first_not_of(space, at);
    if (at == std::string::npos) break;
    if (most >= 0 && static_cast<int64_t>(parts.size()) == most) {
      parts.push_back(Same(in, arguments, text.substr(at, text.find_last_not_of(space) + 1 - at)));
      break;
    }
    const size_t end = std::min(text.find_first_of(space, at), text.size());
    parts.push_back(Same(in, arguments, text.substr(at, end - at)));
    at = end;
  }
  return in.List(std::move(parts));
}

// The parts that a text was taken apart into; a name that stands for others has none that are
// known.
Value Parts(Interpreter& in, const std::string& text, std::vector<Value> parts) {
  if (parts.size() == 1 && in.host().IsStandIn(text)) {
    return in.MakeUnknown("a part of the name of a file that was assumed");
  }
  return in.List(std::move(parts));
}

Value Split(Interpreter& in, Arguments& arguments) {
  Value unknown;
  if (AnyUnknown(arguments, unknown)) return unknown;
  const std::string& text = Self(in, arguments);
  const Taken taken(in, arguments);
  const Value by = taken.Or(1, "sep", None());
  const int64_t most = AsInt(taken.Or(2, "maxsplit", Value(int64_t{-1}))).value_or(-1);
  if (by.none()) return SplitSpace(in, arguments, text, most);
  const std::string* separator = &Other(in, arguments, 1, "sep");
  if (separator->empty()) in.Raise("ValueError", "empty separator");
  std::vector<Value> parts;
  size_t at = 0;
  while (most < 0 || static_cast<int64_t>(parts.size()) < most) {
    const size_t end = text.find(*separator, at);
    if (end == std::string::npos) break;
    parts.push_back(Same(in, arguments, text.substr(at, end - at)));
    at = end + separator->size();
  }
  parts.push_back(Same(in, arguments, text.substr(at)));
  return Parts(in, Self(in, arguments), std::move(parts));
}

Value RSplit(Interpreter& in, Arguments& arguments) {
  Value unknown;
  if (AnyUnknown(arguments, unknown)) return unknown;
  std::string text = Self(in, arguments);
  const Taken taken(in, arguments);
  const Value by = taken.Or(1, "sep", None());
  const int64_t most = AsInt(taken.Or(2, "maxsplit", Value(int64_t{-1}))).value_or(-1);
  if (most < 0 || by.none()) return Split(in, arguments);
  const std::string& separator = Other(in, arguments, 1, "sep");
  if (separator.empty()) in.Raise("ValueError", "empty separator");
  std::vector<Value> parts;
  while (static_cast<int64_t>(parts.size()) < most) {
    const size_t at = text.rfind(separator);
    if (at == std::string::npos) break;
    parts.push_back(Same(in, arguments, text.substr(at + separator.size())));
    text.resize(at);
  }
  parts.push_back(Same(in, arguments, text));
  std::reverse(parts.begin(), parts.end());
  return Parts(in, Self(in, arguments), std::move(parts));
}

Value SplitLines(Interpreter& in, Arguments& arguments) {
  const std::string& text = Self(in, arguments);
  const bool keeps = in.Truth(Taken(in, arguments).Or(1, "keepends", Value(false))).value_or(false);
  std::vector<Value> parts;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    size_t next = std::min(end + 1, text.size());
    if (text.compare(end, 2, "\r\n") == 0) ++next;
    parts.push_back(Same(in, arguments, text.substr(at, (keeps ? next : end) - at)));
    at = next;
  }
  return in.List(std::move(parts));
}

Value Partition(Interpreter& in, Arguments& arguments) {
  const std::string& text = Self(in, arguments);
  const std::string& by = Other(in, arguments, 1);
  const size_t at = text.find(by);
  if (at == std::string::npos)
    return in.Tuple({Same(in, arguments, text), Same(in, arguments, ""), Same(in, arguments, "")});
  return in.Tuple({Same(in, arguments, text.substr(0, at)), Same(in, arguments, by),
                   Same(in, arguments, text.substr(at + by.size()))});
}
Value RPartition(Interpreter& in, Arguments& arguments) {
  const std::string& text = Self(in, arguments);
  const std::string& by = Other(in, arguments, 1);
  const size_t at = text.rfind(by);
  if (at == std::string::npos)
    return in.Tuple({Same(in, arguments, ""), Same(in, arguments, ""), Same(in, arguments, text)});
  return in.Tuple({Same(in, arguments, text.substr(0, at)), Same(in, arguments, by),
                   Same(in, arguments, text.substr(at + by.size()))});
}

Value Join(Interpreter& in, Arguments& arguments) {
  constexpr size_t kMaxJoined = 100'000'000;
  const std::string by = Self(in, arguments);
  std::string result;
  bool first = true;
  Openness open;
  const std::vector<Value> items = in.Items(Taken(in, arguments)[1], &open);
  if (open) return in.UnknownOf(open, "a text joined of all items");
  for (const Value& item : items) {
    const Value* part = &item;
    if (const Instance* instance = item.as<Instance>(); instance && instance->base.set()) {
      part = &instance->base;
    }
    if (IsUnknown(*part)) return *part;
    if (TextOf(*part) == nullptr) {
      in.Raise("TypeError", fmt::format("sequence item: expected str instance, {} found",
                                        *in.TypeOf(item)->name));
    }
    if (!first) result += by;
    first = false;
    result += *TextOf(*part);
    if (result.size() > kMaxJoined) return in.MakeUnknown("a long text");
  }
  return Same(in, arguments, std::move(result));
}

Value Replace(Interpreter& in, Arguments& arguments) {
  Value unknown;
  if (AnyUnknown(arguments, unknown)) return unknown;
  const std::string& text = Self(in, arguments);
  const std::string& from = Other(in, arguments, 1);
  const std::string& to = Other(in, arguments, 2);
  // A text grows at once when many characters replace one.
  constexpr size_t kMaxReplaced = 100'000'000;
  const size_t places = text.size() / std::max<size_t>(1, from.size()) + 1;
  if (to.size() > from.size() && places * to.size() > kMaxReplaced) {
    return in.MakeUnknown("a long text");
  }
  int64_t left = AsInt(Taken(in, arguments).Or(3, "count", Value(int64_t{-1}))).value_or(-1);
  std::string result;
  if (from.empty()) {
    // The text is put before each character and at the end.
    const Str points(text);
    for (int64_t i = 0; i <= points.size(); ++i) {
      if (left != 0) result += to;
      --left;
      result.append(text, points.Byte(i), points.Byte(i + 1) - points.Byte(i));
    }
    return Same(in, arguments, std::move(result));
  }
  size_t at = 0;
  for (;;) {
    const size_t found = left == 0 ? std::string::npos : text.find(from, at);
    if (found == std::string::npos) break;
    result += text.substr(at, found - at) + to;
    at = found + from.size();
    --left;
  }
  return Same(in, arguments, result + text.substr(at));
}

// The bytes from argument `at` up to the next one.
std::pair<size_t, size_t> Bounds(Interpreter& in, Arguments& arguments, size_t at) {
  const Taken taken(in, arguments);
  const Str* text = SelfAs<Str>(arguments);
  const int64_t size =
      text != nullptr ? text->size() : static_cast<int64_t>(Self(in, arguments).size());
  const auto bound = [&](size_t n, int64_t otherwise) {
    int64_t place = AsInt(taken.Or(n, "", None())).value_or(otherwise);
    if (place < 0) place += size;
    place = std::clamp<int64_t>(place, 0, size);
    return text != nullptr ? text->Byte(place) : static_cast<size_t>(place);
  };
  return {bound(at, 0), bound(at + 1, size)};
}
bool Fits(Interpreter& in, Arguments& arguments, bool start) {
  const auto [begin, end] = Bounds(in, arguments, 2);
  const std::string_view text =
      std::string_view(Self(in, arguments)).substr(begin, end - std::min(begin, end));
  const Value& wanted = Taken(in, arguments)[1];
  std::vector<Value> choices = {wanted};
  if (const Sequence* several = wanted.as<Sequence>()) choices = several->items;
  for (const Value& choice : choices) {
    const Bytes* bytes = choice.as<Bytes>();
    const std::string* part = bytes != nullptr ? &bytes->text : TextOf(choice);
    if (part == nullptr) continue;
    if (start ? text.starts_with(*part) : text.ends_with(*part)) return true;
  }
  return false;
}
Value StartsWith(Interpreter& in, Arguments& a) {
  Value unknown;
  return AnyUnknown(a, unknown) ? unknown : Value(Fits(in, a, true));
}
Value EndsWith(Interpreter& in, Arguments& a) {
  Value unknown;
  return AnyUnknown(a, unknown) ? unknown : Value(Fits(in, a, false));
}
Value RemovePrefix(Interpreter& in, Arguments& a) {
  const std::string &text = Self(in, a), &part = Other(in, a, 1);
  return Same(in, a, text.starts_with(part) ? text.substr(part.size()) : text);
}
Value RemoveSuffix(Interpreter& in, Arguments& a) {
  const std::string &text = Self(in, a), &part = Other(in, a, 1);
  return Same(
      in, a,
      text.ends_with(part) && !part.empty() ? text.substr(0, text.size() - part.size()) : text);
}

Value PlaceOf(Arguments& arguments, size_t byte) {
  if (byte == std::string::npos) return Value(int64_t{-1});
  const Str* text = SelfAs<Str>(arguments);
  return Value(text != nullptr ? text->Point(byte) : static_cast<int64_t>(byte));
}
Value Find(Interpreter& in, Arguments& a) {
  Value unknown;
  if (AnyUnknown(a, unknown)) return unknown;
  const auto [begin, end] = Bounds(in, a, 2);
  const std::string_view part = std::string_view(Self(in, a)).substr(0, end);
  return PlaceOf(a, part.find(Other(in, a, 1), begin));
}
Value RFind(Interpreter& in, Arguments& a) {
  Value unknown;
  if (AnyUnknown(a, unknown)) return unknown;
  const auto [begin, end] = Bounds(in, a, 2);
  const size_t at = std::string_view(Self(in, a)).substr(0, end).rfind(Other(in, a, 1));
  return PlaceOf(a, at != std::string::npos && at < begin ? std::string::npos : at);
}
Value Index(Interpreter& in, Arguments& a) {
  const Value at = Find(in, a);
  if (at.tag == Value::Tag::kInt && at.integer < 0) {
    in.Raise("ValueError", "substring not found");
  }
  return at;
}
Value RIndex(Interpreter& in, Arguments& a) {
  const Value at = RFind(in, a);
  if (at.tag == Value::Tag::kInt && at.integer < 0) {
    in.Raise("ValueError", "substring not found");
  }
  return at;
}
Value Count(Interpreter& in, Arguments& a) {
  Value unknown;
  if (AnyUnknown(a, unknown)) return unknown;
  const auto [begin, end] = Bounds(in, a, 2);
  const std::string text = Self(in, a).substr(begin, end - std::min(begin, end));
  const std::string& part = Other(in, a, 1);
  if (part.empty()) return Value(Str(text).size() + 1);
  int64_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return Value(count);
}

template <int (*kTest)(int)>
Value AllAre(Interpreter& in, Arguments& arguments) {
  const std::string& text = Self(in, arguments);
  return Value(!text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return kTest(static_cast<uint8_t>(c)) != 0;
  }));
}
Value IsAscii(Interpreter& in, Arguments& a) {
  const std::string& text = Self(in, a);
  return Value(
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) < 0x80; }));
}
// Characters beyond ASCII are taken to be letters.
int IsLetter(int c) { return std::isalpha(c) != 0 || c >= 0x80 ? 1 : 0; }
int IsLetterOrDigit(int c) { return std::isalnum(c) != 0 || c >= 0x80 ? 1 : 0; }
// Whether there are letters of this case and none of the other.
template <int (*kWanted)(int), int (*kOther)(int)>
Value IsCase(Interpreter& in, Arguments& arguments) {
  const std::string& text = Self(in, arguments);
  const auto any = [&](int (*test)(int)) {
    return std::any_of(text.begin(), text.end(),
                       [&](char c) { return test(static_cast<uint8_t>(c)) != 0; });
  };
  return Value(any(kWanted) && !any(kOther));
}
int IsNameCharacter(int c) { return IsLetterOrDigit(c) != 0 || c == '_' ? 1 : 0; }

// Longer texts are not padded.
constexpr int64_t kMaxWidth = 10'000;

Value Aligned(Interpreter& in, Arguments& arguments, const char* align) {
  const Taken taken(in, arguments);
  const std::string& text = Self(in, arguments);
  const int64_t width = AsInt(taken[1]).value_or(0);
  const std::string fill = taken.Has(2) ? Other(in, arguments, 2) : " ";
  if (width >= kMaxWidth) return in.MakeUnknown("a long text");
  const auto aligned =
      FormatText(text, fmt::format("{}{}{}", fill, align, std::max<int64_t>(0, width)));
  if (!aligned.has_value()) {
    in.Raise("TypeError", "The fill character must be exactly one character long");
  }
  return Same(in, arguments, *aligned);
}
Value LJust(Interpreter& in, Arguments& a) { return Aligned(in, a, "<"); }
Value RJust(Interpreter& in, Arguments& a) { return Aligned(in, a, ">"); }
Value Center(Interpreter& in, Arguments& a) { return Aligned(in, a, "^"); }
Value ZFill(Interpreter& in, Arguments& a) {
  std::string text = Self(in, a);
  const int64_t width = AsInt(Taken(in, a)[1]).value_or(0);
  if (width >= kMaxWidth) return in.MakeUnknown("a long text");
  const size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const int64_t missing = width - static_cast<int64_t>(text.size());
  if (missing > 0) text.insert(sign, static_cast<size_t>(missing), '0');
  return Same(in, a, std::move(text));
}
Value Encode(Interpreter& in, Arguments& a) { return in.New<Bytes>(Self(in, a)); }
Value Decode(Interpreter& in, Arguments& a) { return in.Text(Self(in, a)); }
Value IsNumeric(Interpreter& in, Arguments& a) { return AllAre<std::isdigit>(in, a); }
// A view of an object's memory stands for the object.
Value View(Interpreter& in, Arguments& arguments) { return Taken(in, arguments)[0]; }

}  // namespace
}  // namespace text_functions

void DefineText(Interpreter& in) {
  using namespace text_functions;  // NOLINT: this file's
  Publish(in, in.types.text, MakeText);
  in.builtins()->names.Set(in.Name("bytearray"), in.types.bytes);
  in.Define(*in.builtins(), "memoryview", View);
  constexpr MethodRow kRows[] = {
      {"upper", Upper},
      {"lower", Lower},
      {"casefold", Lower},
      {"capitalize", Capitalize},
      {"swapcase", SwapCase},
      {"title", Title},
      {"strip", Strip},
      {"lstrip", LStrip},
      {"rstrip", RStrip},
      {"split", Split},
      {"rsplit", RSplit},
      {"splitlines", SplitLines},
      {"partition", Partition},
      {"rpartition", RPartition},
      {"join", Join},
      {"replace", Replace},
      {"startswith", StartsWith},
      {"endswith", EndsWith},
      {"removeprefix", RemovePrefix},
      {"removesuffix", RemoveSuffix},
      {"find", Find},
      {"rfind", RFind},
      {"index", Index},
      {"rindex", RIndex},
      {"isascii", IsAscii},
      {"count", Count},
      {"isdigit", AllAre<std::isdigit>},
      {"isdecimal", AllAre<std::isdigit>},
      {"isnumeric", IsNumeric},
      {"isalpha", AllAre<IsLetter>},
      {"isalnum", AllAre<IsLetterOrDigit>},
      {"isspace", AllAre<std::isspace>},
      {"isupper", IsCase<std::isupper, std::islower>},
      {"islower", IsCase<std::islower, std::isupper>},
      {"isidentifier", AllAre<IsNameCharacter>},
      {"ljust", LJust},
      {"rjust", RJust},
      {"center", Center},
      {"zfill", ZFill},
      {"encode", Encode},
      {"decode", Decode},
      {"format", FormatMethod},
      {"__mod__", Percent},
  };
  DefineTextTables(in);
  DefineMethods(in, *in.types.text, kRows);
  DefineMethods(in, *in.types.bytes, kRows);
}

}  // namespace tilewise::py
