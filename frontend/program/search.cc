// Finds modules as Python would, and reads them, within budgets.

#include "frontend/program/search.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/paths.h"
#include "base/read_file.h"
#include "frontend/program/imports.h"
#include "frontend/program/packages.h"
#include "frontend/program/standard_modules.h"
#include "workload/blocks.h"

namespace tilewise::program {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMaxFileBytes = int64_t{4} << 20;
constexpr int64_t kMaxBytes = int64_t{64} << 20;
constexpr size_t kMaxFiles = 4000;

bool IsFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}
bool IsFolder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::string Slashed(std::string dotted) {
  std::replace(dotted.begin(), dotted.end(), '.', '/');
  return dotted;
}

// A folder that the program puts on the path: seen from its own folder, or, where
// it is not there, from one above it. A first part that is missing is the name of
// a checkout, which may have another name here.
std::string FolderOnPath(const std::string& beside, const std::string& given) {
  const fs::path plain = (fs::path(beside) / given).lexically_normal();
  std::error_code error;
  if (fs::exists(plain, error)) return plain.string();
  fs::path rest = fs::path(given).relative_path();
  if (rest.empty() || given.starts_with('.')) return plain.string();
  fs::path inner;
  for (auto part = std::next(rest.begin()); part != rest.end(); ++part) inner /= *part;
  fs::path at = AbsolutePath(beside);
  for (int i = 0; i < 6 && at.has_parent_path() && at != at.parent_path(); ++i) {
    at = at.parent_path();
    for (const fs::path& tail : {rest, inner}) {
      if (!tail.empty() && fs::is_directory(at / tail, error)) return AsGiven(at / tail, beside);
    }
  }
  return plain.string();
}

// Whether a file of a package is one that people run by its path: it has a part for that, and
// names nothing by the name of its package.
bool RunsAsScript(const std::string& program) {
  const std::string text = "\n" + ReadRegularFile(program, kMaxFileBytes).value_or("");
  const std::string dotted = FindPackage(program).dotted;
  const std::string package = dotted.substr(0, dotted.find('.'));
  for (const std::string& inside : {std::string("\nfrom ."), "\nfrom " + package + " ",
                                    "\nfrom " + package + ".", "\nimport " + package}) {
    if (text.find(inside) != std::string::npos) return false;
  }
  return text.find("__main__") != std::string::npos;
}

}  // namespace

Trace& TraceOf(py::Interpreter& in) { return static_cast<ProgramHost&>(in.host()).trace(); }

namespace {

// Folders of packages in an environment.
void AddEnvironment(const fs::path& root, std::vector<std::string>& folders) {
  std::error_code error;
  for (const char* name : {"lib", "lib64"}) {
    fs::directory_iterator entries(root / name, error);
    if (error) continue;
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : entries) {
      if (!entry.path().filename().string().starts_with("python3")) continue;
      for (const char* packages : {"site-packages", "dist-packages"}) {
        if (fs::is_directory(entry.path() / packages, error)) {
          found.push_back((entry.path() / packages).string());
        }
      }
    }
    std::sort(found.begin(), found.end());
    folders.insert(folders.end(), found.begin(), found.end());
  }
}

// These are the folders of the system, which do not change while the process runs.
const std::vector<std::string>& SystemFolders() {
  static const auto* const kFolders = [] {
    auto* folders = new std::vector<std::string>;
    for (const char* root : {"/usr/local", "/usr"}) AddEnvironment(root, *folders);
    return folders;
  }();
  return *kFolders;
}

}  // namespace

std::vector<std::string> LibraryFolders(const std::string& program) {
  std::vector<std::string> folders;
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const char* root = std::getenv(variable)) AddEnvironment(root, folders);
  }
  fs::path at = fs::path(program).parent_path();
  for (int i = 0; i < 4; ++i) {
    for (const char* name : {".venv", "venv", "env"}) AddEnvironment(at / name, folders);
    if (!at.has_parent_path() || at == at.parent_path()) break;
    at = at.parent_path();
  }
  folders.insert(folders.end(), SystemFolders().begin(), SystemFolders().end());
  return folders;
}

