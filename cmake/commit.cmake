# Writes OUTPUT, a header with the commit that is built, and leaves it alone when nothing changed:
#   cmake -DSOURCE=... -DOUTPUT=... -P commit.cmake
# Empty without git or outside a checkout; "+changes" when tracked files of the program differ from the commit.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "")
else()
  execute_process(COMMAND git -C ${SOURCE} diff --quiet HEAD -- harness cmake CMakeLists.txt RESULT_VARIABLE changed ERROR_QUIET)
  if(changed)
    string(APPEND commit "+changes")
  endif()
endif()
set(text "#pragma once\n\n#define MSKB_COMMIT \"${commit}\"\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
