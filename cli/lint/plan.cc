// Arguments are sorted into files and folders, folders are walked, files are
// put together into programs.

#include "cli/lint/plan.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/paths.h"
#include "frontend/load.h"
#include "frontend/mapped_file.h"
#include "frontend/refused_format.h"
#include "lint/discover.h"
#include "lint/glob.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

namespace fs = std::filesystem;

// What a file says of a program; files of different kinds complete each other.
enum class FileKind { kModel, kScript, kSettings, kLog };

struct KindOfFormat {
  std::string_view format;
  FileKind kind;
};
// Formats that are no models.
constexpr std::array kKinds = {
    KindOfFormat{"python", FileKind::kScript},
    KindOfFormat{"notebook", FileKind::kScript},
    KindOfFormat{"cpp", FileKind::kScript},
    KindOfFormat{"log", FileKind::kLog},
    KindOfFormat{"pipeline-config", FileKind::kSettings},
    KindOfFormat{"training-yaml", FileKind::kSettings},
    KindOfFormat{"training-gin", FileKind::kSettings},
};

FileKind KindOf(const InputFormat& format) {
  const auto* const found = std::ranges::find(kKinds, format.name, &KindOfFormat::format);
  return found == kKinds.end() ? FileKind::kModel : found->kind;
}

bool IsFolder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

// Null: no format that is read, or one that is known and refused.
const InputFormat* FormatAt(const std::string& path) {
  if (IsFolder(path)) return SniffFormat({path, {}});
  const absl::StatusOr<MappedFile> mapped = MappedFile::Open(path);
  if (!mapped.ok()) return nullptr;
  const InputFile file = {path, mapped->bytes()};
  return CheckNotRefused(file).ok() ? SniffFormat(file) : nullptr;
}

// A SavedModel, a folder of dumps: read as a whole.
bool IsProgramFolder(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(fs::path(path) / "saved_model.pb", error) ||
         fs::is_regular_file(fs::path(path) / "saved_model.pbtxt", error) ||
         SniffFormat({path, {}}) != nullptr;
}

// What files of these formats hold when they are about a model: any C++ source
// and any JSON object is one for its reader.
struct Sign {
  std::string_view format;
  std::string_view text;
};
constexpr std::array kSigns = {Sign{"cpp", "tensorflow"}, Sign{"cpp", "torch"}, Sign{"cpp", "xla"},
                               Sign{"keras-json", "\"class_name\""}};

// Prose says something of programs and shows what they print; it is neither.
bool IsProse(const std::string& path) { return path.ends_with(".md") || path.ends_with(".rst"); }

// Of a file that a walk meets.
bool IsLinted(const std::string& path) {
  if (IsProse(path)) return false;
  const absl::StatusOr<MappedFile> mapped = MappedFile::Open(path);
  if (!mapped.ok()) return true;  // said when it is linted
  const InputFile file = {path, mapped->bytes()};
  if (!CheckNotRefused(file).ok()) return false;
  const InputFormat* format = SniffFormat(file);
  if (format == nullptr) return false;
  const auto is_of = [&](const Sign& sign) { return sign.format == format->name; };
  return std::ranges::none_of(kSigns, is_of) || std::ranges::any_of(kSigns, [&](const Sign& sign) {
           return is_of(sign) && file.bytes.find(sign.text) != std::string_view::npos;
         });
}

// Formats that files of other programs have, too.
constexpr std::array<std::string_view, 11> kCommonFormats = {
    "python",  "notebook", "cpp",        "training-yaml",       "training-gin", "pipeline-config",
    "maxtext", "log",      "keras-json", "transformers-config", "keras-h5"};
// These of them name a framework when they are written for a TPU.
constexpr std::array<std::string_view, 3> kScripts = {"python", "notebook", "cpp"};
constexpr std::array<std::string_view, 5> kFrameworks = {"tensorflow", "keras", "jax", "flax",
                                                         "torch"};

std::string Whole(const std::string& path) { return RealPath(path).string(); }

// What globs of flags start from.
std::string Here() {
  std::error_code error;
  return fs::current_path(error).generic_string();
}

// Reads to the end, which may never come.
absl::StatusOr<std::string> ReadStandardInput(const std::string& name) {
  constexpr size_t kLargest = size_t{64} << 20;
  std::string text;
  std::array<char, 1 << 16> block{};
  while (std::cin.read(block.data(), block.size()) || std::cin.gcount() > 0) {
    text.append(block.data(), static_cast<size_t>(std::cin.gcount()));
    if (text.size() > kLargest) {
      return InvalidInput(
          fmt::format("{}: found more than 64 MiB on standard input, expected at most that", name));
    }
  }
  return text;
}

