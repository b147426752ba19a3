#include "config.h"

#include "game/game.h"