ProgramHost::ProgramHost(SearchOptions options, Trace& trace)
    : options_(std::move(options)), trace_(trace) {}

void ProgramHost::AddFile(const std::string& name, std::string text) {
  const fs::path beside = fs::path(options_.program).parent_path();
  written_[(beside / name).lexically_normal().string()] = std::move(text);
}

bool ProgramHost::Consult(const std::string& path, bool beside) {
  if (written_.contains(fs::path(path).lexically_normal().string())) return true;
  const bool there = IsFile(path);
  if ((there || beside) && consulted_.size() < kMaxFiles) consulted_.push_back(path);
  return there;
}

std::optional<std::string> ProgramHost::Text(const std::string& path) {
  const auto written = written_.find(fs::path(path).lexically_normal().string());
  if (written != written_.end()) return written->second;
  if (files_ >= kMaxFiles) return std::nullopt;
  std::error_code error;
  const auto size = static_cast<int64_t>(fs::file_size(path, error));
  if (error || size > kMaxFileBytes || bytes_ + size > kMaxBytes) return std::nullopt;
  // Reads no more than the size: what the system makes up as it is read has none.
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::string text(static_cast<size_t>(size), '\0');
  stream.read(text.data(), size);
  text.resize(static_cast<size_t>(stream.gcount()));
  bytes_ += size;
  ++files_;
  return text;
}

std::optional<py::ModuleSource> ProgramHost::Own(const std::string& path) const {
  for (const bool package : {true, false}) {
    const std::string file = path + (package ? "/__init__.py" : ".py");
    const std::string_view parsed = OwnModule(file);
    if (parsed.empty()) continue;
    return py::ModuleSource{.origin = py::Module::Origin::kOwn,
                            .file = "<" + file + ">",
                            .parsed = parsed,
                            .package = package,
                            .folder = path};
  }
  return std::nullopt;
}

std::optional<py::ModuleSource> ProgramHost::OnDisk(const std::string& folder,
                                                    const std::string& name,
                                                    py::Module::Origin origin) {
  // A file has one name, whichever program imports it.
  const std::string base = (fs::path(folder) / name).lexically_normal().string();
  for (const bool package : {true, false}) {
    const std::string file = base + (package ? "/__init__.py" : ".py");
    if (!Consult(file, origin == py::Module::Origin::kUser)) continue;
    std::optional<std::string> text = Text(file);
    if (!text.has_value()) return std::nullopt;
    if (origin == py::Module::Origin::kUser) texts_.Keep(file, 0, *text);
    return py::ModuleSource{.origin = origin,
                            .file = file,
                            .text = *std::move(text),
                            .package = package,
                            .folder = base};
  }
  // A folder without __init__.py is a package as well.
  if (IsFolder(base)) {
    bool holds_code = false;
    std::error_code error;
    for (fs::directory_iterator at(base, error), end; !error && at != end; at.increment(error)) {
      holds_code = holds_code || at->path().extension() == ".py" || at->is_directory(error);
    }
    if (holds_code) {
      return py::ModuleSource{.origin = origin, .file = base, .package = true, .folder = base};
    }
  }
  return std::nullopt;
}

bool ProgramHost::OwnsPackage(const std::string& name) {
  return KnowsModule(name) &&
         OwnModule(name + "/__init__.py").find("__partial__") == std::string_view::npos;
}

std::optional<py::ModuleSource> ProgramHost::InPlaceOfKnown(const fs::path& folder,
                                                            const std::string& name) {
  const fs::path base = folder / name;
  const bool package = IsFile((base / "__init__.py").string());
  const fs::path file = package ? base / "__init__.py" : folder / (name + ".py");
  std::error_code error;
  if (!IsFile(file.string()) || fs::equivalent(file, options_.program, error)) return std::nullopt;
  bool holds_code = fs::file_size(file, error) > 1;
  if (package) {
    for (fs::directory_iterator at(base, error), end; !error && at != end; at.increment(error)) {
      const bool code = at->path().extension() == ".py" && at->path().filename() != "__init__.py";
      holds_code = holds_code || code;
    }
  }
  if (!holds_code) return std::nullopt;
  std::optional<py::ModuleSource> found =
      OnDisk(folder.empty() ? "." : folder.string(), name, py::Module::Origin::kUser);
  if (found.has_value()) shadowed_.insert(name);
  return found;
}

