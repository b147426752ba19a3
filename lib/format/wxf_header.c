/* What stands before the moves of a WXF file: header lines and their tags, and SETUP. */
#include "config.h"

#include "format/wxf.h"

const qp_wxf_key qp_wxf_keys[QP_WXF_KEYS] = {
    {"FORMAT", QP_WXF_FORMAT, true, NULL, NULL, NULL},
    {"GAME", QP_WXF_PLAIN, true, "Title", NULL, NULL},
    {"RED", QP_WXF_PLAYER, true, "Red", "RedElo", "RedInfo"},
    {"BLACK", QP_WXF_PLAYER, true, "Black", "BlackElo", "BlackInfo"},
    {"RESULT", QP_WXF_RESULT, false, "Result", NULL, NULL},
    {"DATE", QP_WXF_PLAIN, false, "Date", NULL, NULL},
    {"EVENT", QP_WXF_EVENT, false, "Event", "TimeControl", NULL},
    {"SITE", QP_WXF_PLAIN, false, "Site", NULL, NULL},
    {"ROUND", QP_WXF_PLAIN, false, "Round", NULL, NULL},
    {"FEN", QP_WXF_START, false, "FEN", NULL, NULL},
};

bool qp_wxf_is_time(qp_str text)
{
    if (text.len == 0 || text.data[0] < '0' || text.data[0] > '9')
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] == ';' || qp_blank_len(text.data + i, text.len - i) != 0)
            return false;
    return true;
}

/* ---- lines ---- */

