// Prefixes are taken off word by word, because loggers, launchers and cluster
// tools put theirs before each other's.

#include "frontend/logs/log_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace tilewise {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";
constexpr size_t kLongestSource = 2000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

size_t CountOf(std::string_view text, char c) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), c));
}

bool AllOf(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

// "2025-03-19", "07:30:02.045318:", "2021-02-15T14:41:59,879Z", "06-03".
bool IsTime(std::string_view word) {
  if (word.size() < 4 || !IsDigit(word[0]) || !AllOf(word, "0123456789TZ:.,/+-")) return false;
  const bool clock = CountOf(word, ':') >= 2;
  // "500/500" and "4/24" are progress bars.
  const bool day = word.size() == 5 && word[2] == '-';
  const bool date = day || CountOf(word, '-') >= 2 || CountOf(word, '/') == 2;
  return clock || date;
}

// glog's "E1109".
bool IsGlogDate(std::string_view word) {
  return word.size() == 5 && std::string_view("IWEF").find(word[0]) != std::string_view::npos &&
         AllOf(word.substr(1), "0123456789");
}

bool IsSeverity(std::string_view word) {
  while (!word.empty() && (word.back() == ':' || word.back() == '|')) word.remove_suffix(1);
  constexpr std::array<std::string_view, 12> kWords = {
      "INFO", "WARNING", "WARN", "ERROR", "DEBUG", "FATAL", "CRITICAL", "I", "W", "E", "F", "root"};
  return std::ranges::find(kWords, word) != kWords.end() || word.starts_with("INFO:") ||
         word.starts_with("WARNING:") || word.starts_with("ERROR:");
}

// "xla_util.cc:76]", "[core.py:1184]", "trainer.py:412".
bool IsSourceLine(std::string_view word) {
  const size_t colon = word.rfind(':');
  if (colon == std::string_view::npos || colon + 1 >= word.size()) return word.ends_with(".py]");
  const std::string_view file = word.substr(0, colon);
  if (!file.ends_with(".cc") && !file.ends_with(".py") && !file.ends_with(".h")) return false;
  std::string_view number = word.substr(colon + 1);
  while (!number.empty() && (number.back() == ']' || number.back() == ':')) number.remove_suffix(1);
  return !number.empty() && AllOf(number, "0123456789");
}

// "worker-0:", "t1v-n-5d9c-w-0:", "rank3", "10.0.0.2:", "node7|".
bool IsHost(std::string_view word) {
  if (word.size() < 2 || word.size() > 80) return false;
  const bool ends = word.back() == ':' || word.back() == '|';
  if (ends) word.remove_suffix(1);
  if (!ends || !IsDigit(word.back())) return false;
  if (CountOf(word, '.') == 3 && AllOf(word, "0123456789.")) return true;
  constexpr std::array<std::string_view, 7> kWords = {"worker", "rank", "host", "node",
                                                      "slice",  "t1v-", "-w-"};
  return std::ranges::any_of(kWords, [&](std::string_view known) { return Has(word, known); });
}

// Returns whether a bracket at the start, with this text inside, is a logger's.
bool IsLoggersBracket(std::string_view inside) {
  if (inside.size() > 100 || inside.empty()) return false;
  if (IsSeverity(inside.substr(0, inside.find('|'))) || IsTime(inside)) return true;
  const std::string_view first = inside.substr(0, inside.find(' '));
  if (IsTime(first)) return true;
  if (Has(inside, ".py:") || Has(inside, ".cc:")) return true;
  constexpr std::array<std::string_view, 6> kHosts = {"rank",  "worker", "host",
                                                      "node-", "pid=",   "slice"};
  return IsDigit(inside.back()) &&
         std::ranges::any_of(kHosts, [&](std::string_view known) { return Has(inside, known); });
}

size_t SkipBlanks(std::string_view text) {
  return std::min(text.find_first_not_of(kBlanks), text.size());
}

// How many bytes of a bracketed prefix `text` starts with; 0: none.
size_t BracketPrefix(std::string_view text) {
  const char open = text.front();
  if (open != '[' && open != '(') return 0;
  const size_t end = text.find(open == '[' ? ']' : ')');
  if (end == std::string_view::npos) return 0;
  const std::string_view inside = text.substr(1, end - 1);
  const bool pid = open == '(' && (Has(inside, "pid=") || Has(inside, "ip="));
  if (!pid && (open == '(' || !IsLoggersBracket(inside))) return 0;
  size_t used = end + 1;
  if (used < text.size() && text[used] == ':') ++used;
  return used;
}

// What a bracket names: a host, not a source line or a severity.
bool NamesHost(std::string_view bracket) {
  return !Has(bracket, ".py") && !Has(bracket, ".cc") &&
         (Has(bracket, "pid=") || Has(bracket, "rank") || Has(bracket, "worker") ||
          Has(bracket, "host") || Has(bracket, "slice") || Has(bracket, "node-"));
}

}  // namespace

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(SkipBlanks(text));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

