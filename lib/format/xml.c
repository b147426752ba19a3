/* XML in the project's own schema (grammars/qipu.rng), and the way in for CBF and PFC.
 *
 *     <qipu version="1">
 *       <game>
 *         <tags><tag name="Event">…</tag>…</tags>
 *         <start>FEN</start> <result>1-0</result> <comment>…</comment>
 *         <line>
 *           <move iccs="h2e2" text="炮二平五">
 *             <nag>1</nag> <clock>0:01:30</clock> <comment>…</comment>
 *             <variation> <move …/>… </variation>
 *           </move>…
 *
 * A comment before a move of a line stands before its <move>, one after it inside. */
#include "config.h"

#include "format/xml.h"

/* ---- the elements of a game ---- */

static void read_tag(qp_xml *xml)
{
    size_t name_at, name_len, at, len;
    qp_str name = qp_xml_attribute(xml, "name", &name_at, &name_len);
    qp_record_tag tag = {0};
    if (name.data != NULL) {
        tag.name_at = (uint32_t)name_at;
        tag.name_len = (uint32_t)name_len;
        tag.made_name = qp_xml_keep(xml, name, name_at, name_len);
    } else {
        qp_record_report(xml->in->record, QP_D_tag_broken, xml->at, xml->len,
                         "xml-attribute", "a tag without a name");
        tag.made_name = (qp_str){"", 0};
    }
    qp_str value = qp_xml_content(xml, &at, &len);
    tag.value_at = (uint32_t)at;
    tag.value_len = (uint32_t)len;
    tag.made_value = qp_xml_keep(xml, value, at, len);
    qp_record_tag_add(xml->in->record, tag);
}

static void read_result(qp_xml *xml)
{
    qp_record *record = xml->in->record;
    size_t at, len;
    qp_str value = qp_xml_content(xml, &at, &len);
    if (qp_result_read(record->patterns, value, &record->result))
        record->has_result = true;
    else
        qp_record_report(record, QP_D_tag_broken, at, len, "xml-result",
                         "one of 1-0, 0-1, 1/2-1/2 and * is expected here");
}

static void read_text(qp_xml *xml, qp_event_kind kind)
{
    size_t at, len;
    qp_str text = qp_xml_content(xml, &at, &len);
    qp_event *event = qp_record_add(xml->in->record, kind, at, len);
    if (event != NULL)
        event->as.made = qp_xml_keep(xml, text, at, len);
}

static void read_nag(qp_xml *xml)
{
    qp_record *record = xml->in->record;
    size_t at, len, i = 0;
    qp_str digits = qp_str_trim(qp_xml_content(xml, &at, &len));
    unsigned value = 0;
    for (; i < digits.len && digits.data[i] >= '0' && digits.data[i] <= '9'; i++)
        if (value <= UINT16_MAX)
            value = value * 10 + (unsigned)(digits.data[i] - '0');
    if (i == 0 || i != digits.len || value > UINT16_MAX) {
        qp_record_report(record, QP_D_tag_broken, at, len, "xml-nag",
                         "a whole number up to 65535 is expected here");
        return;
    }
    qp_event *event = qp_record_add(record, QP_EV_NAG, at, len);
    if (event != NULL)
        event->value = (uint16_t)value;
}

static void read_move(qp_xml *xml)
{
    qp_record *record = xml->in->record;
    size_t iccs_at, iccs_len, at, len;
    qp_str iccs = qp_xml_attribute(xml, "iccs", &iccs_at, &iccs_len);
    qp_str text = qp_xml_attribute(xml, "text", &at, &len);
    qp_move move = qp_squares_read(iccs);
    size_t before = record->event_count;
    if (move == 0 && iccs.data != NULL && text.data != NULL)
        qp_record_report(record, QP_D_tag_broken, iccs_at, iccs_len, "xml-squares",
                         "two squares such as h2e2 are expected here");
    if (text.data != NULL) {
        qp_str made = qp_xml_keep(xml, text, at, len);
        if (move != 0 || made.data != NULL)
            qp_record_text(record, at, len, made);
        if (move == 0)
            qp_reading_words(xml->in, text, at, len);
    } else if (move == 0 && iccs.data != NULL) {
        qp_str made = qp_xml_keep(xml, iccs, iccs_at, iccs_len);
        if (made.data != NULL)
            qp_record_text(record, iccs_at, iccs_len, made);
        qp_reading_words(xml->in, iccs, iccs_at, iccs_len);
    } else if (move == 0) {
        qp_record_bad_move(record, xml->at, 0);
    }
    if (move != 0)
        qp_record_squares(record, iccs_at, iccs_len, move);
    if (record->event_count > before &&
        qp_str_is(qp_xml_attribute(xml, "illegal", NULL, NULL), "true"))
        record->events[record->event_count - 1].flags |= QP_EV_ILLEGAL;
}

/* Whether the plain moves that come next are all there is up to the end of their line and of
 * the game, and were played where no tree is asked for. */
