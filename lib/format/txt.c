/* Plain text: movetext as people type and paste it, with header lines before it. Sources: the
 * text exports of dpxq, vschess, CCBridge and 联众, and scorecards. */
#include "config.h"

#include "format/format.h"

/* The header keys of known exports, and the tags that they are. */
static const struct {
    const char *key, *tag;
} keys[] = {
    {"标题", "Title"},       {"标 题", "Title"},      {"标　题", "Title"},
    {"分类", "Class"},       {"赛事", "Event"},       {"赛事名称", "Event"},
    {"比赛", "Event"},       {"轮次", "Round"},       {"布局", "Opening"},
    {"开局", "Opening"},     {"红方", "Red"},         {"黑方", "Black"},
    {"红方姓名", "Red"},     {"黑方姓名", "Black"},   {"红方团体", "RedTeam"},
    {"黑方团体", "BlackTeam"}, {"红方等级", "RedTitle"}, {"黑方等级", "BlackTitle"},
    {"红等级分", "RedElo"},  {"黑等级分", "BlackElo"}, {"红方用时", "RedTime"},
    {"黑方用时", "BlackTime"}, {"结果", "Result"},    {"对局结果", "Result"},
    {"日期", "Date"},        {"比赛日期", "Date"},    {"比赛时间", "Date"},
    {"时间", "Date"},        {"地点", "Site"},        {"比赛地点", "Site"},
    {"组别", "Group"},       {"台次", "Table"},       {"裁判", "Arbiter"},
    {"记录", "Recorder"},    {"评论", "Annotator"},   {"评注", "Annotator"},
    {"作者", "Author"},      {"备注", "Remark"},      {"结束方式", "Termination"},
    {"记时规则", "TimeControl"}, {"计时规则", "TimeControl"}, {"棋局类型", "Type"},
    {"棋局性质", "GameType"}, {"棋谱主人", "Owner"},  {"棋谱价值", "Price"},
    {"浏览次数", "Hits"},    {"来源网站", "Source"},  {"来源", "Source"},
    {"开局 Fen 串", "FEN"},  {"FEN", "FEN"},          {"红", "Red"},
    {"黑", "Black"},         {"Event", "Event"},      {"Site", "Site"},
    {"Date", "Date"},        {"Red", "Red"},          {"Black", "Black"},
    {"Result", "Result"},    {"Round", "Round"},
};

static size_t blanks(const char *p, size_t n, size_t i)
{
    size_t blank;
    while (i < n && (blank = qp_blank_len(p + i, n - i)) != 0)
        i += blank;
    return i;
}

/* The tag of a `key: value` line, NULL for none; *value is where the value begins. */
static const char *header_tag(const char *p, size_t n, size_t *value)
{
    size_t from = blanks(p, n, 0);
    for (size_t i = from; i < n && i < from + 40; i++) {
        size_t colon = p[i] == ':' ? 1 : n - i >= 3 && memcmp(p + i, "：", 3) == 0 ? 3 : 0;
        if (colon == 0)
            continue;
        qp_str key = qp_str_trim((qp_str){p + from, i - from});
        for (size_t k = 0; k < QP_COUNT(keys); k++)
            if (qp_str_is_nocase(key, keys[k].key)) {
                *value = blanks(p, n, i + colon);
                return keys[k].tag;
            }
        return NULL;
    }
    return NULL;
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
            return false;
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
    const char *p = probe->text.data, *end = p + probe->text.len;
    while (p < end) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((lf ? lf : end) - p), value;
        if (header_tag(p, n, &value) == NULL && is_movetext(lexer, p, n))
            return 30;
        p += n + 1;
    }
    return 0;
}

static void read_header(qp_reading *reading, size_t at, size_t n)
{
    qp_record *record = reading->record;
    const char *p = reading->source->text + at;
    size_t value;
    qp_fen_report fen;
    const char *tag = header_tag(p, n, &value);
    qp_str line = qp_str_trim((qp_str){p, n});
    if (line.len == 0)
        return;
    if (tag != NULL) {
        qp_str text = qp_str_trim((qp_str){p + value, n - value});
        size_t text_at = at + (text.len ? (size_t)(text.data - p) : value);
        qp_record_tag_add(record, (qp_record_tag){.made_name = qp_str_of(tag),
                                                  .name_at = (uint32_t)at,
                                                  .value_at = (uint32_t)text_at,
                                                  .value_len = (uint32_t)text.len});
        if (strcmp(tag, "FEN") == 0 && text.len != 0)
            qp_record_start(record, text, text_at, text.len);
    } else if (is_fen(line, &fen)) {
        qp_record_start(record, line, at + (size_t)(line.data - p), line.len);
    } else {
        qp_record_comment(record, at + (size_t)(line.data - p), line.len, (qp_str){0});
    }
}

static qp_status txt_read(qp_reading *reading)
{
    qp_source *source = reading->source;
    for (;;) {
        size_t at = 0;
        qp_mt_stop stop = QP_MT_ENDED;
        qp_movetext movetext = {.reading = reading, .flags = QP_MT_WORDS};
        while (at < reading->limit && qp_source_has(source, at, 1)) {
            size_t end = qp_source_line_end(source, at, reading->limit), value;
            const char *p = source->text + at;
            if (header_tag(p, end - at, &value) == NULL &&
                is_movetext(reading->lexer, p, end - at))
                break;
            read_header(reading, at, end - at);
            at = end < source->len ? end + 1 : end;
        }
        movetext.at = at;
        if (qp_source_has(source, at, 1))
            stop = qp_movetext_read(&movetext);
        reading->used = movetext.at;
        if (stop == QP_MT_LIMIT) {
            qp_record_report(reading->record, QP_D_file_limit, movetext.at, 0, "record",
                             "the record is longer than %llu bytes: what follows is read "
                             "as another",
                             (unsigned long long)reading->limit);
            reading->record->broken = true;
        }
        if (movetext.plies != 0)
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
    .read = txt_read,
    .write = qp_txt_write,
};
