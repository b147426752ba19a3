#include "config.h"

#include <criterion/criterion.h>

#include "text/text.h"
#include "table.h"
