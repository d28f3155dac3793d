// How jemalloc, which the programs allocate with, gets its memory.

// In huge pages, and none is given back before the end: programs are short, and
// what large files cost beyond their parsing is the first touch of pages
// (docs/performance.md). What was freed may be cut however small for the next
// allocation: as the library is set, none is made from a piece of more than 64
// times its size, freed pieces grow together, and each step that a search
// lowers would touch new pages. The library looks for a symbol of this name.
extern "C" {
// NOLINTNEXTLINE(readability-identifier-naming): the library's
extern const char* const malloc_conf;
const char* const malloc_conf =
    "thp:always,metadata_thp:auto,dirty_decay_ms:-1,muzzy_decay_ms:-1,"
    "lg_extent_max_active_fit:14";
}
