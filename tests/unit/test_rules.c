#include "config.h"

#include <criterion/criterion.h>

#include "rules/rules.h"
#include "table.h"
