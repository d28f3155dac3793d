// What logs say of compilations: JAX's lines for each, alarms of XLA that one is
// slow, and warnings that functions are traced again and again.

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "frontend/files/shape_variants.h"
#include "frontend/logs/kinds.h"

namespace tilewise {
namespace {

constexpr size_t kMostShapes = 4096;
constexpr size_t kMostEntries = 1000;
constexpr size_t kLongestName = 200;

Seconds SecondsOrNone(std::optional<double> value) {
  return {value && *value > 0 && *value < 1e9 ? *value : 0};
}

std::string ShortName(std::string_view text) {
  return std::string(Trimmed(text).substr(0, kLongestName));
}

// The texts in ShapedArray(...), which may hold one pair of brackets.
std::vector<std::string> ShapedArrays(std::string_view text) {
  constexpr std::string_view kOpening = "ShapedArray(";
  std::vector<std::string> shapes;
  for (size_t at = text.find(kOpening); at != std::string_view::npos && shapes.size() < kMostShapes;
       at = text.find(kOpening, at)) {
    at += kOpening.size();
    const size_t end = std::min(text.find(')', at), text.size());
    shapes.emplace_back(text.substr(at, end - at));
  }
  return shapes;
}

// Returns the name in "step for", "jit(step)" and "pjit(step)".
std::string FunctionName(std::string_view text) {
  text = Trimmed(text);
  std::string name = ShortName(text.substr(0, text.find(' ')));
  const size_t paren = name.find("jit(");
  if (paren != std::string::npos && name.ends_with(")")) {
    name = name.substr(paren + 4, name.size() - paren - 5);
  }
  return name;
}

// jax_log_compiles.
class CompilationReader : public LogReader {
 public:
  bool Take(const LogLine& line) override;
  void Finish(Workload& workload) override;

 private:
  struct Function {
    std::vector<Seconds> times;
    Seconds front;
    std::set<std::string> shapes;
    int64_t compiles = 0;
    Location first;
  };
  Function* Of(const std::string& name, const Location& place);

  ShapeVariants variants_;
  std::map<std::string, Function> functions_;
};

CompilationReader::Function* CompilationReader::Of(const std::string& name, const Location& place) {
  const auto known = functions_.find(name);
  if (known != functions_.end()) return &known->second;
  if (functions_.size() >= kMostEntries) return nullptr;
  Function& made = functions_[name];
  made.first = place;
  return &made;
}

bool CompilationReader::Take(const LogLine& line) {
  const std::string_view text = line.text;
  const std::string_view compiling = After(text, "Compiling ");
  const size_t shapes = compiling.find(" with global shapes and types ");
  if (shapes != std::string_view::npos) {
    const std::string name = FunctionName(compiling.substr(0, shapes));
    std::vector<std::string> arrays = ShapedArrays(compiling.substr(shapes));
    if (Function* function = Of(name, line.place)) {
      ++function->compiles;
      if (function->shapes.size() < kMostEntries) {
        function->shapes.insert(fmt::format("{}", fmt::join(arrays, ",")));
      }
    }
    variants_.Add(name, std::move(arrays), line.place);
    return false;
  }
  const Seconds took = SecondsOrNone(NumberEnding(Before(After(text, " in "), " sec")));
  if (took <= Seconds{}) return false;
  if (Has(text, "Finished XLA compilation of ")) {
    Function* function = Of(FunctionName(After(text, "Finished XLA compilation of ")), line.place);
    if (function != nullptr) function->times.push_back(took);
  } else if (Has(text, "Finished jaxpr to MLIR module conversion ")) {
    Function* function =
        Of(FunctionName(After(text, "Finished jaxpr to MLIR module conversion ")), line.place);
    if (function != nullptr) function->front += took;
  } else if (Has(text, "Finished tracing ")) {
    std::string_view rest = After(text, "Finished tracing ");
    if (rest.starts_with("+ transforming ")) rest = After(rest, "+ transforming ");
    if (Function* function = Of(FunctionName(rest), line.place)) function->front += took;
  }
  return false;
}

void CompilationReader::Finish(Workload& workload) {
  for (RecompiledFunction found : variants_.Recompiled()) {
    const auto function = functions_.find(found.name);
    if (function != functions_.end()) {
      for (const Seconds time : function->second.times) found.time += time;
    }
    workload.recompiled.push_back(std::move(found));
  }
  for (const auto& [name, function] : functions_) {
    const auto shapes = static_cast<int64_t>(function.shapes.size());
    const auto times = static_cast<int64_t>(function.times.size());
    Seconds total;
    for (const Seconds time : function.times) total += time;
    if (times > 0) {
      LoggedCompile compile;
      compile.name = name;
      compile.time = total / static_cast<double>(times);
      compile.front = function.front / static_cast<double>(times);
      compile.times = times;
      compile.location = function.first;
      workload.run_log.compiles.push_back(std::move(compile));
    }
    // The same shapes once more: those of other shapes are in `recompiled`.
    const int64_t compiles = std::max(function.compiles, times);
    constexpr int64_t kFew = 2;
    if (compiles > kFew && shapes <= 1) {
      RepeatedCompile repeated;
      repeated.writer = "JAX";
      repeated.name = name;
      repeated.compiles = compiles;
      repeated.time = total;
      if (shapes == 1) repeated.cause = "all with the same shapes";
      repeated.location = function.first;
      workload.run_log.repeated.push_back(std::move(repeated));
    }
  }
}

// The alarm is printed when the time has passed, and once more with the time at
// the end; one that is never followed by an end was still going on.
class SlowCompileReader : public LogReader {
 public:
  bool Take(const LogLine& line) override;
  void Finish(Workload& workload) override;

