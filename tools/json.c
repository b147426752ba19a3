/* Findings, games and sums as JSON lines, one object each. */
#include "config.h"

#include "common.h"

#include <string.h>

/* ---- strings ---- */

static void put_escape(FILE *out, unsigned char c)
{
    static const char letters[] = "btnvfr"; /* from 8 on; v is no escape of JSON */
    if (c == '"' || c == '\\')
        fprintf(out, "\\%c", c);
    else if (c >= 8 && c <= 13 && c != 11)
        fprintf(out, "\\%c", letters[c - 8]);
    else
        fprintf(out, "\\u%04x", c);
}

void json_string(FILE *out, qp_str text)
{
    fputc('"', out);
    size_t begin = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7F)
            continue;
        fwrite(text.data + begin, 1, i - begin, out);
        put_escape(out, c);
        begin = i + 1;
    }
    if (text.len > begin)
        fwrite(text.data + begin, 1, text.len - begin, out);
    fputc('"', out);
}

static void json_text(FILE *out, const char *text)
{
    json_string(out, (qp_str){text, strlen(text)});
}

/* Bytes of the well-formed UTF-8 character at p (RFC 3629), 0 for any other byte. */
static size_t utf8_length(const unsigned char *p)
{
    static const struct {
        unsigned char first, last, least, most; /* lead bytes; range of the second byte */
        size_t len;
    } rows[] = {
        {0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2},
        {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
        {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4},
        {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (p[0] < rows[i].first || p[0] > rows[i].last)
            continue;
        if (rows[i].len > 1 && (p[1] < rows[i].least || p[1] > rows[i].most))
            return 0;
        for (size_t k = 2; k < rows[i].len; k++)
            if (p[k] < 0x80 || p[k] > 0xBF)
                return 0;
        return rows[i].len;
    }
    return 0;
}

/* A byte that is no UTF-8 is written as U+FFFD and two hexadecimal digits. A U+FFFD that
 * stands in the name itself is written so as well, byte by byte: so names stay distinct.
 */
void json_file(FILE *out, const char *file)
{
    fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)file; *p;) {
        size_t len = utf8_length(p);
        if (len == 0 || (len == 3 && memcmp(p, "\xef\xbf\xbd", 3) == 0)) {
            fprintf(out, "\xef\xbf\xbd%02X", *p++);
        } else if (len == 1 && (*p < 0x20 || *p == '"' || *p == '\\' || *p == 0x7F)) {
            put_escape(out, *p++);
        } else {
            fwrite(p, 1, len, out);
            p += len;
        }
    }
    fputc('"', out);
}

/* ---- objects ---- */

static void put_suggestions(FILE *out, const qp_finding *finding)
{
    static const char *const certainties[] = {
        [QP_POSSIBLE] = "possible", [QP_LIKELY] = "likely", [QP_CERTAIN] = "certain"};
    fputs(",\"suggestions\":[", out);
    for (size_t i = 0; i < finding->suggestion_count; i++) {
        const qp_suggestion *suggestion = &finding->suggestions[i];
        fputs(i ? ",{\"replace\":" : "{\"replace\":", out);
        json_string(out, suggestion->replace);
        if (suggestion->move) {
            char move[5];
            qp_move_text(suggestion->move, move);
            fprintf(out, ",\"iccs\":\"%s", move);
            if (suggestion->second) {
                qp_move_text(suggestion->second, move);
                fprintf(out, " %s", move);
            }
            fputc('"', out);
        }
        if (suggestion->ply)
            fprintf(out, ",\"ply\":%u", suggestion->ply);
        fprintf(out, ",\"certainty\":\"%s\"}", certainties[suggestion->certainty]);
    }
    fputc(']', out);
}

const char *severity_name(qp_severity severity)
{
    static const char *const names[] = {
        [QP_NOTE] = "note", [QP_WARNING] = "warning", [QP_ERROR] = "error"};
    return names[severity];
}

