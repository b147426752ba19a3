/* PFC, the XML of 鹏飞象棋: <n version="2" win="*" m="FEN" c="comment"> with a nested <n
 * m="h2e2" c="comment"> for each ply; several in one element are alternatives, the first
 * of them the main line. Known from a file of that program and from readers of others;
 * the attributes of engines (s, d, t) are no part of the game. */
#include "config.h"

#include "format/xml.h"

static void comment(qp_xml *xml, uint32_t ply)
{
    size_t at, len;
    qp_str text = qp_xml_attribute(xml, "c", &at, &len);
    if (text.len != 0)
        qp_plies_comment(xml->plies, ply, qp_xml_keep(xml, text, at, len), at, len);
}

/* The attributes of the root that are neither moves nor comments, as tags. */
static void heads(qp_xml *xml)
{
    static const struct {
        const char *attribute, *tag;
    } names[] = {
        {"title", "Title"},
        {"create-time", "PFC_create-time"},
    };
    qp_record *record = xml->in->record;
    size_t at, len;
    for (size_t i = 0; i < QP_COUNT(names); i++) {
        qp_str value = qp_xml_attribute(xml, names[i].attribute, &at, &len);
        if (value.len != 0)
            qp_record_tag_add(
                record, (qp_record_tag){.name_at = (uint32_t)at,
                                        .value_at = (uint32_t)at,
                                        .value_len = (uint32_t)len,
                                        .made_name = qp_str_of(names[i].tag),
                                        .made_value = qp_xml_keep(xml, value, at, len)});
    }
    qp_str win = qp_xml_attribute(xml, "win", &at, &len);
    if (win.data != NULL && qp_result_read(record->patterns, win, &record->result))
        record->has_result = win.len != 0;
    qp_str fen = qp_xml_attribute(xml, "m", &at, &len);
    if (fen.data != NULL)
        qp_record_start(record, fen, at, len);
}

void qp_pfc_record(qp_xml *xml)
{
    qp_record *record = xml->in->record;
    qp_plies *plies = xml->plies;
    uint32_t ply = 0;
    bool root = true;
    qp_plies_rewind(plies);
    for (;;) {
        qp_xml_event event = qp_xml_next(xml);
        if (event == QP_XML_DONE)
            break;
        if (event == QP_XML_END) {
            ply = qp_plies_parent(plies, ply);
        } else if (event == QP_XML_START && root) {
            root = false;
            heads(xml);
            comment(xml, 0);
        } else if (event == QP_XML_START && !qp_xml_is(xml, "n")) {
            qp_xml_unknown(xml);
            qp_xml_skip(xml);
        } else if (event == QP_XML_START) {
            size_t at, len;
            qp_str text = qp_xml_attribute(xml, "m", &at, &len);
            if (text.data == NULL) {
                at = xml->at;
                len = xml->len;
            }
            uint32_t above = ply;
            ply = qp_plies_add(plies, above, qp_squares_read(text), at, len);
            if (ply == 0) {
                record->failed = true;
                break;
            }
            comment(xml, ply);
            if (!qp_plies_leads(plies, ply) &&
                qp_str_is(qp_xml_attribute(xml, "default", &at, &len), "true") &&
                xml->reports++ == 0)
                qp_plies_tell_shown(record, at, len);
        }
    }
    qp_plies_tell(plies, record);
}

static unsigned pfc_probe(const qp_probe *probe)
{
    return qp_xml_probe(probe->text) == QP_XML_PFC ? 90 : 0;
}

static qp_status pfc_read(qp_reading *in)
{
    return qp_xml_read_any(in, QP_XML_PFC);
}

const qp_format qp_format_pfc = {
    .name = "pfc",
    .title = "Pengfei XML",
    .suffixes = "pfc",
    .family = "xml",
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_START | QP_CARRIES_COUNTERS | QP_CARRIES_RESULT |
               QP_CARRIES_SQUARES | QP_CARRIES_MOVES,
    .probe = pfc_probe,
    .read = pfc_read,
    .read_end = qp_xml_read_end,
};
