// Finds the sources that define what another one declares.

#include "frontend/cpp/model/linked.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "frontend/cpp/model/reached.h"
#include "frontend/cpp/model/reached_facts.h"
#include "frontend/cpp/model/translator.h"

namespace tilewise::cpp {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxSources = 64;  // that are looked into
constexpr size_t kMaxBytes = 1 << 20;

struct Source {
  std::string path, text;
};

bool IsSource(const fs::path& file) {
  constexpr std::array<std::string_view, 3> kKinds = {".cpp", ".cc", ".cxx"};
  return std::find(kKinds.begin(), kKinds.end(), file.extension().string()) != kKinds.end();
}

// The project's headers that a source reads.
std::set<fs::path> HeadersOf(const SyntaxTree& unit) {
  const clang::SourceManager& sources = unit.context().getSourceManager();
  const ProjectFiles project(sources);
  std::set<fs::path> headers;
  for (const clang::FileEntryRef each : unit.files()) {
    const clang::FileID id = sources.translateFile(each);
    if (id.isInvalid() || id == sources.getMainFileID()) continue;
    if (project.Has(sources.getLocForStartOfFile(id))) headers.insert(each.getName().str());
  }
  return headers;
}

// The sources in the folders in which what the project's headers declare is usually defined.
void AddBesideHeaders(const std::set<fs::path>& headers, const std::string& path,
                      std::set<fs::path>& files) {
  std::set<fs::path> around = {fs::path(path).parent_path()};
  for (const fs::path& each : headers) around.insert(each.parent_path());
  for (const fs::path& each : around) {
    for (const fs::path& folder : {each, each / ".." / "src", each / "src"}) {
      std::error_code error;
      for (auto entry = fs::directory_iterator(folder.empty() ? "." : folder, error);
           !error && entry != fs::directory_iterator(); entry.increment(error)) {
        if (IsSource(entry->path()) && files.size() < kMaxSources) {
          files.insert(entry->path().lexically_normal());
        }
      }
    }
  }
}

// The sources anywhere in the checkout that have the name of a header: `private/net.cpp` of
// `public/net.h`, where none that is beside it has.
void AddNamesakes(const std::set<fs::path>& headers, const std::string& path,
                  std::set<fs::path>& files) {
  constexpr int kMaxEntries = 20'000;
  std::error_code error;
  const std::string root = CheckoutOf(fs::absolute(path, error).lexically_normal().string());
  std::set<std::string> stems;
  for (const fs::path& each : headers) stems.insert(each.stem().string());
  for (const fs::path& each : files) stems.erase(each.stem().string());
  if (root.empty() || stems.empty()) return;
  int entries = 0;
  fs::recursive_directory_iterator each(root, error), end;
  for (; !error && each != end && entries < kMaxEntries; each.increment(error), ++entries) {
    if (each->path().filename().string().starts_with('.')) each.disable_recursion_pending();
    const bool fits = IsSource(each->path()) && stems.contains(each->path().stem().string());
    // Another program of the checkout may have files of the same names beside its own headers.
    const bool has_header = fs::exists(fs::path(each->path()).replace_extension(".h"), error) ||
                            fs::exists(fs::path(each->path()).replace_extension(".hpp"), error);
    if (fits && !has_header && files.size() < kMaxSources) files.insert(each->path());
  }
}

// The sources in which what a source declares may be defined, by path.
void AddSources(const SyntaxTree& unit, const std::string& path,
                std::map<fs::path, Source>& sources) {
  const std::set<fs::path> headers = HeadersOf(unit);
  std::set<fs::path> files;
  AddBesideHeaders(headers, path, files);
  AddNamesakes(headers, path, files);
  for (const fs::path& found : files) {
    const fs::path file = NamedLike(found.lexically_normal(), path);
    std::error_code error;
    if (sources.contains(file) || fs::equivalent(file, path, error) ||
        fs::file_size(file, error) > kMaxBytes) {
      continue;
    }
    std::ifstream in(file);
    sources[file] = {file.string(), std::string(std::istreambuf_iterator<char>(in),
                                                std::istreambuf_iterator<char>())};
  }
}

bool IsWord(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

// The end of the parentheses that begin at `open`.
size_t EndOfParentheses(std::string_view text, size_t open) {
  constexpr size_t kLongest = 4096;
  int depth = 0;
  for (size_t i = open; i < std::min(text.size(), open + kLongest); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

size_t SkipBlanks(std::string_view text, size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

// The end of `::forward` and the like behind a name.
size_t EndOfQualifiedName(std::string_view text, size_t at) {
  for (at = SkipBlanks(text, at); text.substr(at).starts_with("::");) {
    at = SkipBlanks(text, at + 2);
    if (at < text.size() && text[at] == '~') ++at;
    while (at < text.size() && IsWord(text[at])) ++at;
    at = SkipBlanks(text, at);
  }
  return at;
}

// Whether what follows a name, and its parameters if it has some, is a body: qualifiers, a result
// type, initialisers of members or bases may stand before it.
bool HasBody(std::string_view text, size_t at) {
  bool initialises = false;
  for (at = EndOfQualifiedName(text, at); at < text.size(); ++at) {
    const char c = text[at];
    if (c == '{') return true;
    if (c == ';' || c == '=' || c == ')' || (c == ',' && !initialises)) return false;
    if (c == '(') at = EndOfParentheses(text, at) - 1;
    if (c != ':') continue;
    if (text.substr(at).starts_with("::"))
      ++at;
    else
      initialises = true;
  }
  return false;
}

// Whether the text looks as if it defines the last part of a name: parsing it tells.
bool MayDefine(std::string_view text, const std::string& name) {
  const size_t colon = name.rfind(':');
  const std::string last = colon == std::string::npos ? name : name.substr(colon + 1);
  if (last.empty()) return false;
  for (size_t at = text.find(last); at != std::string_view::npos; at = text.find(last, at + 1)) {
    const size_t end = at + last.size();
    const bool is_whole =
        (at == 0 || !IsWord(text[at - 1])) && (end == text.size() || !IsWord(text[end]));
    if (is_whole && HasBody(text, end)) return true;
  }
  return false;
}

// What trains comes before what makes networks, and that before the rest: not all may be parsed.
int RankOf(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  if (has("backward(") || has("AddSymbolicGradients")) return 2;
  return has("nn::") || has("register_module") ? 1 : 0;
}

// The source that looks as if it defines the most of the names, of those that rank highest; null:
// none does.
Source* MostLikely(std::map<fs::path, Source>& sources, const std::set<std::string>& names) {
  Source* found = nullptr;
  std::pair<int, int64_t> most;
  for (auto& [file, source] : sources) {
    const std::string& text = source.text;
    if (text.empty()) continue;
    const int64_t count = std::ranges::count_if(
        names, [&](const std::string& name) { return MayDefine(text, name); });
    if (count == 0) continue;
    const std::pair<int, int64_t> rank(RankOf(text), count);
    if (rank > most) found = &source;
    most = std::max(most, rank);
  }
  return found;
}

std::string ModuleName(const std::string& path) {
  std::string name = "_cpp_" + fs::path(path).stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

// Names the headers from where the source at `path` is named.
void NameHeaders(const std::string& path, LinePlaces& lines) {
  for (std::string& header : lines.files) header = NamedLike(header, path);
}

struct Unit {
  std::string path;
  std::unique_ptr<SyntaxTree> tree;
  std::set<std::string> defines;
  std::set<std::string> parts;           // classes of which it has some bodies, and lacks others
  std::set<const clang::Decl*> reached;  // what the program comes to there; empty: nothing
};

// Takes those `names` of a unit that are lacking, and adds what they lack in turn. Returns whether
// there is one.
bool Take(Unit& unit, const std::set<std::string>& names, std::set<std::string>& lacking,
          std::map<std::string, std::string>& owners) {
  std::set<std::string> taken;
  std::ranges::set_intersection(lacking, names, std::inserter(taken, taken.end()));
  if (taken.empty()) return false;
  for (const std::string& name : taken) {
    lacking.erase(name);
    owners[name] = ModuleName(unit.path);
  }
  Reached reached = ReachedFrom(unit.tree->context(), &taken);
  for (const std::string& name : reached.lacking) {
    if (!owners.contains(name)) lacking.insert(name);
  }
  unit.reached.merge(reached.declared);
  return true;
}

}  // namespace

TranslatedProgram TranslateLinked(const SyntaxTree& unit, const std::string& path, bool asked,
                                  const ParseSource& parse) {
  TranslatedProgram alone = Translator(unit.context()).Translate();
  if (!asked && !alone.runs) return alone;
  Reached begun = ReachedFrom(unit.context());
  std::set<std::string> lacking = std::move(begun.lacking);
  std::map<std::string, std::string> owners;
  const std::set<std::string> own_parts = Translator(unit.context()).Parts();
  std::vector<Unit> others;
  std::map<fs::path, Source> sources = {{fs::path(path).lexically_normal(), {path, ""}}};
  if (!lacking.empty()) AddSources(unit, path, sources);
  while (!lacking.empty()) {
    // What a source lacks that was taken may be in one that was parsed before.
    if (std::ranges::any_of(
            others, [&](Unit& each) { return Take(each, each.defines, lacking, owners); })) {
      continue;
    }
    Source* source = MostLikely(sources, lacking);
    if (source == nullptr) {
      // A constructor that is declared and nowhere defined leaves the rest of its class.
      if (std::ranges::any_of(
              others, [&](Unit& each) { return Take(each, each.parts, lacking, owners); })) {
        continue;
      }
      break;
    }
    std::unique_ptr<SyntaxTree> tree = parse(source->path, source->text);
    source->text.clear();
    if (tree == nullptr) continue;
    const Translator translator(tree->context());
    Unit& made = others.emplace_back();
    made.path = source->path;
    made.defines = translator.Defined();
    made.parts = translator.Parts();
    for (const std::string& name : own_parts) made.parts.erase(name);
    made.tree = std::move(tree);
    if (Take(made, made.defines, lacking, owners)) {
      AddSources(*made.tree, source->path, sources);
    }
  }
  std::erase_if(others, [](const Unit& each) { return each.reached.empty(); });
  TranslatedProgram program = Translator(unit.context(), owners).Translate();
  NameHeaders(path, program.lines);
  std::set<std::string> walked;
  AppendReachedFacts(unit, path, /*first=*/true, begun.declared, walked, program.files);
  for (const Unit& other : others) {
    AppendReachedFacts(*other.tree, other.path, /*first=*/false, other.reached, walked,
                       program.files);
    TranslatedProgram part =
        Translator(other.tree->context(), owners, ModuleName(other.path)).Translate();
    NameHeaders(path, part.lines);
    program.modules.push_back({.name = ModuleName(other.path),
                               .path = other.path,
                               .text = std::move(part.text),
                               .lines = std::move(part.lines)});
    program.models = program.models || part.models;
  }
  return program;
}

}  // namespace tilewise::cpp
