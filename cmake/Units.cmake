# spineleaf_unit_per_folder(TARGET): the sources of one folder are compiled as one translation unit.
#
# Most of the time to compile a source goes into the headers of others and into what those instantiate;
# together a folder's sources pay for that once. The price: names in unnamed namespaces are unique within
# a folder, and a change compiles its folder again (SPINELEAF_UNITS=OFF, as in the debug preset, compiles
# one source at a time).

option(SPINELEAF_UNITS "Compile the sources of a folder together" ON)

function(spineleaf_unit_per_folder target)
  if(NOT SPINELEAF_UNITS)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" unit)
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${unit})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
