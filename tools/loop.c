/* A judged loop for people: the board it starts from, a table of its plies, the ruling. */
#include "config.h"

#include "common.h"

#include <string.h>

/* A move as it is written takes no more cells, or it is spelled anew. */
#define MOVE_CELLS_MAX 16
/* So many chases of one ply are told. */
#define PAIRS_MAX 4
/* And so many plies of one doubt. */
#define PLIES_MAX 16

struct table {
    FILE *out;
    const struct loop_style *style;
    const qp_judgement *judgement;
    const qp_loop *loop;
    qp_language language;
    qp_board board; /* before the ply at hand */
    const qp_node *node;
};

static const char *choose(const struct table *t, const char *english, const char *chinese)
{
    return t->language == QP_CHINESE ? chinese : english;
}

static const char *term(const struct table *t, const char *name)
{
    return qp_term(name, t->language);
}

static const char *side_term(const struct table *t, qp_side side)
{
    return term(t, side == QP_RED ? "red" : "black");
}

/* Text in a column of so many cells, and two blanks behind it. */
static void put_column(FILE *out, const char *text, size_t len, size_t width)
{
    size_t cells = qp_cells((qp_str){text, len});
    put_visible(out, text, len);
    fprintf(out, "%*s", (int)(cells < width ? width - cells + 2 : 2), "");
}

static size_t cells_of(const char *text)
{
    return qp_cells((qp_str){text, strlen(text)});
}

/* ---- columns ---- */

/* As the record has it, where that is short; else spelled. */
static qp_str move_text(const struct table *t, char text[QP_MOVE_TEXT_MAX])
{
    qp_str written = qp_node_text(t->node);
    size_t cells = qp_cells(written);
    if (cells > 0 && cells <= MOVE_CELLS_MAX)
        return written;
    size_t len = qp_move_spell(t->style->notation, &t->board, t->node->move, text);
    if (len == 0) {
        qp_move_text(t->node->move, text);
        len = strlen(text);
    }
    return (qp_str){text, len};
}

/* "chase", "chase?" where the ply may as well be idle. */
static const char *class_text(const struct table *t, const qp_loop_ply *ply, char text[64])
{
    snprintf(text, 64, "%s%s", term(t, qp_attack_name(ply->attack)),
             ply->doubtful ? "?" : "");
    return text;
}

/* Whether the pair's target could be taken back once it is taken. board: after the ply. */
static bool is_protected(const qp_board *board, const qp_pair *pair)
{
    qp_move moves[QP_MOVES_MAX];
    qp_board taken = *board;
    taken.side = QP_PIECE_SIDE(pair->attacker);
    qp_board_play(&taken, QP_MOVE(pair->from, pair->to));
    size_t count = qp_board_moves(&taken, moves);
    for (size_t i = 0; i < count; i++)
        if (QP_TO(moves[i]) == pair->to)
            return true;
    return false;
}

static void put_piece(const struct table *t, qp_piece piece, qp_square square)
{
    const char *name = term(t, (char[2]){qp_piece_letter(piece)});
    if (t->language == QP_CHINESE)
        fprintf(t->out, "%c%d%s", 'a' + QP_FILE(square), QP_RANK(square), name);
    else
        fprintf(t->out, "%s %c%d", name, 'a' + QP_FILE(square), QP_RANK(square));
}

/* What a ply does, told reason by reason. */
struct reasons {
    const struct table *t;
    const qp_loop_ply *ply;
    const qp_board *after;
    unsigned count;
};

static void begin_reason(struct reasons *r)
{
    if (r->count++)
        fputs(choose(r->t, "; ", "；"), r->t->out);
}

static void put_checks(struct reasons *r)
{
    qp_board board = *r->after;
    qp_square king = board.king[!r->ply->side];
    board.side = r->ply->side;
    for (qp_square from = 0; from < QP_SQUARES; from++) {
        if (!board.at[from] ||
            qp_board_refuse(&board, QP_MOVE(from, king)) != QP_REFUSE_CAPTURES_KING)
            continue;
        begin_reason(r);
        put_piece(r->t, board.at[from], from);
        fputs(choose(r->t, " on the ", "将"), r->t->out);
        put_piece(r->t, board.at[king], king);
    }
}

