#include "config.h"

#include <criterion/criterion.h>

#include "check/check.h"
#include "table.h"
