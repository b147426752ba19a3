/* JSON of other programs, known by their keys:
 *
 *     {"fen":FEN,"solution":["h2e2",…],"title":…,…}   puzzles of several collections, games
 *                                       of many programs: one of the two may be absent, a
 *                                       move may be an object, other values become tags
 *     {…,"puzzles":[{…},…]}             such games in an object of their own ("games"
 * too)
 *     {"gameInfo":{…},"boardState":{"initialFen":…},"moveHistory":[{"notation":…},…]}
 *                                       Xiangqi-Core
 *     what Chess Road writes: json_road.c
 *     {"info":{…},"rootMove":{"m":"2724 comment","n":{next},"o":{other}}}
 *                                       hbsxcjp: rank and file of both squares, from
 * Red's bottom and left
 *
 * The last two are known from their readers, not from files. See json.h. */
#include "config.h"

#include "format/json.h"

static bool is_scalar(const qp_json_reading *r, uint32_t index)
{
    return qp_json_is_kind(r, index, QP_JSON_STRING) ||
           qp_json_is_kind(r, index, QP_JSON_NUMBER);
}

/* A value as a tag; an array of strings gives them parted by commas, all else nothing. */
void qp_json_tag(qp_json_reading *r, const char *name, uint32_t key, uint32_t value)
{
    qp_arena *arena = r->in->record->arena;
    qp_str made_name = name ? qp_str_of(name) : qp_json_made(r, key), made = {0};
    if (qp_json_is_kind(r, value, QP_JSON_ARRAY)) {
        made = (qp_str){"", 0};
        for (uint32_t i = value + 1; i < r->values[value].next; i = r->values[i].next) {
            if (!is_scalar(r, i))
                return;
            qp_str text = qp_json_text(r, i);
            size_t len = made.len + text.len + 2;
            char *joined = qp_arena_alloc(arena, len);
            if (joined == NULL || len > UINT16_MAX)
                return;
            memcpy(joined, made.data, made.len);
            memcpy(joined + made.len, ", ", 2);
            size_t at = made.len == 0 ? 0 : made.len + 2;
            memcpy(joined + at, text.data, text.len);
            made = (qp_str){joined, at + text.len};
        }
    } else if (!is_scalar(r, value)) {
        return;
    } else if (qp_json_is_kind(r, value, QP_JSON_STRING)) {
        made = qp_json_made(r, value);
    }
    qp_record_tag_add(r->in->record, (qp_record_tag){.name_at = r->values[key].at,
                                                     .name_len = r->values[key].len,
                                                     .value_at = r->values[value].at,
                                                     .value_len = r->values[value].len,
                                                     .made_name = made_name,
                                                     .made_value = made});
}

/* The tags of an object's members, under the names of the table or their own. */
typedef struct tag_name {
    const char *key, *tag;
} tag_name;

static void add_tags(qp_json_reading *r, uint32_t object, const tag_name *names,
                     size_t count)
{
    if (object == UINT32_MAX || !qp_json_is_kind(r, object, QP_JSON_OBJECT))
        return;
    for (uint32_t i = object + 1; i < r->values[object].next; i = r->values[i + 1].next) {
        const char *name = NULL;
        bool drop = false;
        for (size_t k = 0; k < count; k++) {
            if (!qp_json_is_key(r, i, names[k].key))
                continue;
            name = names[k].tag;
            drop = name == NULL;
        }
        if (!drop)
            qp_json_tag(r, name, i, i + 1);
    }
}

/* Moves in one string, parted by blanks or commas. */
static void moves_in_text(qp_json_reading *r, uint32_t value)
{
    const char *p = r->text + r->values[value].at;
    size_t n = r->values[value].len;
    for (size_t i = 0, from; i < n;) {
        while (i < n && (p[i] == ' ' || p[i] == ','))
            i++;
        for (from = i; i < n && p[i] != ' ' && p[i] != ','; i++)
            ;
        qp_str word = {p + from, i - from};
        qp_move move = qp_squares_read(word);
        if (move != 0)
            qp_record_squares(r->in->record, r->values[value].at + from, word.len, move);
        else if (word.len != 0)
            qp_reading_words(r->in, word, r->values[value].at + from, word.len);
    }
}

