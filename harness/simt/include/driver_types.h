#pragma once
#include "mskb_simt/driver_types.h"
