/* vertex_values.c - files that name vertices; see vertex_values.h. */
#include "vertex_values.h"

#include "report.h"
#include "signals.h"
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>

static const char separators[] = " \t,;", byte_order_mark[] = "\xef\xbb\xbf"; /* of UTF-8, as Windows writes it */

static int no_memory(void) {
    cli_say("out of memory");
    return heddle_status_exit(HEDDLE_E_MEMORY);
}

static int interrupted(void) {
    cli_say("interrupted");
    return CLI_EXIT_INTERRUPTED;
}

static int append(cli_vertices *vertices, heddle_vertex vertex) {
    if (vertices->count == vertices->room) {
        uint64_t room = vertices->room ? 2 * vertices->room : 16;
        heddle_vertex *larger = realloc(vertices->list, room * sizeof *larger);
        if (!larger)
            return no_memory();
        vertices->list = larger;
        vertices->room = room;
    }
    vertices->list[vertices->count++] = vertex;
    return 0;
}

/* A word that begins with a quote ends at the next one, and holds blanks, commas and, doubled, quotes. Takes the quotes
 * out, in place, and returns where the word ends; NULL: its last quote is missing. Other words are left alone. */
static char *unquote(char *word, const char *ends) {
    char *to = word, *last = word + 1;
    if (*word != '"')
        return word + strcspn(word, ends);
    while (*last && (*last != '"' || last[1] == '"'))
        last += 1 + (*last == '"');
    if (!*last)
        return NULL;
    for (char *from = word + 1; from < last; from += 1 + (*from == '"'))
        *to++ = *from;
    memset(to, '\0', (size_t)(last + 1 - to));
    return last + 1;
}

