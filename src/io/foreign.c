/* foreign.c - see foreign.h. A kind of file is one line: its first bytes, its name, and advice. */
#include "io/foreign.h"

#include "io/edge_list.h"
#include "io/format.h"
#include "io/graphml.h"
#include "io/text.h"

typedef struct foreign {
    const char *magic;
    size_t bytes;
    const char *name;
    const char *advice;
} foreign;

#define MAGIC(text) text, sizeof text - 1
static const char as_edge_list[] = "write the columns source, target and weight as .csv";
static const char unpack_first[] = "unpack it first";

/* ---- By the first bytes ----------------------------------------------------------------------------------------- */

/* Magic numbers that a text could begin with by chance (a gene called PAR1): control characters must follow. */
static const foreign binaries[] = {
    {MAGIC("PAR1"), "a Parquet file", "pandas.read_parquet(IN).to_csv(OUT, index=False) makes an edge list of it"},
    {MAGIC("ARROW1"), "an Arrow or Feather file",
     "pandas.read_feather(IN).to_csv(OUT, index=False) makes an edge list of it"},
    {MAGIC("FEA1"), "a Feather file", "pandas.read_feather(IN).to_csv(OUT, index=False) makes an edge list of it"},
    {MAGIC("ORC"), "an ORC file", as_edge_list},
    {MAGIC("Obj\x01"), "an Avro file", as_edge_list},
    {MAGIC("\x89HDF\r\n\x1a\n"), "an HDF5 file (or a MATLAB .mat file of version 7.3)",
     "write the matrix as .mtx: scipy.io.mmwrite"},
    {MAGIC("MATLAB 5.0 MAT-file"), "a MATLAB .mat file",
     "scipy.io.mmwrite('OUT.mtx', scipy.io.loadmat('IN')['NAME']) makes Matrix Market of it"},
    {MAGIC("SQLite format 3"), "a SQLite database",
     "sqlite3 -csv IN 'select source, target from TABLE' > OUT.csv makes an edge list of it"},
    {MAGIC("\x93NUMPY"), "a NumPy .npy array",
     "numpy.savetxt('OUT.txt', numpy.load('IN'), fmt='%d') makes an edge list of pairs"},
    {MAGIC("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "an old Excel file (.xls)", "save the sheet as .csv"},
    {MAGIC("7z\xbc\xaf\x27\x1c"), "a 7z archive", "7z x IN unpacks it"},
    {MAGIC("Rar!\x1a\x07"), "a RAR archive", unpack_first},
    {MAGIC("\x1f\x9d"), "a file packed by compress (.Z)", "uncompress IN unpacks it"},
    {MAGIC("\x04\x22\x4d\x18"), "an lz4 file", "lz4 -d IN OUT unpacks it"},
    {MAGIC("LZIP\x01"), "an lzip file", "lzip -d IN unpacks it"},
    {MAGIC("\x89PNG"), "a PNG image", "it holds no graph"},
    {MAGIC("%PDF-"), "a PDF document", "it holds no graph"},
    {MAGIC("\x7f"
           "ELF"),
     "a program", "it holds no graph"},
};

static const foreign texts[] = {
    {MAGIC("\xff\xfe"), "text in UTF-16", "iconv -f UTF-16 -t UTF-8 IN > OUT makes UTF-8 of it"},
    {MAGIC("\xfe\xff"), "text in UTF-16", "iconv -f UTF-16 -t UTF-8 IN > OUT makes UTF-8 of it"},
    {MAGIC(">>graph6<<"), "a graph6 file", "networkx.write_edgelist(networkx.read_graph6(IN), OUT, data=False)"},
    {MAGIC(">>sparse6<<"), "a sparse6 file", "networkx.write_edgelist(networkx.read_sparse6(IN), OUT, data=False)"},
    {MAGIC("LEDA.GRAPH"), "a LEDA file", "networkx.write_edgelist(networkx.read_leda(IN), OUT, data=False)"},
    {MAGIC("nodedef>"), "a GDF file", "open it in Gephi and export GraphML"},
    {MAGIC("AdjacencyGraph"), "a Ligra file", "write the graph as an edge list"},
    {MAGIC("WeightedAdjacencyGraph"), "a Ligra file", "write the graph as an edge list"},
    {MAGIC("@prefix"), "RDF in Turtle", "write the triples that are edges as source and target columns"},
    {MAGIC("#BVGraph properties"), "the properties of a WebGraph",
     "java it.unimi.dsi.webgraph.ArcListASCIIGraph BASENAME OUT.txt makes an edge list of the graph"},
};

static const foreign *find_magic(const foreign *table, size_t count, const char *data, uint64_t bytes) {
    for (size_t i = 0; i < count; i++)
        if (bytes >= table[i].bytes && memcmp(data, table[i].magic, table[i].bytes) == 0)
            return &table[i];
    return NULL;
}

/* ---- By more than that ------------------------------------------------------------------------------------------ */

static bool contains(const char *data, uint64_t bytes, const char *text) {
    size_t length = strlen(text);
    for (const char *p = data; p + length <= data + bytes; p++)
        if (memcmp(p, text, length) == 0)
            return true;
    return false;
}

/* Zip archives by the names of their first members. */
static const foreign *find_zip(const char *data, uint64_t bytes) {
    static const foreign numpy = {NULL, 0, "a NumPy .npz archive",
                                  "scipy.io.mmwrite('OUT.mtx', scipy.sparse.load_npz('IN')) makes Matrix Market of it"};
    static const foreign excel = {NULL, 0, "an Excel workbook (.xlsx)", "save the sheet as .csv"};
    static const foreign plain = {NULL, 0, "a zip archive",
                                  "unzip IN unpacks it; unzip -p IN | heddle ... - reads its only file"};
    uint64_t most = bytes < 4096 ? bytes : 4096;
    if (bytes < 4 || memcmp(data, "PK\x03\x04", 4) != 0)
        return NULL;
    if (contains(data, most, ".npy"))
        return &numpy;
    return contains(data, most, "[Content_Types].xml") || contains(data, most, "xl/") ? &excel : &plain;
}

/* XML whose root is not graphml. */
static const foreign *find_xml(const hd_input *input) {
    static const foreign gexf = {NULL, 0, "a GEXF file",
                                 "networkx.write_graphml(networkx.read_gexf(IN), OUT) makes GraphML of it"};
    static const char *const starts[] = {"<?xml", "<!"};
    static const foreign html = {NULL, 0, "an HTML page", "the download may have failed"};
    static const foreign other = {NULL, 0, "XML, but not GraphML", "convert it to GraphML"};
    const char *data = input->data;
    uint64_t bytes = input->bytes;
    hd_xml_root root = hd_xml_find_root(data, bytes);
    hd_word name = {root.p, root.p + root.length};
    if (!root.length || hd_word_is(name, "graphml"))
        return NULL;
    if (hd_word_is(name, "gexf") || hd_word_is(name, "html"))
        return hd_word_is(name, "gexf") ? &gexf : &html;
    if (input->skipped && *data == '<')
        return &other;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) /* else "<a> <b>" could be labels */
        if (bytes >= strlen(starts[i]) && memcmp(data, starts[i], strlen(starts[i])) == 0)
            return &other;
    return NULL;
}

static const char *skip_dot_blanks(const char *p, const char *end) {
    for (;;) {
        while (p < end && (hd_is_space(*p) || hd_is_line_end(*p)))
            p++;
        if (end - p >= 2 && p[0] == '/' && p[1] == '/')
            p = hd_next_line(p, end);
        else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
            for (p += 2; end - p >= 2 && (p[0] != '*' || p[1] != '/');)
                p++;
            p = end - p >= 2 ? p + 2 : end;
        } else
            return p;
    }
}

