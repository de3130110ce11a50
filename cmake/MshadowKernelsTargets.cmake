# SPDX-License-Identifier: Apache-2.0
# The targets that add_mshadow_kernels() makes. The macros work on its variables.

# Adds <target>_<suffix>, and to the umbrella mshadow_<suffix>_all.
function(_mshadow_add_to_umbrella target suffix)
  set_target_properties(${target}_${suffix} PROPERTIES FOLDER mshadow)
  if(NOT TARGET mshadow_${suffix}_all)
    add_custom_target(mshadow_${suffix}_all)
    set_target_properties(mshadow_${suffix}_all PROPERTIES FOLDER mshadow)
  endif()
  add_dependencies(mshadow_${suffix}_all ${target}_${suffix})
endfunction()

# Adds the command that generates into the binary directory, and <target>_codegen, which drives it.
macro(_mshadow_add_command)
  set(stamp ${root}/${arg_OUTPUT_NAME}.stamp)
  set(depfile ${root}/${arg_OUTPUT_NAME}.d)
  set(makefile_flag "")
  set(forget_headers "")
  if(CMAKE_GENERATOR MATCHES "Makefiles")
    # A deleted output is made again; in Ninja, which knows byproducts, this would be a cycle.
    set(makefile_flag --depfile-list-outputs)
    # CMake collects what depfiles have said in a file of its own, and never takes a line back: a
    # header that was renamed would be missing, and generate, for ever. Without the file it reads
    # the depfile anew.
    set(forget_headers COMMAND ${CMAKE_COMMAND} -E rm -f
        ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}_codegen.dir/compiler_depend.internal)
  endif()
  set(codegen "")
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.31)
    set(codegen CODEGEN)  # CMake's own target `codegen` makes everything that is generated
  endif()
  # The stamp is always touched, the outputs only when they differ: editing a comment of a spec runs
  # the generator once and compiles nothing.
  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${outputs}
    COMMAND ${gen} generate --output-dir=${dir} --stamp=${stamp} --depfile=${depfile}
            ${makefile_flag} ${gen_args}
    ${forget_headers}
    DEPENDS ${specs} ${gen_depends} ${license} ${arg_DEPENDS}
    DEPFILE ${depfile}
    COMMENT "mshadow-gen ${target}"
    VERBATIM COMMAND_EXPAND_LISTS ${codegen})
  add_custom_target(${target}_codegen DEPENDS ${stamp})
  _mshadow_add_to_umbrella(${target} codegen)
  set_source_files_properties(${outputs} PROPERTIES GENERATED ON)
endmacro()

# Adds <target>_check: with a generator a diff, without one the manifest's fingerprints.
macro(_mshadow_add_check)
  if(gen)
    set(check ${gen} check --output-dir=${dir} ${gen_args})
  else()
    set(arguments ${CMAKE_CURRENT_BINARY_DIR}/${target}_check.cmake)
    file(CONFIGURE OUTPUT ${arguments} CONTENT [=[
set(manifest [[@manifest@]])
set(base [[@PROJECT_SOURCE_DIR@]])
set(options [[@option_lines@]])
set(remedy [[@remedy@]])
]=] @ONLY)
    set(check ${CMAKE_COMMAND} -D "ARGUMENTS=${arguments}"
              -P ${_MSHADOW_CMAKE_DIR}/MshadowKernelsManifest.cmake)
  endif()
  add_custom_target(${target}_check COMMAND ${check} COMMENT "Checking ${dir}"
                    VERBATIM COMMAND_EXPAND_LISTS)
  _mshadow_add_to_umbrella(${target} check)
  if(NOT arg_NO_CHECK_TEST)
    add_test(NAME ${target}.vendored_up_to_date COMMAND ${check} COMMAND_EXPAND_LISTS)
    set_tests_properties(${target}.vendored_up_to_date PROPERTIES LABELS mshadow)
  endif()
endmacro()

# Adds <target>_update, which writes the vendored directory.
macro(_mshadow_add_update)
  file(RELATIVE_PATH where_to ${CMAKE_SOURCE_DIR} ${root})
  set(configure_again "")
  if(script)
    set(configure_again COMMAND ${CMAKE_COMMAND} -E touch ${script})
  endif()
  add_custom_target(${target}_update
    COMMAND ${gen} generate --output-dir=${dir} ${gen_args}
    COMMAND ${CMAKE_COMMAND} -E echo
            "In .gitattributes, for reviewers: ${where_to}/** linguist-generated=true -text"
    ${configure_again}
    DEPENDS ${specs} ${gen_depends} ${arg_DEPENDS}
    COMMENT "mshadow-gen ${target}: updating ${dir}" VERBATIM COMMAND_EXPAND_LISTS)
  _mshadow_add_to_umbrella(${target} update)
endmacro()

# Warns, or with MSHADOW_VENDORED_STRICT stops, if the vendored sources do not fit; and looks again
# when one of them, or of what they were made from, changes.
macro(_mshadow_check_vendored)
  set(problems "")
  set(remedy "Build ${target}_update with a generator (cmake --build <dir> --target "
             "${target}_update) or commit files that fit.")
  list(JOIN remedy "" remedy)
  if(EXISTS "${manifest}")
    _mshadow_manifest_problems(problems files "${manifest}" "${PROJECT_SOURCE_DIR}" ${option_lines})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files} ${manifest})
  elseif(gen)
    set(problems "not generated yet")
  else()
    message(FATAL_ERROR "${where} VENDORED ${root} holds no ${arg_OUTPUT_NAME}.manifest. ${remedy}")
  endif()
  if(problems AND MSHADOW_VENDORED_STRICT AND EXISTS "${manifest}")
    message(FATAL_ERROR "${where} ${root} was ${problems}\n${remedy}")
  elseif(problems)
    message(WARNING "${where} ${root} was ${problems}\n${remedy}")
  endif()
