# SPDX-License-Identifier: Apache-2.0
# mshadow_warnings(<target>...): the project's warnings, for its own targets only.
function(mshadow_warnings)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wall -Wextra>)
    if(MSHADOW_WERROR)
      target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Werror>)
    endif()
  endforeach()
endfunction()
