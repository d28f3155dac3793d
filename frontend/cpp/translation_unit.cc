// Runs Clang's parser on one source, with what it reads besides and what it misses on record.

#include "frontend/cpp/translation_unit.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/LexDiagnostic.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Tooling/ArgumentsAdjusters.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <fmt/format.h>
#include <llvm/Support/CrashRecoveryContext.h>

#include "frontend/cpp/parse_budget.h"
#include "frontend/cpp/precompiled_headers.h"
#include "frontend/cpp/project_files.h"
#include "frontend/cpp/stand_in_files.h"
#include "frontend/cpp/stand_ins.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

// A source of this size takes Clang a few seconds and a gigabyte.
constexpr size_t kLargestSource = size_t{8} << 20;
// Nested expressions and templates are parsed recursively.
constexpr unsigned kStackSize = 64U << 20;
constexpr size_t kNamedHeaders = 3;
// So many sources may leave their memory behind (parse_budget.h).
constexpr int64_t kAbandoned = 2;

// What Clang said; the text is made when it says it, as its arguments do not last.
struct Said {
  std::vector<std::string> missing_headers;
  int64_t errors = 0;
  std::string first_error;
  bool wants_cpp20 = false;
};

class Listener : public clang::DiagnosticConsumer {
 public:
  explicit Listener(std::shared_ptr<Said> said) : said_(std::move(said)) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override {
    if (level < clang::DiagnosticsEngine::Error) return;
    if (info.getID() == clang::diag::err_pp_file_not_found) {
      const std::string& name = info.getArgStdStr(0);
      const auto known =
          std::find(said_->missing_headers.begin(), said_->missing_headers.end(), name);
      if (known == said_->missing_headers.end()) said_->missing_headers.push_back(name);
      return;
    }
    const bool first = said_->errors++ == 0;
    const bool of_auto = info.getID() == clang::diag::err_auto_not_allowed;
    if (!first && !of_auto) return;
    llvm::SmallString<256> text;
    info.FormatDiagnostic(text);
    if (of_auto && text.str().contains("function prototype")) said_->wants_cpp20 = true;
    if (!first) return;
    said_->first_error = std::string(text.str().substr(0, 200));
    if (!info.hasSourceManager() || info.getLocation().isInvalid()) return;
    const clang::PresumedLoc place = info.getSourceManager().getPresumedLoc(info.getLocation());
    if (place.isInvalid()) return;
    said_->first_error = fmt::format("{}:{}: {}", fs::path(place.getFilename()).filename().string(),
                                     place.getLine(), said_->first_error);
  }

 private:
  std::shared_ptr<Said> said_;
};

class TreeBuilder : public clang::tooling::ToolAction {
 public:
  // `header`: the one of a library that the source begins with; `flags`: those of the source.
  TreeBuilder(std::shared_ptr<Said> said, std::shared_ptr<cpp::ParseBudget> budget,
              cpp::LibraryHeader header, std::string flags)
      : said_(std::move(said)),
        budget_(std::move(budget)),
        header_(std::move(header)),
        flags_(std::move(flags)) {}

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation,
                     clang::FileManager* files,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer* /*consumer*/) override {
    const auto diagnostics = clang::CompilerInstance::createDiagnostics(
        &invocation->getDiagnosticOpts(), new Listener(said_), /*ShouldOwnClient=*/true);
    // `#pragma clang __debug crash` and its like.
    invocation->getPreprocessorOpts().DisablePragmaDebugCrash = true;
    // A missing header would end the instantiation of templates.
    diagnostics->setFatalsAsError(true);
    llvm::IntrusiveRefCntPtr<clang::FileManager> all = files;
    if (!header_.line.empty()) {
      all = cpp::BeginWithHeader(header_, flags_, *invocation, std::move(all), containers);
    }
    auto compiler = std::make_unique<clang::CompilerInstance>(std::move(containers));
    compiler->setInvocation(std::move(invocation));
    compiler->setDiagnostics(diagnostics.get());
    compiler->setFileManager(all.get());
    compiler->createSourceManager(*all);
    tree = cpp::SyntaxTree::Parse(std::move(compiler), budget_);
    return tree != nullptr;
  }

  std::unique_ptr<cpp::SyntaxTree> tree;

 private:
  std::shared_ptr<Said> said_;
  std::shared_ptr<cpp::ParseBudget> budget_;
  cpp::LibraryHeader header_;
  std::string flags_;
};

// How the source is compiled, and in which folder.
struct Command {
  std::string folder;
  std::vector<std::string> arguments;
  std::string database;  // the file that says so; empty: none does
  bool usual = false;    // nothing but the kind of the source tells the flags
};

