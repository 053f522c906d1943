# Tests: one GoogleTest executable per folder of tests/, one ctest entry per test.
#
# tests/<folder>/ becomes <folder>_tests when it has at least one *_test.cpp; its other *.cpp are
# compiled in (samples/ and corpus/ are data). A test suite whose name begins with "Full" runs only
# with `scripts/test.sh --full` (ctest label "full"). tests/support/, where it exists, is linked by all.

# The layer that a folder's tests link: its own where it is named after one, so that work on a lower
# layer never waits for an upper one. The rest link everything.
set(SPINELEAF_TEST_LAYER_sim spineleaf_sim)
set(SPINELEAF_TEST_LAYER_topologies spineleaf_topologies)
set(SPINELEAF_TEST_LAYER_models spineleaf_models)
set(SPINELEAF_TEST_LAYER_property spineleaf_scenarios)
set(SPINELEAF_TEST_LAYER_scenarios spineleaf_scenarios)
set(SPINELEAF_TEST_LAYER_tidy spineleaf_flags)
set(SPINELEAF_TEST_LAYER_probe spineleaf_flags nlohmann_json::nlohmann_json)

function(spineleaf_test_folder folder)
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS tests/${folder}/*_test.cpp)
  list(FILTER tests EXCLUDE REGEX "/(samples|mutants)/")
  if(NOT tests)
    return()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS tests/${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/(samples|corpus|mutants|fakes)/")
  set(target ${folder}_tests)
  set(layer ${SPINELEAF_TEST_LAYER_${folder}})
  if(NOT layer)
    set(layer spineleaf_bench spineleaf_validation)
  endif()
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE ${layer} GTest::gmock GTest::gtest_main)
  if(TARGET spineleaf_test_support)
    target_link_libraries(${target} PRIVATE spineleaf_test_support)
  endif()
  target_compile_definitions(${target} PRIVATE
    SPINELEAF_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    SPINELEAF_EXECUTABLE="${CMAKE_BINARY_DIR}/spineleaf")
  spineleaf_unit_per_folder(${target})
  # Tests spend their time in what they call; not optimised they compile a third faster. sim and property
  # tests bring actors of their own.
  if(NOT folder MATCHES "^(sim|property)$")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
  endif()
  if(folder STREQUAL "cli" AND TARGET spineleaf)
    add_dependencies(${target} spineleaf spineleaf-probe)
  endif()
  set(common WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} DISCOVERY_TIMEOUT 60)
  gtest_discover_tests(${target} ${common} TEST_FILTER "-Full*"
                       PROPERTIES TIMEOUT 600 LABELS "${folder}")
  gtest_discover_tests(${target} ${common} TEST_FILTER "Full*" TEST_LIST ${target}_FULL
                       PROPERTIES TIMEOUT 7200 LABELS "full")
endfunction()

# mutant_tests: sim, models and the run loop compiled again with wrong choices that a test can switch on
# (sim/mutants.hpp), under the worlds of the property tests. No library is shared with them but what
# no mutant touches.
function(spineleaf_mutant_tests)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS sim/*.cpp models/*.cpp tests/property/mutants/*.cpp)
  file(GLOB worlds CONFIGURE_DEPENDS tests/property/random_*.cpp tests/property/compare.cpp)
  list(TRANSFORM SPINELEAF_RUN_SOURCES PREPEND scenarios/ OUTPUT_VARIABLE run)
  add_executable(mutant_tests ${sources} ${worlds} ${run} tests/sim/chaos.cpp)
  target_compile_definitions(mutant_tests PRIVATE SPINELEAF_TEST_MUTANTS)
  target_link_libraries(mutant_tests PRIVATE spineleaf_topologies TBB::tbb GTest::gmock
                                             GTest::gtest_main)
  spineleaf_unit_per_folder(mutant_tests)
  gtest_discover_tests(mutant_tests WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} DISCOVERY_TIMEOUT 60
                       PROPERTIES TIMEOUT 600 LABELS "mutants")
endfunction()
set(SPINELEAF_RUN_SOURCES run.cpp run_ticks.cpp collect.cpp deadlock.cpp flow_bounds.cpp recorder.cpp
                          statistics.cpp subnet_plan.cpp version.cpp waits.cpp window.cpp world.cpp)

# Libraries that the probe opens instead of the true ones: fakes/whole/ has them all, fakes/old/ a CUDA
# driver that lacks a function.
function(spineleaf_fake_library folder file source)
  set(target fake_${folder}_${source})
  add_library(${target} MODULE tests/probe/fakes/${source}.cpp)
  target_link_libraries(${target} PRIVATE spineleaf_flags ${CMAKE_DL_LIBS})
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX "" OUTPUT_NAME ${file}
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fakes/${folder})
  add_dependencies(probe_tests ${target} spineleaf-probe)
endfunction()
function(spineleaf_probe_tests)
  spineleaf_fake_library(whole libcuda.so.1 cuda)
  spineleaf_fake_library(whole libnvidia-ml.so.1 nvml)
  spineleaf_fake_library(whole libnccl.so.2 nccl)
  spineleaf_fake_library(old libcuda.so.1 cuda)
  target_compile_definitions(fake_old_cuda PRIVATE FAKE_WITHOUT_PEER_COPY)
  target_compile_definitions(probe_tests PRIVATE SPINELEAF_PROBE="${CMAKE_BINARY_DIR}/spineleaf-probe"
                             SPINELEAF_FAKES="${CMAKE_BINARY_DIR}/fakes")
  if(SPINELEAF_VERBS_HEADERS)
    spineleaf_fake_library(whole libibverbs.so.1 verbs)
  endif()
  if(SPINELEAF_SANITIZE)
    target_compile_definitions(probe_tests PRIVATE SPINELEAF_SANITIZED)
  endif()
endfunction()

# A macro, because enable_testing() must act on the top folder.
macro(spineleaf_tests)
  enable_testing()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  file(GLOB support CONFIGURE_DEPENDS tests/support/*.cpp)
  if(support)
    add_library(spineleaf_test_support STATIC ${support})
    target_link_libraries(spineleaf_test_support PUBLIC spineleaf_models)
  endif()
  file(GLOB folders RELATIVE ${CMAKE_SOURCE_DIR}/tests CONFIGURE_DEPENDS tests/*)
  list(REMOVE_ITEM folders support fuzz)
  foreach(folder ${folders})
    if(IS_DIRECTORY ${CMAKE_SOURCE_DIR}/tests/${folder})
      spineleaf_test_folder(${folder})
    endif()
  endforeach()
  spineleaf_mutant_tests()
  spineleaf_probe_tests()
  # The Python package as a wheel, against the command of the release build.
  if(PROJECT_BINARY_DIR STREQUAL "${PROJECT_SOURCE_DIR}/build/release")
    add_test(NAME python_package COMMAND scripts/python.sh WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(python_package PROPERTIES LABELS python TIMEOUT 1500)
    add_test(NAME reports_in_browser COMMAND scripts/browser.sh WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(reports_in_browser PROPERTIES LABELS browser TIMEOUT 300 SKIP_RETURN_CODE 77)
  endif()
endmacro()

# Fuzz targets: tests/fuzz/NAME_fuzz.cpp defines LLVMFuzzerTestOneInput. With libFuzzer it is a fuzzer;
# without, a test that replays tests/fuzz/corpus/NAME/ (inputs that once failed are kept there).
function(spineleaf_fuzz_targets)
  file(GLOB fuzzers CONFIGURE_DEPENDS tests/fuzz/*_fuzz.cpp)
  foreach(source ${fuzzers})
    get_filename_component(target ${source} NAME_WE)
    string(REGEX REPLACE "_fuzz$" "" name ${target})
    if(SPINELEAF_FUZZ)
      add_executable(${target} ${source})
      target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    elseif(SPINELEAF_TESTS)
      add_executable(${target} ${source} tests/fuzz/replay_main.cpp)
      add_test(NAME fuzz_corpus.${name}
               COMMAND ${target} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name})
      set_tests_properties(fuzz_corpus.${name} PROPERTIES LABELS fuzz TIMEOUT 300)
    else()
      continue()
    endif()
    target_link_libraries(${target} PRIVATE spineleaf_validation)
  endforeach()
endfunction()
