#include "config.h"

#include "text/text.h"
