#include "config.h"

#include <criterion/criterion.h>

#include "game/game.h"
#include "table.h"