int cli_name_vertices(const cli_session *session, const heddle_graph *graph, const char *ids, cli_vertices *vertices) {
    char *copy = strdup(ids);
    int exit_status = copy ? 0 : no_memory();
    for (char *id = copy, *end; !exit_status && id; id = end) {
        heddle_vertex vertex;
        end = unquote(id, ",");
        if (!end || (*end && *end != ',')) {
            exit_status = cli_usage_error(session->command, "--source: %s in '%.200s'",
                                          end ? "expected a comma after a quoted id" : "a quote does not end", ids);
            break;
        }
        end = *end ? (*end = '\0', end + 1) : NULL;
        heddle_status status = heddle_graph_find(session->context, graph, id, &vertex);
        exit_status = status == HEDDLE_OK ? append(vertices, vertex) : cli_fail(session, status);
    }
    free(copy);
    return exit_status;
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

/* A file being read. `line` is the current line, cut into words by `next_word`. */
typedef struct reader {
    const cli_session *session;
    const heddle_graph *graph;
    const char *name;
    FILE *file;
    char *line;
    size_t room;
    char *rest;
    uint64_t number;
    bool begun; /* a line was read: the next is no header */
    bool wider; /* a header names more columns than are read: what stands in them is skipped */
} reader;

static int open_reader(reader *reader, const cli_session *session, const heddle_graph *graph, const char *path) {
    bool standard = !strcmp(path, "-");
    memset(reader, 0, sizeof *reader);
    reader->session = session;
    reader->graph = graph;
    reader->name = standard ? "standard input" : path;
    reader->file = standard ? stdin : fopen(path, "r");
    if (reader->file)
        return 0;
    if (cli_interrupted())
        return interrupted();
    cli_say("%.800s: cannot open: %s", path, strerror(errno));
    return heddle_status_exit(HEDDLE_E_OPEN);
}

static void close_reader(reader *reader) {
    if (reader->file && reader->file != stdin)
        fclose(reader->file);
    free(reader->line);
}

/* Text after a NUL in a line would be ignored silently. */
static int refuse_nul(const reader *reader) {
    cli_say("%.800s:%llu:%zu: found '\\x00', expected text", reader->name, (unsigned long long)reader->number,
            strlen(reader->line) + 1);
    return heddle_status_exit(HEDDLE_E_FORMAT);
}

/* The next line that is neither empty nor a comment; false at the end or on an error, which is in *exit_status. */
static bool next_line(reader *reader, int *exit_status) {
    ssize_t length;
    errno = 0;
    while ((length = getline(&reader->line, &reader->room, reader->file)) >= 0) {
        reader->number++;
        if (cli_interrupted())
            break;
        if (reader->number == 1 && length >= 3 && !memcmp(reader->line, byte_order_mark, 3))
            memmove(reader->line, reader->line + 3, (size_t)(length -= 3) + 1);
        if (memchr(reader->line, '\0', (size_t)length)) {
            *exit_status = refuse_nul(reader);
            return false;
        }
        for (; length && strchr("\r\n", reader->line[length - 1]); length--)
            reader->line[length - 1] = '\0';
        reader->rest = reader->line + strspn(reader->line, separators);
        if (*reader->rest && *reader->rest != '#' && *reader->rest != '%')
            return true;
    }
    if (cli_interrupted()) {
        *exit_status = interrupted();
    } else if (errno == ENOMEM || !(ferror(reader->file) || feof(reader->file))) {
        cli_say("%.800s: line %llu does not fit in memory", reader->name, (unsigned long long)reader->number + 1);
        *exit_status = heddle_status_exit(HEDDLE_E_MEMORY);
    } else if (ferror(reader->file)) {
        cli_say("%.800s: cannot read: %s", reader->name, strerror(errno ? errno : EIO));
        *exit_status = heddle_status_exit(HEDDLE_E_READ);
    }
    return false;
}

/* The next word of the line, ended by NUL; empty at the end; NULL: a quote does not end, or something follows it. */
static char *next_word(reader *reader) {
    char *word = reader->rest + strspn(reader->rest, separators);
    char *end = unquote(word, separators);
    if (!end || (*end && !strchr(separators, *end)))
        return NULL;
    reader->rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static int refuse(const reader *reader, const char *word, const char *expected) {
    const char *quote = *word ? "'" : "";
    cli_say("%.800s:%llu:%zu: found %s%.100s%s, expected %s", reader->name, (unsigned long long)reader->number,
            (size_t)(word - reader->line) + 1, quote, *word ? word : "end of line", quote, expected);
    return heddle_status_exit(HEDDLE_E_FORMAT);
}

static int read_vertex(reader *reader, heddle_vertex *vertex) {
    char *start = reader->rest + strspn(reader->rest, separators), *word = next_word(reader);
    if (!word)
        return refuse(reader, start, "a quoted id that ends with a quote, and a separator behind it");
    heddle_status status = heddle_graph_find(reader->session->context, reader->graph, word, vertex);
    if (status == HEDDLE_E_SOURCE)
        return refuse(reader, word, "the id of a vertex of this graph");
    return status == HEDDLE_OK ? 0 : cli_fail(reader->session, status);
}

static unsigned count_words(const char *line) {
    unsigned words = 0;
    for (line += strspn(line, separators); *line; line += strspn(line, separators), words++)
        line += strcspn(line, separators);
    return words;
}

/* Whether this line is the file's first, and its first word names a column, not a vertex. Says so in a note. `columns`
 * are read. */
static bool skips_header(reader *reader, unsigned columns) {
    static const char *const usual[] = {"id",   "ids",       "node", "nodes", "nodeid", "node_id", "vertex", "vertices",
                                        "name", "vertex_id", "key",  "index", "source", "src",     "from"};
    char word[32], text[640];
    heddle_vertex vertex;
    const char *start = reader->rest + strspn(reader->rest, " \t\"");
    size_t length = strcspn(start, " \t,;\"");
    bool named = false;
    if (reader->begun)
        return false;
    reader->begun = true;
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), start);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        named = named || !strcasecmp(word, usual[i]);
    if (heddle_graph_id_type(reader->graph) != HEDDLE_ID_STRING)
        named = named || isalpha((unsigned char)*word);
    start += length + strspn(start + length, " \t,;\"");
    if (isdigit((unsigned char)*start)) /* a value, or another id */
        return false;
    if (!named || length >= sizeof word ||
        heddle_graph_find(reader->session->context, reader->graph, word, &vertex) != HEDDLE_E_SOURCE)
        return false;
    reader->wider = count_words(reader->line) > columns;
    snprintf(text, sizeof text, "%.400s: the first line, '%.80s', is taken for a header%s", reader->name, reader->line,
             !reader->wider ? ""
             : columns == 1 ? ": its first column is read"
                            : ": its first two columns are read");
    cli_note((void *)reader->session->common, cli_clean(text));
    return true;
}