static hd_word dot_word(const char **p, const char *end) {
    const char *start = skip_dot_blanks(*p, end), *stop = start;
    if (stop < end && *stop == '"') {
        const char *close = memchr(stop + 1, '"', (size_t)(end - stop - 1));
        stop = close ? close + 1 : end;
    } else {
        while (stop < end && !hd_is_space(*stop) && !hd_is_line_end(*stop) && *stop != '{')
            stop++;
    }
    *p = stop;
    return (hd_word){start, stop};
}

/* DOT: [strict] graph|digraph [name] { */
static const foreign *find_dot(const char *data, uint64_t bytes) {
    static const foreign dot = {NULL, 0, "a DOT file of Graphviz", "gv2gml IN -o OUT.gml makes GML of it"};
    const char *p = data, *end = data + (bytes < 65536 ? bytes : 65536);
    hd_word word = dot_word(&p, end);
    if (hd_word_is(word, "strict"))
        word = dot_word(&p, end);
    if (!hd_word_is(word, "graph") && !hd_word_is(word, "digraph"))
        return NULL;
    p = skip_dot_blanks(p, end);
    if (p < end && *p != '{')
        dot_word(&p, end);
    p = skip_dot_blanks(p, end);
    return p < end && *p == '{' ? &dot : NULL;
}

