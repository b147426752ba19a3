#include "config.h"

#include <criterion/criterion.h>

#include "grammar/grammar.h"
#include "table.h"
