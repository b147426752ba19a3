/* What free text says of a game's players and its result: the line `甲队 某甲 先胜 乙队 某乙` above
 * the moves, and the sentence behind them (至此，黑方认负). Known from books, bulletins and posts. */
#include "config.h"

#include "format/marks.h"

/* ---- behind the moves ---- */

/* A clause without the words that lead to its point. */
static qp_str without_lead(qp_str clause)
{
    static const char *const leads[] = {"至此", "以下", "最后", "最後", "结果", "結果", "终局",
                                        "終局", "本局", "最终", "最終", "胜负", "勝負", "遂",
                                        "终于", "終於", "于是", "因此", "：", ":", "终", "終"};
    for (bool cut = true; cut;) {
        cut = false;
        clause = qp_str_trim(clause);
        for (size_t i = 0; i < QP_COUNT(leads); i++) {
            size_t len = strlen(leads[i]);
            if (clause.len > len && memcmp(clause.data, leads[i], len) == 0) {
                clause = (qp_str){clause.data + len, clause.len - len};
                cut = true;
            }
        }
    }
    return clause;
}

static bool is_one_of(qp_str word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (qp_str_is(word, words[i]))
            return true;
    return false;
}

/* The result that a clause states: in so many words, or by what a side did (黑方超时). */
static bool clause_result(qp_patterns *patterns, qp_str clause, qp_result *result)
{
    static const char *const loses[] = {"resignation", "time",      "forfeit",
                                        "abandoned",   "stalemate", "foul"};
    static const char *const draws[] = {"agreement", "move-limit", "repetition"};
    qp_match match;
    if (clause.len == 0)
        return false;
    if (qp_result_read(patterns, clause, result))
        return *result != QP_RESULT_UNKNOWN;
    if (!qp_pattern_find(patterns, "end-word", clause, 0, &match) || match.mark == NULL ||
        match.whole.len != clause.len)
        return false;
    qp_str mark = qp_str_of(match.mark);
    qp_str side = match.group[qp_pattern_group(patterns, "end-word", "side")];
    qp_side loser;
    if (is_one_of(mark, draws, QP_COUNT(draws))) {
        *result = QP_RESULT_DRAW;
        return true;
    }
    if (side.len == 0 || !is_one_of(mark, loses, QP_COUNT(loses)) ||
        qp_side_word_len(side.data, side.len, &loser) == 0)
        return false;
    *result = loser == QP_RED ? QP_RESULT_BLACK : QP_RESULT_RED;
    return true;
}

/* Bytes of punctuation that parts clauses. */
static size_t stop_len(const char *p, size_t n)
{
    static const char *const stops[] = {"，", "。", "；", "！", "（", "）", "、"};
    if (strchr(",.;!()\n", *p) != NULL)
        return 1;
    for (size_t i = 0; i < QP_COUNT(stops); i++)
        if (n >= 3 && memcmp(p, stops[i], 3) == 0)
            return 3;
    return 0;
}

/* The last clause of a text that states a result. */
static bool find_result(qp_patterns *patterns, qp_str text, qp_str *where, qp_result *result)
{
    bool found = false;
    for (size_t from = 0, i = 0; i <= text.len;) {
        size_t stop = i < text.len ? stop_len(text.data + i, text.len - i) : 1, len = 1;
        if (stop == 0) {
            qp_utf8_at(text.data + i, text.len - i, &len);
            i += len;
            continue;
        }
        qp_str clause = without_lead((qp_str){text.data + from, i - from});
        qp_result stated;
        if (clause_result(patterns, clause, &stated)) {
            *where = clause;
            *result = stated;
            found = true;
        }
        i += stop;
        from = i;
    }
    return found;
}

void qp_ending_settle(qp_reading *reading, size_t from)
{
    enum { LONGEST = 300 };
    qp_record *record = reading->record;
    size_t end = record->event_count;
    if (record->results != 0 || reading->patterns == NULL)
        return;
    while (end > from && record->events[end - 1].kind == QP_EV_COMMENT) {
        const qp_event *e = &record->events[--end];
        qp_str where, text = {reading->source->text + e->at, e->len};
        qp_result result;
        if (e->as.made.data != NULL || e->len > LONGEST ||
            !find_result(reading->patterns, text, &where, &result))
            continue;
        qp_event *made = qp_record_add(
            record, QP_EV_RESULT, (size_t)(where.data - reading->source->text), where.len);
        if (made != NULL)
            made->value = (uint16_t)result;
        record->verbatim = false;
        return;
    }
}