/* Whether a key is this word, written in lower case without `_`: moveList, move_list … */
static bool is_like(qp_json_reading *r, uint32_t key, const char *word)
{
    qp_str name = qp_json_text(r, key);
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        if (c == '_')
            continue;
        if (*word == '\0' || (c >= 'A' && c <= 'Z' ? c + 32 : c) != *word++)
            return false;
    }
    return *word == '\0';
}

/* The value of the object's member of one of these names, the first name first; 0: none. */
static uint32_t one_of(qp_json_reading *r, uint32_t object, const char *const *names)
{
    for (; *names != NULL; names++)
        for (uint32_t i = object + 1; i < r->values[object].next; i = r->values[i + 1].next)
            if (is_like(r, i, *names))
                return i + 1;
    return 0;
}

static const char *const fen_keys[] = {"fen", "initialfen", "startfen", "initfen", NULL};
static const char *const moves_keys[] = {"moves",   "movelist",    "solution",
                                         "history", "movehistory", NULL};
static const char *const move_keys[] = {"move", "notation", "iccs", "ucci",
                                        "uci",  "chinese",  "text", NULL};
static const char *const comment_keys[] = {"comment", "remark", "note", NULL};

static bool reads_as_move(const qp_json_reading *r, qp_str text)
{
    qp_written written;
    return qp_squares_read(text) != 0 ||
           (text.len != 0 && (text.data[0] < '0' || text.data[0] > '9') &&
            qp_lex_move(r->in->lexer, text.data, text.len, &written) == text.len);
}

/* What an element of a list of moves says of its move; 0: nothing. */
static uint32_t words_of(qp_json_reading *r, uint32_t element)
{
    uint32_t words = qp_json_is_kind(r, element, QP_JSON_OBJECT)
                         ? one_of(r, element, move_keys)
                         : element;
    return words != 0 && qp_json_is_kind(r, words, QP_JSON_STRING) ? words : 0;
}

/* The squares of {"from":"h2","to":"e2"}. */
static qp_move from_to(qp_json_reading *r, uint32_t element)
{
    static const char *const from_keys[] = {"from", NULL}, *const to_keys[] = {"to", NULL};
    if (!qp_json_is_kind(r, element, QP_JSON_OBJECT))
        return 0;
    uint32_t from = one_of(r, element, from_keys), to = one_of(r, element, to_keys);
    if (from == 0 || to == 0 || !qp_json_is_kind(r, from, QP_JSON_STRING) ||
        !qp_json_is_kind(r, to, QP_JSON_STRING))
        return 0;
    qp_str a = qp_json_text(r, from), b = qp_json_text(r, to);
    if (a.len != 2 || b.len != 2)
        return 0;
    char both[4] = {a.data[0], a.data[1], b.data[0], b.data[1]};
    return qp_squares_read((qp_str){both, sizeof both});
}

static void plain_ply(qp_json_reading *r, uint32_t element)
{
    qp_record *record = r->in->record;
    uint32_t words = words_of(r, element), comment = 0;
    qp_move move = words ? qp_squares_read(qp_json_text(r, words)) : from_to(r, element);
    uint32_t at = words ? words : element;
    if (move != 0)
        qp_record_squares(record, r->values[at].at, words ? r->values[at].len : 1, move);
    else if (words != 0)
        qp_reading_words(r->in, qp_json_text(r, words), r->values[at].at,
                         r->values[at].len);
    else
        qp_record_bad_move(record, r->values[at].at, 1);
    if (qp_json_is_kind(r, element, QP_JSON_OBJECT))
        comment = one_of(r, element, comment_keys);
    if (comment != 0 && qp_json_is_kind(r, comment, QP_JSON_STRING) &&
        r->values[comment].len != 0)
        qp_record_comment(record, r->values[comment].at, r->values[comment].len,
                          qp_json_made(r, comment));
}

/* Whether a value lists moves: a text or an array that begins with one. */
static bool lists_moves(qp_json_reading *r, uint32_t value)
{
    if (qp_json_is_kind(r, value, QP_JSON_STRING)) {
        qp_str text = qp_str_trim(qp_json_text(r, value));
        size_t end = 0;
        while (end < text.len && text.data[end] != ' ' && text.data[end] != ',')
            end++;
        return reads_as_move(r, (qp_str){text.data, end});
    }
    if (!qp_json_is_kind(r, value, QP_JSON_ARRAY) || r->values[value].next <= value + 1)
        return false;
    uint32_t words = words_of(r, value + 1);
    return words ? reads_as_move(r, qp_json_text(r, words)) : from_to(r, value + 1) != 0;
}

