// How a run was laid out, from the sentence that describes it: slices, mesh,
// what the backward pass keeps.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "accuracy/text_match.h"

namespace tilewise {

// "2 slices over DCN", "16 pods of 256", "4-slice data parallel": 1 where the
// text says nothing.
int64_t SlicesIn(const TextMatch& text);

// "fsdp64 x tp8", "fsdp" for all that is left of a slice, "16-way tensor
// parallel"; slices are data parallel unless fsdp goes over them. Empty: data
// parallel.
std::string MeshIn(const TextMatch& text, double devices, int64_t slices);

// "remat custom: layer input, qkv and attn-out offloaded" in the words of
// --remat; adds to `assumed` what stands in for a policy that is not stated in
// full. Empty: none.
std::string RematIn(const TextMatch& text, std::vector<std::string>& assumed);

// A flag of XLA that the text names with its value: "--xla_tpu_dvfs_p_state=7".
std::string FlagIn(const TextMatch& text);

}  // namespace tilewise
