/* Records of plain XML, which is what programs write: elements, attributes, text, and the
 * references that XML knows itself. The scan that finds a record's end proves whether it is
 * such a one and well-formed; then its events are read from the text as it lies there. All
 * others (comments, CDATA, prefixes, names beyond ASCII, any fault) go to libxml2. Where both
 * can read a record they give the same events; a test holds one against the other. See
 * xml.h; what XML allows where: https://www.w3.org/TR/xml/. */
#include "config.h"

#include "format/xml.h"

enum {
    N = 1, /* may stand in a name */
    F = 2, /* may be its first */
    T = 4, /* stands for itself in text and in values, whatever is around it */
    B = 8, /* blank */
    A = N | F | T,
    D = N | T,
};

/* Of each byte. Those without a bit end a piece, or are looked at more closely. */
static const uint8_t kinds[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, B, B, 0, 0, 0, 0, 0, /* TAB LF */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    T | B, T, 0, T, T, T, 0, 0, T, T, T, T, T, D, D, T, /* not " & ' */
    D, D, D, D, D, D, D, D, D, D, T, T, 0, T, 0, T,     /* not < > */
    T, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A,
    A, A, A, A, A, A, A, A, A, A, A, T, T, T, T, A, /* _ */
    T, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A,
    A, A, A, A, A, A, A, A, A, A, A, T, T, T, T, T,
    T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T,
    T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T,
    T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T,
    T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T,
    T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T,
    T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T,
    T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, 0, /* U+FFFE and U+FFFF begin so */
    T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T,
};

static inline unsigned kind_of(char c)
{
    return kinds[(unsigned char)c];
}

static inline size_t skip_name(const char *p, size_t i, size_t n)
{
    if (i < n && (kind_of(p[i]) & F))
        do
            i++;
        while (i < n && (kind_of(p[i]) & N));
    return i;
}

static inline size_t skip_blanks(const char *p, size_t i, size_t n)
{
    while (i < n && (kind_of(p[i]) & B))
        i++;
    return i;
}

/* Past the plain characters at p[i]: up to end (a quote, or < for text), or to what may
 * not stand there. */
static size_t skip_text(const char *p, size_t i, size_t n, char end)
{
    for (;; i++) {
        while (i < n && (kind_of(p[i]) & T))
            i++;
        if (i >= n || p[i] == end)
            return i;
        bool fine = false;
        switch (p[i]) {
        case '\t':
        case '\n': fine = end == '<'; break;
        case '"':
        case '\'': fine = true; break;
        case '&': fine = qp_xml_is_reference(p + i + 1, n - i - 1); break;
        case '>':
            fine = end != '<' || i < 2 || p[i - 1] != ']' || p[i - 2] != ']';
            break;
        case '\xEF':
            fine = n - i >= 3 && (p[i + 1] != '\xBF' || (unsigned char)p[i + 2] < 0xBE);
            break;
        default: break;
        }
        if (!fine)
            return i;
    }
}

bool qp_xml_plain_text(const char *text, size_t len)
{
    size_t i = skip_blanks(text, 0, len);
    return i == len || skip_text(text, i, len, '<') == len;
}

/* One attribute at p[i], with the blanks before it: past it; 0: there is none. Of a proven tag
 * nothing is looked at but where its parts begin and end. */
static inline size_t read_attribute(const char *p, size_t i, size_t n, bool proven,
                                    qp_xml_attr *attribute)
{
    size_t from = skip_blanks(p, i, n), end = skip_name(p, from, n);
    attribute->name = (qp_str){p + from, end - from};
    if (from == i || end == from)
        return 0;
    i = skip_blanks(p, end, n);
    if (i >= n || p[i] != '=')
        return 0;
    i = skip_blanks(p, i + 1, n);
    if (i >= n || (p[i] != '"' && p[i] != '\''))
        return 0;
    end = i + 1;
    if (proven)
        while (p[end] != p[i])
            end++;
    else
        end = skip_text(p, end, n, p[i]);
    if (end >= n || p[end] != p[i])
        return 0;
    attribute->value = (qp_str){p + i + 1, end - i - 1};
    return end + 1;
}

/* All attributes at p[i]; the offset past them, where it stands how the tag ends; 0: two of
 * one name, or too many. */
static inline size_t read_attributes(const char *p, size_t i, size_t n, bool proven,
                                     qp_xml_attr *attributes, unsigned *count)
{
    *count = 0;
    while (i < n && (kind_of(p[i]) & B)) {
        qp_xml_attr *one = &attributes[*count];
        size_t next = *count < QP_XML_ATTRIBUTES ? read_attribute(p, i, n, proven, one) : 0;
        if (next == 0)
            return skip_blanks(p, i, n);
        if (!proven) {
            for (unsigned k = 0; k < *count; k++)
                if (qp_str_same(attributes[k].name, one->name))
                    return 0;
            if (qp_str_is(one->name, "xmlns"))
                return 0;
        }
        ++*count;
        i = next;
    }
    return i;
}

size_t qp_xml_plain_tag(const char *p, size_t n, qp_str *name, bool *opens, bool *closes)
{
    qp_xml_attr attributes[QP_XML_ATTRIBUTES];
    unsigned count;
    bool end_tag = n >= 2 && p[1] == '/';
    size_t from = 1 + end_tag, i = skip_name(p, from, n);
    if (i == from)
        return 0;
    *name = (qp_str){p + from, i - from};
    *opens = !end_tag;
    *closes = end_tag;
    if (end_tag) {
        i = skip_blanks(p, i, n);
        return i < n && p[i] == '>' ? i + 1 : 0;
    }
    i = read_attributes(p, i, n, false, attributes, &count);
    if (i == 0)
        return 0;
    if (i < n && p[i] == '/') {
        *closes = true;
        i++;
    }
    return i < n && p[i] == '>' ? i + 1 : 0;
}