static const foreign *find_tar(const char *data, uint64_t bytes) {
    static const foreign tar = {NULL, 0, "a tar archive",
                                "tar xf IN unpacks it; tar xOf IN NAME | heddle ... - reads one file"};
    return bytes > 512 && memcmp(data + 257, "ustar", 5) == 0 ? &tar : NULL;
}

/* N-Triples: "<subject> <predicate> <object> ." */
static const foreign *find_triples(const char *data, uint64_t bytes) {
    static const foreign triples = {NULL, 0, "RDF in N-Triples",
                                    "write the triples that are edges as source and target columns"};
    const char *end = hd_line_end(data, data + bytes);
    return bytes > 8 && memcmp(data, "<http", 5) == 0 && contains(data, (uint64_t)(end - data), "> <") ? &triples
                                                                                                       : NULL;
}

/* Galois' binary .gr: version 1 or 2, bytes of an edge's data, vertices, edges, all 64-bit. */
static const foreign *find_galois(const char *data, uint64_t bytes) {
    static const foreign galois = {NULL, 0, "a binary .gr file of Galois",
                                   "graph-convert --gr2edgelist IN OUT.txt makes an edge list of it"};
    uint64_t head[4];
    if (bytes < sizeof head)
        return NULL;
    memcpy(head, data, sizeof head);
    bool sizes = head[1] <= 16 && head[2] < bytes / 8 && head[3] < bytes / 4;
    uint64_t rest = bytes - sizeof head;
    uint64_t each = head[0] == 1 ? 4 : 8, padding = head[0] == 1 && head[3] % 2 ? 4 : 0;
    return (head[0] == 1 || head[0] == 2) && sizes && rest == head[2] * 8 + head[3] * (each + head[1]) + padding
               ? &galois
               : NULL;
}

/* Pickles of Python begin with a protocol and an opcode, and end with a dot. */
static const foreign *find_pickle(const char *data, uint64_t bytes) {
    static const foreign pickle = {NULL, 0, "a Python pickle",
                                   "networkx.write_graphml(pickle.load(open(IN, 'rb')), OUT) makes GraphML of it"};
    bool matches = bytes > 4 && data[0] == '\x80' && data[1] >= 2 && data[1] <= 5 && data[bytes - 1] == '.';
    return matches ? &pickle : NULL;
}

/* A compressed WebGraph: a bit stream without a magic number, named .graph. */
static const foreign *find_webgraph(const hd_input *input) {
    static const foreign webgraph = {
        NULL, 0, "binary, perhaps a WebGraph (.graph with .properties beside it)",
        "java it.unimi.dsi.webgraph.ArcListASCIIGraph BASENAME OUT.txt makes an edge list of it"};
    if (!hd_path_has_suffix(input->name, ".graph"))
        return NULL;
    return hd_looks_binary(input->data, input->bytes) ? &webgraph : NULL;
}

/* ---- Texts that look like edge lists ----------------------------------------------------------------------------- */

/* Lines that end by carriage returns alone. */
static const foreign *find_old_ends(const char *data, uint64_t bytes) {
    static const foreign old = {NULL, 0, "text whose lines end by carriage returns",
                                "tr '\\r' '\\n' < IN > OUT gives it the usual line ends"};
    const char *end = data + (bytes < 65536 ? bytes : 65536), *first = memchr(data, '\r', (size_t)(end - data));
    if (!first || first + 1 == end || memchr(data, '\n', (size_t)(end - data)) || hd_looks_binary(data, bytes))
        return NULL;
    return &old;
}

enum { LINES = 3 };

/* The first lines that are neither blank nor comments; NULL where there are fewer. */
typedef struct first_lines {
    hd_word line[LINES];
} first_lines;

static first_lines find_lines(const hd_input *input) {
    hd_edge_list list = {.labels = false};
    hd_first_line line = {.next = input->data};
    first_lines lines;
    hd_text_open(&list.text, input);
    hd_edge_list_separate_by(&list, '\0');
    for (int i = 0; i < LINES; i++) {
        hd_edge_list_find_line(&list, line.next, &line);
        lines.line[i] = line.p ? (hd_word){line.p, line.end} : (hd_word){NULL, NULL};
        line.next = line.p ? line.next : list.text.end;
    }
    return lines;
}

