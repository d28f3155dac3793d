// Two versions of a program, two runs, or a program and its run.

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/diff/git_tree.h"
#include "cli/diff/side.h"
#include "cli/output.h"
#include "report/difference.h"
#include "zoo/zoo.h"

namespace tilewise {
namespace {

struct DiffOptions {
  ModelOptions model;
  std::vector<std::string> budget;
  std::string before, after;  // options of one side alone
  OutputOptions output;
};

void Add(Arguments& arguments, DiffOptions& options) {
  Add(arguments, options.model);
  Add(arguments, options.model.lowering);
  arguments.List({.name = "--budget",
                  .help = "how much worse the new one may be: step=+3%,hbm=+1GiB,compile=+20%; "
                          "exit code 1 where it is more",
                  .type = "LIMITS"},
                 options.budget);
  arguments.Text({.name = "--old",
                  .help = "options of the old one alone, beside those that hold for both: "
                          "'--chip v4 --remat full'",
                  .type = "OPTIONS"},
                 options.before);
  arguments.Text({.name = "--new", .help = "the same of the new one", .type = "OPTIONS"},
                 options.after);
  Add(arguments, NamesOf(FormatsOf<Difference>()), options.output);
  AddVerbose(arguments, options.output);
}

bool IsThere(const std::string& file) {
  std::error_code error;
  return IsZooSpec(file) || std::filesystem::exists(file, error);
}

// "main..HEAD" or "main...HEAD", which starts at the common ancestor.
struct RevisionPair {
  std::string before, after;
  bool from_ancestor = false;
};

std::optional<RevisionPair> PairIn(const std::string& word) {
  const size_t dots = word.find("..");
  // "../old.py" is a path that is not there.
  if (dots == std::string::npos || word.substr(dots).starts_with("../")) return std::nullopt;
  RevisionPair pair;
  pair.from_ancestor = word.substr(dots).starts_with("...");
  pair.before = word.substr(0, dots);
  pair.after = word.substr(dots + (pair.from_ancestor ? 3 : 2));
  if (pair.before.empty()) pair.before = "HEAD";
  if (pair.after.empty()) pair.after = "HEAD";
  return pair;
}

// The options of one side: those of both, with `words` among them.
absl::StatusOr<ModelOptions> OptionsOf(const DiffOptions& options, const std::string& words) {
  if (words.empty()) return options.model;
  std::vector<std::string> arguments = options.model.config.arguments;
  std::vector<std::string> own;
  bool of_program = false;
  for (const std::string& word : OptionWords(words)) {
    if (word == "--" && !of_program) {
      of_program = true;
    } else {
      own.push_back(of_program ? "--program-argument=" + word : word);
    }
  }
  arguments.insert(std::ranges::find(arguments, "--"), own.begin(), own.end());
  DiffOptions side;
  const auto make = [&side](Arguments& declared) {
    Add(declared, side);
    return Invocation{.run = nullptr, .config = &side.model.config};
  };
  TW_RETURN_IF_ERROR(ParseAgain(arguments, make, options.model.config.found, nullptr));
  if (side.model.inputs.files != options.model.inputs.files) {
    return InvalidInput(fmt::format("found '{}' in the options of one side, expected options alone",
                                    side.model.inputs.files.back()));
  }
  return side.model;
}

// With its options, which tell two sides of one program apart.
std::string Named(const std::string& name, const std::string& words) {
  return words.empty() ? name : fmt::format("{} with {}", name, words);
}

std::string NameAt(const std::vector<std::string>& files, const std::string& when) {
  return fmt::format("{} at {}", fmt::join(files, " + "), when);
}

absl::StatusOr<DiffSide> SideAt(const std::string& revision, const std::vector<std::string>& files,
                                const DiffOptions& given, const std::string& words) {
  TW_ASSIGN_OR_RETURN(const ModelOptions options, OptionsOf(given, words));
  TW_ASSIGN_OR_RETURN(const GitTree tree, ReadGitTree(revision, files));
  SideInput input;
  input.name = Named(NameAt(files, revision), words);
  input.root = tree.folder.path().string();
  for (const std::string& file : files) input.files.push_back(tree.PathOf(file));
  // Modules that are imported come from the same revision.
  ModelOptions at = options;
  for (std::string& folder : at.inputs.program.python_path) folder = tree.PathOf(folder);
  return ReadSide(input, at);
}

using BothSides = std::pair<DiffSide, DiffSide>;

absl::StatusOr<BothSides> SidesOfRevisions(const DiffOptions& options) {
  const std::vector<std::string>& words = options.model.inputs.files;
  const std::vector<std::string> files(words.begin() + 1, words.end());
  const std::optional<RevisionPair> pair = PairIn(words.front());
  std::string old = pair ? pair->before : words.front();
  if (pair && pair->from_ancestor) {
    TW_ASSIGN_OR_RETURN(old, GitMergeBase(pair->before, pair->after, files.front()));
  }
  TW_ASSIGN_OR_RETURN(DiffSide before, SideAt(old, files, options, options.before));
  if (pair && pair->from_ancestor) {
    before.name =
        Named(NameAt(files, fmt::format("where {} and {} part", pair->before, pair->after)),
              options.before);
  }
  if (pair) {
    TW_ASSIGN_OR_RETURN(DiffSide after, SideAt(pair->after, files, options, options.after));
    return BothSides(std::move(before), std::move(after));
  }
  TW_ASSIGN_OR_RETURN(const ModelOptions model, OptionsOf(options, options.after));
  SideInput now;
  now.name = Named(NameAt(files, "the work tree"), options.after);
  now.files = files;
  TW_ASSIGN_OR_RETURN(DiffSide after, ReadSide(now, model));
  return BothSides(std::move(before), std::move(after));
}

absl::StatusOr<BothSides> Sides(const DiffOptions& options) {
  std::vector<std::string> words = options.model.inputs.files;
  const bool has_own = !options.before.empty() || !options.after.empty();
  if (words.size() == 1 && has_own) words.push_back(words.front());
  if (words.size() < 2) {
    return InvalidInput(
        fmt::format("found '{}' alone, expected OLD NEW, or a revision or A..B of Git and a file, "
                    "or options of one side (--new '--chip v5e')",
                    fmt::join(words, " ")));
  }
  if (!IsThere(words.front())) {
    const std::optional<RevisionPair> pair = PairIn(words.front());
    if (pair || IsGitRevision(words.front(), words[1])) return SidesOfRevisions(options);
  }
  if (words.size() > 2) {
    return InvalidInput(fmt::format(
        "found {} files, expected two, or a revision of Git before them (main..HEAD, HEAD~1)",
        words.size()));
  }
  const auto read = [&options](const std::string& file,
                               const std::string& own) -> absl::StatusOr<DiffSide> {
    TW_ASSIGN_OR_RETURN(const ModelOptions model, OptionsOf(options, own));
    return ReadSide({.name = Named(file, own), .files = {file}}, model);
  };
  TW_ASSIGN_OR_RETURN(DiffSide before, read(words[0], options.before));
  TW_ASSIGN_OR_RETURN(DiffSide after, read(words[1], options.after));
  // Findings of two files of other names are the same where their subject is.
  return BothSides(std::move(before), std::move(after));
}

absl::StatusOr<int> RunDiff(const DiffOptions& options) {
  std::vector<BudgetLimit> limits;
  for (const std::string& text : options.budget) {
    TW_ASSIGN_OR_RETURN(BudgetLimit limit, ParseBudget(text));
    limits.push_back(std::move(limit));
  }
  TW_ASSIGN_OR_RETURN(BothSides sides, Sides(options));
  Difference difference = Compare(std::move(sides.first), std::move(sides.second), limits);
  difference.version = TILEWISE_VERSION;
  TW_RETURN_IF_ERROR(Render(difference, options.output));
  return difference.within_budget() ? kExitClean : kExitFindings;
}

}  // namespace

TW_RUNS_COMMAND(Diff, RunDiff)

}  // namespace tilewise
