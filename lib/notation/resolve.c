#include "config.h"

#include "notation/notation.h"
