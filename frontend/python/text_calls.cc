// Only plain replacement fields are filled in; widths and precisions make the
// text unknown.

#include "frontend/python/text_calls.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "frontend/python/interpreter.h"

namespace tilewise::python {
namespace {

constexpr size_t kMaxText = 1 << 20;

Value Charged(Interpreter& in, std::string text) {
  in.Charge(static_cast<int64_t>(text.size()) / 64);
  return {std::move(text)};
}

// "{}", "{0}" and "{name}".
std::optional<Value> Format(Interpreter& in, const std::string& text, const Call& call) {
  std::string result;
  size_t next = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool doubled = i + 1 < text.size() && text[i + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      result += text[i++];
      continue;
    }
    if (c != '{') {
      result += c;
      continue;
    }
    const size_t end = text.find('}', i);
    if (end == std::string::npos) return std::nullopt;
    const std::string field = text.substr(i + 1, end - i - 1);
    const bool number = std::all_of(field.begin(), field.end(), [](char d) {
      return std::isdigit(static_cast<unsigned char>(d)) != 0;
    });
    if (field.size() > 4 && number) return std::nullopt;
    const Value* value = nullptr;
    if (number) {
      const size_t at = field.empty() ? next++ : static_cast<size_t>(std::stoi(field));
      if (at < call.arguments.positional.size()) {
        value = &call.arguments.positional[at];
      }
    } else {
      value = call.arguments.Keyword(field);
    }
    const auto shown = value == nullptr ? std::nullopt : Display(*value);
    if (!shown.has_value() || result.size() + shown->size() > kMaxText) {
      return std::nullopt;
    }
    result += *shown;
    i = end;
  }
  return Charged(in, std::move(result));
}

std::optional<Value> Split(Interpreter& in, const std::string& text, const Call& call) {
  const Value* given = call.arguments.Get(0, "sep");
  const std::string* separator = given == nullptr ? nullptr : given->as<std::string>();
  if (separator == nullptr || separator->empty() || call.arguments.positional.size() > 1) {
    return std::nullopt;
  }
  std::vector<Value> parts;
  size_t begin = 0;
  while (true) {
    const size_t end = text.find(*separator, begin);
    parts.push_back({text.substr(begin, end - begin)});
    if (end == std::string::npos) break;
    begin = end + separator->size();
  }
  return in.MakeList(std::move(parts));
}

std::optional<Value> Join(Interpreter& in, const std::string& text, const Call& call) {
  if (call.arguments.positional.size() != 1) return std::nullopt;
  const auto items = in.Iterate(call.arguments.positional[0], call.node);
  if (!items.has_value()) return std::nullopt;
  std::string result;
  for (size_t i = 0; i < items->size(); ++i) {
    const std::string* part = (*items)[i].as<std::string>();
    if (part == nullptr || result.size() > kMaxText) return std::nullopt;
    result += (i == 0 ? "" : text) + *part;
  }
  return Charged(in, std::move(result));
}

std::string Mapped(std::string text, int (*letter)(int)) {
  std::transform(text.begin(), text.end(), text.begin(), [letter](char c) {
    return static_cast<char>(letter(static_cast<unsigned char>(c)));
  });
  return text;
}

std::string Stripped(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace

std::optional<std::string> Display(const Value& value) {
  if (const std::string* text = value.as<std::string>()) return *text;
  if (const bool* flag = value.as<bool>()) return *flag ? "True" : "False";
  if (value.none()) return "None";
  if (const int64_t* number = value.as<int64_t>()) {
    return std::to_string(*number);
  }
  if (const double* number = value.as<double>()) {
    return fmt::format("{}", *number);
  }
  return std::nullopt;
}

std::optional<Value> FormatPercent(Interpreter& in, const std::string& text, const Value& value) {
  const List* list = value.ref<List>();
  std::vector<Value> values = {value};
  if (list != nullptr && list->tuple) values = list->items;
  std::string result;
  size_t next = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    const char kind = text[++i];
    if (kind == '%') {
      result += '%';
      continue;
    }
    const bool plain =
        kind == 's' || (kind == 'd' && next < values.size() && AsInt(values[next]).has_value());
    if (!plain || next >= values.size()) return std::nullopt;
    const auto shown = Display(values[next++]);
    if (!shown.has_value() || result.size() + shown->size() > kMaxText) {
      return std::nullopt;
    }
    result += *shown;
  }
  return Charged(in, std::move(result));
}

std::optional<Value> CallTextMethod(Interpreter& in, const std::string& text, const Call& call) {
  if (call.name == "format") return Format(in, text, call);
  if (call.name == "split") return Split(in, text, call);
  if (call.name == "join") return Join(in, text, call);
  if (call.name == "lower") return Charged(in, Mapped(text, std::tolower));
  if (call.name == "upper") return Charged(in, Mapped(text, std::toupper));
  const Value* first = call.arguments.positional.empty() ? nullptr : &call.arguments.positional[0];
  if (call.name == "strip" && first == nullptr) {
    return Charged(in, Stripped(text));
  }
  const std::string* part = first == nullptr ? nullptr : first->as<std::string>();
  if (part == nullptr) return std::nullopt;
  if (call.name == "startswith") return Value{text.starts_with(*part)};
  if (call.name == "endswith") return Value{text.ends_with(*part)};
  return std::nullopt;
}

}  // namespace tilewise::python
