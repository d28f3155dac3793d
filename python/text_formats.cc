// str.format() and the % of texts.

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "python/native.h"
#include "python/text.h"

namespace tilewise::py {
namespace text_format_functions {
namespace {

std::string TextSelf(Interpreter& in, Arguments& arguments) {
  if (const Str* text = SelfAs<Str>(arguments)) return text->text;
  if (const Bytes* text = SelfAs<Bytes>(arguments)) return text->text;
  in.Raise("TypeError", "expected a str");
}

// "{0.name[key]!r:>10}": the value that a field names.
Value FieldValue(Interpreter& in, Arguments& arguments, const std::string& field, size_t& next) {
  size_t end = field.find_first_of(".[");
  const std::string head = field.substr(0, end);
  const Taken taken(in, arguments);
  Value value;
  if (head.empty() ||
      std::all_of(head.begin(), head.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    const size_t at = head.empty() ? next++ : static_cast<size_t>(std::atoll(head.c_str()));
    if (at + 1 >= taken.size()) in.Raise("IndexError", "a field of the format has no argument");
    value = taken[at + 1];
  } else {
    const Value* found = taken.Find(1'000'000, head);
    if (found == nullptr) in.Raise("KeyError", head);
    value = *found;
  }
  while (end != std::string::npos && end < field.size()) {
    const size_t begin = end + 1;
    if (field[end] == '.') {
      end = field.find_first_of(".[", begin);
      value = in.Attribute(value, in.Name(field.substr(begin, end - begin)));
    } else {
      const size_t close = field.find(']', begin);
      const std::string key = field.substr(begin, close - begin);
      const bool number = !key.empty() && std::all_of(key.begin(), key.end(), ::isdigit);
      value = in.Subscript(
          value, number ? Value(static_cast<int64_t>(std::atoll(key.c_str()))) : in.Text(key));
      end = close == std::string::npos ? close : close + 1;
    }
  }
  return value;
}

}  // namespace
}  // namespace text_format_functions

using namespace text_format_functions;  // NOLINT: this file's

Value FormatMethod(Interpreter& in, Arguments& arguments) {
  const std::string text = TextSelf(in, arguments);
  std::string result;
  size_t next = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '}' && i + 1 < text.size() && text[i + 1] == '}') ++i;
    if (text[i] != '{') {
      result += text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '{') {
      result += text[++i];
      continue;
    }
    int depth = 1;
    size_t end = i + 1;
    while (end < text.size() && depth > 0) {
      depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
      ++end;
    }
    std::string field = text.substr(i + 1, end - i - 2);
    i = end - 1;
    std::string specifier;
    if (const size_t colon = field.find(':'); colon != std::string::npos) {
      specifier = field.substr(colon + 1);
      field.resize(colon);
    }
    char conversion = 0;
    if (const size_t mark = field.find('!'); mark != std::string::npos) {
      conversion = mark + 1 < field.size() ? field[mark + 1] : 0;
      field.resize(mark);
    }
    Value value = FieldValue(in, arguments, field, next);
    if (specifier.find('{') != std::string::npos) {
      const size_t open = specifier.find('{'), close = specifier.find('}');
      const Value inner =
          FieldValue(in, arguments, specifier.substr(open + 1, close - open - 1), next);
      specifier = specifier.substr(0, open) + in.Display(inner) + specifier.substr(close + 1);
    }
    if (IsUnknown(value)) return value;
    if (conversion == 'r') value = in.Text(in.Represent(value));
    const Value shown = in.Format(value, specifier);
    if (TextOf(shown) == nullptr) return shown;
    result += *TextOf(shown);
  }
  return in.Text(std::move(result));
}

