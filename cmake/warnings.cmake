# Warnings for our own C++; kernels compiled by nvcc get the host part through -Xcompiler.
add_library(mskb_warnings INTERFACE)
target_compile_options(mskb_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Werror>
  # GCC 12 reports overlapping copies inside std::string that do not exist (its bug 105329).
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-restrict>
  $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Werror>)