std::optional<py::ModuleSource> ProgramHost::Beside(const std::string& name) {
  // Python has loaded these before the program.
  static const std::set<std::string> kLoaded = {"abc",  "builtins",  "codecs", "io",  "os",
                                                "site", "posixpath", "stat",   "sys", "time"};
  if (kLoaded.contains(name) || name.starts_with("_") || !KnowsModule(name)) return std::nullopt;
  const fs::path folder = fs::path(options_.program).parent_path();
  // Python would not search the folder of a module in a package, but for scripts.
  if (!IsFile((folder / "__init__.py").string()) || RunsAsScript(options_.program)) {
    if (auto found = InPlaceOfKnown(folder, name)) {
      found->note = "module " + name + " is the one beside the program, " + found->file;
      return found;
    }
  }
  // A folder of the checkout that the program has put on its path holds what it means, but for
  // the standard library, which comes first.
  if (IsOneOfWords(name, kStandardModules)) return std::nullopt;
  for (const std::string& added : AddedFolders()) {
    // `python -m package.train` does not put the folder of the program there.
    if (AbsolutePath(added) == AbsolutePath(folder.empty() ? "." : folder.string())) continue;
    if (auto found = InPlaceOfKnown(added, name)) {
      found->note = "module " + name + " is the one of a folder on sys.path, " + found->file;
      return found;
    }
  }
  return std::nullopt;
}

std::vector<std::string> ProgramHost::AddedFolders() {
  std::vector<std::string> folders;
  if (path_ == nullptr) return folders;
  const std::string folder = fs::path(options_.program).parent_path().string();
  for (const py::Value& entry : path_->items) {
    const std::string* given = py::TextOf(entry);
    if (given == nullptr) continue;
    // Above a program that is given by a relative path lies the current folder.
    const std::string added =
        given->empty() ? "." : FolderOnPath(folder.empty() ? "." : folder, *given);
    if (LiesInProject(added)) folders.push_back(added);
  }
  return folders;
}

std::optional<py::ModuleSource> ProgramHost::OfProgramsPackage(const std::string& dotted) {
  const std::string package = dotted.substr(0, dotted.find('.'));
  const fs::path beside = fs::path(options_.program).parent_path();
  for (fs::path at = AbsolutePath(beside.string()); at.has_relative_path(); at = at.parent_path()) {
    if (at.filename() != package) continue;
    const std::string root = AsGiven(at.parent_path(), options_.program);
    if (auto found = OnDisk(root, Slashed(dotted), py::Module::Origin::kUser)) return found;
  }
  return std::nullopt;
}