static const tag_name plain_names[] = {
    {"title", "Title"}, {"gamename", "Title"},   {"event", "Event"},
    {"date", "Date"},   {"competition", "Event"}, {"source", "Source"},
    {"red", "Red"},     {"redplayer", "Red"},    {"site", "Site"},
    {"black", "Black"}, {"blackplayer", "Black"}, {"location", "Site"},
    {"round", "Round"}, {"result", "Result"},    {"opening", "Opening"},
};

static void read_plain(qp_json_reading *r, uint32_t fen, uint32_t moves)
{
    if (fen != 0)
        qp_json_start(r, fen);
    for (uint32_t i = 1; i < r->values[0].next; i = r->values[i + 1].next) {
        const char *name = NULL;
        for (size_t k = 0; k < QP_COUNT(plain_names) && name == NULL; k++)
            if (is_like(r, i, plain_names[k].key))
                name = plain_names[k].tag;
        if (i + 1 != fen && i + 1 != moves && !is_like(r, i, "sidetomove"))
            qp_json_tag(r, name, i, i + 1);
    }
    if (moves == 0)
        return;
    if (qp_json_is_kind(r, moves, QP_JSON_STRING))
        moves_in_text(r, moves);
    else if (qp_json_expect(r, moves, QP_JSON_ARRAY, "an array of moves"))
        for (uint32_t i = moves + 1; i < r->values[moves].next; i = r->values[i].next)
            plain_ply(r, i);
}

/* ---- Xiangqi-Core ---- */

static const tag_name core_names[] = {
    {"redPlayer", "Red"}, {"blackPlayer", "Black"}, {"competition", "Event"},
    {"result", "Result"}, {"date", "Date"},         {"location", "Site"},
    {"round", "Round"},
};

static uint32_t member(qp_json_reading *r, uint32_t object, const char *name)
{
    if (!qp_json_is_kind(r, object, QP_JSON_OBJECT))
        return 0;
    for (uint32_t i = object + 1; i < r->values[object].next; i = r->values[i + 1].next)
        if (qp_json_is_key(r, i, name))
            return i + 1;
    return 0;
}

static void read_core(qp_json_reading *r, uint32_t info, uint32_t board, uint32_t history)
{
    uint32_t fen = board ? member(r, board, "initialFen") : 0, name;
    if (info != 0)
        add_tags(r, info, core_names, QP_COUNT(core_names));
    if ((name = member(r, 0, "gameName")) != 0 && is_scalar(r, name))
        qp_json_tag(r, "Title", name - 1, name);
    if (fen != 0)
        qp_json_start(r, fen);
    if (!qp_json_expect(r, history, QP_JSON_ARRAY, "an array of moves"))
        return;
    for (uint32_t i = history + 1; i < r->values[history].next; i = r->values[i].next) {
        uint32_t words = member(r, i, "notation");
        if (words != 0 && qp_json_is_kind(r, words, QP_JSON_STRING))
            qp_reading_words(r->in, qp_json_text(r, words), r->values[words].at,
                             r->values[words].len);
        else
            qp_record_bad_move(r->in->record, r->values[i].at, 1);
    }
}

/* ---- hbsxcjp ---- */

static const tag_name hbs_names[] = {
    {"win", "Result"}, {"title", "Title"},   {"event", "Event"},   {"date", "Date"},
    {"site", "Site"},  {"red", "Red"},       {"black", "Black"},   {"opening", "Opening"},
    {"FEN", NULL},     {"writer", "Writer"}, {"author", "Author"}, {"version", "Version"},
};

static qp_move hbs_squares(qp_str text)
{
    int v[4];
    for (size_t i = 0; i < 4; i++) {
        if (text.len < 4 || text.data[i] < '0' || text.data[i] > '9')
            return 0;
        v[i] = text.data[i] - '0';
    }
    if (v[1] > 8 || v[3] > 8)
        return 0;
    return QP_MOVE(QP_SQUARE(v[1], v[0]), QP_SQUARE(v[3], v[2]));
}

