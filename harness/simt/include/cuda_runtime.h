// CUDA's run-time interface and device functions for the CPU. Translated source begins with this header, as nvcc's
// does.
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mskb_simt/qualifiers.h"

#include "vector_types.h"

#include "mskb_simt/abi.h"
#include "mskb_simt/driver_types.h"

#include "mskb_simt/builtins.h"
#include "mskb_simt/launch.h"

#include "mskb_simt/atomics.h"
#include "mskb_simt/bits.h"
#include "mskb_simt/conversions.h"
#include "mskb_simt/device_api.h"
#include "mskb_simt/math.h"
#include "mskb_simt/memory_api.h"
#include "mskb_simt/synchronize.h"