size_t qp_wxf_blanks(const char *p, size_t n, size_t i)
{
    size_t blank;
    while (i < n && (blank = qp_blank_len(p + i, n - i)) != 0)
        i += blank;
    return i;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

size_t qp_wxf_opens(const char *p, size_t n, const char *word)
{
    size_t len = strlen(word);
    if (n <= len || !qp_str_is_nocase((qp_str){p, len}, word))
        return 0;
    size_t i = qp_wxf_blanks(p, n, len);
    return i < n && p[i] == '{' ? i + 1 : 0;
}

size_t qp_wxf_key_at(const char *p, size_t n, const qp_wxf_key **key)
{
    size_t len = 0;
    *key = NULL;
    while (len < n && ((p[len] | 0x20) >= 'a' && (p[len] | 0x20) <= 'z'))
        len++;
    if (len < 3 || len > 16 || (len < n && qp_blank_len(p + len, n - len) == 0))
        return 0;
    for (size_t i = 0; i < QP_WXF_KEYS; i++)
        if (qp_str_is_nocase((qp_str){p, len}, qp_wxf_keys[i].key)) {
            *key = &qp_wxf_keys[i];
            return len;
        }
    for (size_t i = 0; i < len; i++)
        if (!is_upper(p[i]))
            return 0;
    return qp_str_is((qp_str){p, len}, "END") ? 0 : len;
}

bool qp_wxf_begins(const char *p, size_t n)
{
    const qp_wxf_key *key;
    return qp_wxf_key_at(p, n, &key) != 0 && key != NULL &&
           (key->shape == QP_WXF_FORMAT || strcmp(key->key, "GAME") == 0);
}

/* ---- tags ---- */

static void add_tag(qp_record *record, const char *name, size_t at, qp_str whole,
                    qp_str value)
{
    value = qp_str_trim(value);
    if (value.len == 0)
        return;
    qp_record_tag_add(
        record,
        (qp_record_tag){.made_name = qp_str_of(name),
                        .name_at = (uint32_t)at,
                        .value_at = (uint32_t)(at + (size_t)(value.data - whole.data)),
                        .value_len = (uint32_t)value.len});
}

/* The part of text before the first semicolon from `from` on. */
static qp_str field(qp_str text, size_t from)
{
    if (from >= text.len)
        return (qp_str){text.data + text.len, 0};
    const char *semicolon = memchr(text.data + from, ';', text.len - from);
    size_t end = semicolon ? (size_t)(semicolon - text.data) : text.len;
    return (qp_str){text.data + from, end - from};
}

static void read_player(qp_record *record, const qp_wxf_key *key, size_t at, qp_str line,
                        qp_str value)
{
    qp_str name = field(value, 0), rating = field(value, name.len + 1);
    size_t used = name.len + rating.len + 2;
    qp_str rest = used < value.len ? (qp_str){value.data + used, value.len - used}
                                   : (qp_str){value.data + value.len, 0};
    while (rest.len != 0 &&
           (rest.data[rest.len - 1] == ';' || rest.data[rest.len - 1] == ' '))
        rest.len--;
    add_tag(record, key->tag, at, line, name);
    add_tag(record, key->second, at, line, rating);
    add_tag(record, key->rest, at, line, rest);
}

static void read_event(qp_record *record, const qp_wxf_key *key, size_t at, qp_str line,
                       qp_str value)
{
    size_t cut = value.len;
    while (cut > 0 && value.data[cut - 1] != ';')
        cut--;
    qp_str time = qp_str_trim((qp_str){value.data + cut, value.len - cut});
    bool split = cut > 0 && (time.len == 0 || qp_wxf_is_time(time));
    add_tag(record, key->tag, at, line,
            (qp_str){value.data, split ? cut - 1 : value.len});
    if (split)
        add_tag(record, key->second, at, line, time);
}

bool qp_wxf_header(qp_reading *reading, size_t at, qp_str line)
{
    qp_record *record = reading->record;
    const qp_wxf_key *key;
    size_t used = qp_wxf_key_at(line.data, line.len, &key);
    if (used == 0)
        return false;
    qp_str value = qp_str_trim((qp_str){line.data + used, line.len - used});
    if (key == NULL) {
        qp_str name = qp_arena_str(record->arena, line.data, used);
        add_tag(record, name.data, at, line, value);
        return true;
    }
    switch (key->shape) {
    case QP_WXF_PLAYER:
        read_player(record, key, at, line, value);
        break;
    case QP_WXF_EVENT:
        read_event(record, key, at, line, value);
        break;
    case QP_WXF_FORMAT: /* moves say themselves how they are written */
        break;
    case QP_WXF_START:
        if (value.len != 0)
            qp_record_start(record, value, at + (size_t)(value.data - line.data),
                            value.len);
        /* fall through */
    case QP_WXF_PLAIN:
    case QP_WXF_RESULT:
        add_tag(record, key->tag, at, line, value);
        break;
    }
    return true;
}

/* ---- SETUP ---- */

void qp_wxf_setup(qp_reading *reading, size_t at, size_t len)
{
    static const char letters[] = "KAEHRCPGBNS";
    static const uint8_t kinds[] = {QP_KING,     QP_ADVISOR, QP_ELEPHANT, QP_HORSE,
                                    QP_ROOK,     QP_CANNON,  QP_PAWN,     QP_KING,
                                    QP_ELEPHANT, QP_HORSE,   QP_PAWN};
    const char *p = reading->source->text + at;
    char rows[10][9], fen[QP_FEN_MAX];
    bool black = false, move = false, wrong = false;
    qp_side side = QP_RED;
    memset(rows, 0, sizeof rows);
    for (size_t i = 0; i < len;) {
        size_t blank = qp_blank_len(p + i, len - i), word = 0;
        if (blank != 0 || p[i] == ',') {
            i += blank ? blank : 1;
            continue;
        }
        while (i + word < len && p[i + word] != ',' &&
               qp_blank_len(p + i + word, len - i - word) == 0)
            word++;
        qp_str token = {p + i, word};
        const char *letter = memchr(letters, p[i] & ~0x20, sizeof letters - 1);
        i += word;
        if (qp_str_is_nocase(token, "MOVE")) {
            move = true;
        } else if (qp_str_is_nocase(token, "RED") || qp_str_is_nocase(token, "BLACK")) {
            black = token.len == 5;
            side = black ? QP_BLACK : QP_RED;
        } else if (move) {
            continue; /* its number */
        } else if (word == 3 && letter != NULL && (token.data[1] | 0x20) >= 'a' &&
                   (token.data[1] | 0x20) <= 'i' && token.data[2] >= '0' &&
                   token.data[2] <= '9') {
            uint8_t kind = kinds[letter - letters];
            bool of_black = black || !is_upper(token.data[0]);
            rows[9 - (token.data[2] - '0')][(token.data[1] | 0x20) - 'a'] =
                qp_piece_letter(QP_PIECE(of_black ? QP_BLACK : QP_RED, kind));
        } else {
            wrong = true;
        }
    }
    if (!move)
        side = QP_RED;
    size_t n = 0;
    for (int r = 0; r < 10; r++) {
        int gap = 0;
        for (int f = 0; f < 9; f++) {
            if (rows[r][f] != 0 && gap != 0)
                fen[n++] = (char)('0' + gap);
            gap = rows[r][f] != 0 ? 0 : gap + 1;
            if (rows[r][f] != 0)
                fen[n++] = rows[r][f];
        }
        if (gap != 0)
            fen[n++] = (char)('0' + gap);
        fen[n++] = r < 9 ? '/' : ' ';
    }
    fen[n++] = side == QP_RED ? 'w' : 'b';
    qp_record_start(reading->record, (qp_str){fen, n}, at, len);
    if (wrong)
        qp_record_report(reading->record, QP_D_fen_invalid, at, len, "wxf-setup",
                         "SETUP holds what is no piece on a square");
}
