/* Plain text: movetext as people type and paste it, with header lines before it. Sources: the
 * text exports of dpxq, vschess, CCBridge and 联众, and scorecards. */
#include "config.h"

#include "format/marks.h"

static size_t blanks(const char *p, size_t n, size_t i)
{
    size_t blank;
    while (i < n && (blank = qp_blank_len(p + i, n - i)) != 0)
        i += blank;
    return i;
}

const char *qp_header_tag(qp_patterns *patterns, qp_str line, size_t at, qp_str *value)
{
    qp_match match;
    /* A colon first: most lines have none, and need no pattern. */
    if (at >= line.len ||
        (memchr(line.data + at, ':', line.len - at) == NULL &&
         memchr(line.data + at, '\xEF', line.len - at) == NULL) ||
        !qp_pattern_find(patterns, "header", line, at, &match) || match.mark == NULL)
        return NULL;
    unsigned group = qp_pattern_group(patterns, "header", "value");
    *value = match.group[group];
    return match.mark;
}

/* Whether what stands behind a round number is a move with a fault: almost one itself, or a
 * word of its length or a mark, and a sound move behind it. */
static bool is_torn_move(const struct qp_lexer *lexer, const char *p, size_t n)
{
    enum { LONGEST = 24 };
    size_t end = 0;
    qp_written written;
    while (end < n && end < LONGEST && qp_blank_len(p + end, n - end) == 0)
        end++;
    if (end == 0 || end == LONGEST)
        return false;
    if (qp_lex_resembles_move(lexer, (qp_str){p, end}))
        return true;
    size_t next = blanks(p, n, end);
    return next > end && end >= 2 && qp_lex_move(lexer, p + next, n - next, &written) != 0;
}

/* Whether a line is movetext: perhaps a number, then a move with nothing glued to it that is
 * no move either (中炮进三兵对屏风马 is a title). */
static bool is_movetext(const struct qp_lexer *lexer, const char *p, size_t n)
{
    qp_written written;
    size_t i = blanks(p, n, 0), used;
    size_t start = i;
    while (i < n && i < start + 24) {
        unsigned char c = (unsigned char)p[i];
        if ((used = qp_lex_move(lexer, p + i, n - i, &written)) != 0) {
            i += used;
            if (i >= n || qp_blank_len(p + i, n - i) != 0 || (unsigned char)p[i] < 0x80)
                return true;
            if (qp_lex_move(lexer, p + i, n - i, &written) != 0)
                return true;
            static const char *const marks[] = {"！", "？", "，", "。", "（", "①", "②", "…"};
            for (size_t m = 0; m < QP_COUNT(marks); m++)
                if (n - i >= strlen(marks[m]) &&
                    memcmp(p + i, marks[m], strlen(marks[m])) == 0)
                    return true;
            return false;
        }
        /* Numbers and what stands between them and a move. */
        static const char *const between[] = {"第", "回合", "．", "、", "）", "…", "·", "(", ")",
                                              ".", ":", "★"};
        used = (c >= '0' && c <= '9') ? 1 : qp_blank_len(p + i, n - i);
        if (used == 0 && n - i >= 3 &&
            ((memcmp(p + i, "\xEF\xBC", 2) == 0 && (unsigned char)p[i + 2] >= 0x90 &&
              (unsigned char)p[i + 2] <= 0x99) ||
             (memcmp(p + i, "\xE2\x91", 2) == 0 && (unsigned char)p[i + 2] >= 0xA0)))
            used = 3;
        for (size_t b = 0; used == 0 && b < QP_COUNT(between); b++)
            if (n - i >= strlen(between[b]) &&
                memcmp(p + i, between[b], strlen(between[b])) == 0)
                used = strlen(between[b]);
        if (used == 0)
            return i > start && is_torn_move(lexer, p + i, n - i);
        i += used;
    }
    return false;
}

/* A line that is nothing but a position. */
static bool is_fen(qp_str line, qp_fen_report *report)
{
    unsigned slashes = 0;
    line = qp_str_trim(line);
    for (size_t i = 0; i < line.len && slashes < 9; i++)
        slashes += line.data[i] == '/';
    if (slashes < 9)
        return false;
    qp_board board;
    qp_fen_read(line, &board, report);
    return (report->faults & QP_FEN_UNREADABLE) == 0;
}

static unsigned txt_probe(const qp_probe *probe)
{
    const struct qp_lexer *lexer = qp_context_lexer(probe->context);
    qp_patterns *patterns = qp_patterns_new();
    qp_reading cards = {.context = probe->context, .lexer = lexer};
    const char *p = probe->text.data, *end = p + probe->text.len;
    unsigned bid = 0;
    while (patterns != NULL && p < end && bid == 0) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        qp_str line = {p, (size_t)((lf ? lf : end) - p)}, value;
        if ((is_movetext(lexer, p, line.len) || qp_cards_line(&cards, line)) &&
            qp_header_tag(patterns, line, 0, &value) == NULL)
            bid = 30;
        p += line.len + 1;
    }
    for (size_t i = 0; i < QP_COUNT(cards.cards); i++)
        qp_lexer_free(cards.cards[i]);
    qp_patterns_free(patterns);
    return bid;
}