/* The move that mates at once, if one does. */
static void put_mate(struct reasons *r)
{
    qp_move moves[QP_MOVES_MAX];
    qp_board board = *r->after;
    char text[QP_MOVE_TEXT_MAX];
    board.side = r->ply->side;
    size_t count = qp_board_moves(&board, moves);
    begin_reason(r);
    for (size_t i = 0; i < count; i++) {
        qp_board mated = board;
        qp_board_play(&mated, moves[i]);
        if (qp_board_end(&mated) != QP_END_CHECKMATE)
            continue;
        if (qp_move_spell(r->t->style->notation, &board, moves[i], text) == 0)
            qp_move_text(moves[i], text);
        fprintf(r->t->out, choose(r->t, "%s would mate", "%s即成杀"), text);
        return;
    }
    fputs(choose(r->t, "checks would mate", "连将成杀"), r->t->out);
}

static void put_pairs(struct reasons *r)
{
    for (size_t i = 0; i < r->ply->pair_count; i++) {
        const qp_pair *pair = &r->ply->pairs[i];
        begin_reason(r);
        if (i == PAIRS_MAX) {
            fputs("\xe2\x80\xa6", r->t->out);
            break;
        }
        put_piece(r->t, pair->attacker, pair->from);
        fputs(choose(r->t, " on the ", "捉"), r->t->out);
        put_piece(r->t, pair->target, pair->to);
        fputs(choose(r->t, ", ", "，"), r->t->out);
        fputs(term(r->t, is_protected(r->after, pair) ? "protected" : "unprotected"), r->t->out);
    }
}

/* idle: the term of what an idle ply is. */
static void put_why(const struct table *t, const qp_loop_ply *ply, const char *idle)
{
    struct reasons r = {t, ply, &t->board, 0};
    fputs(idle, t->out);
    if (ply->attack == QP_ATTACK_CHECK)
        put_checks(&r);
    if (ply->attack == QP_ATTACK_KILL)
        put_mate(&r);
    put_pairs(&r);
    if (ply->by_checks) {
        begin_reason(&r);
        fputs(ply->doubtful ? choose(t, "checks may win something", "或要抽吃")
                            : choose(t, "checks would win something", "要抽吃"),
              t->out);
    }
    if (ply->doubtful) {
        begin_reason(&r);
        fputs(choose(t, "or idle", "或为闲着"), t->out);
    }
}

static void print_plies(struct table *t)
{
    const qp_loop *loop = t->loop;
    char spelled[QP_MOVE_TEXT_MAX], class[64];
    const char *heads[] = {choose(t, "ply", "着"), choose(t, "side", "方"),
                           choose(t, "move", "着法"), choose(t, "class", "类别"),
                           choose(t, "why", "说明")};
    size_t widths[] = {cells_of(heads[0]), cells_of(heads[1]), cells_of(heads[2]),
                       cells_of(heads[3])};
    struct table walk = *t;
    for (size_t i = 0; i < loop->ply_count && walk.node; i++, walk.node = walk.node->next) {
        char number[16];
        size_t wide[] = {(size_t)snprintf(number, sizeof number, "%u", loop->plies[i].ply),
                         cells_of(side_term(t, loop->plies[i].side)),
                         qp_cells(move_text(&walk, spelled)),
                         cells_of(class_text(t, &loop->plies[i], class))};
        for (size_t k = 0; k < COUNT(wide); k++)
            if (wide[k] > widths[k])
                widths[k] = wide[k];
        qp_board_play(&walk.board, walk.node->move);
    }
    for (size_t k = 0; k < COUNT(widths); k++)
        put_column(t->out, heads[k], strlen(heads[k]), widths[k]);
    fprintf(t->out, "%s\n", heads[4]);
    for (size_t i = 0; i < loop->ply_count && t->node; i++, t->node = t->node->next) {
        const qp_loop_ply *ply = &loop->plies[i];
        const char *side = side_term(t, ply->side);
        qp_str move = move_text(t, spelled);
        const char *idle = ply->attack == QP_ATTACK_NONE
                               ? term(t, qp_idle_name(&t->board, ply->move))
                               : "";
        fprintf(t->out, "%*u  ", (int)widths[0], ply->ply);
        put_column(t->out, side, strlen(side), widths[1]);
        put_column(t->out, move.data, move.len, widths[2]);
        class_text(t, ply, class);
        qp_board_play(&t->board, ply->move);
        if (ply->attack != QP_ATTACK_NONE || idle[0]) {
            put_column(t->out, class, strlen(class), widths[3]);
            put_why(t, ply, idle);
        } else {
            fputs(class, t->out);
        }
        fputc('\n', t->out);
    }
}

/* ---- the ruling ---- */

