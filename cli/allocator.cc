// How jemalloc, which the programs allocate with, gets its memory.

// Memory lies in huge pages, and none is given back before the end: programs
// are short, and what large files cost beyond their parsing is the first touch
// of pages (docs/performance.md). A freed piece may be cut for an allocation of
// as little as 1/2^14 of it. The library's default is 1/64: freed pieces grow
// together, and each step that a search lowers would touch new pages. The
// library looks for a symbol of this name.
extern "C" {
// NOLINTNEXTLINE(readability-identifier-naming): the library's
extern const char* const malloc_conf;
const char* const malloc_conf =
    "thp:always,metadata_thp:auto,dirty_decay_ms:-1,muzzy_decay_ms:-1,lg_extent_max_active_fit:14";
}