/* "a | b" over "---+---", as psql shows tables. */
static const foreign *find_psql(const first_lines *lines) {
    static const foreign table = {NULL, 0, "a table as psql shows it", "psql --csv writes it as .csv"};
    hd_word first = lines->line[0], second = lines->line[1];
    bool plus = false;
    for (const char *p = second.p; p < second.end; p++) {
        if (*p != '-' && *p != '+')
            return NULL;
        plus |= *p == '+';
    }
    return plus && memchr(first.p, '|', (size_t)(first.end - first.p)) ? &table : NULL;
}

/* "->", "--", "=>", "<->", and the arrows of Unicode, U+2190 to U+21FF. */
static bool is_arrow(hd_word word) {
    const char *p = word.p;
    while (p < word.end)
        if (strchr("-=<>", *p))
            p++;
        else if (word.end - p >= 3 && p[0] == '\xe2' && (p[1] == '\x86' || p[1] == '\x87'))
            p += 3;
        else
            return false;
    return p > word.p;
}

/* "a -> b" in the first lines, or "a->b" in the first one. */
static const foreign *find_arrows(const first_lines *lines) {
    static const foreign spaced = {NULL, 0, "lines with arrows between the ends of edges",
                                   "awk '{$2 = \"\"; print}' IN > OUT.txt leaves them out"};
    static const foreign close = {NULL, 0, "lines with arrows between the ends of edges",
                                  "sed 's/[-=]>/\\t/' IN > OUT.tsv puts tabs in their place"};
    int arrows = 0, count = 0;
    for (; count < LINES && lines->line[count].p; count++) {
        const char *p = lines->line[count].p, *end = lines->line[count].end;
        hd_word first = hd_next_word(&p, end), second = hd_next_word(&p, end), third = hd_next_word(&p, end);
        arrows += is_arrow(second) && third.p < third.end;
        for (p = first.p; count == 0 && second.p == second.end && p + 2 < first.end; p++)
            if (p > first.p && (p[0] == '-' || p[0] == '=') && p[1] == '>')
                return &close;
    }
    return count && arrows == count ? &spaced : NULL;
}

/* igraph's .lgl: "# name", then a line for each neighbour. */
static const foreign *find_lgl(const hd_input *input) {
    static const foreign lgl = {NULL, 0, "an LGL file of igraph",
                                "igraph.Graph.Read_Lgl(IN).write_ncol(OUT) makes an edge list of it"};
    return hd_path_has_suffix(input->name, ".lgl") ? &lgl : NULL;
}

enum { MOST_SIDE = 64 };

/* A field of a matrix, between commas, semicolons, blanks. */
static hd_word matrix_field(const char **p, const char *end) {
    const char *start = hd_skip_spaces(*p, end), *stop = start;
    while (stop < end && *stop != ',' && *stop != ';' && !hd_is_space(*stop))
        stop++;
    *p = hd_skip_spaces(stop, end);
    if (*p < end && (**p == ',' || **p == ';'))
        ++*p;
    return (hd_word){start, stop};
}

static int count_fields(hd_word line) {
    int count = 0;
    for (; line.p < line.end; count++)
        matrix_field(&line.p, line.end);
    return count;
}

static hd_word field_at(hd_word line, int i) {
    hd_word field = matrix_field(&line.p, line.end);
    while (i-- > 0)
        field = matrix_field(&line.p, line.end);
    return field;
}

/* Reads a row of numbers, of which `row` gets the first MOST_SIDE; returns how many there are, 0 if something else is
 * among them. */
static int matrix_row(hd_word line, double *row) {
    int count = 0;
    for (; line.p < line.end; count++) {
        double value;
        bool real = false;
        hd_word field = matrix_field(&line.p, line.end);
        if (hd_scan_number(field.p, field.end, &value, &real) != field.end)
            return 0;
        if (row && count < MOST_SIDE)
            row[count] = value;
    }
    return count;
}

/* k rows of k numbers, perhaps below a line of k names: three must be symmetric with a diagonal of 0, more need one of
 * these, or nothing but 0 and 1, in their first MOST_SIDE rows and columns. */
