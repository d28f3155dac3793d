// What a reader of one kind of line is. Each kind has a source of its own and a
// row in log_table.cc; read_log.cc hands lines out.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "frontend/logs/log_text.h"
#include "workload/workload.h"

namespace tilewise {

struct LogLine {
  std::string_view text;  // without prefixes, colours and blanks at both ends
  std::string_view raw;   // as it stands, without colours
  std::string_view rest;  // what follows in the file, as it stands
  Location place;

  // Returns the line with those that follow, without prefixes, up to `most` bytes: a terminal or a
  // logger may have broken a sentence.
  std::string Joined(size_t most = 400) const;
};

class LogReader {
 public:
  LogReader() = default;
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;
  virtual ~LogReader() = default;

  // A line with one of the signs, or the line after one that it was true for:
  // whether the next line belongs to what was begun here.
  virtual bool Take(const LogLine& line) = 0;
  // Adds what was found.
  virtual void Finish(Workload& workload) = 0;
};

struct LogKind {
  std::string_view name;
  // Every line that the reader needs has one of these, or follows one.
  std::span<const std::string_view> signs;
  std::unique_ptr<LogReader> (*make)();
};

std::span<const LogKind> LogKinds();

}  // namespace tilewise