std::optional<py::ModuleSource> ProgramHost::FindModule(const std::string& dotted,
                                                        const std::vector<std::string>& path,
                                                        bool for_own) {
  if (const auto made = made_.find(dotted); made != made_.end()) {
    consulted_.push_back(made->second.file);
    return made->second;
  }
  const std::string account = dotted.substr(0, dotted.find('.'));
  if (!for_own && account == dotted) {
    if (std::optional<py::ModuleSource> beside = Beside(dotted)) return beside;
  }
  if (!shadowed_.contains(account)) {
    if (std::optional<py::ModuleSource> own = Own(Slashed(dotted))) return own;
  }
  const std::string last = dotted.substr(dotted.rfind('.') + 1);
  const bool top = dotted.find('.') == std::string::npos;
  // A part of the program's package whose name is also a library's, which is loaded by now.
  if (!top && !for_own && !shadowed_.contains(account) && OwnsPackage(account)) {
    for (const std::string& folder : AddedFolders()) {
      if (!IsFile(folder + "/" + account + "/__init__.py")) continue;
      if (auto found = OnDisk(folder, Slashed(dotted), py::Module::Origin::kUser)) return found;
    }
  }
  // A library that tilewise has an account of is not read from the disk as
  // well, but for one that says to be partial, and the one that the program belongs to.
  if (!shadowed_.contains(account) && OwnsPackage(account)) {
    return top || for_own ? std::nullopt : OfProgramsPackage(dotted);
  }
  if (!top) {
    for (const std::string& folder : path) {
      const bool library =
          std::any_of(options_.libraries.begin(), options_.libraries.end(),
                      [&](const std::string& l) { return folder.starts_with(l + "/"); });
      const auto origin = library ? py::Module::Origin::kLibrary : py::Module::Origin::kUser;
      if (auto found = OnDisk(folder, last, origin)) return found;
    }
    // Parts of a package that tilewise knows in part: torchvision.models.
    for (const std::string& folder : options_.user_folders) {
      if (auto found = OnDisk(folder, Slashed(dotted), py::Module::Origin::kUser)) return found;
    }
    for (const std::string& folder : options_.libraries) {
      if (auto found = OnDisk(folder, Slashed(dotted), py::Module::Origin::kLibrary)) return found;
    }
    // What the copy on the machine lacks comes from tilewise's account of the package.
    return Own("_" + Slashed(dotted));
  }
  if (dotted == "math" || dotted.starts_with("_tilewise") || dotted == "_python") {
    return std::nullopt;
  }
  const std::string beside = fs::path(options_.program).parent_path().string();
  std::vector<std::string> folders = {beside.empty() ? "." : beside};
  folders.insert(folders.end(), options_.user_folders.begin(), options_.user_folders.end());
  if (path_ != nullptr) {
    for (const py::Value& entry : path_->items) {
      const std::string* folder = py::TextOf(entry);
      if (folder == nullptr || folder->empty()) continue;
      folders.push_back(FolderOnPath(folders[0], *folder));
    }
  }
  // Folders above, for scripts of a package that is run from its root.
  fs::path at = AbsolutePath(folders[0]);
  for (int i = 0; i < 3 && at.has_parent_path() && at != at.parent_path(); ++i) {
    at = at.parent_path();
    folders.push_back(AsGiven(at, options_.program));
  }
  // A package that holds the program is found at its root, however deep the program lies.
  for (; at.has_parent_path() && at != at.parent_path(); at = at.parent_path()) {
    if (at.filename() == account) folders.push_back(AsGiven(at.parent_path(), options_.program));
  }
  // A folder without __init__.py is the package only where nothing else is, as in Python: the
  // checkout ott/ that holds src/ott is none.
  std::optional<py::ModuleSource> space;
  const auto is_whole = [&space](const std::optional<py::ModuleSource>& found) {
    const bool whole = found.has_value() && found->file != found->folder;
    if (found.has_value() && !whole && !space.has_value()) space = found;
    return whole;
  };
  for (const std::string& folder : folders) {
    auto found = OnDisk(folder, dotted, py::Module::Origin::kUser);
    if (is_whole(found)) return found;
  }
  for (const std::string& folder : options_.libraries) {
    auto found = OnDisk(folder, dotted, py::Module::Origin::kLibrary);
    if (is_whole(found)) return found;
  }
  // Sources that a checkout keeps in a folder `src`, which is installed or named by PYTHONPATH.
  for (const std::string& folder : folders) {
    if (!IsFolder(folder + "/src")) continue;
    auto found = OnDisk(folder + "/src", dotted, py::Module::Origin::kUser);
    if (is_whole(found) || (found.has_value() && space->file == found->file)) {
      found->note = "module " + dotted + " is the one of " + folder + "/src";
      return found;
    }
  }
  if (space.has_value()) return space;
  // The checkout that holds the program is the package, and has another name here.
  for (fs::path above = AbsolutePath(folders[0]); above.has_relative_path();
       above = above.parent_path()) {
    if (!IsCheckoutOf(above, dotted)) continue;
    const std::string parent = AsGiven(above.parent_path(), options_.program);
    const std::string name = above.filename().string();
    if (auto found = OnDisk(parent, name, py::Module::Origin::kUser)) {
      found->note = "module " + dotted + " is the checkout " + found->folder;
      return found;
    }
  }
  if (auto found = InCheckout(dotted)) return found;
  constexpr size_t kMostNamed = 6;
  const bool needs_folder = !IsOneOfWords(dotted, kOtherStandardModules);
  if (!for_own && needs_folder && absent_.size() < kMostNamed) absent_.insert(dotted);
  return std::nullopt;
}