 private:
  void Commit(LoggedCompile::Kind kind, std::string name, const LogLine& line);

  std::vector<LoggedCompile> found_;
  Seconds ended_;  // of "The operation took", whose name follows
  int32_t ended_line_ = 0;
  Seconds alarm_;  // what passed before a folding alarm whose name follows
  int left_ = 0;   // lines that the name can still be in
};

void SlowCompileReader::Commit(LoggedCompile::Kind kind, std::string name, const LogLine& line) {
  const Seconds ended = ended_;
  ended_ = {};
  const auto same = std::ranges::find_if(found_, [&](const LoggedCompile& other) {
    return other.kind == kind && other.name == name && other.time == Seconds{};
  });
  if (same != found_.end()) {
    same->time = ended;
    same->at_least = std::max(same->at_least, alarm_);
    return;
  }
  if (found_.size() >= kMostEntries) return;
  LoggedCompile compile;
  compile.kind = kind;
  compile.name = std::move(name);
  compile.time = ended;
  compile.at_least = alarm_;
  compile.location = line.place;
  const QuotedSource source = SourceIn(line.text);
  compile.source.file = source.file;
  compile.source.line = source.line;
  found_.push_back(std::move(compile));
}

bool SlowCompileReader::Take(const LogLine& line) {
  const std::string_view text = line.text;
  if (Has(text, "The operation took ")) {
    ended_ = ParseDuration(After(text, "The operation took ")).value_or(Seconds{});
    ended_line_ = line.place.line;
    return false;
  }
  constexpr int32_t kNear = 8;
  if (line.place.line - ended_line_ > kNear) ended_ = {};
  if (Has(text, "Very slow compile?")) {
    constexpr Seconds kAlarm{120};
    alarm_ = kAlarm;
    const std::string_view rest = After(text, "Compiling module ");
    Commit(LoggedCompile::Kind::kModule, ShortName(rest.substr(0, rest.find_first_of("] "))), line);
    return false;
  }
  if (Has(text, "Constant folding an instruction is taking ")) {
    alarm_ = ParseDuration(After(After(text, "is taking "), "> ")).value_or(Seconds{1});
    left_ = 3;
    return true;
  }
  if (Has(text, "longest instance took ")) {
    LoggedCompile compile;
    compile.name = "the longest";
    compile.time = ParseTorchDuration(After(text, "longest instance took ")).value_or(Seconds{});
    compile.location = line.place;
    if (Has(text, "CompileTime") && found_.size() < kMostEntries) {
      found_.push_back(std::move(compile));
    }
    return false;
  }
  if (left_ <= 0) return false;
  --left_;
  if (text.empty()) return left_ > 0;
  left_ = 0;
  Commit(LoggedCompile::Kind::kFolding, ShortName(Before(text, " (displaying")), line);
  return false;
}

void SlowCompileReader::Finish(Workload& workload) {
  // An end whose alarm was not printed again.
  for (LoggedCompile& compile : found_) {
    if (ended_ > Seconds{} && compile.time == Seconds{}) {
      compile.time = ended_;
      ended_ = {};
    }
  }
  // Processes of one program report the same compilation each: the longest is kept.
  std::vector<LoggedCompile> kept;
  for (LoggedCompile& compile : found_) {
    const auto same = std::ranges::find_if(kept, [&](const LoggedCompile& other) {
      return other.name == "the longest" && compile.name == other.name;
    });
    if (same == kept.end()) {
      kept.push_back(std::move(compile));
    } else if (compile.time > same->time) {
      *same = std::move(compile);
    }
  }
  std::ranges::move(kept, std::back_inserter(workload.run_log.compiles));
}

// tf.function retracing, JAX's reasons for cache misses, fairseq's notes.
class RetraceReader : public LogReader {
 public:
  bool Take(const LogLine& line) override;
  void Finish(Workload& workload) override;