/* How many of n bytes stand before what may end a value or not stand in it. */
static inline size_t value_len(const char *p, size_t n)
{
    size_t i = qp_len_before(p, n, ' ', '"', '<', '&', 0xEF);
    for (; i < n && p[i] != '"' && p[i] != '<' && p[i] != '&'; i++)
        if ((unsigned char)p[i] < ' ' ||
            (p[i] == '\xEF' && (n - i < 3 || p[i + 1] == '\xBF')))
            break;
    return i;
}

size_t qp_xml_plain_move(const char *p, size_t n, qp_move *move)
{
    static const char head[] = "<move iccs=\"", text[] = "\" text=\"", tail[] = "\"/>";
    enum { MOVE = QP_XML_MOVE, TEXT = QP_XML_MOVE_TEXT, END = QP_XML_MOVE_END, SQUARES = 4 };
    if (n < TEXT + END || memcmp(p, head, MOVE) != 0 ||
        (*move = qp_squares_read((qp_str){p + MOVE, SQUARES})) == 0)
        return 0;
    if (memcmp(p + MOVE + SQUARES, tail, END) == 0)
        return MOVE + SQUARES + END;
    if (memcmp(p + MOVE + SQUARES, text, TEXT - MOVE - SQUARES) != 0)
        return 0;
    size_t len = TEXT + value_len(p + TEXT, n - TEXT);
    return n - len >= END && memcmp(p + len, tail, END) == 0 ? len + END : 0;
}

/* ---- events ---- */

/* Text with its references resolved; as it stands where it has none. */
static qp_str resolve(qp_xml *xml, const char *p, size_t n)
{
    static const struct {
        const char *name;
        char character;
    } known[] = {{"lt;", '<'}, {"gt;", '>'}, {"amp;", '&'}, {"quot;", '"'}, {"apos;", '\''}};
    if (n == 0 || memchr(p, '&', n) == NULL)
        return (qp_str){n ? p : "", n};
    char *made = qp_arena_alloc(xml->in->record->arena, n);
    size_t len = 0;
    if (made == NULL) {
        xml->in->record->failed = true;
        return (qp_str){"", 0};
    }
    for (size_t i = 0; i < n;) {
        if (p[i] != '&') {
            made[len++] = p[i++];
            continue;
        }
        i++;
        if (p[i] == '#') { /* never longer in UTF-8 than &#N; is */
            bool hex = p[++i] == 'x';
            uint32_t code = 0;
            for (i += hex; p[i] != ';'; i++)
                code = code * (hex ? 16 : 10) +
                       (uint32_t)(p[i] <= '9' ? p[i] - '0' : (p[i] | 0x20) - 'a' + 10);
            len += qp_utf8_put(made + len, code);
            i++;
            continue;
        }
        size_t k = 0;
        while (memcmp(p + i, known[k].name, strlen(known[k].name)) != 0)
            k++;
        made[len++] = known[k].character;
        i += strlen(known[k].name);
    }
    return (qp_str){made, len};
}

qp_xml_event qp_xml_plain_next(qp_xml *xml)
{
    const char *text = xml->in->source->text;
    if (xml->tag_next == xml->tag_count)
        return QP_XML_DONE;
    const qp_xml_tag *tag = &xml->tags[xml->tag_next];
    if (xml->fed < tag->at) {
        size_t from = xml->fed;
        xml->fed = tag->at;
        xml->text = resolve(xml, text + from, tag->at - from);
        return QP_XML_TEXT;
    }
    xml->tag_next++;
    xml->at = tag->at;
    xml->len = tag->len;
    xml->fed = xml->at + xml->len;
    const char *p = text + xml->at;
    size_t from = 1 + (p[1] == '/');
    xml->name = (qp_str){p + from, skip_name(p, from, xml->len) - from};
    xml->attribute_count = QP_XML_ATTRIBUTES + 1;
    if (from == 2)
        return QP_XML_END;
    xml->ends = p[xml->len - 2] == '/';
    return QP_XML_START;
}

bool qp_xml_plain_content(qp_xml *xml, qp_str *content)
{
    const char *text = xml->in->source->text;
    if (xml->ends || xml->tag_next == xml->tag_count ||
        text[xml->tags[xml->tag_next].at + 1] != '/')
        return false;
    *content = resolve(xml, text + xml->fed, xml->tags[xml->tag_next].at - xml->fed);
    xml->fed = xml->tags[xml->tag_next].at;
    qp_xml_plain_next(xml);
    return true;
}

bool qp_xml_plain_attribute(qp_xml *xml, const char *name, qp_str *value, size_t *at,
                            size_t *len)
{
    const char *p = xml->in->source->text + xml->at;
    if (xml->attribute_count > QP_XML_ATTRIBUTES)
        read_attributes(p, 1 + xml->name.len, xml->len, true, xml->attributes,
                        &xml->attribute_count);
    for (unsigned k = 0; k < xml->attribute_count; k++) {
        const qp_xml_attr *a = &xml->attributes[k];
        if (!qp_str_is(a->name, name))
            continue;
        *value = resolve(xml, a->value.data, a->value.len);
        *at = (size_t)(a->value.data - p) + xml->at;
        *len = a->value.len;
        return true;
    }
    return false;
}