// Notebooks of a service have the scripts of their checkout as data sets beside them: the only
// folder of the checkout that holds the module.
std::optional<py::ModuleSource> ProgramHost::InCheckout(const std::string& dotted) {
  constexpr int kMostFolders = 64;
  std::error_code error;
  const std::string beside = fs::path(options_.program).parent_path().string();
  fs::path root = AbsolutePath(beside.empty() ? "." : beside);
  while (root.has_relative_path() && !fs::exists(root / ".git", error)) root = root.parent_path();
  if (!root.has_relative_path()) return std::nullopt;
  std::vector<fs::path> holders;
  int looked_at = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
    if (!entry.is_directory(error)) continue;
    if (++looked_at > kMostFolders) return std::nullopt;
    if (fs::exists(entry.path() / (dotted + ".py"), error)) holders.push_back(entry.path());
  }
  if (holders.size() != 1) return std::nullopt;
  const std::string folder = AsGiven(holders.front(), options_.program);
  auto found = OnDisk(folder, dotted, py::Module::Origin::kUser);
  if (found) found->note = "module " + dotted + " is the one of " + folder;
  return found;
}

bool ProgramHost::KnowsModule(const std::string& dotted) {
  if (shadowed_.contains(dotted.substr(0, dotted.find('.')))) return false;
  const std::string path = Slashed(dotted);
  return !OwnModule(path + "/__init__.py").empty() || !OwnModule(path + ".py").empty();
}

bool ProgramHost::FillNative(py::Interpreter& in, py::Module& module) {
  if (module.name == "math") {
    py::DefineMath(in, module);
  } else if (module.name == "_tilewise") {
    DefineTensors(in, module);
    DefineMarks(in, module);
  } else if (module.name == "_python") {
    DefineHelpers(in, module);
    DefineNumberLists(in, module);
  } else {
    return false;
  }
  return true;
}

// The program's own folder first.
std::vector<fs::path> ProgramHost::ProjectRoots() const {
  std::error_code error;
  const fs::path beside = fs::absolute(options_.program, error).lexically_normal().parent_path();
  std::vector<fs::path> roots = {beside, fs::current_path(error)};
  // The checkout, or what a program that lies two folders deep is started from.
  fs::path at = beside;
  for (int i = 0; i < 2 && at.has_relative_path(); ++i) {
    at = at.parent_path();
    if (at.has_relative_path()) roots.push_back(at);
  }
  for (at = beside; at.has_relative_path(); at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) roots.push_back(at);
  }
  for (const std::vector<std::string>* folders : {&options_.user_folders, &options_.libraries}) {
    for (const std::string& folder : *folders) {
      roots.push_back(fs::absolute(folder, error).lexically_normal());
    }
  }
  std::ranges::sort(roots.begin() + 1, roots.end());
  roots.erase(std::unique(roots.begin() + 1, roots.end()), roots.end());
  return roots;
}

bool ProgramHost::LiesInProject(const std::string& path) {
  if (project_roots_.empty()) project_roots_ = ProjectRoots();
  std::error_code error;
  // Seen from the current folder and from that of the program.
  for (const fs::path& seen : {fs::absolute(path, error), project_roots_.front() / path}) {
    const fs::path whole = seen.lexically_normal();
    for (const fs::path& root : project_roots_) {
      const fs::path below = whole.lexically_relative(root);
      if (!below.empty() && *below.begin() != "..") return true;
    }
  }
  return false;
}

std::string_view StemOf(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path.substr(0, path.find('.'));
}

bool ProgramHost::IsStandIn(std::string_view text) {
  return trace().assumed_names.contains(StemOf(text));
}

std::optional<std::string> ProgramHost::ReadFile(const std::string& path) {
  const fs::path beside = fs::path(options_.program).parent_path();
  // Programs are often started from the folder above.
  for (const fs::path& candidate :
       {fs::path(path), beside / path, (beside / ".." / path).lexically_normal()}) {
    if (Consult(candidate.string(), true)) return Text(candidate.string());
  }
  return std::nullopt;
}

}  // namespace tilewise::program