// Flags with which Clang would load and run code, or write files.
std::vector<std::string> WithoutEffects(const std::vector<std::string>& arguments) {
  constexpr std::string_view kWithValue[] = {"-load",
                                             "-plugin",
                                             "-add-plugin",
                                             "-serialize-diagnostics",
                                             "--serialize-diagnostics",
                                             "-diagnostic-log-file",
                                             "-header-include-file"};
  constexpr std::string_view kAlone[] = {"-fplugin", "-save-temps", "-fmodules", "-ftime-trace",
                                         "-fproc-stat-report"};
  std::vector<std::string> kept;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool to_frontend = arguments[i] == "-Xclang" && i + 1 < arguments.size();
    const std::string& flag = arguments[to_frontend ? i + 1 : i];
    if (std::find(std::begin(kWithValue), std::end(kWithValue), flag) != std::end(kWithValue)) {
      i += to_frontend ? 3 : 1;
      continue;
    }
    if (std::any_of(std::begin(kAlone), std::end(kAlone),
                    [&](std::string_view start) { return flag.starts_with(start); })) {
      i += to_frontend ? 1 : 0;
      continue;
    }
    kept.push_back(arguments[i]);
  }
  return kept;
}

constexpr char kDatabase[] = "compile_commands.json";

// The nearest folder above the source with a database, in it or in its folder `build`; empty: none.
std::string NearestDatabase(const std::string& file) {
  std::error_code error;
  for (fs::path folder = fs::path(file).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    for (const fs::path& place : {folder, folder / "build"}) {
      if (fs::is_regular_file(place / kDatabase, error)) return place.string();
    }
  }
  return "";
}

// Nothing: the database does not speak of the file, or there is none.
absl::StatusOr<std::optional<Command>> FromDatabase(const std::string& file,
                                                    const CppOptions& options) {
  const bool asked = !options.compilation_database.empty();
  const std::string folder = asked                   ? options.compilation_database
                             : options.flags.empty() ? NearestDatabase(file)
                                                     : "";
  if (folder.empty()) return std::nullopt;
  std::string problem;
  // What was only found speaks for the files that it names, not for others like them.
  const std::string path = (fs::path(folder) / kDatabase).string();
  std::unique_ptr<clang::tooling::CompilationDatabase> database =
      asked ? clang::tooling::CompilationDatabase::loadFromDirectory(folder, problem)
            : clang::tooling::JSONCompilationDatabase::loadFromFile(
                  path, problem, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (database == nullptr && !asked) return std::nullopt;
  if (database == nullptr) {
    return InvalidInput(fmt::format("-p {}: expected a folder with compile_commands.json: {}",
                                    options.compilation_database, problem.substr(0, 200)));
  }
  auto commands = database->getCompileCommands(file);
  if (commands.empty() && !asked && fs::path(file).extension().string().starts_with(".h")) {
    // No database names headers: they have the flags of the source that is nearest by name.
    database = clang::tooling::inferMissingCompileCommands(std::move(database));
    commands = database->getCompileCommands(file);
  }
  if (commands.empty()) return std::nullopt;
  return Command{commands.front().Directory, commands.front().CommandLine, path};
}

// Returns where projects keep their headers: folders named include next to the source and above it,
// up to the root of the checkout.
std::vector<std::string> UsualIncludes(const std::string& file) {
  constexpr int kLevels = 6;
  std::vector<std::string> flags;
  fs::path folder = cpp::FolderOf(file);
  std::error_code error;
  for (int level = 0; level < kLevels && folder.has_relative_path(); ++level) {
    if (fs::is_directory(folder / "include", error))
      flags.push_back("-I" + cpp::NamedLike(folder / "include", file));
    if (fs::exists(folder / ".git", error)) break;
    folder = folder.parent_path();
  }
  return flags;
}

absl::StatusOr<Command> CommandFor(const std::string& file, const CppOptions& options) {
  TW_ASSIGN_OR_RETURN(std::optional<Command> known, FromDatabase(file, options));
  const bool found = known.has_value();
  Command command = found ? std::move(*known) : Command{"", {"clang++"}, ""};
  if (!found)
    command.arguments.insert(command.arguments.end(), {cpp::StandardOf(file), "-xc++", file});
  command.arguments = clang::tooling::combineAdjusters(
      clang::tooling::getClangSyntaxOnlyAdjuster(),
      clang::tooling::combineAdjusters(clang::tooling::getClangStripOutputAdjuster(),
                                       clang::tooling::getClangStripDependencyFileAdjuster()))(
      command.arguments, file);
  std::vector<std::string> more = options.flags;
  if (!found && more.empty()) more = UsualIncludes(file);
  command.usual = !found && more.empty();
  // Spelling suggestions would put another name in place of one that is not declared.
  more.insert(more.end(), {"-w", "-ferror-limit=0", "-fno-spell-checking", "-Qunused-arguments",
                           "-isystem", cpp::kFirstFolder, "-idirafter", kStandInFolder});
  if (std::error_code error; fs::exists(TILEWISE_CLANG_RESOURCES, error)) {
    more.push_back("-resource-dir=" TILEWISE_CLANG_RESOURCES);
  }
  command.arguments = clang::tooling::getInsertArgumentAdjuster(
      more, clang::tooling::ArgumentInsertPosition::END)(command.arguments, file);
  command.arguments = WithoutEffects(command.arguments);
  return command;
}

// Headers in whose place stand-ins were read.
std::vector<std::string> UsedStandIns(const cpp::SyntaxTree& tree) {
  std::vector<std::string> used;
  const std::string prefix = std::string(kStandInFolder) + "/";
  for (const clang::FileEntryRef file : tree.files()) {
    const llvm::StringRef name = file.getName();
    if (!name.starts_with(prefix)) continue;
    const llvm::StringRef header = name.substr(prefix.size());
    if (!header.starts_with("tilewise/")) used.push_back(header.str());
  }
  std::sort(used.begin(), used.end());
  return used;
}

std::string Listed(const std::vector<std::string>& names) {
  const size_t shown = std::min(names.size(), kNamedHeaders);
  return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + shown, ", "),
                     shown < names.size() ? ", .." : "");
}

