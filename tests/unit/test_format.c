#include "config.h"

#include <criterion/criterion.h>

#include "format/format.h"
#include "table.h"