bool qp_txt_keys(qp_reading *reading, size_t at, qp_str line)
{
    qp_record *record = reading->record;
    size_t from = 0;
    qp_str value;
    for (const char *tag; (tag = qp_header_tag(reading->patterns, line, from, &value)) != NULL;) {
        size_t value_at = at + (size_t)(value.data - line.data);
        value = qp_str_trim(value);
        if (value.len != 0)
            value_at = at + (size_t)(value.data - line.data);
        qp_record_tag_add(record, (qp_record_tag){.made_name = qp_arena_str(record->arena, tag,
                                                                            strlen(tag)),
                                                  .name_at = (uint32_t)(at + from),
                                                  .value_at = (uint32_t)value_at,
                                                  .value_len = (uint32_t)value.len});
        if (strcmp(tag, "FEN") == 0 && value.len != 0)
            qp_record_start(record, value, value_at, value.len);
        size_t end = value_at + value.len - at;
        if (end <= from)
            break;
        from = end;
    }
    return from != 0;
}

static void read_header(qp_reading *reading, size_t at, size_t n)
{
    qp_record *record = reading->record;
    const char *p = reading->source->text + at;
    qp_fen_report fen;
    qp_str line = qp_str_trim((qp_str){p, n});
    if (line.len == 0 || qp_txt_keys(reading, at, (qp_str){p, n}))
        return;
    if (is_fen(line, &fen))
        qp_record_start(record, line, at + (size_t)(line.data - p), line.len);
    else
        qp_record_comment(record, at + (size_t)(line.data - p), line.len, (qp_str){0});
}

/* The round number that a line of movetext begins with, 0 for none. */
static unsigned first_number(qp_str line)
{
    unsigned value = 0;
    for (size_t i = blanks(line.data, line.len, 0);
         i < line.len && value < 1000 && line.data[i] >= '0' && line.data[i] <= '9'; i++)
        value = value * 10 + (unsigned)(line.data[i] - '0');
    return value;
}

/* Whether a header begins at a line, and movetext behind it that does not go on from the
 * last round: at a position of its own, or at an earlier round. */
static bool begins_game(qp_reading *reading, size_t at, uint32_t last_number)
{
    enum { LINES_MAX = 40 };
    qp_source *source = reading->source;
    qp_str value;
    bool start = false;
    for (unsigned i = 0; i < LINES_MAX && qp_source_has(source, at, 1); i++) {
        size_t end = qp_source_line_end(source, at, reading->limit);
        qp_str line = {source->text + at, end - at};
        const char *tag = qp_header_tag(reading->patterns, line, 0, &value);
        if (tag == NULL && i == 0)
            return false;
        start = start || (tag != NULL && strcmp(tag, "FEN") == 0);
        if (tag == NULL && is_movetext(reading->lexer, line.data, line.len)) {
            unsigned number = first_number(line);
            return start || number == 1 || (number != 0 && number <= last_number);
        }
        at = end < source->len ? end + 1 : end;
    }
    return false;
}

/* A round number and nothing but a result: a game without moves. */
static bool is_empty_game(qp_str line)
{
    unsigned value;
    bool dots;
    qp_result result;
    line = qp_str_trim(line);
    size_t used = qp_number_len(line.data, line.len, &value, &dots);
    used = blanks(line.data, line.len, used);
    return used != 0 && used < line.len && !dots &&
           qp_result_len(line.data + used, line.len - used, &result) == line.len - used;
}

static qp_status txt_read(qp_reading *reading)
{
    qp_source *source = reading->source;
    for (;;) {
        size_t at = 0;
        qp_mt_stop stop = QP_MT_ENDED;
        bool empty = false;
        qp_movetext movetext = {
            .reading = reading, .flags = QP_MT_WORDS, .begins = begins_game};
        while (at < reading->limit && qp_source_has(source, at, 1)) {
            size_t end = qp_source_line_end(source, at, reading->limit);
            qp_str line = {source->text + at, end - at}, value;
            if ((is_movetext(reading->lexer, line.data, line.len) ||
                 qp_cards_line(reading, line)) &&
                qp_header_tag(reading->patterns, line, 0, &value) == NULL)
                break;
            if ((empty = is_empty_game(line)))
                break;
            read_header(reading, at, end - at);
            at = end < source->len ? end + 1 : end;
        }
        movetext.at = at;
        if (qp_source_has(source, at, 1))
            stop = qp_cards_read(&movetext);
        reading->used = movetext.at;
        if (stop == QP_MT_LIMIT) {
            qp_record_report(reading->record, QP_D_file_limit, movetext.at, 0, "record",
                             "the record is longer than %llu bytes: what follows is read "
                             "as another",
                             (unsigned long long)reading->limit);
            reading->record->broken = true;
        }
        if (movetext.plies != 0 || empty)
            return QP_OK;
        if (movetext.at >= source->len && source->ended)
            return QP_END;
        qp_record_rewind(reading->record);
        qp_source_next(source, movetext.at);
    }
}

const qp_format qp_format_txt = {
    .name = "txt",
    .title = "plain text, movetext with or without header lines",
    .suffixes = "txt text",
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_START | QP_CARRIES_COUNTERS |
               QP_CARRIES_RESULT | QP_CARRIES_TEXT | QP_CARRIES_MOVES,
    .notation = "chinese",
    .probe = txt_probe,
    .highest = 30,
    .read = txt_read,
    .cut = qp_cut_txt,
    .between = "\n",
    .write = qp_txt_write,
};
