// The texts of a program's files that suppression comments are looked for in.

#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "lint/source_lines.h"
#include "workload/workload.h"

namespace tilewise {

// Readers of graphs keep no text of their files. Those of `paths` that have
// comments for tilewise get theirs back in `files`. `texts`: see ReadInputs.
void AddCommentedTexts(std::span<const std::string> paths,
                       const std::map<std::string, std::string>* texts,
                       std::vector<SourceFile>& files);

// How comments are written in files whose names do not tell (standard input),
// by the format of their content.
std::map<std::string, CommentStyle> CommentStylesOf(std::span<const SourceFile> files);

}  // namespace tilewise
