#include "truth/module_cpu.hpp"
#include "rows.inc"