std::string CountOf(size_t number, std::string_view thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? " was" : "s were");
}

}  // namespace

namespace {

// Parses once, with `more` flags.
absl::StatusOr<TranslationUnit> ParseOnce(const std::string& path, std::string_view text,
                                          const CppOptions& options,
                                          const std::vector<std::string>& more) {
  if (text.size() > kLargestSource) {
    return InvalidInput(fmt::format("{}: C++ source has {} bytes, expected at most {}", path,
                                    text.size(), kLargestSource));
  }
  if (cpp::ParseBudget::Abandoned() >= kAbandoned) {
    return InvalidInput(
        fmt::format("{}: not read: {} C++ sources before it used up what Clang may "
                    "take",
                    path, kAbandoned));
  }
  std::error_code error;
  const std::string file = fs::absolute(path, error).lexically_normal().string();
  TW_ASSIGN_OR_RETURN(Command command, CommandFor(file, options));
  command.arguments = clang::tooling::getInsertArgumentAdjuster(
      more, clang::tooling::ArgumentInsertPosition::END)(command.arguments, file);
  const auto said = std::make_shared<Said>();
  const auto budget = std::make_shared<cpp::ParseBudget>();
  // Headers of a project's own folders may change, and have no budget of their own.
  cpp::LibraryHeader header;
  std::string flags;
  if (command.usual && more.empty()) {
    header = cpp::FirstHeader(file, text);
    for (const std::string& each : command.arguments) flags += each == file ? "" : each + " ";
  }
  TreeBuilder builder(said, budget, header, flags);
  const llvm::IntrusiveRefCntPtr<clang::FileManager> files(new clang::FileManager(
      clang::FileSystemOptions(), cpp::FilesWithStandIns(command.folder, file, text)));
  llvm::CrashRecoveryContext::Enable();
  const bool survived = llvm::CrashRecoveryContext().RunSafelyOnThread(
      [&] {
        clang::IgnoringDiagConsumer driver;
        clang::tooling::ToolInvocation run(command.arguments, &builder, files.get(),
                                           std::make_shared<clang::PCHContainerOperations>());
        run.setDiagnosticConsumer(&driver);
        run.run();
      },
      kStackSize);
  if (options.cost != nullptr) {
    options.cost->seconds += budget->seconds_taken();
    options.cost->bytes += budget->bytes_taken();
  }
  if (!budget->used_up().empty()) {
    return InvalidInput(fmt::format("{}: Clang {}", path, budget->used_up()));
  }
  if (!survived || builder.tree == nullptr) {
    return InvalidInput(fmt::format("{}: Clang could not parse this source with the flags '{}'",
                                    path, fmt::join(options.flags, " ")));
  }
  if (const clang::Stmt* deep = builder.tree->TooDeep()) {
    return InvalidInput(fmt::format(
        "{}:{}: what stands here nests too deep to be read, as a sum of thousands of terms does",
        path, builder.tree->sources().getExpansionLineNumber(deep->getBeginLoc())));
  }
  TranslationUnit unit;
  unit.database = command.database;
  unit.stand_ins = UsedStandIns(*builder.tree);
  unit.tree = std::move(builder.tree);
  unit.missing_headers = std::move(said->missing_headers);
  unit.errors = said->errors;
  unit.wants_cpp20 = said->wants_cpp20;
  unit.first_error = std::move(said->first_error);
  return unit;
}

// The number of folders that two paths begin with alike.
int64_t SharedPath(const std::string& a, const std::string& b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return std::count(a.begin(), end, '/');
}

// A folder with a header that is named as one of C's (`time.h`) is for `#include "x.h"` alone: the
// headers of the standard library include theirs from the folders of -I.
std::string IncludeFlag(const std::string& folder) {
  constexpr const char* kNames[] = {"assert.h", "complex.h", "ctype.h",  "errno.h",  "float.h",
                                    "limits.h", "locale.h",  "math.h",   "memory.h", "signal.h",
                                    "stdio.h",  "stdlib.h",  "string.h", "time.h",   "wchar.h"};
  const bool shadows = std::ranges::any_of(kNames, [&](const char* name) {
    std::error_code error;
    return fs::exists(fs::path(folder) / name, error);
  });
  return (shadows ? "-iquote" : "-I") + folder;
}

// Flags for folders of the checkout that have headers which were not found: projects give these to
// the compiler in their build files.
std::vector<std::string> FoldersWith(const std::vector<std::string>& headers,
                                     const std::string& file) {
  constexpr int kMaxEntries = 20'000;
  constexpr int kMaxDepth = 5;
  const std::string root = cpp::CheckoutOf(file);
  std::vector<std::string> flags;
  if (root.empty() || headers.empty()) return flags;
  std::error_code error;
  int entries = 0;
  fs::recursive_directory_iterator each(root, error), end;
  for (; !error && each != end && entries < kMaxEntries; each.increment(error), ++entries) {
    const fs::path& path = each->path();
    const bool hidden = path.filename().string().starts_with('.');
    if (each->is_directory(error) && (hidden || each.depth() >= kMaxDepth)) {
      each.disable_recursion_pending();
      continue;
    }
    for (const std::string& header : headers) {
      const std::string name = path.string();
      if (!name.ends_with("/" + header)) continue;
      const std::string holds = name.substr(0, name.size() - header.size() - 1);
      flags.push_back(IncludeFlag(cpp::NamedLike(holds, file)));
    }
  }
  // Programs of one checkout may have headers of one name: the nearest folder comes first.
  std::sort(flags.begin(), flags.end());
  flags.erase(std::unique(flags.begin(), flags.end()), flags.end());
  std::stable_sort(flags.begin(), flags.end(), [&](const std::string& a, const std::string& b) {
    return SharedPath(a.substr(a.find('/')), file) > SharedPath(b.substr(b.find('/')), file);
  });
  return flags;
}

}  // namespace

