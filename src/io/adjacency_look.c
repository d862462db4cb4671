/* adjacency_look.c - see adjacency_look.h.
 *
 * An edge list has two or more columns, equally many in every line, and several lines per source. Adjacency lists have
 * lines of any length, one per source. These features are counted over the beginning of the file.
 */
#include "io/adjacency_look.h"

#include "base/random.h"
#include "io/format.h"
#include "io/text.h"

enum { SAMPLE = 1 << 18, LINES = 3000, SLOTS = 8192 };

typedef struct sample {
    uint64_t lines;
    uint64_t least, most;                       /* columns */
    bool integers;                              /* all of them are */
    bool integer_ids;                           /* the first two are */
    bool numbers;                               /* third columns are */
    bool blanks_only;                           /* between columns */
    bool repeated;                              /* a source has several lines */
    bool cut;                                   /* the last line is short and has no end */
    uint64_t listed, known;                     /* words after the first; those that are sources of lines */
    uint64_t tabbed, commas_least, commas_most; /* lines "word<TAB>word,word"; commas in them */
    bool untabbed;
    uint32_t sources[SLOTS]; /* hashes of the lines' first words; 0: free */
} sample;

static uint32_t hash_word(hd_word word) {
    uint64_t hash = 1;
    for (const char *p = word.p; p < word.end; p++)
        hash = hd_hash2(hash, (unsigned char)*p);
    return (uint32_t)hash | 1;
}

/* Whether the word is in the set; if not and `add` is set, adds it. */
static bool find_source(sample *s, hd_word word, bool add) {
    uint32_t hash = hash_word(word);
    uint32_t slot = hash >> 7 & (SLOTS - 1);
    for (; s->sources[slot]; slot = (slot + 1) & (SLOTS - 1))
        if (s->sources[slot] == hash)
            return true;
    if (add)
        s->sources[slot] = hash;
    return false;
}

static bool is_integer(hd_word word) {
    const char *p = word.p + (word.p < word.end && *word.p == '-');
    uint64_t unused;
    return hd_scan_u64(p, word.end, &unused) == word.end;
}

static bool is_number(hd_word word) {
    double value;
    bool real = false;
    return hd_scan_number(word.p, word.end, &value, &real) == word.end;
}

static hd_word next_column(const char **p, const char *end) {
    while (*p < end && hd_is_separator(**p))
        ++*p;
    hd_word word = {*p, hd_token_end(*p, end)};
    *p = word.end;
    return word;
}

static bool is_empty(const char *p, const char *end) {
    p = hd_skip_spaces(p, end);
    return p == end || *p == '#' || *p == '%' || (*p == '/' && p + 1 < end && p[1] == '/');
}

/* Lines "user<TAB>a,b,c": one tab, commas behind it only, and no blanks. */
static void look_for_tab(sample *s, const char *p, const char *end) {
    const char *tab = memchr(p, '\t', (size_t)(end - p));
    const char *left = tab ? tab : end;
    if (memchr(p, ',', (size_t)(left - p)) || memchr(p, ' ', (size_t)(end - p)) || memchr(p, '"', (size_t)(end - p)) ||
        (tab && memchr(tab + 1, '\t', (size_t)(end - tab - 1)))) {
        s->untabbed = true;
        return;
    }
    uint64_t commas = 0;
    for (const char *c = left; c < end; c++)
        commas += *c == ',';
    s->commas_least = commas < s->commas_least || !s->tabbed ? commas : s->commas_least;
    s->commas_most = commas > s->commas_most ? commas : s->commas_most;
    s->tabbed += tab != NULL;
}

static void look_at_line(sample *s, const char *p, const char *end) {
    const char *at = p;
    uint64_t columns = 0;
    look_for_tab(s, p, end);
    for (const char *c = p; c < end; c++)
        s->blanks_only &= *c != ',' && *c != ';' && *c != '\t' && *c != '"';
    for (hd_word word = next_column(&at, end); word.p < word.end; word = next_column(&at, end), columns++) {
        s->integers &= is_integer(word);
        if (columns < 2)
            s->integer_ids &= is_integer(word);
        if (columns == 0)
            s->repeated |= find_source(s, word, true);
        if (columns == 2)
            s->numbers &= is_number(word);
    }
    s->least = columns < s->least ? columns : s->least;
    s->most = columns > s->most ? columns : s->most;
    s->lines++;
}

/* Counts the listed words that are also sources of lines. */
static void count_known(sample *s, const char *p, const char *end) {
    const char *at = p;
    next_column(&at, end);
    for (hd_word word = next_column(&at, end); word.p < word.end; word = next_column(&at, end)) {
        s->listed++;
        s->known += find_source(s, word, false);
    }
}

