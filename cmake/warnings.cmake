# Warnings for our own C++; kernels compiled by nvcc get the host part through -Xcompiler.
add_library(mskb_warnings INTERFACE)
target_compile_options(mskb_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Werror>
  $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Werror>)