/* One node; its comment stands behind the squares, of the root alone. */
static uint32_t hbs_node(qp_json_reading *r, uint32_t object, uint32_t parent, bool root)
{
    uint32_t m = member(r, object, "m"), ply = 0;
    bool text = m != 0 && qp_json_is_kind(r, m, QP_JSON_STRING);
    qp_str all = text ? qp_json_text(r, m) : (qp_str){"", 0};
    size_t used = 0;
    if (!root) {
        qp_move move = hbs_squares(all);
        used = move != 0 ? 4 : 0;
        ply = qp_plies_add(r->state->plies, parent, move, r->values[text ? m : object].at,
                           move != 0 ? 4 : text ? r->values[m].len : 1);
        if (ply == 0)
            return 0;
    }
    qp_str comment = qp_str_trim((qp_str){all.data + used, all.len - used});
    if (comment.len != 0)
        qp_plies_comment(r->state->plies, ply, comment, r->values[m].at,
                         r->values[m].len);
    return ply;
}

static bool hbs_push(qp_json_reading *r, uint32_t object, const char *name,
                     uint32_t parent)
{
    uint32_t node = member(r, object, name);
    if (node == 0 || !qp_json_is_kind(r, node, QP_JSON_OBJECT))
        return true;
    if (!qp_json_push(r, QP_JSON_NEXT, node))
        return false;
    r->state->frames[r->state->depth - 1].at = node;
    r->state->frames[r->state->depth - 1].parent = parent;
    return true;
}

static void read_hbs(qp_json_reading *r, uint32_t info, uint32_t root)
{
    qp_json_state *s = r->state;
    uint32_t fen = info ? member(r, info, "FEN") : 0;
    if (info != 0)
        add_tags(r, info, hbs_names, QP_COUNT(hbs_names));
    if (fen != 0)
        qp_json_start(r, fen);
    qp_plies_rewind(s->plies);
    s->depth = 0;
    hbs_node(r, root, 0, true);
    hbs_push(r, root, "n", 0);
    while (s->depth > 0 && !r->in->record->failed) {
        qp_json_frame f = s->frames[--s->depth];
        uint32_t ply = hbs_node(r, f.at, f.parent, false);
        if (ply == 0 || !hbs_push(r, f.at, "n", ply) || !hbs_push(r, f.at, "o", f.parent))
            r->in->record->failed = true;
    }
    qp_plies_tell(s->plies, r->in->record);
}

/* ---- which ---- */

bool qp_json_flavour(qp_json_reading *r, size_t *at)
{
    uint32_t info = 0, board = 0, history = 0, root = 0, inside = 0;
    for (uint32_t i = 1; i < r->values[0].next; i = r->values[i + 1].next) {
        uint32_t value = i + 1;
        if (qp_json_is_key(r, i, "gameInfo") || qp_json_is_key(r, i, "info"))
            info = value;
        else if (qp_json_is_key(r, i, "boardState"))
            board = value;
        else if (qp_json_is_key(r, i, "moveHistory"))
            history = value;
        else if (qp_json_is_key(r, i, "rootMove"))
            root = value;
        else if ((qp_json_is_key(r, i, "puzzles") || qp_json_is_key(r, i, "games")) &&
                 qp_json_is_kind(r, value, QP_JSON_ARRAY) &&
                 r->values[value].next > value + 1 &&
                 qp_json_is_kind(r, value + 1, QP_JSON_OBJECT))
            inside = value;
    }
    if (qp_json_road(r))
        return true;
    uint32_t fen = one_of(r, 0, fen_keys), moves = one_of(r, 0, moves_keys);
    if (fen != 0 && !qp_json_is_kind(r, fen, QP_JSON_STRING))
        fen = 0;
    if (history != 0 && (info != 0 || board != 0))
        read_core(r, info, board, history);
    else if (root != 0 && qp_json_is_kind(r, root, QP_JSON_OBJECT))
        read_hbs(r, info, root);
    else if (fen != 0 || (moves != 0 && lists_moves(r, moves)))
        read_plain(r, fen, moves);
    else if (inside != 0)
        *at = r->values[inside].at + 1;
    else
        return false;
    if (inside != 0)
        r->in->carried |= QP_JSON_WRAPPED;
    return true;
}
