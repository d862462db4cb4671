/* metis_write.c - writes METIS files, and distinguishes them from edge lists. */
#include "io/metis.h"
#include "io/text_write.h"

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

static char *print_neighbour(const hd_text_writer *writer, char *p, uint64_t u, uint64_t k) {
    if (k > writer->out.offsets[u])
        *p++ = ' ';
    p = hd_print_u64(p, (uint64_t)writer->out.targets[k] + 1);
    if (writer->out.weights) {
        *p++ = ' ';
        p = hd_print_weight(writer, p, k);
    }
    return p;
}

heddle_status hd_metis_write(heddle_context *ctx, const heddle_graph *graph, const heddle_save_options *options,
                             hd_output *output) {
    (void)options;
    hd_text_writer writer;
    HD_TRY(hd_text_writer_init(ctx, graph, &writer));
    writer.arc = print_neighbour;
    writer.row_lines = true;
    writer.longest = hd_digits_of(graph->vertices) + hd_weight_room(graph) + 2;
    hd_output_printf(output, "%llu %llu%s\n", (unsigned long long)graph->vertices, (unsigned long long)graph->edges / 2,
                     writer.out.weights ? " 1" : "");
    return hd_text_write_rows(ctx, &writer, output);
}

/* ---- Recognising ------------------------------------------------------------------------------------------------ */

enum { SAMPLE = 1 << 16 };

/* The form of the lines after the header. */
typedef struct sample {
    uint64_t lines;
    uint64_t words;
    bool uneven;   /* some line has another number of words than the header has */
    bool possible; /* every word is a vertex, and not the line's own */
} sample;

/* Whether a word may stand in the line of a vertex. */
static bool is_possible(const hd_metis *metis, hd_word word, uint64_t vertex) {
    uint64_t value = 0;
    if (metis->skip || metis->weighted)
        return hd_is_digit(*word.p);
    return hd_scan_u64(word.p, word.end, &value) == word.end && value - 1 < metis->vertices.value && value != vertex;
}

static sample look_at_lines(const hd_metis *metis, const char *stop, uint64_t header_words) {
    sample s = {.possible = true};
    for (const char *p = metis->first; p < stop && s.possible; p = hd_next_line(p, stop)) {
        if (*p == '%')
            continue;
        const char *at = p, *end = hd_line_end(p, stop);
        uint64_t words = 0;
        s.lines++;
        for (hd_word word = hd_next_word(&at, end); word.p < word.end; word = hd_next_word(&at, end)) {
            s.possible &= is_possible(metis, word, s.lines);
            words++;
        }
        s.words += words;
        s.uneven |= words && words != header_words;
        s.possible &= s.lines <= metis->vertices.value || words == 0;
    }
    return s;
}

/* Reads a header that could be one; returns its number of words, or 0. */
static uint64_t guess_header(hd_metis *metis) {
    const char *stop = metis->text.end, *p = metis->text.data, *end;
    while (p < stop && (*p == '%' || hd_is_line_end(*p)))
        p = hd_next_line(p, stop);
    end = hd_line_end(p, stop);
    metis->first = end < stop ? end + 1 : end;
    uint64_t words = 0;
    for (hd_word word = hd_next_word(&p, end); word.p < word.end; word = hd_next_word(&p, end), words++) {
        hd_declared number = {0, word.p, word.end};
        if (words == 4 || hd_scan_u64(word.p, word.end, &number.value) != word.end)
            return 0;
        if (words == 0)
            metis->vertices = number;
        else if (words == 1)
            metis->edges = number;
        else if (words == 2 && !hd_metis_format(metis, word))
            return 0;
    }
    uint64_t room = (uint64_t)(stop - metis->first) + 1;
    return metis->vertices.value > room || metis->edges.value > room / 2 ? 0 : words;
}

/* The header could be the first line of an edge list. But there all lines have equally many columns, and the numbers
 * of lines and words of a small file do not agree with those in the header. */
int hd_metis_sniff(const char *data, uint64_t bytes) {
    hd_input input = {.name = "", .data = data, .bytes = bytes};
    hd_metis metis = {.first = NULL};
    hd_text_open(&metis.text, &input);
    uint64_t header_words = guess_header(&metis);
    const char *stop = metis.text.end;
    if (header_words < 2)
        return 0;
    if (stop - metis.first > SAMPLE)
        for (stop = metis.first + SAMPLE; stop > metis.first && stop[-1] != '\n';)
            stop--;
    sample s = look_at_lines(&metis, stop, header_words);
    if (!s.possible || !s.words)
        return 0;
    if (stop < metis.text.end)
        return s.uneven ? 60 : 0;
    bool agree =
        s.lines >= metis.vertices.value && (metis.skip || s.words == 2 * metis.edges.value * (metis.weighted ? 2 : 1));
    return agree ? s.uneven ? 60 : HD_SNIFF_NUMBERS : s.uneven ? 5 : 0;
}
