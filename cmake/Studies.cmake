# tuner/study and tuner/ranks: what searches are kept in and who works on them. SQLite is linked
# statically, so that commands without a study do not wait for it. libpq and MPI are optional: the
# first is loaded when a server is asked for, and needs its header alone; the second is in a plug-in
# beside the program.

find_library(SQLITE3_LIBRARY NAMES libsqlite3.a sqlite3 REQUIRED)
find_path(SQLITE3_INCLUDE_DIR sqlite3.h REQUIRED)
find_package(Threads REQUIRED)
tw_library(tw_study FOLDERS tuner/study tuner/ranks LINKS tw_tuner
           PRIVATE_LINKS ${SQLITE3_LIBRARY} nlohmann_json::nlohmann_json Threads::Threads
                         ${CMAKE_DL_LIBS} m)
target_compile_definitions(tw_study PRIVATE TILEWISE_VERSION="${PROJECT_VERSION}")

find_path(LIBPQ_INCLUDE_DIR libpq-fe.h PATH_SUFFIXES postgresql)
if(LIBPQ_INCLUDE_DIR)
  target_include_directories(tw_study SYSTEM PRIVATE ${LIBPQ_INCLUDE_DIR})
  target_compile_definitions(tw_study PRIVATE TILEWISE_LIBPQ)
endif()

find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  add_library(tilewise_mpi MODULE ${CMAKE_SOURCE_DIR}/tuner/ranks/mpi/plugin.cc)
  target_include_directories(tilewise_mpi PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(tilewise_mpi PRIVATE MPI::MPI_CXX)
  set_target_properties(tilewise_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endif()
