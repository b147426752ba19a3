#include "config.h"

#include "format/format.h"
