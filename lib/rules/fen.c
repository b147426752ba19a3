#include "config.h"

#include "rules/rules.h"