void json_finding(const struct options *options, FILE *out, const char *file,
                  const qp_finding *finding)
{
    fputs("{\"type\":\"finding\",\"file\":", out);
    json_file(out, file);
    fputs(",\"game\":", out);
    put_game_number(options, out, 0, finding->game);
    if (finding->line) {
        fputs(",\"line\":", out);
        put_line_number(options, out, 0, finding->line);
        fprintf(out, ",\"column\":%u,\"byte\":%llu", finding->column,
                (unsigned long long)finding->byte);
    }
    fprintf(out, ",\"ply\":%u", finding->ply);
    if (finding->variation)
        fprintf(out, ",\"variation\":%u", finding->variation);
    if (finding->ply)
        fprintf(out, ",\"round\":%u", finding->round);
    if (finding->has_side)
        fprintf(out, ",\"side\":\"%s\"", finding->side == QP_RED ? "red" : "black");
    fprintf(out, ",\"code\":\"%s\"", qp_code_name(finding->code));
    if (finding->detail) {
        fputs(",\"detail\":", out);
        json_text(out, finding->detail);
    }
    fprintf(out, ",\"severity\":\"%s\",\"token\":", severity_name(finding->severity));
    json_string(out, finding->token);
    fputs(",\"message\":", out);
    json_string(out, finding->message);
    if (finding->note.len) {
        fputs(",\"note\":", out);
        json_string(out, finding->note);
    }
    if (finding->missing)
        fprintf(out, ",\"missing\":%u", finding->missing);
    if (finding->count)
        fprintf(out, ",\"count\":%u", finding->count);
    if (finding->fen) {
        fputs(",\"fen\":", out);
        json_text(out, finding->fen);
    }
    put_suggestions(out, finding);
    fputs("}\n", out);
}

static const char *const side_names[] = {[QP_RED] = "red", [QP_BLACK] = "black"};

static void put_square(FILE *out, qp_piece piece, qp_square square)
{
    fprintf(out, "\"%c@%c%d\"", qp_piece_letter(piece), 'a' + QP_FILE(square),
            QP_RANK(square));
}

/* The names between the brackets of an array. */
static void put_doubts(FILE *out, unsigned doubts)
{
    const char *comma = "";
    for (unsigned bit = 1; bit <= doubts; bit <<= 1) {
        if (!(doubts & bit))
            continue;
        fprintf(out, "%s\"%s\"", comma, qp_doubt_name((qp_doubt)bit));
        comma = ",";
    }
}

static void put_loop_ply(FILE *out, const qp_loop_ply *ply)
{
    char move[5];
    qp_move_text(ply->move, move);
    fprintf(out, "{\"ply\":%u,\"move\":\"%s\",\"side\":\"%s\",\"class\":\"%s\"",
            ply->ply, move, side_names[ply->side], qp_attack_name(ply->attack));
    if (ply->doubtful)
        fputs(",\"doubtful\":true", out);
    if (ply->by_checks)
        fputs(",\"by_checks\":true", out);
    for (size_t i = 0; i < ply->pair_count; i++) {
        fputs(i ? ",[" : ",\"pairs\":[[", out);
        put_square(out, ply->pairs[i].attacker, ply->pairs[i].from);
        fputc(',', out);
        put_square(out, ply->pairs[i].target, ply->pairs[i].to);
        fputc(']', out);
    }
    fputs(ply->pair_count ? "]" : "", out);
    if (ply->doubts) {
        fputs(",\"doubts\":[", out);
        put_doubts(out, ply->doubts);
        fputc(']', out);
    }
    fputc('}', out);
}