// The text of `value` for "%{specifier}{type}"; nullopt: it is of another type.
std::optional<std::string> PercentText(Interpreter& in, const Value& value, std::string specifier,
                                       char type) {
  std::string prefix;
  if (!specifier.empty() && specifier[0] == '-') {
    prefix = "<";
    specifier = specifier.substr(1);
  }
  if (type == 's' || type == 'r' || type == 'a') {
    if (prefix.empty()) prefix = ">";
    return FormatText(type == 's' ? in.Display(value) : in.Represent(value), prefix + specifier);
  }
  const auto number = AsNumber(value);
  if (type == 'd' || type == 'i' || type == 'u') {
    if (!number.has_value()) return std::nullopt;
    if (std::abs(*number) < 9.2e18) {
      return FormatInt(static_cast<int64_t>(*number), prefix + specifier + "d");
    }
    return FormatFloat(*number, prefix + specifier + ".0f");
  }
  if (type == 'c' && TextOf(value) != nullptr) {
    return FormatText(*TextOf(value), prefix + specifier);
  }
  const auto integer = AsInt(value);
  if (integer.has_value() && (type == 'x' || type == 'X' || type == 'o' || type == 'c')) {
    return FormatInt(*integer, prefix + specifier + type);
  }
  if (!number.has_value()) return std::nullopt;
  return FormatFloat(*number, prefix + specifier + type);
}

// "%5.2f of %(name)s" % values.
Value Percent(Interpreter& in, Arguments& arguments) {
  const std::string text = TextSelf(in, arguments);
  const Value values = Taken(in, arguments)[1];
  // A class made of tuples may say that its instances are one value each.
  const bool whole =
      in.TypeOf(arguments.positional[1])->Find(in.Name("__tilewise_one__")) != nullptr;
  const bool tuple = values.is_object() && values.object->kind == Kind::kTuple && !whole;
  const Sequence* several = tuple ? values.as<Sequence>() : nullptr;
  size_t next = 0, used = 0;
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    if (text[++i] == '%') {
      result += '%';
      continue;
    }
    Value value = whole ? arguments.positional[1] : values;
    ++used;
    if (text[i] == '(') {
      const size_t close = text.find(')', i);
      if (close == std::string::npos) in.Raise("ValueError", "incomplete format key");
      value = in.Subscript(values, in.Text(text.substr(i + 1, close - i - 1)));
      i = close + 1;
    } else if (several != nullptr) {
      if (next >= several->items.size()) {
        in.Raise("TypeError", "not enough arguments for format string");
      }
      value = several->items[next++];
    }
    const size_t end = text.find_first_of("diouxXeEfFgGcrsa", i);
    if (end == std::string::npos) in.Raise("ValueError", "incomplete format");
    std::string specifier = text.substr(i, end - i);
    const char type = text[end];
    i = end;
    if (const size_t star = specifier.find('*'); star != std::string::npos && several != nullptr) {
      specifier.replace(star, 1, in.Display(value));
      value = next < several->items.size() ? several->items[next++] : None();
    }
    if (IsUnknown(value)) return value;
    const Instance* instance = value.as<Instance>();
    if (instance != nullptr && !AsNumber(value).has_value() && type != 's' && type != 'r') {
      const Value* number = instance->type->Find(in.Name("__float__"));
      if (number == nullptr) return in.MakeUnknown("the text of a number that is not known");
      value = in.Call(*number, {value});
      if (IsUnknown(value)) return value;
    }
    const std::optional<std::string> shown = PercentText(in, value, specifier, type);
    if (!shown.has_value()) {
      in.Raise("TypeError", fmt::format("%{} format: found a value of type '{}'", type,
                                        *in.TypeOf(value)->name));
    }
    result += *shown;
  }
  const bool table = Plain(values).as<Dict>() != nullptr || values.as<Instance>() != nullptr;
  const bool left = several != nullptr ? used > 0 && next > 0 && next < several->items.size()
                                       : used == 0 && !table && !IsUnknown(values);
  if (left || (several != nullptr && used == 0 && !several->items.empty())) {
    in.Raise("TypeError", "not all arguments converted during string formatting");
  }
  return in.Text(std::move(result));
}

}  // namespace tilewise::py
