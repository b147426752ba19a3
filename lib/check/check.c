/* The table of checks, and the public way to run them. */
#include "config.h"

#include "check/ruling.h"

#define MOVES "1. 炮二平五 马8进7 2. 马二进三 车9平8"

const qp_check_row qp_checks[] = {
    {QP_D_result_mismatch, "result", qp_check_result,
     "[Game \"Chinese Chess\"]\n[Result \"1-0\"]\n\n" MOVES " 0-1\n",
     "[Game \"Chinese Chess\"]\n[Result \"1-0\"]\n\n" MOVES " 1-0\n"},
    {QP_D_result_mismatch, "reason", qp_check_reason,
     "[Game \"Chinese Chess\"]\n[Result \"1-0\"]\n\n" MOVES " {将死} 1-0\n",
     "[Game \"Chinese Chess\"]\n[Result \"1-0\"]\n\n" MOVES " {黑方认负} 1-0\n"},
    {QP_D_date_odd, "dates", qp_check_dates,
     "[Game \"Chinese Chess\"]\n[Date \"2023.02.30\"]\n\n" MOVES " *\n",
     "[Game \"Chinese Chess\"]\n[Date \"2023.02.28\"]\n\n" MOVES " *\n"},
    {QP_D_encoding_guessed, "recoded tags", qp_check_recoded,
     "[Game \"Chinese Chess\"]\n[Round \"菴1謫\"]\n\n" MOVES " *\n",
     "[Game \"Chinese Chess\"]\n[Round \"第1轮\"]\n\n" MOVES " *\n"},
};
const size_t qp_check_count = QP_COUNT(qp_checks);

/* The tag that a name stands for, or QP_CHECKED_TAGS. */
static inline qp_checked_tag checked_tag(qp_str name)
{
    switch (name.len) {
    case 4:
        return qp_str_is_nocase(name, "Date") ? QP_CHECKED_DATE : QP_CHECKED_TAGS;
    case 6:
        return qp_str_is_nocase(name, "Result") ? QP_CHECKED_RESULT : QP_CHECKED_TAGS;
    case 11:
        return qp_str_is_nocase(name, "Termination") ? QP_CHECKED_TERMINATION
                                                     : QP_CHECKED_TAGS;
    default:
        return QP_CHECKED_TAGS;
    }
}

/* One walk over the tags for all checks: most records have a dozen, and most games pass
 * all checks. The game's tags are the record's, one by one. */
static void find_tags(qp_checking *c)
{
    const qp_tag *tags = c->game->tags;
    for (size_t i = 0; i < c->game->tag_count; i++) {
        qp_checked_tag tag = checked_tag(tags[i].name);
        if (tag == QP_CHECKED_TAGS)
            continue;
        if (c->tags[tag].end == 0)
            c->tags[tag].first = i;
        c->tags[tag].end = i + 1;
    }
}

const qp_record_tag *qp_checked_next(const qp_checking *c, qp_checked_tag name,
                                     size_t *at)
{
    const qp_record *record = c->record;
    while (*at < c->tags[name].end) {
        size_t i = (*at)++;
        bool known = i == c->tags[name].first || i + 1 == c->tags[name].end;
        if (known || checked_tag(qp_tag_name(record, &record->tags[i])) == name)
            return &record->tags[i];
    }
    return NULL;
}

const qp_finding *qp_check(qp_reader *reader, const qp_check_options *options,
                           const qp_judgement **judgement, size_t *count)
{
    qp_checking checking = {.game = qp_reader_game(reader),
                            .record = qp_reader_record(reader),
                            .patterns = qp_reader_patterns(reader),
                            .reasons = options != NULL && options->reasons};
    const qp_ruleset *rules = NULL;
    if (options != NULL && options->rules != NULL)
        rules = qp_ruleset_find(options->rules);
    if (rules == NULL)
        rules = qp_ruleset_find(QP_RULESET_DEFAULT);
    qp_ruleset *own = NULL; /* the ruleset with the event's limit */
    if (checking.game != NULL && options != NULL && options->limit_rounds != 0 &&
        (own = qp_arena_alloc(checking.record->arena, sizeof *own)) != NULL) {
        *own = *rules;
        own->limit_rounds = options->limit_rounds;
        rules = own;
    }
    if (checking.game != NULL)
        find_tags(&checking);
    if (checking.game != NULL)
        checking.judgement =
            qp_judge(&checking, rules, options != NULL && options->tendencies);
    for (size_t i = 0; checking.game != NULL && i < qp_check_count; i++)
        qp_checks[i].run(&checking);
    if (judgement != NULL)
        *judgement = checking.judgement;
    return qp_reader_place(reader, count);
}
