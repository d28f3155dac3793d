// The sampler decides the order: RandomSampler, the default, shuffles.

#include "frontend/cpp/library_calls.h"

#include <array>
#include <string_view>
#include <utility>

#include <clang/AST/DeclTemplate.h>

namespace tilewise::cpp {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kKeywords = {
    {{"workers", "num_workers"}, {"max_jobs", "prefetch_factor"}}};

// The class that the callee's first template argument names; null: none is written.
const clang::NamedDecl* WrittenClass(const clang::Expr* callee) {
  callee = callee->IgnoreParenImpCasts();
  llvm::ArrayRef<clang::TemplateArgumentLoc> written;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(callee)) {
    written = name->template_arguments();
  } else if (const auto* lookup = llvm::dyn_cast<clang::OverloadExpr>(callee)) {
    written = lookup->template_arguments();
  }
  if (written.empty()) return nullptr;
  const clang::TemplateArgument& first = written.front().getArgument();
  return first.getKind() == clang::TemplateArgument::Type ? ClassOf(first.getAsType()) : nullptr;
}

// "SequentialSampler" of make_data_loader<SequentialSampler>(..); empty: none is written.
std::string WrittenSampler(const CallParts& parts) {
  const clang::NamedDecl* type = WrittenClass(parts.callee);
  return type == nullptr ? "" : type->getNameAsString();
}

bool IsSampler(std::string_view type) { return type.ends_with("Sampler"); }

// The name of options that are made elsewhere; empty: they are written here, or are none.
std::string NameOfOptions(const clang::Expr* argument) {
  // A number in the place of options becomes some, and is no name of options.
  const clang::Expr* e = argument->IgnoreUnlessSpelledInSource();
  const clang::NamedDecl* type = ClassOf(e->getType());
  if (type == nullptr || !type->getName().ends_with("Options")) return "";
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
    return name->getNameInfo().getAsString();
  }
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(e);
  return member == nullptr ? "" : member->getMemberNameInfo().getAsString();
}

// Options that stay a name are not known here, as those that a caller gives.
void LeaveOptionsOpen(const CallParts& parts, SourceCall& call) {
  for (const clang::Expr* each : parts.arguments) {
    const std::string name = NameOfOptions(each);
    if (name.empty()) continue;
    const auto erased = std::erase_if(call.arguments, [&](const SourceArgument& argument) {
      return argument.keyword.empty() && argument.text.ends_with(name);
    });
    call.open = call.open || erased > 0;
  }
}

}  // namespace

std::string NameOfMade(const clang::Expr* callee) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(callee);
  const auto* lookup = llvm::dyn_cast<clang::OverloadExpr>(callee);
  const std::string function = name != nullptr     ? name->getNameInfo().getAsString()
                               : lookup != nullptr ? lookup->getName().getAsString()
                                                   : "";
  if (function != "make_unique" && function != "make_shared") return "";
  const clang::NamedDecl* type = WrittenClass(callee);
  if (type == nullptr) return "";
  const std::string dotted = DottedName(*type);
  return IsOfLibrary(dotted) ? dotted : type->getNameAsString();
}

void NameLoaderArguments(const CallParts& parts, SourceCall& call) {
  std::string sampler = WrittenSampler(parts);
  LeaveOptionsOpen(parts, call);
  for (size_t i = 1; i < parts.arguments.size() && i < call.arguments.size(); ++i) {
    const clang::NamedDecl* type = ClassOf(parts.arguments[i]->getType());
    if (type == nullptr || !IsSampler(type->getName())) continue;
    sampler = type->getNameAsString();
    call.arguments.erase(call.arguments.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  for (SourceArgument& argument : call.arguments) {
    for (const auto& [written, python] : kKeywords) {
      if (argument.keyword == written) argument.keyword = python;
    }
  }
  if (sampler.empty() || sampler == "RandomSampler" || sampler == "DistributedRandomSampler") {
    call.arguments.push_back({.keyword = "shuffle", .text = "true"});
  } else if (sampler == "SequentialSampler" || sampler == "DistributedSequentialSampler") {
    call.arguments.push_back({.keyword = "shuffle", .text = "false"});
  } else {
    call.arguments.push_back({.keyword = "sampler", .text = sampler});
  }
}

}  // namespace tilewise::cpp