endmacro()

# Before the first <target>_update there is nothing to compile: <target>_codegen, which everything
# waits for, fails with words. The next build after the update configures again.
macro(_mshadow_wait_for_update)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}_missing.cmake)
  file(CONFIGURE OUTPUT ${script} @ONLY CONTENT
       "message(FATAL_ERROR [[@where@ @root@ is incomplete. @remedy@]])\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
  add_custom_target(${target}_codegen COMMAND ${CMAKE_COMMAND} -P ${script} VERBATIM
                    COMMENT "Looking for vendored sources of ${target}")
  set(sources ${CMAKE_CURRENT_BINARY_DIR}/${target}_missing.cc)
  file(CONFIGURE OUTPUT ${sources} CONTENT "// Nothing was generated yet.\n")
  set(kernels "")
  set(headers "")
endmacro()

# The vendored side: sources that are there, and what keeps them true.
macro(_mshadow_add_vendored)
  _mshadow_check_vendored()
  set(script "")
  set(missing "")
  foreach(output IN LISTS outputs)
    if(NOT EXISTS "${output}")
      set(missing "${output}")
    endif()
  endforeach()
  if(missing)
    _mshadow_wait_for_update()
  else()
    add_custom_target(${target}_codegen)
  endif()
  _mshadow_add_to_umbrella(${target} codegen)
  _mshadow_add_check()
  if(gen)
    _mshadow_add_update()
  endif()
endmacro()

# Adds <target>_spec: the specs compiled as they stand, never by default. It puts them among the
# compile commands, where clangd looks, and says whether they are valid C++ for the host compiler.
# In a directory of its own, since a header's language is a property of the directory.
macro(_mshadow_add_spec)
  set(_mshadow_spec_target ${target}_spec)
  set(_mshadow_spec_sources ${specs})
  set(_mshadow_spec_includes "")
  foreach(include IN LISTS arg_INCLUDE_DIRECTORIES)
    if(NOT include MATCHES "\\$<")
      get_filename_component(include "${include}" ABSOLUTE)
    endif()
    list(APPEND _mshadow_spec_includes ${include})
  endforeach()
  set(_mshadow_spec_definitions ${arg_COMPILE_DEFINITIONS})
  set(_mshadow_spec_libraries mshadow::runtime ${arg_LINK_LIBRARIES})
  add_subdirectory(${_MSHADOW_CMAKE_DIR}/MshadowSpecTarget
                   ${CMAKE_CURRENT_BINARY_DIR}/${target}_spec EXCLUDE_FROM_ALL)
  if(arg_DEPENDS)
    add_dependencies(${target}_spec ${target}_codegen)
  endif()
endmacro()

# Adds <target>_report, which prints what was fused, what it moves and what slows it down.
macro(_mshadow_add_report)
  if(gen)
    string(TOLOWER "${arg_NUMERICS}" numerics)
    add_custom_target(${target}_report
      COMMAND ${gen} explain --path-base=${PROJECT_SOURCE_DIR} --numerics=${numerics} ${specs} --
              ${cxxflags}
      DEPENDS ${specs} ${gen_depends} ${arg_DEPENDS} VERBATIM COMMAND_EXPAND_LISTS)
    _mshadow_add_to_umbrella(${target} report)
  endif()
endmacro()

# Adds the library of what was generated.
macro(_mshadow_add_library)
  add_library(${target} ${arg_TYPE} ${sources})
  # For users in other directories, and for Makefiles.
  add_dependencies(${target} ${target}_codegen)
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${root}>)
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.23)
    # For install(TARGETS <target> FILE_SET HEADERS).
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${root} FILES ${headers})
  endif()
  # With MSHADOW_UNFUSED the headers include the specs, by paths from here. Behind the system's
  # directories: a file called `version` must not hide <version>.
  target_compile_options(${target} PUBLIC
    "$<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-idirafter${PROJECT_SOURCE_DIR}>>")
  target_include_directories(${target} SYSTEM PUBLIC
    $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:${PROJECT_SOURCE_DIR}>>)
  target_link_libraries(${target} PUBLIC mshadow::runtime)
  if(cuda)
    target_sources(${target} PRIVATE ${kernels})
    target_compile_features(${target} PRIVATE cuda_std_17)
    target_compile_definitions(${target} PRIVATE MSHADOW_USE_CUDA=1)
  endif()
  if("python" IN_LIST arg_EMIT)
    # For install(TARGETS <target> RESOURCE DESTINATION <dir>).
    set_target_properties(${target} PROPERTIES RESOURCE "${python}"
                                               MSHADOW_PYTHON "${python}")
  endif()
  set_source_files_properties(${outputs} PROPERTIES
    SKIP_AUTOGEN ON SKIP_UNITY_BUILD_INCLUSION ON SKIP_LINTING ON)
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    AUTOMOC OFF
    AUTOUIC OFF
    AUTORCC OFF
    FOLDER mshadow
    MSHADOW_SPECS "${specs}"
    MSHADOW_OUTPUT_DIR ${dir}
    MSHADOW_HEADER ${dir}/${arg_OUTPUT_NAME}.h
    MSHADOW_HEADERS "${headers}"
    MSHADOW_OUTPUTS "${outputs}"
    MSHADOW_MANIFEST ${manifest}
    MSHADOW_ISA "${arg_ISA}"
    MSHADOW_CUDA ${cuda})
endmacro()