PeeledLine Peel(std::string_view line) {
  constexpr int kMostPrefixes = 14;
  PeeledLine peeled;
  std::string_view text = Trimmed(line);
  bool logger = false;  // something of a logger was taken off
  for (int i = 0; i < kMostPrefixes && !text.empty(); ++i) {
    const size_t bracket = BracketPrefix(text);
    if (bracket > 0) {
      if (NamesHost(text.substr(0, bracket))) peeled.host = text.substr(0, bracket);
      text = Trimmed(text.substr(bracket));
      logger = true;
      continue;
    }
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    const bool separator = word == "|" || word == "-" || word == ">>" || word == "::";
    const bool thread = logger && (AllOf(word, "0123456789") || word == "train_inner");
    const bool dotted = logger && Has(word, ".") &&
                        word.find_first_of("=(:,/{[") == std::string_view::npos &&
                        IsAlpha(word.front()) && text.size() > word.size() &&
                        text.substr(word.size()).starts_with(" - ");
    const bool host = IsHost(word);
    if (!IsTime(word) && !IsGlogDate(word) && !IsSeverity(word) && !IsSourceLine(word) && !host &&
        !(logger && separator) && !thread && !dotted) {
      break;
    }
    if (word.starts_with("INFO:tensorflow:") || word.starts_with("WARNING:tensorflow:") ||
        word.starts_with("INFO:") || word.starts_with("WARNING:") || word.starts_with("ERROR:")) {
      // "INFO:tensorflow:global_step/sec", "INFO:root:loss".
      const size_t second = word.find(':', word.find(':') + 1);
      const size_t cut = second == std::string_view::npos ? word.find(':') : second;
      text = Trimmed(text.substr(cut + 1));
      logger = true;
      continue;
    }
    if (host) peeled.host = word;
    text = Trimmed(text.substr(word.size()));
    logger = true;
  }
  // "<module>: external/xla/file.cc:76] rest": a source line after other words.
  const size_t end = text.substr(0, 200).find("] ");
  if (end != std::string_view::npos) {
    const std::string_view before = text.substr(0, end + 1);
    const std::string_view last = before.substr(before.find_last_of(" \t") + 1);
    if (IsSourceLine(last) && last.front() != '[') text = Trimmed(text.substr(end + 2));
  }
  peeled.text = text;
  return peeled;
}

std::optional<double> ClockOf(std::string_view line) {
  line = line.substr(0, 120);
  for (size_t at = line.find(':'); at != std::string_view::npos; at = line.find(':', at + 1)) {
    const bool fits = at >= 2 && at + 6 <= line.size() && IsDigit(line[at - 1]) &&
                      IsDigit(line[at - 2]) && IsDigit(line[at + 1]) && IsDigit(line[at + 2]) &&
                      line[at + 3] == ':' && IsDigit(line[at + 4]);
    if (!fits) continue;
    const std::string_view rest = line.substr(at + 4);
    const double hours = *NumberAtStart(line.substr(at - 2, 2));
    const double minutes = *NumberAtStart(line.substr(at + 1, 2));
    double seconds = NumberAtStart(rest.substr(0, 2)).value_or(0);
    if (rest.size() > 3 && (rest[2] == '.' || rest[2] == ',') && IsDigit(rest[3])) {
      double scale = 0.1;
      for (size_t i = 3; i < rest.size() && IsDigit(rest[i]); ++i, scale /= 10) {
        seconds += scale * (rest[i] - '0');
      }
    }
    return hours * 3600 + minutes * 60 + seconds;
  }
  return std::nullopt;
}

Seconds Between(double from, double to) {
  constexpr double kDay = 86400;
  return {to >= from ? to - from : to - from + kDay};
}