static const foreign *find_matrix(const hd_input *input, const first_lines *lines) {
    static const foreign matrix = {
        NULL, 0, "an adjacency matrix (as many rows as columns)",
        "scipy.io.mmwrite('OUT.mtx', scipy.sparse.coo_matrix(numpy.loadtxt(IN, delimiter=','))) makes Matrix Market of "
        "it; --format edgelist reads its lines as edges"};
    static const foreign named = {
        NULL, 0, "an adjacency matrix (as many rows as columns, below their names)",
        "scipy.io.mmwrite('OUT.mtx', scipy.sparse.coo_matrix(pandas.read_csv(IN))) makes Matrix Market of it; --format "
        "edgelist reads its lines as edges"};
    double cell[MOST_SIDE][MOST_SIDE];
    bool names = !matrix_row(lines->line[0], NULL), symmetric = true, loops = false, zeros_and_ones = true;
    const char *p = lines->line[names].p, *end = input->data + input->bytes;
    int side = matrix_row(lines->line[names], NULL), rows = 0, checked = side < MOST_SIDE ? side : MOST_SIDE;
    if (side < 3 || (names && count_fields(lines->line[0]) != side))
        return NULL;
    while (end > p && (hd_is_line_end(end[-1]) || hd_is_space(end[-1])))
        end--;
    for (; p < end; p = hd_next_line(p, end), rows++) {
        hd_word line = {p, hd_trim_return(p, hd_line_end(p, end))};
        if (rows == side || matrix_row(line, rows < checked ? cell[rows] : NULL) != side)
            return NULL;
    }
    for (int i = 0; i < checked && rows == side; i++)
        for (int k = 0; k <= i; k++) {
            symmetric &= cell[i][k] == cell[k][i];
            loops |= i == k && cell[i][k] != 0;
            zeros_and_ones &= (cell[i][k] == 0 || cell[i][k] == 1) && (cell[k][i] == 0 || cell[k][i] == 1);
        }
    bool likely = side > 3 ? symmetric || !loops || zeros_and_ones : symmetric && !loops;
    return rows != side || !likely ? NULL : names ? &named : &matrix;
}

static bool same_word(hd_word a, hd_word b) {
    return a.p < a.end && a.end - a.p == b.end - b.p && memcmp(a.p, b.p, (size_t)(a.end - a.p)) == 0;
}

/* A matrix with names above its columns and again before its rows. Above the rows' names stands nothing, not even a
 * separator (R's write.table), or a word; in lists of numbers only nothing is a sign of names. */
static const foreign *find_labelled_matrix(const first_lines *lines) {
    static const foreign matrix = {
        NULL, 0, "an adjacency matrix with names",
        "pandas.read_csv(IN, index_col=0).stack() has its entries, of which those that are not 0 are edges"};
    hd_word head = lines->line[0], row = lines->line[1];
    int columns = count_fields(row), less = columns - count_fields(head);
    bool empty_corner = head.p < head.end && strchr(",;\t", *head.p);
    if (columns < 3 || less < 0 || less > 1 || (!empty_corner && hd_means_number(field_at(head, 1))))
        return NULL;
    for (int i = 1; i < LINES; i++)
        if (!same_word(field_at(head, i - less), field_at(lines->line[i], 0)))
            return NULL;
    matrix_field(&row.p, row.end);
    return matrix_row(row, NULL) == columns - 1 ? &matrix : NULL;
}

static const foreign *find_texts(const hd_input *input) {
    const foreign *found = find_old_ends(input->data, input->bytes);
    if (found)
        return found;
    first_lines lines = find_lines(input);
    found = find_psql(&lines);
    found = found ? found : find_arrows(&lines);
    found = found ? found : find_lgl(input);
    found = found ? found : find_matrix(input, &lines);
    return found ? found : find_labelled_matrix(&lines);
}

heddle_status hd_foreign_refuse(heddle_context *ctx, const hd_input *input) {
    const char *data = input->data;
    uint64_t bytes = input->bytes;
    const foreign *found = find_magic(texts, sizeof texts / sizeof *texts, data, bytes);
    if (!found && hd_looks_binary(data, bytes))
        found = find_magic(binaries, sizeof binaries / sizeof *binaries, data, bytes);
    found = found ? found : find_zip(data, bytes);
    found = found ? found : find_triples(data, bytes);
    found = found ? found : find_xml(input);
    found = found ? found : find_dot(data, bytes);
    found = found ? found : find_tar(data, bytes);
    found = found ? found : find_galois(data, bytes);
    found = found ? found : find_pickle(data, bytes);
    found = found ? found : find_webgraph(input);
    found = found ? found : find_texts(input);
    return found ? hd_fail_file(ctx, HEDDLE_E_FORMAT, input->name, 0, "this is %s, which is not read: %s", found->name,
                                found->advice)
                 : HEDDLE_OK;
}
