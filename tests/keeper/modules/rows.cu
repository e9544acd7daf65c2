#include "truth/module_cuda.cuh"
#include "rows.inc"
