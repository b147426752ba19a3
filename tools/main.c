#include "config.h"

#include <qipu.h>

int main(void)
{
    return 0;
}
