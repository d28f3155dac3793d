// str and bytes.

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "python/native.h"
#include "python/text.h"

namespace tilewise::py {
namespace text_functions {
namespace {

const std::string& Self(Interpreter& in, Arguments& arguments) {
  if (const Str* text = SelfAs<Str>(arguments)) return text->text;
  if (const Bytes* text = SelfAs<Bytes>(arguments)) return text->text;
  in.Raise("TypeError", "expected a str");
}

// The text of argument `at`; raises for what is no text.
const std::string& Other(Interpreter& in, Arguments& arguments, size_t at) {
  const Value& value = Taken(in, arguments)[at];
  if (const std::string* text = TextOf(value)) return *text;
  if (const Bytes* bytes = value.as<Bytes>()) return bytes->text;
  const Instance* instance = value.as<Instance>();
  if (instance != nullptr && instance->base.set() && TextOf(instance->base) != nullptr) {
    return *TextOf(instance->base);
  }
  in.Raise("TypeError", fmt::format("found a '{}', expected a str", *in.TypeOf(value)->name));
}

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
Value MakeBytes(Interpreter& in, Arguments& arguments) {
  const Taken taken(in, arguments);
  if (taken.size() == 0) return in.New<Bytes>("");
  if (const std::string* text = TextOf(taken[0])) return in.New<Bytes>(*text);
  if (const auto size = AsInt(taken[0]); size.has_value() && *size < 1'000'000) {
    return in.New<Bytes>(std::string(static_cast<size_t>(std::max<int64_t>(0, *size)), '\0'));
  }
  return in.MakeUnknown("bytes");
}

std::string Cased(std::string text, int (*change)(int)) {
  for (char& c : text) c = static_cast<char>(change(static_cast<uint8_t>(c)));
  return text;
}
Value Upper(Interpreter& in, Arguments& a) { return in.Text(Cased(Self(in, a), std::toupper)); }
Value Lower(Interpreter& in, Arguments& a) { return in.Text(Cased(Self(in, a), std::tolower)); }
Value Capitalize(Interpreter& in, Arguments& a) {
  std::string text = Cased(Self(in, a), std::tolower);
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<uint8_t>(text[0])));
  return in.Text(std::move(text));
}
Value SwapCase(Interpreter& in, Arguments& a) {
  std::string text = Self(in, a);
  for (char& c : text) {
    const auto u = static_cast<uint8_t>(c);
    c = static_cast<char>(std::isupper(u) != 0 ? std::tolower(u) : std::toupper(u));
  }
  return in.Text(std::move(text));
}
Value Title(Interpreter& in, Arguments& a) {
  std::string text = Self(in, a);
  bool inside = false;
  for (char& c : text) {
    const auto u = static_cast<uint8_t>(c);
    c = static_cast<char>(inside ? std::tolower(u) : std::toupper(u));
    inside = std::isalpha(u) != 0;
  }
  return in.Text(std::move(text));
}

Value StripWith(Interpreter& in, Arguments& arguments, bool left, bool right) {
  const std::string& text = Self(in, arguments);
  const Taken taken(in, arguments);
  const std::string set =
      taken.Has(1) && !taken[1].none() ? Other(in, arguments, 1) : " \t\n\r\v\f";
  const size_t begin = left ? text.find_first_not_of(set) : 0;
  if (begin == std::string::npos) return in.Text("");
  const size_t last = right ? text.find_last_not_of(set) : text.size() - 1;
  if (last == std::string::npos) return in.Text("");
  return in.Text(text.substr(begin, last + 1 - begin));
}
Value Strip(Interpreter& in, Arguments& a) { return StripWith(in, a, true, true); }
Value LStrip(Interpreter& in, Arguments& a) { return StripWith(in, a, true, false); }
Value RStrip(Interpreter& in, Arguments& a) { return StripWith(in, a, false, true); }

Value SplitSpace(Interpreter& in, const std::string& text, int64_t most) {
  std::vector<Value> parts;
  size_t at = 0;
  const std::string space = " \t\n\r\v\f";
  for (;;) {
    at = text.find_first_not_of(space, at);
    if (at == std::string::npos) break;
    if (most >= 0 && static_cast<int64_t>(parts.size()) == most) {
      parts.push_back(in.Text(text.substr(at, text.find_last_not_of(space) + 1 - at)));
      break;
    }
    const size_t end = std::min(text.find_first_of(space, at), text.size());
    parts.push_back(in.Text(text.substr(at, end - at)));
    at = end;
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
  if (by.none()) return SplitSpace(in, text, most);
  const std::string* separator = TextOf(by);
  if (separator == nullptr || separator->empty()) in.Raise("ValueError", "empty separator");
  std::vector<Value> parts;
  size_t at = 0;
  while (most < 0 || static_cast<int64_t>(parts.size()) < most) {
    const size_t end = text.find(*separator, at);
    if (end == std::string::npos) break;
    parts.push_back(in.Text(text.substr(at, end - at)));
    at = end + separator->size();
  }
  parts.push_back(in.Text(text.substr(at)));
  return in.List(std::move(parts));
}

Value RSplit(Interpreter& in, Arguments& arguments) {
  Value unknown;
  if (AnyUnknown(arguments, unknown)) return unknown;
  std::string text = Self(in, arguments);
  const Taken taken(in, arguments);
  const Value by = taken.Or(1, "sep", None());
  const int64_t most = AsInt(taken.Or(2, "maxsplit", Value(int64_t{-1}))).value_or(-1);
  if (most < 0 || by.none()) return Split(in, arguments);
  const std::string& separator = *TextOf(by);
  std::vector<Value> parts;
  while (static_cast<int64_t>(parts.size()) < most) {
    const size_t at = text.rfind(separator);
    if (at == std::string::npos) break;
    parts.push_back(in.Text(text.substr(at + separator.size())));
    text.resize(at);
  }
  parts.push_back(in.Text(text));
  std::reverse(parts.begin(), parts.end());
  return in.List(std::move(parts));
}

Value SplitLines(Interpreter& in, Arguments& arguments) {
  const std::string& text = Self(in, arguments);
  std::vector<Value> parts;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    parts.push_back(in.Text(text.substr(at, end - at)));
    at = end + 1;
  }
  return in.List(std::move(parts));
}

Value Partition(Interpreter& in, Arguments& arguments) {
  const std::string& text = Self(in, arguments);
  const std::string& by = Other(in, arguments, 1);
  const size_t at = text.find(by);
  if (at == std::string::npos) return in.Tuple({in.Text(text), in.Text(""), in.Text("")});
  return in.Tuple({in.Text(text.substr(0, at)), in.Text(by), in.Text(text.substr(at + by.size()))});
}
Value RPartition(Interpreter& in, Arguments& arguments) {
  const std::string& text = Self(in, arguments);
  const std::string& by = Other(in, arguments, 1);
  const size_t at = text.rfind(by);
  if (at == std::string::npos) return in.Tuple({in.Text(""), in.Text(""), in.Text(text)});
  return in.Tuple({in.Text(text.substr(0, at)), in.Text(by), in.Text(text.substr(at + by.size()))});
}

Value Join(Interpreter& in, Arguments& arguments) {
  const std::string& by = Self(in, arguments);
  std::string result;
  bool first = true;
  for (const Value& item : in.Items(Taken(in, arguments)[1])) {
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
  }
  return in.Text(std::move(result));
}

Value Replace(Interpreter& in, Arguments& arguments) {
  Value unknown;
  if (AnyUnknown(arguments, unknown)) return unknown;
  const std::string& text = Self(in, arguments);
  const std::string& from = Other(in, arguments, 1);
  const std::string& to = Other(in, arguments, 2);
  int64_t left = AsInt(Taken(in, arguments).Or(3, "count", Value(int64_t{-1}))).value_or(-1);
  if (from.empty()) return in.Text(text);
  std::string result;
  size_t at = 0;
  for (;;) {
    const size_t found = left == 0 ? std::string::npos : text.find(from, at);
    if (found == std::string::npos) break;
    result += text.substr(at, found - at) + to;
    at = found + from.size();
    --left;
  }
  return in.Text(result + text.substr(at));
}

bool Fits(Interpreter& in, Arguments& arguments, bool start) {
  const std::string& text = Self(in, arguments);
  const Value& wanted = Taken(in, arguments)[1];
  std::vector<Value> choices = {wanted};
  if (const Sequence* several = wanted.as<Sequence>()) choices = several->items;
  for (const Value& choice : choices) {
    const std::string* part = TextOf(choice);
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
  return in.Text(text.starts_with(part) ? text.substr(part.size()) : text);
}
Value RemoveSuffix(Interpreter& in, Arguments& a) {
  const std::string &text = Self(in, a), &part = Other(in, a, 1);
  return in.Text(text.ends_with(part) && !part.empty() ? text.substr(0, text.size() - part.size())
                                                       : text);
}

size_t StartOf(Interpreter& in, Arguments& arguments) {
  return static_cast<size_t>(
      std::max<int64_t>(0, AsInt(Taken(in, arguments).Or(2, "", Value(int64_t{0}))).value_or(0)));
}
size_t EndOf(Interpreter& in, Arguments& arguments) {
  const Value end = Taken(in, arguments).Or(3, "", None());
  return static_cast<size_t>(std::max<int64_t>(0, AsInt(end).value_or(INT64_MAX)));
}
Value Find(Interpreter& in, Arguments& a) {
  const std::string& text = Self(in, a);
  const size_t begin = StartOf(in, a);
  const std::string_view part(text.data(), std::min(text.size(), EndOf(in, a)));
  return Value(static_cast<int64_t>(part.find(Other(in, a, 1), begin)));
}
Value RFind(Interpreter& in, Arguments& a) {
  const std::string& text = Self(in, a);
  const size_t begin = StartOf(in, a);
  const std::string_view part(text.data(), std::min(text.size(), EndOf(in, a)));
  const size_t at = part.rfind(Other(in, a, 1));
  return Value(at == std::string_view::npos || at < begin ? int64_t{-1} : static_cast<int64_t>(at));
}
Value Index(Interpreter& in, Arguments& a) {
  const Value at = Find(in, a);
  if (at.integer < 0) in.Raise("ValueError", "substring not found");
  return at;
}
Value Count(Interpreter& in, Arguments& a) {
  const std::string &text = Self(in, a), &part = Other(in, a, 1);
  if (part.empty()) return Value(static_cast<int64_t>(text.size()) + 1);
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
int IsUpperOrOther(int c) { return std::islower(c) == 0 ? 1 : 0; }
int IsLowerOrOther(int c) { return std::isupper(c) == 0 ? 1 : 0; }
int IsNameCharacter(int c) { return std::isalnum(c) != 0 || c == '_' ? 1 : 0; }

Value Aligned(Interpreter& in, Arguments& arguments, const char* align) {
  const Taken taken(in, arguments);
  const std::string& text = Self(in, arguments);
  const int64_t width = AsInt(taken[1]).value_or(0);
  const std::string fill = taken.Has(2) ? Other(in, arguments, 2) : " ";
  return in.Text(
      *FormatText(text, fmt::format("{}{}{}", fill, align, std::max<int64_t>(0, width))));
}
Value LJust(Interpreter& in, Arguments& a) { return Aligned(in, a, "<"); }
Value RJust(Interpreter& in, Arguments& a) { return Aligned(in, a, ">"); }
Value Center(Interpreter& in, Arguments& a) { return Aligned(in, a, "^"); }
Value ZFill(Interpreter& in, Arguments& a) {
  std::string text = Self(in, a);
  const auto width = static_cast<size_t>(AsInt(Taken(in, a)[1]).value_or(0));
  const size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  while (text.size() < width) text.insert(sign, "0");
  return in.Text(std::move(text));
}
Value ExpandTabs(Interpreter& in, Arguments& a) { return in.Text(Self(in, a)); }
Value Encode(Interpreter& in, Arguments& a) { return in.New<Bytes>(Self(in, a)); }
Value Decode(Interpreter& in, Arguments& a) { return in.Text(Self(in, a)); }
Value IsNumeric(Interpreter& in, Arguments& a) { return AllAre<std::isdigit>(in, a); }
Value Translate(Interpreter& in, Arguments& a) {
  Dict* table = Taken(in, a)[1].as<Dict>();
  if (table == nullptr) return in.MakeUnknown("a translated text");
  std::string result;
  for (const char c : Self(in, a)) {
    const Value* to = in.FindItem(*table, Value(static_cast<int64_t>(c)));
    if (to == nullptr) {
      result += c;
    } else if (TextOf(*to) != nullptr) {
      result += *TextOf(*to);
    }
  }
  return in.Text(std::move(result));
}
Value MakeTrans(Interpreter& in, Arguments& arguments) {
  // Called on the type or on a text: the tables are the last arguments.
  Dict* table = in.New<Dict>();
  std::vector<const std::string*> texts;
  for (const Value& value : arguments.positional) {
    if (const std::string* text = TextOf(value)) texts.push_back(text);
  }
  if (texts.size() < 2) return in.MakeUnknown("a table of characters");
  const std::string &from = *texts[0], &to = *texts[1];
  for (size_t i = 0; i < from.size() && i < to.size(); ++i) {
    in.SetItem(*table, Value(static_cast<int64_t>(from[i])), in.Text(std::string(1, to[i])));
  }
  if (texts.size() > 2) {
    for (const char c : *texts[2]) in.SetItem(*table, Value(static_cast<int64_t>(c)), None());
  }
  return table;
}

// A view of an object's memory stands for the object.
Value View(Interpreter& in, Arguments& arguments) { return Taken(in, arguments)[0]; }

}  // namespace
}  // namespace text_functions

void DefineText(Interpreter& in) {
  using namespace text_functions;  // NOLINT: this file's
  Publish(in, in.types.text, MakeText);
  Publish(in, in.types.bytes, MakeBytes);
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
      {"count", Count},
      {"isdigit", AllAre<std::isdigit>},
      {"isdecimal", AllAre<std::isdigit>},
      {"isnumeric", IsNumeric},
      {"isalpha", AllAre<std::isalpha>},
      {"isalnum", AllAre<std::isalnum>},
      {"isspace", AllAre<std::isspace>},
      {"isupper", AllAre<IsUpperOrOther>},
      {"islower", AllAre<IsLowerOrOther>},
      {"isidentifier", AllAre<IsNameCharacter>},
      {"ljust", LJust},
      {"rjust", RJust},
      {"center", Center},
      {"zfill", ZFill},
      {"expandtabs", ExpandTabs},
      {"encode", Encode},
      {"decode", Decode},
      {"translate", Translate},
      {"maketrans", MakeTrans},
      {"format", FormatMethod},
      {"__mod__", Percent},
  };
  DefineMethods(in, *in.types.text, kRows);
  DefineMethods(in, *in.types.bytes, kRows);
}

}  // namespace tilewise::py
