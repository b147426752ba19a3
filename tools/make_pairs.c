/* make_pairs: writes lib/text/pairs_built_in.c, what iconv makes of each pair of bytes in Big5 and
 * GBK, while the library is built. To open iconv takes longer than to read a small file. */
#include "config.h"

#include "text/decode.h"

#include <stdio.h>
#include <stdlib.h>

const qp_pair_tables qp_pairs_built_in = {NULL, NULL};

/* What stands in a table for a pair. */
static unsigned code_of(qp_decoder *decoder, unsigned lead, unsigned trail)
{
    uint32_t entry = qp_decoder_ask(decoder, lead, trail);
    char text[sizeof entry + 1] = {0};
    size_t len;
    if (entry <= 1)
        return 0;
    memcpy(text, &entry, sizeof entry);
    uint32_t code = qp_utf8_at(text, strlen(text), &len);
    return text[len] == '\0' && code < QP_PAIR_ASK ? (unsigned)code : QP_PAIR_ASK;
}

/* sample: a pair that is U+4E00 where iconv knows the encoding at all. */
static bool put_table(qp_encoding encoding, const char *name, unsigned sample)
{
    qp_decoder decoder;
    if (!qp_decoder_init(&decoder, encoding))
        return false;
    bool known = code_of(&decoder, sample >> 8, sample & 0xFF) == 0x4E00;
    if (known) {
        printf("static const uint16_t %s[QP_PAIRS] = {", name);
        for (unsigned lead = 0x81; lead < 0xFF; lead++)
            for (unsigned trail = 0x40; trail < 0xFF; trail++)
                printf("%s%u,", trail % 16 == 0 ? "\n    " : "", code_of(&decoder, lead, trail));
        puts("\n};\n");
    }
    qp_decoder_clear(&decoder);
    return known;
}

int main(void)
{
    puts("/* made by tools/make_pairs.c; do not edit */\n#include \"config.h\"\n\n"
         "#include \"text/decode.h\"\n");
    bool big5 = put_table(QP_ENC_BIG5, "big5", 0xA440);
    bool gb = put_table(QP_ENC_GB18030, "gb", 0xD2BB);
    printf("const qp_pair_tables qp_pairs_built_in = {%s, %s};\n", big5 ? "big5" : "NULL",
           gb ? "gb" : "NULL");
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
