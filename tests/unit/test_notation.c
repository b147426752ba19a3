#include "config.h"

#include <criterion/criterion.h>

#include "notation/notation.h"
#include "table.h"
