# Build options and the flags that every target of the project compiles with.

option(SPINELEAF_TESTS "Build the tests" ON)
option(SPINELEAF_PYTHON "Build the Python package's module" OFF)
option(SPINELEAF_LTO "Link-time optimisation" OFF)
option(SPINELEAF_FUZZ "Build the fuzz targets with libFuzzer (clang only)" OFF)
set(SPINELEAF_SANITIZE "" CACHE STRING "Sanitizers, comma separated: address,undefined or thread")

# Warnings are errors with the compilers that are tested; a newer compiler's new warnings must not
# keep a newcomer from building.
set(tested_compiler OFF)
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15))
  set(tested_compiler ON)
endif()
option(SPINELEAF_WERROR "Treat warnings as errors" ${tested_compiler})

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")  # HOT layers: -O3
# The Python module is a shared library made from the same objects as the command, so that nothing is
# compiled twice. Hidden symbols keep calls inside it as direct as in a program.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()
if(SPINELEAF_LTO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

add_library(spineleaf_flags INTERFACE)
target_include_directories(spineleaf_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(spineleaf_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  # A fused multiply-add rounds once instead of twice: results would differ between machines.
  -ffp-contract=off
  # g++ counts __int128, which exact time arithmetic needs, as pedantic; clang does not.
  # clang counts sign conversions as -Wconversion; g++ does not.
  $<$<CXX_COMPILER_ID:Clang>:-Wpedantic>
  # At -O3 g++ 12 and 13 report overlaps and overflows inside the standard library's own code (GCC
  # bugs 105651, 105329 and kin). AddressSanitizer finds the true ones.
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow>"
  $<$<BOOL:${SPINELEAF_WERROR}>:-Werror>)
if(SPINELEAF_SANITIZE)
  target_compile_options(spineleaf_flags INTERFACE -fsanitize=${SPINELEAF_SANITIZE}
                         -fno-sanitize-recover=all -fno-omit-frame-pointer
                         # With sanitizers g++ takes std::regex's own code for uninitialized (GCC bug
                         # 105562).
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(spineleaf_flags INTERFACE -fsanitize=${SPINELEAF_SANITIZE})
endif()
if(SPINELEAF_FUZZ)
  target_compile_options(spineleaf_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
