/* CBF, the XML of CCBridge: <ChineseChessRecord><Head>…</Head><MoveList><Move
 * value="77-47" branch="1" end="1">comment</Move>…. The moves are a tree in pre-order:
 * `branch` says that an alternative to the ply follows later, `end` that the line ends
 * and that the next move is the alternative owed last. Known from a record that exists in
 * CBF and in the binary CBR alike, whose trees agree. */
#include "config.h"

#include "format/xml.h"

/* What the fields of the head are called in PGN; NULL: no tag, or not of the same
 * meaning. */
static const struct {
    const char *field, *tag;
} fields[] = {
    {"Name", "Title"},
    {"Contest", "Event"},
    {"Round", "Round"},
    {"Group", "Section"},
    {"Table", "Board"},
    {"Date", "Date"},
    {"Site", "Site"},
    {"TimeRule", "TimeControl"},
    {"Red", "Red"},
    {"RedTeam", "RedTeam"},
    {"RedTime", "RedTime"},
    {"RedRating", "RedElo"},
    {"Black", "Black"},
    {"BlackTeam", "BlackTeam"},
    {"BlackTime", "BlackTime"},
    {"BlackRating", "BlackElo"},
    {"Commentator", "Annotator"},
    {"ECCO", "ECCO"},
    {"ResultType", "Termination"},
};

static void field(qp_xml *xml)
{
    qp_record *record = xml->in->record;
    char name[64] = "CBF_";
    const char *tag = NULL;
    for (size_t i = 0; i < QP_COUNT(fields); i++)
        if (qp_xml_is(xml, fields[i].field))
            tag = fields[i].tag;
    bool fen = qp_xml_is(xml, "FEN"), result = qp_xml_is(xml, "RecordResult");
    if (tag == NULL) {
        size_t len = xml->name.len;
        if (len > sizeof name - 5)
            len = qp_whole_len(xml->name.data, sizeof name - 5);
        memcpy(name + 4, xml->name.data, len);
        name[4 + len] = '\0';
    }
    size_t at, len;
    qp_str value = qp_xml_content(xml, &at, &len);
    if (qp_str_trim(value).len == 0)
        return; /* the program writes every field, used or not */
    if (fen) {
        qp_record_start(record, value, at, len);
        return;
    }
    if (result) {
        static const qp_result results[] = {QP_RESULT_UNKNOWN, QP_RESULT_RED,
                                            QP_RESULT_BLACK, QP_RESULT_DRAW};
        qp_str digit = qp_str_trim(value);
        if (digit.len == 1 && *digit.data >= '0' && *digit.data <= '3') {
            record->result = results[*digit.data - '0'];
            record->has_result = record->result != QP_RESULT_UNKNOWN;
            return;
        }
    }
    qp_str made = qp_xml_keep(xml, value, at, len);
    qp_record_tag_add(
        record,
        (qp_record_tag){
            .name_at = (uint32_t)at,
            .value_at = (uint32_t)at,
            .value_len = (uint32_t)len,
            .made_name = tag != NULL ? qp_str_of(tag)
                                     : qp_arena_str(record->arena, name, strlen(name)),
            .made_value = made,
        });
}

/* "77-47": column from the left and row from the top, twice. *root: 00-00. */
static qp_move squares(qp_str value, bool *root)
{
    unsigned digit[4], count = 0;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.data[i];
        if (c == '-' || c == ' ')
            continue;
        if (c < '0' || c > '9' || count == 4)
            return 0;
        digit[count++] = (unsigned)(c - '0');
    }
    if (count != 4)
        return 0;
    *root = (digit[0] | digit[1] | digit[2] | digit[3]) == 0;
    if (digit[0] > 8 || digit[2] > 8)
        return 0;
    return QP_MOVE(QP_SQUARE(digit[0], 9 - digit[1]), QP_SQUARE(digit[2], 9 - digit[3]));
}

