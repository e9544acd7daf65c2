#include "truth/module_cuda.cuh"
#include "gate.inc"