class Planner {
 public:
  Planner(const LintOptions& options, ConfigFiles& configs)
      : options_(options), configs_(configs) {}

  absl::StatusOr<LintPlan> Run() {
    if (options_.files().empty()) TW_RETURN_IF_ERROR(TakeDeclared());
    for (const std::string& argument : options_.files()) {
      TW_RETURN_IF_ERROR(Take(argument));
    }
    TW_RETURN_IF_ERROR(AddNamed());
    for (const std::string& file : walked_) {
      TW_RETURN_IF_ERROR(Add({file}, true));
    }
    return std::move(plan_);
  }

 private:
  // Takes what the configuration declares, else all that is here, when nothing
  // was named.
  absl::Status TakeDeclared() {
    TW_ASSIGN_OR_RETURN(const auto config, configs_.For("."));
    if (config->workloads.empty()) return Walk(".");
    for (const DeclaredWorkload& workload : config->workloads) {
      AddDeclared(config, workload);
    }
    return absl::OkStatus();
  }

  absl::Status Take(const std::string& argument) {
    if (argument == "-") return TakeStandardInput();
    if (IsZooSpec(argument)) {
      named_.push_back(argument);
      return absl::OkStatus();
    }
    std::error_code error;
    const fs::path parent = fs::path(argument).parent_path();
    if (IsFolder(argument) && !IsProgramFolder(argument)) {
      return Walk(argument);
    }
    plan_.folders.push_back(parent.empty() ? "." : parent.string());
    if (IsFolder(argument)) plan_.folders.push_back(argument);
    named_.push_back(argument);
    return absl::OkStatus();
  }

  absl::Status TakeStandardInput() {
    const std::string name =
        options_.walk.stdin_filename.empty() ? "<stdin>" : options_.walk.stdin_filename;
    if (plan_.texts.contains(name)) {
      return InvalidInput("found '-' twice, expected standard input once");
    }
    TW_ASSIGN_OR_RETURN(plan_.texts[name], ReadStandardInput(name));
    named_.push_back(name);
    return absl::OkStatus();
  }

  // The settings of walks for paths under one configuration.
  absl::StatusOr<const LintOptions*> OptionsAt(const std::string& path) {
    TW_ASSIGN_OR_RETURN(const auto config, configs_.For(path));
    const auto known = by_config_.find(config.get());
    if (known != by_config_.end()) return &known->second;
    TW_ASSIGN_OR_RETURN(LintOptions options, OptionsFor(options_, config, nullptr));
    for (std::string& glob : options.walk.exclude) {
      const absl::Status bounded = CheckGlob(glob);
      if (!bounded.ok()) return Annotate(bounded, options_.model.config.FromOf("exclude"));
      // Globs of a configuration are absolute already.
      if (!glob.starts_with('/')) glob = GlobBelow(Here(), glob);
    }
    return &by_config_.emplace(config.get(), std::move(options)).first->second;
  }

  bool IsExcluded(const std::string& path) {
    const absl::StatusOr<const LintOptions*> options = OptionsAt(path);
    if (!options.ok()) {
      if (problem_.ok()) problem_ = options.status();
      return true;
    }
    return !(*options)->walk.exclude.empty() &&
           MatchesPath((*options)->walk.exclude, (*options)->config().root, path);
  }

  absl::Status Walk(const std::string& folder) {
    TW_ASSIGN_OR_RETURN(const LintOptions* options, OptionsAt(folder));
    plan_.walked.push_back(folder);
    DiscoverOptions walk;
    walk.respect_ignore_files = options->walk.respect_gitignore;
    walk.excluded = [this](const std::string& path) { return IsExcluded(path); };
    walk.is_program = IsProgramFolder;
    walk.is_known = IsLinted;
    Discovered found = Discover(folder, walk);
    TW_RETURN_IF_ERROR(problem_);
    if (found.files.empty() && found.unreadable.empty()) {
      plan_.warnings.push_back(fmt::format(
          "{}: found no files of a format that is read ('tilewise list formats')", folder));
    }
    std::ranges::move(found.files, std::back_inserter(walked_));
    std::ranges::move(found.folders, std::back_inserter(plan_.folders));
    std::ranges::move(found.unreadable, std::back_inserter(plan_.failures));
    return absl::OkStatus();
  }

  // Returns nothing for what is not there or of no format that is read.
  std::optional<FileKind> KindOfNamed(const std::string& name) const {
    if (IsZooSpec(name)) return FileKind::kModel;
    const auto text = plan_.texts.find(name);
    const InputFormat* format =
        text != plan_.texts.end() ? SniffFormat({name, text->second}) : FormatAt(name);
    if (format == nullptr) return std::nullopt;
    return KindOf(*format);
  }

