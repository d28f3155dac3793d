// The folders around a program.

#include "frontend/program/packages.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/paths.h"
#include "base/read_file.h"

namespace tilewise::program {

namespace fs = std::filesystem;

std::string AsGiven(const fs::path& folder, const std::string& program) {
  std::error_code error;
  if (fs::path(program).is_absolute()) return folder.string();
  const fs::path here = fs::current_path(error);
  const fs::path relative = folder.lexically_relative(here);
  const bool inside = !error && !relative.empty() && *relative.begin() != "..";
  return inside ? relative.string() : folder.string();
}

namespace {

// Whether a script's folder, though it is a package, has a module of the package's name, which is
// what a script means by it: xlnet/xlnet.py beside xlnet/train.py.
bool NamesFileBeside(const std::string& path) {
  std::error_code error;
  const fs::path folder = AbsolutePath(path).parent_path();
  const std::string name = folder.filename().string();
  if (!fs::exists(folder / (name + ".py"), error)) return false;
  if (fs::exists(folder.parent_path() / "__init__.py", error)) return false;
  constexpr size_t kMaxSourceBytes = size_t{4} << 20;
  const std::string text = "\n" + ReadRegularFile(path, kMaxSourceBytes).value_or("");
  return text.find("\nfrom .") == std::string::npos &&
         text.find("\nfrom " + name + ".") == std::string::npos &&
         text.find("\nimport " + name + ".") == std::string::npos;
}

}  // namespace

PackageOf FindPackage(const std::string& path) {
  PackageOf result;
  std::error_code error;
  fs::path folder = AbsolutePath(path).parent_path();
  if (NamesFileBeside(path)) return {.dotted = "", .root = AsGiven(folder, path)};
  while (fs::exists(folder / "__init__.py", error)) {
    const std::string name = folder.filename().string();
    result.dotted = result.dotted.empty() ? name : name + "." + result.dotted;
    if (folder == folder.parent_path()) break;
    folder = folder.parent_path();
  }
  result.root = AsGiven(folder, path);
  return result;
}

void OpenPackages(py::Interpreter& in, const PackageOf& package) {
  if (package.dotted.empty()) return;
  if (in.host().KnowsModule(package.dotted.substr(0, package.dotted.find('.')))) return;
  size_t end = 0;
  py::Module* outer = nullptr;
  fs::path folder = package.root;
  while (end != std::string::npos) {
    const size_t begin = end == 0 ? 0 : end + 1;
    end = package.dotted.find('.', begin);
    const std::string dotted = package.dotted.substr(0, end);
    const std::string last =
        package.dotted.substr(begin, end == std::string::npos ? end : end - begin);
    folder /= last;
    py::Module* module = in.NewModule(dotted, py::Module::Origin::kUser);
    module->package = dotted;
    module->path = {folder.string()};
    module->deferred = (folder / "__init__.py").string();
    module->file = module->deferred;
    module->names.Set(in.Name("__file__"), in.Text(module->file));
    module->names.Set(in.Name("__spec__"), py::None());
    module->names.Set(in.Name("__package__"), in.Text(dotted));
    module->names.Set(in.Name("__path__"), in.List({in.Text(folder.string())}));
    if (outer != nullptr) outer->names.Set(in.Name(last), module);
    outer = module;
  }
}

std::string ModuleDefining(const std::string& name, const std::string& path) {
  constexpr int kMaxFiles = 200;
  constexpr size_t kMaxSourceBytes = size_t{4} << 20;
  int files = 0;
  fs::path folder = AbsolutePath(path).parent_path();
  for (int up = 0; up < 2; ++up, folder = folder.parent_path()) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      std::error_code kind;
      if (at->path().extension() == ".py" && at->is_regular_file(kind) &&
          at->file_size(kind) < kMaxSourceBytes) {
        names.push_back(at->path().string());
      }
    }
    std::sort(names.begin(), names.end());
    for (const std::string& file : names) {
      if (++files > kMaxFiles) return "";
      const std::string text = ReadRegularFile(file, kMaxSourceBytes).value_or("");
      for (const char* word : {"\ndef ", "\nclass "}) {
        for (const char* after : {"(", ":"}) {
          if (text.find(word + name + after) != std::string::npos) {
            return fs::path(file).stem().string();
          }
        }
      }
    }
  }
  return "";
}

}  // namespace tilewise::program