/* The moves from the first on. false: memory ran out. */
static bool move(qp_xml *xml, uint32_t *parent, bool *over, bool first)
{
    size_t at, len;
    qp_record *record = xml->in->record;
    qp_plies *plies = xml->plies;
    qp_str value = qp_xml_attribute(xml, "value", &at, &len);
    bool ends = qp_xml_attribute(xml, "end", NULL, NULL).data != NULL;
    bool branches = qp_xml_attribute(xml, "branch", NULL, NULL).data != NULL;
    if (value.data == NULL) {
        at = xml->at;
        len = xml->len;
    }
    if (*over) {
        record->broken = true;
        if (xml->reports++ == 0)
            qp_record_report(
                record, QP_D_file_corrupt, at, len, "cbf-end",
                "a move follows the end of the last line; the rest is left out");
        qp_xml_skip(xml);
        return true;
    }
    bool root = false;
    qp_move made = squares(value, &root);
    uint32_t index = 0;
    root &= first;
    if (!root) {
        index = qp_plies_add(plies, *parent, made, at, len);
        if (index == 0)
            return false;
    }
    size_t comment_at, comment_len;
    qp_str comment = qp_xml_content(xml, &comment_at, &comment_len);
    if (comment.len != 0)
        qp_plies_comment(plies, index, qp_xml_keep(xml, comment, comment_at, comment_len),
                         comment_at, comment_len);
    if (root)
        return true;
    if (branches)
        qp_plies_owe(plies, index);
    *parent = index;
    if (ends) {
        uint32_t owed = qp_plies_owed(plies);
        *over = owed == 0;
        *parent = qp_plies_parent(plies, owed);
    }
    return true;
}

void qp_cbf_record(qp_xml *xml)
{
    qp_record *record = xml->in->record;
    uint32_t parent = 0;
    bool over = false, first = true;
    unsigned depth = 0, head = 0;
    qp_plies_rewind(xml->plies);
    for (;;) {
        qp_xml_event event = qp_xml_next(xml);
        if (event == QP_XML_DONE)
            break;
        if (event == QP_XML_END) {
            depth--;
            head = depth < head ? 0 : head;
        } else if (event == QP_XML_START && qp_xml_is(xml, "Move")) {
            if (!move(xml, &parent, &over, first)) {
                record->failed = true;
                break;
            }
            first = false;
        } else if (event == QP_XML_START && head != 0) {
            field(xml);
        } else if (event == QP_XML_START) {
            depth++;
            if (qp_xml_is(xml, "Head"))
                head = depth;
            else if (depth > 1 && !qp_xml_is(xml, "MoveList"))
                qp_xml_unknown(xml);
        }
    }
    uint32_t owed = qp_plies_owed(xml->plies);
    if (owed != 0 && !xml->damaged && !xml->truncated)
        qp_record_remark(record, QP_D_variation_unbalanced, "cbf-branch",
                         "an alternative is announced that does not follow");
    qp_plies_tell(xml->plies, record);
}

static unsigned cbf_probe(const qp_probe *probe)
{
    return qp_xml_probe(probe->text) == QP_XML_CBF ? 90 : 0;
}

static qp_status cbf_read(qp_reading *in)
{
    return qp_xml_read_any(in, QP_XML_CBF);
}

const qp_format qp_format_cbf = {
    .name = "cbf",
    .title = "CCBridge XML",
    .suffixes = "cbf",
    .family = "xml",
    .single = true,
    .carries = QP_CARRIES_FEW_TAGS | QP_CARRIES_COMMENTS | QP_CARRIES_VARIATIONS |
               QP_CARRIES_START | QP_CARRIES_COUNTERS | QP_CARRIES_RESULT |
               QP_CARRIES_SQUARES | QP_CARRIES_MOVES,
    .refer = qp_xml_refer,
    .probe = cbf_probe,
    .read = cbf_read,
    .read_end = qp_xml_read_end,
    .write = qp_cbf_write,
};
