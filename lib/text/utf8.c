/* Characters: UTF-8 both ways, columns on a terminal, blanks. Widths follow UAX #11 (East
 * Asian Width W and F are two columns) and the general categories Mn, Me and Cf (none),
 * as ranges rather than in full: gaps between assigned characters of a kind are
 * filled. */
#include "config.h"

#include "text/text.h"

typedef struct range {
    uint32_t first, last;
} range;

static const range unseen[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},   {0x0610, 0x061A},
    {0x064B, 0x065F}, {0x06D6, 0x06DC}, {0x0E31, 0x0E31},   {0x0E34, 0x0E3A},
    {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},   {0x200B, 0x200F},
    {0x202A, 0x202E}, {0x2060, 0x2064}, {0x2066, 0x206F},   {0x20D0, 0x20F0},
    {0x302A, 0x302F}, {0x3099, 0x309A}, {0xFE00, 0xFE0F},   {0xFE20, 0xFE2F},
    {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0x1F3FB, 0x1F3FF}, {0xE0000, 0xE01EF},
};

static const range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CFF}, {0x1B000, 0x1B2FF}, {0x1F004, 0x1F004},
    {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320},
    {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA},
    {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E},
    {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F567},
    {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F},
    {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF},
    {0x1F6EB, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F9FF}, {0x1FA70, 0x1FAFF},
    {0x20000, 0x3FFFD},
};

static bool lies_in(const range *ranges, size_t count, uint32_t c)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c > ranges[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && c >= ranges[low].first;
}

uint32_t qp_utf8_at(const char *p, size_t n, size_t *len)
{
    const unsigned char *u = (const unsigned char *)p;
    uint32_t c = u[0];
    *len = 1;
    if (c < 0x80)
        return c;
    size_t want = c < 0xC2 || c > 0xF4 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    if (want == 1 || want > n)
        return 0xFFFD;
    c &= 0xFFu >> (want + 1);
    for (size_t i = 1; i < want; i++) {
        if ((u[i] & 0xC0) != 0x80)
            return 0xFFFD;
        c = c << 6 | (u[i] & 0x3F);
    }
    *len = want;
    return c;
}

size_t qp_utf8_put(char out[4], uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        c = 0xFFFD;
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

unsigned qp_cell_width(uint32_t c)
{
    if (c < 0x300)
        return (c < 0x20 && c != 0x09) || (c >= 0x7F && c < 0xA0) || c == 0xAD ? 0 : 1;
    if (lies_in(unseen, QP_COUNT(unseen), c))
        return 0;
    return lies_in(wide, QP_COUNT(wide), c) ? 2 : 1;
}

size_t qp_cells(qp_str text)
{
    size_t cells = 0, len;
    for (size_t at = 0; at < text.len; at += len)
        cells += qp_cell_width(qp_utf8_at(text.data + at, text.len - at, &len));
    return cells;
}

size_t qp_blank_len(const char *p, size_t n)
{
    if (n == 0)
        return 0;
    unsigned char c = (unsigned char)*p;
    if (c < 0x80)
        return c == ' ' || (c >= '\t' && c <= '\r') ? 1 : 0;
    if (c != 0xC2 && c != 0xCD && c != 0xE1 && c != 0xE2 && c != 0xE3 && c != 0xEF)
        return 0;
    size_t len;
    uint32_t u = qp_utf8_at(p, n, &len);
    switch (u) {
    case 0x0085: /* next line */
    case 0x00A0:
    case 0x00AD: /* soft hyphen */
    case 0x034F: /* combining grapheme joiner */
    case 0x1680:
    case 0x180E:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
    case 0x3164: /* Hangul filler */
    case 0xFEFF:
        return len;
    default:
        /* U+2000 .. U+200A are spaces of many widths, the others cannot be seen. */
        return (u >= 0x2000 && u <= 0x200F) || (u >= 0x202A && u <= 0x202E) ||
                       (u >= 0x2060 && u <= 0x206F)
                   ? len
                   : 0;
    }
}
