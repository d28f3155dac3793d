// ls-tree and cat-file read objects alone: no filter, hook or monitor that a
// repository may configure runs.

#include "cli/diff/git_tree.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace tilewise {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kLargestBeside = int64_t{4} << 20;
constexpr int64_t kLargestOutput = int64_t{1} << 30;
constexpr size_t kMostBlobs = 50'000;

std::string ReadAll(int descriptor, bool& complete) {
  std::string text;
  std::array<char, 65536> buffer;
  complete = true;
  for (;;) {
    const ssize_t size = read(descriptor, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    if (static_cast<int64_t>(text.size()) > kLargestOutput) {
      complete = false;
      break;
    }
    text.append(buffer.data(), static_cast<size_t>(size));
  }
  return text;
}

std::string FirstLine(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  for (const std::string_view prefix : {"fatal: ", "error: "}) {
    if (line.starts_with(prefix)) line.erase(0, prefix.size());
  }
  return line;
}

// Runs git in `folder` with `input` as its standard input; what it prints.
absl::StatusOr<std::string> RunGit(const std::string& folder, std::vector<std::string> words,
                                   const std::string& input = {}) {
  TW_ASSIGN_OR_RETURN(const TemporaryFolder scratch, TemporaryFolder::Make());
  const std::string in = scratch.path() / "in";
  const std::string err = scratch.path() / "err";
  std::ofstream(in, std::ios::binary) << input;
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return absl::InternalError("no pipe for git");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  words.insert(words.begin(), {"git", "--no-pager", "-C", folder});
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<std::string> settings = {"GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
                                       "GIT_TERMINAL_PROMPT=0", "LC_ALL=C"};
  std::vector<char*> environment;
  environment.reserve(settings.size() + 1);
  for (std::string& setting : settings) environment.push_back(setting.data());
  for (char** at = environ; *at != nullptr; ++at) {
    if (!std::string_view(*at).starts_with("LC_ALL=")) environment.push_back(*at);
  }
  environment.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, "git", &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    return absl::FailedPreconditionError(
        "found no git program, expected one to read a revision with");
  }
  bool complete = true;
  std::string output = ReadAll(ends[0], complete);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (complete && WIFEXITED(status) && WEXITSTATUS(status) == 0) return output;
  if (!complete) return InvalidInput("git printed more than 1 GiB, expected a smaller tree");
  std::ifstream stream(err);
  const std::string message{std::istreambuf_iterator<char>(stream), {}};
  return InvalidInput(fmt::format("git {}: {}", words[4], FirstLine(message)));
}

// The nearest folder of `file` that is there.
std::string FolderOf(const std::string& file) {
  std::error_code error;
  fs::path folder = fs::absolute(file, error).parent_path();
  while (!folder.empty() && !fs::is_directory(folder, error) && folder != folder.parent_path()) {
    folder = folder.parent_path();
  }
  return folder.empty() ? "/" : folder.string();
}