 private:
  struct Miss {
    int64_t times = 0;
    std::string function;
    std::set<std::string> ids;
    Location first;
  };
  std::map<std::string, Miss> misses_;  // by where the function is defined
  std::map<std::string, RepeatedCompile> functions_;
  RepeatedCompile notes_;
  std::optional<double> first_note_, last_note_;
  bool in_miss_ = false;
  int left_ = 0;
};

bool RetraceReader::Take(const LogLine& line) {
  const std::string_view text = line.text;
  if (Has(text, "triggered tf.function retracing")) {
    const std::string_view function = Before(After(text, "calls to "), " triggered");
    std::string name = ShortName(Before(function, " at 0x"));
    if (name.starts_with("<function ")) name.erase(0, 10);
    RepeatedCompile& repeated = functions_[name];
    if (repeated.compiles == 0) repeated.location = line.place;
    repeated.writer = "tf.function";
    repeated.name = name;
    const std::string_view counts = Before(text, " calls to ");
    repeated.compiles =
        static_cast<int64_t>(NumberEnding(Before(counts, " out of the last")).value_or(0));
    repeated.steps = static_cast<int64_t>(NumberAfter(counts, "out of the last ").value_or(0));
    return false;
  }
  if (Has(text, "XLA compilation detected")) {
    if (notes_.compiles++ == 0) notes_.location = line.place;
    const std::optional<double> clock = ClockOf(line.raw);
    if (!first_note_) first_note_ = clock;
    last_note_ = clock;
    return false;
  }
  if (Has(text, "TRACING CACHE MISS at ")) {
    in_miss_ = true;
    left_ = 4;
    return true;
  }
  if (!in_miss_ || left_-- <= 0) return in_miss_ = false;
  const std::string_view at = After(text, " defined at ");
  const std::string_view id = After(text, " id=");
  if (!at.empty() && !id.empty() && misses_.size() < kMostEntries) {
    Miss& miss = misses_[ShortName(at)];
    if (miss.times++ == 0) miss.first = line.place;
    miss.function = ShortName(Before(text, " id="));
    miss.ids.insert(std::string(Before(id, " ").substr(0, 40)));
  }
  return true;
}

void RetraceReader::Finish(Workload& workload) {
  std::vector<RepeatedCompile>& to = workload.run_log.repeated;
  for (auto& [name, repeated] : functions_) to.push_back(std::move(repeated));
  for (const auto& [at, miss] : misses_) {
    if (miss.ids.size() < 2) continue;
    RepeatedCompile repeated;
    repeated.writer = "JAX";
    repeated.name = miss.function;
    repeated.compiles = miss.times;
    repeated.cause = fmt::format("a new function object each time, made at {}", at);
    repeated.location = miss.first;
    to.push_back(std::move(repeated));
  }
  if (notes_.compiles == 0) return;
  notes_.writer = "fairseq";
  constexpr int64_t kManyNotes = 20;
  notes_.early = notes_.compiles < kManyNotes;
  if (first_note_ && last_note_) {
    notes_.cause = fmt::format("within {}", FormatSeconds(Between(*first_note_, *last_note_)));
  }
  to.push_back(std::move(notes_));
}

}  // namespace

std::unique_ptr<LogReader> CompilationLines() { return std::make_unique<CompilationReader>(); }
std::unique_ptr<LogReader> SlowCompileLines() { return std::make_unique<SlowCompileReader>(); }
std::unique_ptr<LogReader> RetraceLines() { return std::make_unique<RetraceReader>(); }

}  // namespace tilewise
