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

std::string SamplerOf(const clang::TemplateArgument& argument) {
  if (argument.getKind() != clang::TemplateArgument::Type) return "";
  const clang::NamedDecl* type = ClassOf(argument.getAsType());
  return type == nullptr ? "" : type->getNameAsString();
}

// "SequentialSampler" of make_data_loader<SequentialSampler>(..); empty: none is written.
std::string WrittenSampler(const CallParts& parts) {
  const clang::Expr* callee = parts.callee->IgnoreParenImpCasts();
  llvm::ArrayRef<clang::TemplateArgumentLoc> written;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(callee)) {
    written = name->template_arguments();
  } else if (const auto* lookup = llvm::dyn_cast<clang::OverloadExpr>(callee)) {
    written = lookup->template_arguments();
  }
  return written.empty() ? "" : SamplerOf(written.front().getArgument());
}

bool IsSampler(std::string_view type) { return type.ends_with("Sampler"); }

}  // namespace

void NameLoaderArguments(const CallParts& parts, SourceCall& call) {
  std::string sampler = WrittenSampler(parts);
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