static bool are_spared(qp_xml *xml)
{
    const char *text = xml->in->source->text;
    const qp_xml_tag *first = &xml->tags[xml->tag_next], *end = xml->tags + xml->tag_count;
    if (xml->in->spare_tree == 0 || end - first < 3 || end[-1].move != 0 ||
        end[-2].move != 0 || text[end[-1].at + 1] != '/' || text[end[-2].at + 1] != '/')
        return false;
    end -= 2;
    for (const qp_xml_tag *tag = first; tag < end; tag++)
        if (tag->move == 0)
            return false;
    const qp_squares squares = {.moves = &first->move, .step = sizeof *first,
                                .count = (size_t)(end - first), .places = &first->at,
                                .at = QP_XML_MOVE, .len = 4};
    if (!qp_reading_spare(xml->in, &squares))
        return false;
    xml->tag_next = xml->tag_count - 2;
    xml->fed = (size_t)end[-1].at + end[-1].len;
    return true;
}

/* The plain moves that come next. */
static void read_plain_moves(qp_xml *xml)
{
    qp_record *record = xml->in->record;
    if (record->event_count == 0 && are_spared(xml))
        return;
    for (; xml->tag_next < xml->tag_count; xml->tag_next++) {
        const qp_xml_tag *tag = &xml->tags[xml->tag_next];
        if (tag->move == 0 || qp_record_is_long(record))
            break;
        if (tag->len > QP_XML_MOVE_TEXT)
            qp_record_text(record, tag->at + QP_XML_MOVE_TEXT,
                           tag->len - QP_XML_MOVE_TEXT - QP_XML_MOVE_END, (qp_str){0});
        qp_record_squares(record, tag->at + QP_XML_MOVE, 4, tag->move);
        xml->fed = (size_t)tag->at + tag->len;
    }
}

static void read_game(qp_xml *xml)
{
    qp_record *record = xml->in->record;
    size_t open = 0, at, len;
    qp_record_settle(record); /* what stands before the moves comes first, or it is read again */
    for (;;) {
        if (qp_record_is_long(record))
            qp_record_pass(record);
        if (xml->plain && !xml->ends)
            read_plain_moves(xml);
        qp_xml_event event = qp_xml_next(xml);
        if (event == QP_XML_DONE || record->failed)
            break;
        if (event == QP_XML_END && open > 0 && qp_xml_is(xml, "variation")) {
            qp_record_add(record, QP_EV_VAR_CLOSE, xml->at, xml->len);
            open--;
        }
        if (event != QP_XML_START)
            continue;
        if (qp_xml_is(xml, "move")) {
            read_move(xml);
        } else if (qp_xml_is(xml, "comment")) {
            read_text(xml, QP_EV_COMMENT);
        } else if (qp_xml_is(xml, "variation")) {
            qp_record_add(record, QP_EV_VAR_OPEN, xml->at, xml->len);
            open++;
        } else if (qp_xml_is(xml, "nag")) {
            read_nag(xml);
        } else if (qp_xml_is(xml, "clock")) {
            read_text(xml, QP_EV_CLOCK);
        } else if (qp_xml_is(xml, "rest")) {
            read_text(xml, QP_EV_REST);
        } else if (qp_xml_is(xml, "tag")) {
            read_tag(xml);
        } else if (qp_xml_is(xml, "start")) {
            qp_str fen = qp_xml_content(xml, &at, &len);
            qp_record_start(record, fen, at, len);
        } else if (qp_xml_is(xml, "result")) {
            read_result(xml);
        } else if (!qp_xml_is(xml, "game") && !qp_xml_is(xml, "tags") &&
                   !qp_xml_is(xml, "line")) {
            qp_xml_unknown(xml);
            qp_xml_skip(xml);
        }
    }
    /* What the damage left open is no fault of its own. */
    for (; open > 0; open--)
        qp_record_add(record, QP_EV_VAR_CLOSE, xml->end, 0);
}

/* ---- the format ---- */

qp_status qp_xml_read_any(qp_reading *in, unsigned wanted)
{
    qp_xml *xml = qp_xml_state(in);
    if (xml == NULL) {
        in->record->failed = true;
        return QP_FATAL;
    }
    qp_xml_root root = qp_xml_find(xml, wanted);
    if (root == QP_XML_NONE) {
        in->used = in->source->len;
        return in->source->lost ? QP_FATAL : QP_END;
    }
    if (qp_xml_open(xml, root)) {
        if (root == QP_XML_CBF)
            qp_cbf_record(xml);
        else if (root == QP_XML_PFC)
            qp_pfc_record(xml);
        else
            read_game(xml);
    }
    qp_xml_close(xml);
    return in->source->lost || in->record->failed ? QP_FATAL : QP_OK;
}

static qp_status xml_read(qp_reading *in)
{
    return qp_xml_read_any(in, QP_XML_GAME | QP_XML_CBF | QP_XML_PFC);
}

static unsigned xml_probe(const qp_probe *probe)
{
    return qp_xml_probe(probe->text) == QP_XML_GAME ? 90 : 0;
}

const qp_format qp_format_xml = {
    .name = "xml",
    .title = "XML, the project's own schema",
    .suffixes = "xml",
    .carries = QP_CARRIES_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_NAGS | QP_CARRIES_START | QP_CARRIES_COUNTERS |
               QP_CARRIES_RESULT | QP_CARRIES_CLOCKS | QP_CARRIES_SQUARES |
               QP_CARRIES_MOVES | QP_CARRIES_UNREADABLE,
    .refer = qp_xml_refer,
    .probe = xml_probe,
    .read = xml_read,
    .read_end = qp_xml_read_end,
    .cut = qp_cut_xml,
    .write_begin = qp_xml_write_begin,
    .write = qp_xml_write,
    .write_end = qp_xml_write_end,
};
