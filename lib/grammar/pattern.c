#include "config.h"

#include "grammar/grammar.h"
