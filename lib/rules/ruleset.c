/* The named rulesets, as one table of parameters. Sources: the Chinese competition rules
 * of 1999 (whole), a list of the changes of 2007, a text of 2011 without its chapter on
 * repetition, articles 24.1 to 24.15 of 2020; fragments and an older draft of the Asian
 * rules; the verdicts of the diagrams in the manual of the World Xiangqi Rules; the
 * practice of two engines. What stands in none of them is taken from the nearest ruleset
 * and named in confidence. */
#include "config.h"

#include "rules/rules.h"

static const qp_ruleset rulesets[] = {
    {
        .name = "cxa-1999",
        .title = "Chinese competition rules, 1999",
        .source = "the full text",
        .confidence = "high",
        .model = QP_CHASE_FULL,
        .pawns_clash = true,
        .claim_passes = 3,
        .check_passes = 3,
        .loss_passes = 4,
        .limit_rounds = 60,
        .limit_checks = 10,
    },
    {
        .name = "cxa-2007",
        .title = "Chinese competition rules, 2007",
        .source = "the text of 1999 and a list of the changes",
        .confidence = "medium: the text itself was not available",
        .model = QP_CHASE_FULL,
        .claim_passes = 3,
        .check_passes = 3,
        .loss_passes = 4,
        .limit_rounds = 60,
        .limit_checks = 10,
    },
    {
        .name = "cxa-2011",
        .title = "Chinese competition rules, 2011",
        .source = "chapters 1 and 2 of the text; repetition as in 2007",
        .confidence = "high for play and limits, medium for repetition",
        .model = QP_CHASE_FULL,
        .claim_passes = 3,
        .check_passes = 3,
        .loss_passes = 4,
        .limit_rounds = 60,
        .limit_checks = 10,
    },
    {
        .name = "cxa-2020",
        .title = "Chinese competition rules, 2020",
        .source = "articles 24.1 to 24.15 and 14 worked examples; else as in 2011",
        .confidence = "medium for repetition, low for limits",
        .model = QP_CHASE_FULL,
        .claim_passes = 3,
        .check_passes = 3,
        .loss_passes = 4,
        .limit_rounds = 60,
        .limit_checks = 10,
    },
    {
        .name = "axf",
        .title = "Asian Xiangqi Federation",
        .source = "fragments of the text, an older draft, tests of an engine",
        .confidence = "medium: how often a loop may be repeated is inferred",
        .model = QP_CHASE_DIRECT,
        .claim_passes = 3,
        .check_passes = 4,
        .loss_passes = 6,
        .limit_rounds = 50,
        .limit_checks = 10,
    },
    {
        .name = "wxf-2018",
        .title = "World Xiangqi Rules, 2018",
        .source = "the verdicts of the diagrams in the manual",
        .confidence = "medium: thresholds and limits are inferred",
        .model = QP_CHASE_DIRECT,
        .claim_passes = 3,
        .check_passes = 3,
        .loss_passes = 3,
        .limit_rounds = 60,
        .limit_checks = 10,
    },
    {
        .name = "engine-3fold",
        .title = "engines and servers: judged at the third occurrence",
        .source = "the source text of two engines",
        .confidence = "high; the limit as one of them counts it",
        .model = QP_CHASE_DIRECT,
        .claim_passes = 2,
        .check_passes = 2,
        .loss_passes = 2,
        .limit_rounds = 60,
        .limit_checks = 10,
        .limit_ends = true,
    },
};

const qp_ruleset *qp_ruleset_at(size_t index)
{
    return index < QP_COUNT(rulesets) ? &rulesets[index] : NULL;
}

const qp_ruleset *qp_ruleset_find(const char *name)
{
    for (size_t i = 0; i < QP_COUNT(rulesets); i++)
        if (strcmp(rulesets[i].name, name) == 0)
            return &rulesets[i];
    return NULL;
}
