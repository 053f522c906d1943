# spineleaf-probe: links only libc, libdl and threads, so that one file runs on any machine with a glibc
# that is as new as the one it was built with. Everything else is opened at run time.

find_package(Threads REQUIRED)
find_path(SPINELEAF_VERBS_HEADERS infiniband/verbs.h)  # structures only: libibverbs is not linked

file(GLOB_RECURSE probe_sources CONFIGURE_DEPENDS validation/probe/*.cpp)
if(SPINELEAF_VERBS_HEADERS)
  list(FILTER probe_sources EXCLUDE REGEX "/verbs_absent/")
else()
  list(FILTER probe_sources EXCLUDE REGEX "/probe/verbs/")
endif()
add_executable(spineleaf-probe ${probe_sources})
target_link_libraries(spineleaf-probe PRIVATE spineleaf_flags nlohmann_json::nlohmann_json
                                              Threads::Threads ${CMAKE_DL_LIBS})
spineleaf_unit_per_folder(spineleaf-probe)
set_property(TARGET spineleaf-probe PROPERTY INTERPROCEDURAL_OPTIMIZATION OFF)
if(NOT SPINELEAF_SANITIZE AND NOT SPINELEAF_FUZZ)
  target_link_options(spineleaf-probe PRIVATE -static-libstdc++ -static-libgcc -Wl,--as-needed)
endif()
set_property(SOURCE validation/probe/probe.cpp validation/probe/main.cpp APPEND PROPERTY
             COMPILE_DEFINITIONS SPINELEAF_VERSION="${PROJECT_VERSION}")
install(TARGETS spineleaf-probe RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