/* The next word as it stands: numbers have no quotes. */
static char *plain_word(reader *reader) {
    char *word = reader->rest + strspn(reader->rest, separators), *end = word + strcspn(word, separators);
    reader->rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static int read_end(reader *reader) {
    char *word = plain_word(reader);
    return *word && !reader->wider ? refuse(reader, word, "the end of the line") : 0;
}

/* A line of one vertex, or of two different ones. */
static int read_line(reader *reader, bool two, cli_vertices *vertices) {
    heddle_vertex first = 0, second = 0;
    int exit_status = read_vertex(reader, &first);
    if (!exit_status && two) {
        const char *word = reader->rest + strspn(reader->rest, separators);
        exit_status = *word ? read_vertex(reader, &second) : refuse(reader, word, "the id of a second vertex");
        if (!exit_status && first == second)
            exit_status = refuse(reader, word, "another vertex than the first");
    }
    if (!exit_status)
        exit_status = read_end(reader);
    if (!exit_status)
        exit_status = append(vertices, first);
    return exit_status || !two ? exit_status : append(vertices, second);
}

static int read_lines(const cli_session *session, const heddle_graph *graph, const char *path, bool two,
                      cli_vertices *vertices) {
    reader reader;
    int exit_status = open_reader(&reader, session, graph, path);
    while (!exit_status && next_line(&reader, &exit_status))
        if (!skips_header(&reader, two ? 2 : 1))
            exit_status = read_line(&reader, two, vertices);
    if (!exit_status && !vertices->count) {
        cli_say("%.800s: lists no %s", reader.name, two ? "pair" : "vertex");
        exit_status = heddle_status_exit(HEDDLE_E_FORMAT);
    }
    close_reader(&reader);
    return exit_status;
}

int cli_read_vertices(const cli_session *session, const heddle_graph *graph, const char *path, cli_vertices *vertices) {
    return read_lines(session, graph, path, false, vertices);
}

int cli_read_pairs(const cli_session *session, const heddle_graph *graph, const char *path, cli_vertices *vertices) {
    return read_lines(session, graph, path, true, vertices);
}

static int read_value(reader *reader, double least, double missing, double *value) {
    char *word = plain_word(reader);
    *value = missing;
    if (!*word && !isnan(missing))
        return 0;
    if (!cli_read_real(word, strlen(word), value))
        return refuse(reader, word, "a finite number as value");
    if (*value < least)
        return refuse(reader, word, "a value that is not negative");
    return read_end(reader);
}

int cli_read_values(const cli_session *session, const heddle_graph *graph, const char *path, double least,
                    double missing, double *values, unsigned char *marks) {
    reader reader;
    heddle_vertex vertex = 0;
    double value = 0;
    int exit_status = open_reader(&reader, session, graph, path);
    while (!exit_status && next_line(&reader, &exit_status)) {
        if (skips_header(&reader, 2))
            continue;
        exit_status = read_vertex(&reader, &vertex);
        if (!exit_status)
            exit_status = read_value(&reader, least, missing, &value);
        if (exit_status)
            break;
        values[vertex] = value;
        if (marks)
            marks[vertex] = 1;
    }
    close_reader(&reader);
    return exit_status;
}