std::string WithoutColours(std::string_view line) {
  std::string text;
  text.reserve(line.size());
  for (size_t i = 0; i < line.size(); ++i) {
    const bool escape = line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[';
    if (line[i] == '\b') continue;
    if (!escape) {
      text += line[i];
      continue;
    }
    i += 2;
    while (i < line.size() && !IsAlpha(line[i])) ++i;
  }
  return text;
}

std::string_view After(std::string_view line, std::string_view key) {
  const size_t place = line.find(key);
  if (place == std::string_view::npos) return {};
  return line.substr(place + key.size());
}

std::string_view Before(std::string_view line, std::string_view key) {
  return line.substr(0, std::min(line.find(key), line.size()));
}

std::optional<double> NumberAtStart(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t=:");
  if (begin == std::string_view::npos) return std::nullopt;
  text.remove_prefix(begin);
  std::string plain;  // "1,234.5"
  if (text.size() > 4 && Has(text.substr(0, 8), ",")) {
    for (size_t i = 0; i < std::min<size_t>(text.size(), 40); ++i) {
      const bool thousands = text[i] == ',' && i > 0 && i + 3 < text.size() &&
                             IsDigit(text[i - 1]) && IsDigit(text[i + 1]) && IsDigit(text[i + 2]) &&
                             IsDigit(text[i + 3]) &&
                             (i + 4 >= text.size() || !IsDigit(text[i + 4]));
      if (!thousands) plain += text[i];
    }
    text = plain;
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<double> NumberEnding(std::string_view text) {
  text = Trimmed(text);
  const size_t begin = text.find_last_not_of("0123456789.,");
  return NumberAtStart(text.substr(begin == std::string_view::npos ? 0 : begin + 1));
}

std::optional<double> NumberAfter(std::string_view line, std::string_view key) {
  const size_t place = line.find(key);
  if (place == std::string_view::npos) return std::nullopt;
  return NumberAtStart(line.substr(place + key.size()));
}

Bytes ParseLogSize(std::string_view text) {
  text = Trimmed(text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number >= 0) || number > 1e15) return {};
  text.remove_prefix(end - text.data());
  constexpr std::string_view kUnits = "KMGTPE";
  // "2.648 GiB": a blank before the unit counts where it is a whole unit.
  if (text.size() > 2 && text[0] == ' ' && (text[2] == 'i' || text[2] == 'B')) {
    text.remove_prefix(1);
  }
  const size_t place = text.empty() ? std::string_view::npos : kUnits.find(text.front());
  const int exponent = place == std::string_view::npos ? 0 : static_cast<int>(place + 1) * 10;
  const double bytes = std::ldexp(number, exponent);
  return {bytes < 9e18 ? static_cast<int64_t>(std::llround(bytes)) : 0};
}

namespace {

// "01:02:03" and "0:41" as seconds.
std::optional<Seconds> ClockDuration(std::string_view text) {
  double total = 0;
  int parts = 0;
  while (!text.empty() && IsDigit(text.front()) && parts < 4) {
    double part = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part);
    if (error != std::errc()) return std::nullopt;
    total = total * 60 + part;
    ++parts;
    text.remove_prefix(end - text.data());
    if (text.empty() || text.front() != ':') break;
    text.remove_prefix(1);
  }
  if (parts < 2) return std::nullopt;
  return Seconds{total};
}

struct DurationPart {
  double value = 0;
  double unit = 1;  // seconds
};

// "2m12.85s" as its parts. Stops at what is none.
std::vector<DurationPart> DurationParts(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 7> kUnits = {
      std::pair("us", 1e-6), {"ms", 1e-3}, {"ns", 1e-9}, {"s", 1}, {"m", 60},
      {"h", 3600},           {"d", 86400}};
  std::vector<DurationPart> parts;
  while (!text.empty() && IsDigit(text.front()) && parts.size() < 8) {
    DurationPart part;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), part.value);
    if (error != std::errc()) return {};
    text.remove_prefix(end - text.data());
    const auto* unit = std::ranges::find_if(
        kUnits, [&](const auto& known) { return text.starts_with(known.first); });
    if (unit == kUnits.end()) return parts;
    part.unit = unit->second;
    text.remove_prefix(unit->first.size());
    parts.push_back(part);
  }
  return parts;
}

}  // namespace

std::optional<Seconds> ParseDuration(std::string_view text) {
  text = Trimmed(text);
  if (const auto clock = ClockDuration(text)) return clock;
  const std::vector<DurationPart> parts = DurationParts(text);
  if (parts.empty()) return std::nullopt;
  Seconds total;
  for (const DurationPart& part : parts) total += {part.value * part.unit};
  return total;
}

std::optional<Seconds> ParseTorchDuration(std::string_view text) {
  std::vector<DurationPart> parts = DurationParts(Trimmed(text));
  if (parts.empty()) return std::nullopt;
  // The parts are read from the right: each was rounded by what is below it.
  Seconds below;
  for (size_t i = parts.size(); i-- > 0;) {
    DurationPart& part = parts[i];
    const bool rounded = i + 1 < parts.size() && below.value >= part.unit / 2;
    if (rounded && part.value > 0) part.value -= 1;
    below += {part.value * part.unit};
  }
  return below;
}

std::string QuotedAfter(std::string_view line, std::string_view key) {
  std::string_view rest = After(line, key);
  if (!rest.starts_with('"')) return "";
  std::string text;
  for (size_t i = 1; i < rest.size() && rest[i] != '"'; ++i) {
    if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
    text += rest[i];
  }
  return text;
}

QuotedSource SourceIn(std::string_view text) {
  QuotedSource source;
  source.file = QuotedAfter(text, "source_file=").substr(0, kLongestSource);
  const std::string_view number = After(text, "source_line=");
  std::from_chars(number.data(), number.data() + number.size(), source.line);
  return source;
}

}  // namespace tilewise