static void put_loop(FILE *out, const qp_judgement *judgement)
{
    const qp_loop *loop = judgement->loop;
    fprintf(out,
            ",\"loop\":{\"ruleset\":\"%s\",\"start_ply\":%u,\"period\":%u,\"passes\":%u,"
            "\"occurrences\":%u,\"state\":\"%s\"",
            judgement->rules->name, loop->start_ply, loop->period, loop->passes,
            loop->occurrences, loop->state);
    if (loop->mixed) {
        fputs(",\"mixed\":true,\"returns\":[", out);
        for (size_t i = 0; i < loop->return_count; i++)
            fprintf(out, "%s%u", i ? "," : "", loop->returns[i]);
        fputc(']', out);
    }
    fputs(",\"plies\":[", out);
    for (size_t i = 0; i < loop->ply_count; i++) {
        if (i)
            fputc(',', out);
        put_loop_ply(out, &loop->plies[i]);
    }
    fputc(']', out);
    for (int side = QP_RED; side <= QP_BLACK; side++)
        fprintf(out, ",\"%s\":{\"forbidden\":%s,\"name\":\"%s\"}", side_names[side],
                loop->forbidden[side] ? "true" : "false", loop->name[side]);
    fprintf(out, ",\"tends\":\"%s\",\"grade\":\"%s\",\"doubts\":[",
            qp_verdict_name(loop->tends), qp_grade_name(loop->grade));
    put_doubts(out, loop->doubts);
    if (loop->grade == QP_GRADE_ARBITER) {
        const char *comma = "";
        fputs("],\"possible\":[", out);
        for (int verdict = QP_VERDICT_NONE; verdict <= QP_VERDICT_NEEDS_ARBITER; verdict++) {
            if (!(loop->possible >> verdict & 1))
                continue;
            fprintf(out, "%s\"%s\"", comma, qp_verdict_name((qp_verdict)verdict));
            comma = ",";
        }
    }
    fprintf(out, "],\"bounds\":{\"kill_checks\":%d,\"win_checks\":%d}}",
            QP_JUDGE_KILL_CHECKS, QP_JUDGE_WIN_CHECKS);
}

static void put_limit(FILE *out, const qp_limit_count *limit)
{
    fprintf(out,
            ",\"limit\":{\"plies_since_capture\":%u,\"start_ply\":%u,\"end_ply\":%u",
            limit->since_capture, limit->start_ply, limit->end_ply);
    for (int side = QP_RED; side <= QP_BLACK; side++) {
        fprintf(out, ",\"%s\":{\"plies\":%u,\"checks\":%u,\"counted\":%u,\"claim_ok\":%s",
                side_names[side], limit->plies[side], limit->checks[side],
                limit->counted[side], limit->can_claim[side] ? "true" : "false");
        if (limit->can_claim[side])
            fprintf(out, ",\"claim_ply\":%u", limit->claim_ply[side]);
        fputc('}', out);
    }
    fprintf(out, ",\"draw_by_count\":%s%s}", limit->draw_by_count ? "true" : "false",
            limit->uncertain ? ",\"uncertain\":true" : "");
}

void json_game(const struct options *options, FILE *out, const char *file,
               const qp_game *game, const qp_judgement *judgement, bool skipped)
{
    char fen[QP_FEN_MAX];
    qp_fen_write(&game->final, fen);
    fputs("{\"type\":\"game\",\"file\":", out);
    json_file(out, file);
    fputs(",\"game\":", out);
    put_game_number(options, out, 0, game->number);
    fprintf(out,
            ",\"plies\":%u,\"legal\":%s,\"fen\":\"%s\",\"end\":\"%s\","
            "\"result\":\"%s\",\"verdict\":\"%s\"",
            game->plies, game->legal ? "true" : "false", fen,
            qp_end_name(game->end), qp_result_text(game->result),
            qp_verdict_name(judgement ? judgement->verdict : QP_VERDICT_NONE));
    if (judgement && judgement->reason)
        fprintf(out, ",\"reason\":\"%s\"", judgement->reason);
    if (judgement && judgement->loop)
        put_loop(out, judgement);
    if (judgement && judgement->limit.reached)
        put_limit(out, &judgement->limit);
    fputs(skipped ? ",\"skipped\":true}\n" : "}\n", out);
}

void json_summary(FILE *out, const struct tally *tally)
{
    fprintf(out,
            "{\"type\":\"summary\",\"games\":%llu,\"plies\":%llu,\"errors\":%llu,"
            "\"warnings\":%llu}\n",
            (unsigned long long)tally->games, (unsigned long long)tally->plies,
            (unsigned long long)tally->errors, (unsigned long long)tally->warnings);
}
