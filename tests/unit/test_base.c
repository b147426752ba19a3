#include "config.h"

#include <criterion/criterion.h>

#include "base/base.h"
#include "table.h"
