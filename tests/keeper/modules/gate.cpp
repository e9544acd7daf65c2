#include "truth/module_cpu.hpp"
#include "gate.inc"