absl::StatusOr<TranslationUnit> ParseTranslationUnit(const std::string& path, std::string_view text,
                                                     const CppOptions& options) {
  constexpr int kTries = 3;  // headers that are found may lack others
  std::vector<std::string> more;
  if (options.flags.empty()) more = options.known_flags;
  absl::StatusOr<TranslationUnit> unit = ParseOnce(path, text, options, more);
  std::error_code error;
  const std::string file = fs::absolute(path, error).lexically_normal().string();
  for (int i = 0; i < kTries && unit.ok(); ++i) {
    const bool told = !options.flags.empty() || !unit->database.empty();
    if (told) break;
    std::vector<std::string> found = FoldersWith(unit->missing_headers, file);
    // GCC takes parameters of type `auto` before C++20, too.
    if (unit->wants_cpp20) found.push_back("-std=c++20");
    if (found.empty()) break;
    more.insert(more.end(), found.begin(), found.end());
    absl::StatusOr<TranslationUnit> fuller = ParseOnce(path, text, options, more);
    if (!fuller.ok()) break;
    unit = std::move(fuller);
  }
  if (unit.ok()) unit->found_flags = std::move(more);
  return unit;
}

std::string DescribeRecovery(const TranslationUnit& unit) {
  std::vector<std::string> parts;
  if (!unit.stand_ins.empty()) {
    parts.push_back(fmt::format("{} not found and replaced by tilewise's short declarations: {}",
                                CountOf(unit.stand_ins.size(), "header"), Listed(unit.stand_ins)));
  }
  if (!unit.missing_headers.empty()) {
    parts.push_back(fmt::format("{} not found: {}", CountOf(unit.missing_headers.size(), "header"),
                                Listed(unit.missing_headers)));
  }
  if (unit.errors > 0) {
    parts.push_back(fmt::format("Clang reports {} error{} and goes on: {}", unit.errors,
                                unit.errors == 1 ? "" : "s", unit.first_error));
  }
  if (parts.empty()) return "";
  return fmt::format("{}; give the compiler's flags with -p DIR or behind --",
                     fmt::join(parts, "; "));
}

}  // namespace tilewise
