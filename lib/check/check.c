#include "config.h"

#include "check/check.h"
