// Modules are found in tilewise's own account of the frameworks, in the program's own folders, and
// in folders of libraries.

#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/program/source_texts.h"
#include "frontend/program/trace.h"
#include "python/interpreter.h"

namespace tilewise::program {

struct SearchOptions {
  std::string program;                    // the file that is read
  std::vector<std::string> user_folders;  // --python-path
  std::vector<std::string> libraries;     // site-packages
  // Names that nothing defines are errors, not values that are not known.
  bool strict_names = false;
};

class ProgramHost : public py::Host {
 public:
  ProgramHost(SearchOptions options, Trace& trace);
  std::optional<py::ModuleSource> FindModule(const std::string& dotted,
                                             const std::vector<std::string>& path,
                                             bool for_own) override;
  bool KnowsModule(const std::string& dotted) override;
  // Whether nothing of that package is read from the disk: tilewise's own account
  // of it is whole.
  bool OwnsPackage(const std::string& name);
  bool FillNative(py::Interpreter& in, py::Module& module) override;
  std::optional<std::string> ReadFile(const std::string& path) override;
  bool IsStandIn(std::string_view text) override;
  // Whether a path lies below the program's folder, its checkout or two folders above it, the
  // current folder or one that was given. Links in these are followed.
  bool LiesInProject(const std::string& path);
  void Print(const std::string&) override {}
  std::optional<bool> Decide(py::Interpreter& in, const py::Node* node) override;
  std::optional<bool> DecideLayer(py::Interpreter& in, const py::Node* node) const;
  void TookBuilder(py::Interpreter& in, const py::Node* node) override;
  void LoopTrained(py::Interpreter& in, const py::Node* node,
                   std::optional<int64_t> rounds) override;
  int64_t Built() const override;
  void RoundsUncounted(py::Interpreter& in, int64_t built, const py::Unknown& why) override;
  bool TrainsInSomeRounds(py::Interpreter& in, const py::Node* node, bool truth) override;
  void Named(py::Symbol name, py::Instance& instance) override;
  bool TakesFirst(const py::Instance& instance) override;
  py::Value Missing(py::Interpreter& in, py::Symbol name) override;
  py::Value UnknownMethod(py::Interpreter& in, const py::Node* callee,
                          const py::Value& value) override;
  py::Value UndefinedName(py::Interpreter& in, py::Symbol name) override;
  Trace& trace() { return trace_; }
  // A file beside the program that it writes itself.
  void AddFile(const std::string& name, std::string text);
  // A module that was made of a source in another language.
  void AddModule(const std::string& name, py::ModuleSource source) {
    made_[name] = std::move(source);
  }
  // The texts of the user's own files.
  SourceTexts& texts() { return texts_; }
  // sys.path, which the program may add to.
  void FollowPath(const py::Sequence* path) { path_ = path; }
  // Paths that the reading depends on: files that were read, and those beside
  // the program that were looked for in vain.
  const std::vector<std::string>& consulted() const { return consulted_; }
  const std::set<std::string>& absent() const { return absent_; }

 private:
  std::vector<std::filesystem::path> ProjectRoots() const;
  std::optional<py::ModuleSource> Own(const std::string& path) const;
  // A module beside the program that has the name of one of tilewise's own.
  std::optional<py::ModuleSource> Beside(const std::string& name);
  // The folders of the checkout that the program has put on its path.
  std::vector<std::string> AddedFolders();
  // A module of that folder in place of one that tilewise knows.
  std::optional<py::ModuleSource> InPlaceOfKnown(const std::filesystem::path& folder,
                                                 const std::string& name);
  // A module of the package whose folder the program lies in, where tilewise's own account of that
  // package lacks it.
  std::optional<py::ModuleSource> OfProgramsPackage(const std::string& dotted);
  std::optional<py::ModuleSource> InCheckout(const std::string& dotted);
  std::optional<py::ModuleSource> OnDisk(const std::string& folder, const std::string& name,
                                         py::Module::Origin origin);
  // Whether there is such a file. `beside`: what it depends on also where there
  // is none.
  bool Consult(const std::string& path, bool beside);
  std::optional<std::string> Text(const std::string& path);

  SearchOptions options_;
  Trace& trace_;
  SourceTexts texts_;
  const py::Sequence* path_ = nullptr;
  std::map<std::string, std::string> written_;    // files that are not on the disk
  std::map<std::string, py::ModuleSource> made_;  // modules by name
  std::vector<std::string> consulted_;
  std::vector<std::filesystem::path> project_roots_;  // empty: not asked for yet
  size_t files_ = 0;                                  // that were read
  std::set<std::string> absent_;                      // packages that were looked for in vain
  std::set<std::string> shadowed_;                    // own modules that one beside stands before
  int64_t bytes_ = 0;
  int64_t counted_ = -1;  // the progress at which the loop inside was told to have no count
};

// Folders of packages beside the program or named by the environment:
// VIRTUAL_ENV, CONDA_PREFIX, .venv, venv, and those of the system.
std::vector<std::string> LibraryFolders(const std::string& program);

// One of tilewise's own modules, parsed (python/parsed_code.h): "torch/nn/__init__.py".
std::string_view OwnModule(std::string_view path);  // empty: there is none

}  // namespace tilewise::program
