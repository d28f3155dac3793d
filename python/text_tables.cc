// Methods of texts that go through their characters, and those that operators
// have.

#include "python/text.h"
#include "python/text_methods.h"

namespace tilewise::py {
namespace text_functions {
namespace {

// The code points of a text.
std::vector<std::string> Characters(const std::string& text) {
  const Str points(text);
  std::vector<std::string> result;
  for (int64_t i = 0; i < points.size(); ++i) {
    result.push_back(text.substr(points.Byte(i), points.Byte(i + 1) - points.Byte(i)));
  }
  return result;
}
Value ExpandTabs(Interpreter& in, Arguments& a) {
  const int64_t width = AsInt(Taken(in, a).Or(1, "tabsize", Value(int64_t{8}))).value_or(8);
  constexpr int64_t kMaxTab = 1000;
  if (width > kMaxTab) return in.MakeUnknown("a long text");
  std::string result;
  int64_t column = 0;
  for (const std::string& c : Characters(Self(in, a))) {
    const bool tab = c == "\t";
    const int64_t wide = !tab ? 1 : width > 0 ? width - column % width : 0;
    result += tab ? std::string(static_cast<size_t>(wide), ' ') : c;
    column = c == "\n" || c == "\r" ? 0 : column + wide;
  }
  return Same(in, a, std::move(result));
}
Value Translate(Interpreter& in, Arguments& a) {
  Dict* table = Plain(Taken(in, a)[1]).as<Dict>();
  if (table == nullptr) return in.MakeUnknown("a translated text");
  std::string result;
  for (const std::string& c : Characters(Self(in, a))) {
    const Value* to = in.FindItem(*table, Value(CodePoint(c)));
    if (to == nullptr) {
      result += c;
    } else if (TextOf(*to) != nullptr) {
      result += *TextOf(*to);
    } else if (const auto code = AsInt(*to)) {
      result += *FormatInt(*code, "c");
    }
  }
  return Same(in, a, std::move(result));
}
Value MakeTrans(Interpreter& in, Arguments& arguments) {
  // The method may be called on the type or on a text: the tables are the last
  // arguments.
  Dict* table = in.New<Dict>();
  std::vector<const std::string*> texts;
  for (const Value& value : arguments.positional) {
    if (const std::string* text = TextOf(value)) texts.push_back(text);
    if (const Dict* given = value.as<Dict>()) {
      for (const Dict::Entry& entry : given->entries) {
        const std::string* key = TextOf(entry.key);
        if (!entry.live) continue;
        in.SetItem(*table, key == nullptr ? entry.key : Value(CodePoint(*key)), entry.value);
      }
      return table;
    }
  }
  if (texts.size() < 2) return in.MakeUnknown("a table of characters");
  const std::vector<std::string> from = Characters(*texts[0]), to = Characters(*texts[1]);
  for (size_t i = 0; i < from.size() && i < to.size(); ++i) {
    in.SetItem(*table, Value(CodePoint(from[i])), Value(CodePoint(to[i])));
  }
  if (texts.size() > 2) {
    for (const std::string& c : Characters(*texts[2])) {
      in.SetItem(*table, Value(CodePoint(c)), None());
    }
  }
  return table;
}

Value LenCall(Interpreter& in, Arguments& a) {
  return Value(in.Length(Plain(Taken(in, a)[0])).value_or(0));
}
Value ContainsCall(Interpreter& in, Arguments& a) {
  const auto holds = in.Contains(Plain(Taken(in, a)[0]), Taken(in, a)[1]);
  return holds.has_value() ? Value(*holds) : in.MakeUnknown("whether a part is there");
}
Value GetItem(Interpreter& in, Arguments& a) {
  return in.Subscript(Plain(Taken(in, a)[0]), Taken(in, a)[1]);
}
Value IterCall(Interpreter& in, Arguments& a) { return in.Iterate(Plain(Taken(in, a)[0])); }
Value AddCall(Interpreter& in, Arguments& a) {
  return in.Binary(Operator::kAdd, Plain(Taken(in, a)[0]), Taken(in, a)[1]);
}
Value FormatMap(Interpreter& in, Arguments& a) {
  const Value table = Taken(in, a)[1];
  Arguments given;
  given.positional = {a.positional[0]};
  for (const Value& key : in.Items(table)) {
    if (TextOf(key) != nullptr) {
      given.keyword.emplace_back(in.Name(*TextOf(key)), in.Subscript(table, key));
    }
  }
  return FormatMethod(in, given);
}

}  // namespace
}  // namespace text_functions

void DefineTextTables(Interpreter& in) {
  using namespace text_functions;  // NOLINT: this file's
  constexpr MethodRow kRows[] = {
      {"expandtabs", ExpandTabs}, {"translate", Translate}, {"maketrans", MakeTrans},
      {"format_map", FormatMap},  {"__len__", LenCall},     {"__contains__", ContainsCall},
      {"__getitem__", GetItem},   {"__iter__", IterCall},   {"__add__", AddCall},
  };
  DefineMethods(in, *in.types.text, kRows);
  DefineMethods(in, *in.types.bytes, kRows);
}

}  // namespace tilewise::py