  bool AreTogether() const {
    if (options_.walk.together) return *options_.walk.together;
    std::set<FileKind> kinds;
    return std::ranges::all_of(named_, [&](const std::string& name) {
      const std::optional<FileKind> kind = KindOfNamed(name);
      return kind && kinds.insert(*kind).second;
    });
  }

  absl::Status AddNamed() {
    if (named_.size() > 1 && AreTogether()) return Add(named_);
    for (const std::string& name : named_) {
      TW_RETURN_IF_ERROR(Add({name}));
    }
    return absl::OkStatus();
  }

  // One file alone may be part of a declared workload, which is taken once.
  absl::Status Add(const std::vector<std::string>& files, bool walked = false) {
    TW_ASSIGN_OR_RETURN(auto config, configs_.For(files.front()));
    if (files.size() == 1 && !added_.insert(Whole(files.front())).second) {
      return absl::OkStatus();
    }
    const DeclaredWorkload* declared = nullptr;
    if (files.size() == 1 && options_.walk.together != false) {
      declared = DeclaredWith(*config, Whole(files.front()));
    }
    if (declared == nullptr) {
      plan_.programs.push_back({.files = files, .config = std::move(config), .walked = walked});
      return absl::OkStatus();
    }
    AddDeclared(config, *declared);
    return absl::OkStatus();
  }

  void AddDeclared(const std::shared_ptr<const LintConfig>& config,
                   const DeclaredWorkload& workload) {
    if (workload.files.empty() || !declared_.insert(&workload).second) return;
    std::vector<std::string> members;
    members.reserve(workload.files.size());
    for (const std::string& file : workload.files) {
      members.push_back(AsNamed(file));
      const fs::path parent = fs::path(members.back()).parent_path();
      plan_.folders.push_back(parent.empty() ? "." : parent.string());
    }
    plan_.programs.push_back(
        {.files = std::move(members), .config = config, .workload = &workload});
  }

  // Members are looked up by their whole paths, which are made once.
  const DeclaredWorkload* DeclaredWith(const LintConfig& config, const std::string& file) {
    const auto [members, is_new] = members_.try_emplace(&config);
    if (is_new) {
      for (const DeclaredWorkload& workload : config.workloads) {
        for (const std::string& member : workload.files) {
          members->second.emplace(Whole(member), &workload);
        }
      }
    }
    const auto found = members->second.find(file);
    return found == members->second.end() ? nullptr : found->second;
  }

  // Names a file as the user or the walk spells it, where one of them does.
  std::string AsNamed(const std::string& file) {
    const std::string whole = Whole(file);
    if (spelt_.empty()) {
      for (const std::vector<std::string>* names : {&named_, &walked_}) {
        for (const std::string& name : *names) spelt_.emplace(Whole(name), name);
      }
    }
    const auto name = spelt_.find(whole);
    if (name != spelt_.end()) return name->second;
    std::error_code error;
    const fs::path relative =
        fs::path(whole).lexically_relative(fs::weakly_canonical(fs::current_path(error), error));
    const bool inside = !relative.empty() && *relative.begin() != "..";
    return inside ? relative.generic_string() : file;
  }

  const LintOptions& options_;
  ConfigFiles& configs_;
  std::map<const LintConfig*, LintOptions> by_config_;
  absl::Status problem_;
  std::vector<std::string> named_, walked_;
  std::set<std::string> added_;
  std::set<const DeclaredWorkload*> declared_;
  std::map<const LintConfig*, std::map<std::string, const DeclaredWorkload*>> members_;
  std::map<std::string, std::string> spelt_;  // names by whole paths
  LintPlan plan_;
};

}  // namespace

bool MayBeNoProgram(const std::string& path) {
  if (IsProse(path) || path.ends_with(".txt")) return true;
  const absl::StatusOr<MappedFile> mapped = MappedFile::Open(path);
  if (!mapped.ok()) return false;
  const InputFormat* format = SniffFormat({path, mapped->bytes()});
  if (format == nullptr) return true;
  const auto is_format = [&](std::string_view name) { return format->name == name; };
  // Scripts of a shell and Terraform look like these, and mention frameworks.
  if (is_format("python") && !path.ends_with(".py")) return true;
  if (is_format("mlir") && !path.ends_with(".mlir")) return true;
  if (std::ranges::none_of(kCommonFormats, is_format)) return false;
  if (std::ranges::none_of(kScripts, is_format)) return true;
  return std::ranges::none_of(kFrameworks, [&](std::string_view word) {
    return mapped->bytes().find(word) != std::string_view::npos;
  });
}

absl::StatusOr<LintPlan> PlanLint(const LintOptions& options, ConfigFiles& configs) {
  return Planner(options, configs).Run();
}

}  // namespace tilewise