std::string WithoutLineEnd(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

// `file` as the repository names it.
std::string RelativeTo(const fs::path& top, const std::string& file) {
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(fs::absolute(file, error), error);
  return absolute.lexically_relative(top).generic_string();
}

bool IsSource(const fs::path& path) {
  constexpr std::array<std::string_view, 16> kSuffixes = {
      ".py",  ".yaml", ".yml",   ".gin",    ".json",  ".toml", ".cfg", ".txt",
      ".ini", ".lock", ".ipynb", ".config", ".pbtxt", ".mlir", ".hlo", ".pyi"};
  const std::string suffix = path.extension().string();
  return std::ranges::find(kSuffixes, suffix) != kSuffixes.end();
}

// A tree of a hostile repository may name what lies outside.
bool StaysInside(const fs::path& path) {
  return path.is_relative() && std::ranges::none_of(path, [](const fs::path& part) {
           return part == ".." || part == ".git";
         });
}

struct Blob {
  std::string hash;
  fs::path path;
  int64_t size = 0;
};

// "100644 blob 3b18e5 1234\ttrain.py", ended by zero bytes.
std::vector<Blob> BlobsOf(std::string_view listing, const std::set<std::string>& wanted) {
  std::vector<Blob> blobs;
  while (!listing.empty() && blobs.size() < kMostBlobs) {
    const std::string_view entry = listing.substr(0, listing.find('\0'));
    listing.remove_prefix(std::min(entry.size() + 1, listing.size()));
    const size_t tab = entry.find('\t');
    if (tab == std::string_view::npos) continue;
    char mode[16] = {}, kind[16] = {}, hash[80] = {};
    long long size = 0;
    const std::string head(entry.substr(0, tab));
    if (std::sscanf(head.c_str(), "%15s %15s %79s %lld", mode, kind, hash, &size) != 4) continue;
    const fs::path path{std::string(entry.substr(tab + 1))};
    const bool link = std::string_view(mode) == "120000";
    if (std::string_view(kind) != "blob" || link || !StaysInside(path)) continue;
    const bool asked = wanted.contains(path.generic_string());
    if (!asked && (!IsSource(path) || size > kLargestBeside)) continue;
    blobs.push_back({hash, path, size});
  }
  return blobs;
}

// The answers of cat-file --batch, in order: "HASH blob SIZE\nBYTES\n".
absl::Status WriteBlobs(std::string_view answers, const std::vector<Blob>& blobs,
                        const fs::path& folder) {
  std::error_code error;
  for (const Blob& blob : blobs) {
    const size_t end = answers.find('\n');
    if (end == std::string_view::npos) return InvalidInput("git cat-file: too short an answer");
    const std::string_view head = answers.substr(0, end);
    answers.remove_prefix(end + 1);
    if (head.find(" missing") != std::string_view::npos) continue;  // of a partial clone
    const auto size = static_cast<size_t>(blob.size);
    if (size + 1 > answers.size()) return InvalidInput("git cat-file: too short an answer");
    const fs::path to = folder / blob.path;
    fs::create_directories(to.parent_path(), error);
    std::ofstream stream(to, std::ios::binary);
    stream.write(answers.data(), static_cast<std::streamsize>(size));
    answers.remove_prefix(size + 1);
    if (!stream) {
      return absl::InternalError(fmt::format("{}: cannot write", to.string()));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> CommitOf(const std::string& revision, const std::string& folder) {
  if (revision.empty() || revision.front() == '-') {
    return InvalidInput(fmt::format("found '{}', expected a revision", revision));
  }
  TW_ASSIGN_OR_RETURN(const std::string hash,
                      RunGit(folder, {"rev-parse", "--verify", "--quiet", revision + "^{commit}"}));
  return WithoutLineEnd(hash);
}

}  // namespace

absl::StatusOr<TemporaryFolder> TemporaryFolder::Make() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  std::string name = ((error ? fs::path("/tmp") : base) / "tilewise-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    return absl::InternalError(fmt::format("{}: cannot make a folder", name));
  }
  return TemporaryFolder(fs::canonical(name, error));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
}

std::string GitTree::PathOf(const std::string& file) const {
  return (folder.path() / RelativeTo(top, file)).string();
}

absl::StatusOr<GitTree> ReadGitTree(const std::string& revision,
                                    const std::vector<std::string>& files) {
  TW_CHECK(!files.empty());
  const std::string folder = FolderOf(files.front());
  TW_ASSIGN_OR_RETURN(const std::string top, RunGit(folder, {"rev-parse", "--show-toplevel"}));
  const auto commit = CommitOf(revision, folder);
  if (!commit.ok()) {
    return InvalidInput(
        fmt::format("found '{}', expected a revision of {}", revision, WithoutLineEnd(top)));
  }
  TW_ASSIGN_OR_RETURN(TemporaryFolder target, TemporaryFolder::Make());
  GitTree tree{std::move(target), revision, fs::path(WithoutLineEnd(top))};
  TW_ASSIGN_OR_RETURN(const std::string listing,
                      RunGit(folder, {"ls-tree", "-r", "-z", "-l", "--full-tree", *commit}));
  std::set<std::string> wanted;
  for (const std::string& file : files) wanted.insert(RelativeTo(tree.top, file));
  const std::vector<Blob> blobs = BlobsOf(listing, wanted);
  for (const std::string& file : wanted) {
    const bool there = std::ranges::any_of(blobs, [&](const Blob& blob) {
      const std::string path = blob.path.generic_string();
      return path == file || path.starts_with(file + "/");
    });
    if (!there) {
      return InvalidInput(fmt::format("{}: there is no such file at {}", file, revision));
    }
  }
  std::string hashes;
  for (const Blob& blob : blobs) hashes += blob.hash + "\n";
  TW_ASSIGN_OR_RETURN(const std::string answers, RunGit(folder, {"cat-file", "--batch"}, hashes));
  TW_RETURN_IF_ERROR(WriteBlobs(answers, blobs, tree.folder.path()));
  return tree;
}

bool IsGitRevision(const std::string& revision, const std::string& file) {
  return CommitOf(revision, FolderOf(file)).ok();
}

absl::StatusOr<std::string> GitMergeBase(const std::string& a, const std::string& b,
                                         const std::string& file) {
  const std::string folder = FolderOf(file);
  TW_ASSIGN_OR_RETURN(const std::string first, CommitOf(a, folder));
  TW_ASSIGN_OR_RETURN(const std::string second, CommitOf(b, folder));
  TW_ASSIGN_OR_RETURN(const std::string base, RunGit(folder, {"merge-base", first, second}));
  return WithoutLineEnd(base);
}

}  // namespace tilewise