static void walk(sample *s, const char *p, const char *stop, void (*visit)(sample *, const char *, const char *)) {
    for (uint64_t lines = 0; p < stop && lines < LINES; p = hd_next_line(p, stop)) {
        const char *end = hd_trim_return(p, hd_line_end(p, stop));
        if (is_empty(p, end))
            continue;
        visit(s, p, end);
        lines++;
    }
}

static hd_line_kind judge_labels(const sample *s) {
    if (s->numbers)
        return HD_LINES_EDGES; /* a weight column, which some lines may lack, and possibly more columns */
    if (s->repeated)
        return HD_LINES_EITHER;
    return s->known * 2 >= s->listed ? HD_LINES_LISTS : HD_LINES_EITHER;
}

static hd_line_kind judge(const sample *s, bool closed) {
    if (s->most < 2 || s->cut)
        return HD_LINES_EDGES; /* the edge-list reader reports the error */
    if (s->least == s->most)
        return s->most > 3 && closed ? HD_LINES_EITHER : HD_LINES_EDGES;
    if (!s->integers)
        return s->blanks_only && !s->integer_ids ? judge_labels(s) : HD_LINES_EDGES;
    if (s->most <= 3)
        return s->repeated ? HD_LINES_EDGES : s->least == 1 && s->most == 3 ? HD_LINES_LISTS : HD_LINES_EITHER;
    return s->repeated ? HD_LINES_EITHER : HD_LINES_LISTS;
}

hd_adjacency_look hd_adjacency_look_at(const char *data, uint64_t bytes) {
    sample s = {.least = UINT64_MAX, .integers = true, .integer_ids = true, .numbers = true, .blanks_only = true};
    hd_adjacency_look look = {.kind = HD_LINES_EDGES};
    const char *stop = data + bytes;
    if (bytes > SAMPLE)
        for (stop = data + SAMPLE; stop > data && stop[-1] != '\n';)
            stop--;
    if (bytes == 0 || memchr(data, '\0', bytes < 4096 ? (size_t)bytes : 4096))
        return look;
    walk(&s, data, stop, look_at_line);
    walk(&s, data, stop, count_known);
    if (!s.lines)
        return look;
    const char *last = stop;
    while (last > data && last[-1] != '\n')
        last--;
    if (last < stop && s.least == 1 && s.most == 2) { /* "0 1\n1 2\n2": an edge list that was cut short */
        const char *p = last;
        next_column(&p, stop);
        s.cut = next_column(&p, stop).p == stop;
    }
    look.least = s.least;
    look.most = s.most;
    look.closed = s.integers && !s.repeated && s.lines > 2 && s.known == s.listed;
    if (!s.untabbed && s.tabbed && s.commas_most) {
        look.tabbed = true;
        look.kind = s.commas_most == 1 && s.commas_least == 1 ? HD_LINES_EITHER : HD_LINES_LISTS;
    } else {
        look.kind = judge(&s, look.closed);
    }
    return look;
}

/* "0 1 {'weight': 3}", as NetworkX's write_edgelist has it. */
static bool has_dictionaries(const char *data, uint64_t bytes) {
    static const char mark[] = "'weight': ";
    const char *end = data + (bytes < 4096 ? bytes : 4096), *brace = memchr(data, '{', (size_t)(end - data));
    for (const char *p = brace; p && (size_t)(end - p) >= sizeof mark - 1; p++)
        if (memcmp(p, mark, sizeof mark - 1) == 0)
            return true;
    return false;
}

heddle_status hd_adjacency_doubt(heddle_context *ctx, const hd_input *input) {
    const hd_format *edges = &hd_format_edge_list;
    if (has_dictionaries(input->data, input->bytes))
        return hd_fail_file(ctx, HEDDLE_E_FORMAT, input->name, 0,
                            "its weights stand in dictionaries of Python ({'weight': ...}): NetworkX's "
                            "write_weighted_edgelist writes them as a column; --weight-column none leaves them out");
    if (hd_path_has_one_of(input->name, edges->info.suffixes) && !hd_path_has_one_of(input->name, edges->loose))
        return HEDDLE_OK;
    hd_adjacency_look look = hd_adjacency_look_at(input->data, input->bytes);
    if (look.kind == HD_LINES_EITHER && look.least == look.most)
        return hd_fail_file(ctx, HEDDLE_E_FORMAT, input->name, 0,
                            "its lines could be edges (--format edgelist) or adjacency lists (--format adjlist)");
    if (look.kind == HD_LINES_EITHER)
        return hd_fail_file(ctx, HEDDLE_E_FORMAT, input->name, 0,
                            "lines of %llu to %llu columns could be edges (--format edgelist) or adjacency lists "
                            "(--format adjlist)",
                            (unsigned long long)look.least, (unsigned long long)look.most);
    if (look.kind == HD_LINES_EDGES && look.closed && look.least == 3 && look.most == 3)
        hd_note(ctx, "%s: taken for edges with weights; should its lines be adjacency lists, use --format adjlist",
                input->name);
    return HEDDLE_OK;
}
