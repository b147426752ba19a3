/* Tags: dates that do not exist, values that stand in another encoding than the rest. */
#include "config.h"

#include "check/check.h"

void qp_check_dates(qp_checking *c)
{
    qp_record *record = c->record;
    size_t at = c->tags[QP_CHECKED_DATE].first;
    const qp_record_tag *tag;
    while ((tag = qp_checked_next(c, QP_CHECKED_DATE, &at)) != NULL) {
        char date[11];
        qp_str value = qp_tag_value(record, tag);
        switch (qp_date_read(c->patterns, value, date)) {
        case QP_DATE_BAD:
            qp_record_report(
                record, QP_D_date_odd, tag->value_at, tag->value_len, "date-unparsable",
                "no such date: %.*s",
                (int)(value.len < 40 ? value.len : qp_whole_len(value.data, 40)),
                value.data);
            break;
        case QP_DATE_AMBIGUOUS:
            qp_record_report(record, QP_D_date_odd, tag->value_at, tag->value_len,
                             "date-ambiguous",
                             "day and month of this date can be read in either order");
            break;
        case QP_DATE_OK:
        case QP_DATE_EMPTY:
            break;
        }
    }
}

/* 第…轮 in GBK bytes that went through Big5 with the rest of the file: 菴1謫. Source:
 * 1,560 Round tags of one public collection. */
void qp_check_recoded(qp_checking *c)
{
    qp_record *record = c->record;
    for (size_t i = 0; i < c->game->tag_count; i++) {
        qp_str value = c->game->tags[i].value;
        if (value.len < 4 || value.len > 60 || memcmp(value.data, "菴", 3) != 0)
            continue;
        qp_buf meant = {0};
        if (qp_recode(value, QP_ENC_BIG5, QP_ENC_GB18030, &meant) && meant.len >= 6 &&
            memcmp(meant.data, "第", 3) == 0) {
            const qp_record_tag *tag = &record->tags[i];
            qp_report *report = qp_record_report(
                record, QP_D_encoding_guessed, tag->value_at, tag->value_len,
                "encoding-mixed",
                "GBK bytes stand in this tag of a Big5 text: %.*s was meant",
                (int)meant.len, meant.data);
            qp_report_suggest(record, report, (qp_str){meant.data, meant.len}, 0,
                              QP_LIKELY);
        }
        qp_buf_clear(&meant);
    }
}