static void print_head(const struct options *options, const struct table *t, const char *file,
                       const qp_game *game)
{
    const qp_loop *loop = t->loop;
    unsigned first = loop->start_ply + 1, last = loop->start_ply + loop->period;
    fputc('\n', t->out);
    put_visible(t->out, file, strlen(file));
    fputs(choose(t, ": game ", ": 第"), t->out);
    put_game_number(options, t->out, 0, game->number);
    fputs(choose(t, ": ", "局: "), t->out);
    if (loop->mixed)
        fprintf(t->out, choose(t, "the position after ply %u comes up %u times, first by plies %u to %u",
                      "第%u着后的局面出现%u次, 首段为第%u至%u着"),
               loop->start_ply, loop->occurrences, first, last);
    else
        fprintf(t->out, choose(t, "plies %u to %u are a loop, played %u time%s",
                      "第%u至%u着循环, 共%u遍%s"),
               first, last, loop->passes, t->language == QP_CHINESE ? "" : plural(loop->passes));
    fprintf(t->out, " (%s)\n", t->judgement->rules->name);
}

static void print_sides(const struct table *t)
{
    for (int side = QP_RED; side <= QP_BLACK; side++) {
        const char *name = term(t, t->loop->name[side]);
        bool open = t->loop->forbidden[side] != t->loop->may_forbidden[side];
        fprintf(t->out, "%s: %s, %s%s%s\n", side_term(t, (qp_side)side), name,
               t->loop->mixed ? choose(t, "over all ways back ", "各段合计") : "",
               term(t, t->loop->may_forbidden[side] ? "forbidden" : "allowed"),
               open ? choose(t, " or allowed", "或允许") : "");
    }
}

/* "doubt at ply 14, 16: …": the plies where it arises, none where it is of the whole loop. */
static void print_doubt(const struct table *t, qp_doubt doubt)
{
    const qp_loop *loop = t->loop;
    const char *before = choose(t, " at ply ", " 第");
    unsigned some = 0;
    fputs(choose(t, "doubt", "疑点"), t->out);
    for (size_t i = 0; i < loop->ply_count; i++) {
        if (!(loop->plies[i].doubts & (unsigned)doubt))
            continue;
        if (some++ == PLIES_MAX) {
            fputs(" \xe2\x80\xa6", t->out);
            break;
        }
        fprintf(t->out, "%s%u", before, loop->plies[i].ply);
        before = choose(t, ", ", "、");
    }
    fprintf(t->out, "%s: %s\n", some ? choose(t, "", "着") : "",
            term(t, qp_doubt_name(doubt)));
}

static void print_ruling(const struct table *t)
{
    const qp_loop *loop = t->loop;
    fprintf(t->out, "%s: ", choose(t, "ruling", "裁决"));
    if (loop->verdict == QP_VERDICT_NONE)
        fprintf(t->out, "%s; %s", term(t, loop->state), choose(t, "if it goes on: ", "若继续: "));
    fprintf(t->out, "%s (%s)", term(t, qp_verdict_name(loop->tends)), term(t, loop->reason));
    if (loop->verdict != QP_VERDICT_NONE)
        fprintf(t->out, "; %s", term(t, loop->state));
    if (loop->grade != QP_GRADE_ARBITER)
        fprintf(t->out, "; %s", term(t, qp_grade_name(loop->grade)));
    fputc('\n', t->out);
    if (loop->grade == QP_GRADE_ARBITER) {
        const char *between = choose(t, "possible: ", "可能: ");
        for (unsigned verdict = 0; verdict < 32; verdict++) {
            if (!(loop->possible >> verdict & 1))
                continue;
            fprintf(t->out, "%s%s", between, term(t, qp_verdict_name((qp_verdict)verdict)));
            between = choose(t, ", or ", "或");
        }
        fputc('\n', t->out);
    }
    for (unsigned bit = 1; bit <= loop->doubts; bit <<= 1)
        if (loop->doubts & bit)
            print_doubt(t, (qp_doubt)bit);
}

void print_loop(const struct options *options, const struct loop_style *style,
                const char *file, const qp_game *game, const qp_judgement *judgement)
{
    char text[QP_BOARD_TEXT_MAX];
    struct table t = {.out = options->out,
                      .style = style,
                      .judgement = judgement,
                      .loop = judgement->loop,
                      .language = style->language,
                      .board = game->start,
                      .node = game->first};
    for (uint32_t ply = 0; ply < t.loop->start_ply && t.node; ply++, t.node = t.node->next)
        qp_board_play(&t.board, t.node->move);
    print_head(options, &t, file, game);
    qp_board_draw(&t.board, &style->board, text);
    fputs(text, t.out);
    if (style->language == QP_CHINESE)
        fprintf(t.out, "轮到%s方走\n", side_term(&t, (qp_side)t.board.side));
    else
        fprintf(t.out, "%s to move\n", side_term(&t, (qp_side)t.board.side));
    print_plies(&t);
    print_sides(&t);
    print_ruling(&t);
    fputc('\n', t.out);
}