/* ---- above the moves ---- */

static void add_tag(qp_reading *reading, const char *name, qp_str value)
{
    value = qp_str_trim(value);
    if (value.len == 0)
        return;
    uint32_t at = (uint32_t)(value.data - reading->source->text);
    qp_record_tag_add(reading->record, (qp_record_tag){.made_name = qp_str_of(name),
                                                       .name_at = at,
                                                       .value_at = at,
                                                       .value_len = (uint32_t)value.len});
}

/* `team name`, parted by the last blank. */
static void add_player(qp_reading *reading, const char *name, const char *team, qp_str text)
{
    size_t cut = 0, end = 0, blank, len;
    text = qp_str_trim(text);
    for (size_t i = 0; i < text.len; i += len) {
        len = blank = qp_blank_len(text.data + i, text.len - i);
        if (blank != 0) {
            end = cut == i ? end : i;
            cut = i + blank;
        } else {
            qp_utf8_at(text.data + i, text.len - i, &len);
        }
    }
    add_tag(reading, name, (qp_str){text.data + cut, text.len - cut});
    add_tag(reading, team, (qp_str){text.data, cut != 0 ? end : 0});
}

/* The date or round that a line begins with, before the players, as tags; returns the rest. */
static qp_str add_occasion(qp_reading *reading, qp_str text)
{
    for (text = qp_str_trim(text);;) {
        size_t len = 0, blank = 0;
        char date[11];
        while (len < text.len && (blank = qp_blank_len(text.data + len, text.len - len)) == 0)
            len++;
        qp_str word = {text.data, len};
        bool round = len > 6 && memcmp(text.data, "第", 3) == 0 &&
                     (memcmp(text.data + len - 3, "轮", 3) == 0 ||
                      memcmp(text.data + len - 3, "輪", 3) == 0);
        if (len == text.len ||
            (!round && (len < 8 || qp_date_read(reading->patterns, word, date) != QP_DATE_OK)))
            return text;
        add_tag(reading, round ? "Round" : "Date", word);
        text = qp_str_trim((qp_str){text.data + len + blank, text.len - len - blank});
    }
}

/* Most lines need no pattern. */
static bool has_result_word(qp_str line)
{
    static const char *const words[] = {"胜", "勝", "负", "負", "和"};
    for (size_t i = 0; i + 3 <= line.len; i++)
        for (size_t k = 0; (unsigned char)line.data[i] >= 0xE5 && k < QP_COUNT(words); k++)
            if (memcmp(line.data + i, words[k], 3) == 0)
                return true;
    return false;
}

void qp_title_read(qp_reading *reading, qp_str line)
{
    enum { LONGEST = 200 };
    qp_match match;
    const qp_record *record = reading->record;
    if (line.len > LONGEST || !has_result_word(line) ||
        !qp_pattern_find(reading->patterns, "title", line, 0, &match))
        return;
    for (size_t i = 0; i < record->tag_count; i++) {
        qp_str name = record->tags[i].made_name;
        if (qp_str_is(name, "Red") || qp_str_is(name, "Black") || qp_str_is(name, "Result"))
            return;
    }
    qp_patterns *p = reading->patterns;
    qp_str red = add_occasion(reading, match.group[qp_pattern_group(p, "title", "red")]);
    add_player(reading, "Red", "RedTeam", red);
    add_player(reading, "Black", "BlackTeam",
               match.group[qp_pattern_group(p, "title", "black")]);
    qp_str result = match.group[qp_pattern_group(p, "title", "result")];
    add_tag(reading, "Result", result);
    if (result.len == 3 && memcmp(result.data, "和", 3) != 0) /* 胜, 负 alone: the first one's */
        reading->record->tags[record->tag_count - 1].made_value =
            memcmp(result.data, "负", 3) == 0 || memcmp(result.data, "負", 3) == 0
                ? QP_STR("0-1") : QP_STR("1-0");
}
