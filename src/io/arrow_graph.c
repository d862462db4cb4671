/* arrow_graph.c - a graph from a stream of Arrow: which columns, which rows, and the edges in them.
 *
 * Numbers are an edge source that reads the batches as they lie. Strings go to heddle_graph_from_strings: those of one
 * batch as they lie, with their dictionary; of several, the addresses of all are written down first.
 */
#include "base/argument.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/threads.h"
#include "graph/build.h"
#include "io/arrow.h"
#include "io/edge_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NO_COLUMN UINT64_MAX
static const char *const role_names[HD_ROLES] = {"source", "target", "weight"};

void heddle_arrow_options_init_sized(heddle_arrow_options *options, size_t size) {
    heddle_arrow_options defaults = {.size = sizeof defaults,
                                     .source_column = HEDDLE_COLUMN_AUTO,
                                     .target_column = HEDDLE_COLUMN_AUTO,
                                     .weight_column = HEDDLE_COLUMN_AUTO};
    heddle_build_options_init(&defaults.build);
    hd_give_defaults(options, size, &defaults, sizeof defaults);
}

/* ---- Which columns ---------------------------------------------------------------------------------------------- */

static heddle_status fail_column(heddle_context *ctx, const hd_arrow_table *table, const char *name) {
    char known[300] = "";
    size_t length = 0;
    for (uint64_t c = 0; c < table->column_count && length < sizeof known; c++)
        length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", c ? ", " : "",
                                   hd_arrow_table_name(table, c));
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "there is no column %.100s; there are: %s", name,
                   table->column_count ? known : "none");
}

static heddle_status find_named(heddle_context *ctx, const hd_arrow_table *table, const char *name, uint64_t *found) {
    char quoted[104];
    snprintf(quoted, sizeof quoted, "'%.100s'", name);
    for (uint64_t c = 0; c < table->column_count; c++) {
        if (strcmp(hd_arrow_table_name(table, c), name) != 0)
            continue;
        if (*found != NO_COLUMN)
            return hd_fail(ctx, HEDDLE_E_ARGUMENT, "several columns are called %s", quoted);
        *found = c;
    }
    return *found == NO_COLUMN ? fail_column(ctx, table, quoted) : HEDDLE_OK;
}

static bool is_taken(const uint64_t column[HD_ROLES], uint64_t c) {
    return column[HD_ROLE_SOURCE] == c || column[HD_ROLE_TARGET] == c || column[HD_ROLE_WEIGHT] == c;
}

static hd_word name_of(const hd_arrow_table *table, uint64_t c) {
    const char *name = hd_arrow_table_name(table, c);
    return (hd_word){name, name + strlen(name)};
}

/* Columns of usual names, for roles without an explicit column. */
static void take_usual(const hd_arrow_table *table, const bool open[HD_ROLES], uint64_t column[HD_ROLES]) {
    for (uint64_t c = 0; c < table->column_count; c++) {
        bool sure;
        hd_role role = hd_column_role(name_of(table, c), &sure);
        if (role != HD_ROLE_NONE && open[role] && column[role] == NO_COLUMN && !is_taken(column, c))
            column[role] = c;
    }
}

static void take_first_free(const hd_arrow_table *table, uint64_t column[HD_ROLES], int role) {
    for (uint64_t c = 0; c < table->column_count && column[role] == NO_COLUMN; c++)
        if (!is_taken(column, c))
            column[role] = c;
}

/* The column after both ends, as in an edge list without a header. */
static void take_weight_by_place(const hd_arrow_table *table, uint64_t column[HD_ROLES]) {
    uint64_t source = column[HD_ROLE_SOURCE], target = column[HD_ROLE_TARGET];
    uint64_t place = (source > target ? source : target) + 1;
    if (place < table->column_count && hd_arrow_table_numeric(table, place) &&
        !hd_column_is_other(name_of(table, place)))
        column[HD_ROLE_WEIGHT] = place;
}

static heddle_status choose_columns(heddle_context *ctx, const hd_arrow_table *table,
                                    const heddle_arrow_options *options, uint64_t column[HD_ROLES]) {
    const char *const names[] = {options->source, options->target, options->weight};
    const int numbers[] = {options->source_column, options->target_column, options->weight_column};
    bool open[HD_ROLES];
    for (int role = 0; role < HD_ROLES; role++) {
        char text[24];
        column[role] = NO_COLUMN;
        open[role] = !names[role] && numbers[role] == HEDDLE_COLUMN_AUTO;
        if (names[role])
            HD_TRY(find_named(ctx, table, names[role], &column[role]));
        else if (numbers[role] > 0)
            column[role] = (uint64_t)numbers[role] - 1;
        snprintf(text, sizeof text, "%d", numbers[role]);
        if (column[role] != NO_COLUMN && column[role] >= table->column_count)
            return fail_column(ctx, table, text);
    }
    open[HD_ROLE_WEIGHT] = open[HD_ROLE_WEIGHT] && table->column_count > 2; /* both ends come first */
    take_usual(table, open, column);
    take_first_free(table, column, HD_ROLE_SOURCE);
    take_first_free(table, column, HD_ROLE_TARGET);
    if (column[HD_ROLE_SOURCE] == NO_COLUMN || column[HD_ROLE_TARGET] == NO_COLUMN)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "a table of two or more columns is needed, sources and targets");
    if (column[HD_ROLE_WEIGHT] == NO_COLUMN && open[HD_ROLE_WEIGHT])
        take_weight_by_place(table, column);
    return HEDDLE_OK;
}

/* ---- Which rows ------------------------------------------------------------------------------------------------- */

typedef struct arrow_edges {
    hd_arrow_table table[HD_ROLES]; /* of columns that come alone, one for each; else the first */
    hd_arrow_column column[HD_ROLES];
    int columns; /* 3 with weights */
    uint64_t rows, edges, parts;
    uint64_t *kept;      /* the row of each edge; NULL: all rows are edges */
    const void *weights; /* of each edge, in a type that graphs have */
    void *made;          /* the same, where they are not in a batch; 8 bytes each */
    heddle_weight_type type;
    uint64_t vertices;
} arrow_edges;

static uint64_t row_of(const arrow_edges *self, uint64_t e) { return self->kept ? self->kept[e] : e; }

/* The first column without a value in this row; the number of columns: there is none. */
static int lacking(const arrow_edges *self, uint64_t row, uint64_t hint[HD_ROLES]) {
    int c = 0;
    for (; c < self->columns; c++) {
        const hd_arrow_column *column = &self->column[c];
        if (!hd_arrow_cell_at(column, hd_arrow_piece_at(column, row, &hint[c]), row).array)
            break;
    }
    return c;
}

static heddle_status fail_lacking(heddle_context *ctx, const arrow_edges *self, uint64_t row) {
    uint64_t hint[HD_ROLES] = {0};
    int c = lacking(self, row, hint);
    const char *name = self->column[c].name;
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: row %llu has no value", *name ? name : role_names[c],
                   (unsigned long long)row);
}

/* Counts the rows of each part that lack nothing, and finds the first that does; with `kept` writes them down. */
static uint64_t look_at_rows(heddle_context *ctx, const arrow_edges *self, uint64_t *counts, uint64_t *kept) {
    uint64_t first = UINT64_MAX;
    HD_PARALLEL_FOR(ctx, schedule(dynamic) reduction(min : first) if (self->rows >= HD_WORTH_THREADS))
    for (uint64_t part = 0; part < self->parts; part++) {
        uint64_t hint[HD_ROLES] = {0}, count = 0, end = hd_split(self->rows, self->parts, part + 1);
        for (uint64_t row = hd_split(self->rows, self->parts, part); row < end; row++) {
            if (lacking(self, row, hint) < self->columns)
                first = row < first ? row : first;
            else if (kept)
                kept[counts[part] + count++] = row;
            else
                count++;
        }
        if (!kept)
            counts[part] = count;
    }
    return first;
}

static heddle_status choose_rows(heddle_context *ctx, heddle_nulls nulls, arrow_edges *self) {
    heddle_status status = HEDDLE_OK;
    bool may = false;
    uint64_t *counts, bad;
    for (int c = 0; c < self->columns; c++)
        may |= hd_arrow_may_lack(&self->column[c]);
    self->edges = self->rows;
    if (!may)
        return HEDDLE_OK;
    HD_TRY(HD_NEW_ZERO(ctx, &counts, self->parts + 1, "rows of parts"));
    bad = look_at_rows(ctx, self, counts, NULL);
    if (bad != UINT64_MAX && nulls == HEDDLE_NULLS_REFUSE) {
        status = fail_lacking(ctx, self, bad);
    } else if (bad != UINT64_MAX) {
        self->edges = hd_prefix_sum(ctx, counts, self->parts);
        status = HD_NEW(ctx, &self->kept, self->edges, "rows with values");
        if (status == HEDDLE_OK) {
            look_at_rows(ctx, self, counts, self->kept);
            hd_note(ctx, "rows left out because a value is missing: %llu of %llu",
                    (unsigned long long)(self->rows - self->edges), (unsigned long long)self->rows);
        }
    }
    HD_DELETE(&ctx->allocator, counts, self->parts + 1);
    return status;
}

/* ---- Weights ---------------------------------------------------------------------------------------------------- */

/* Decimals that are no whole numbers of 64 bits become doubles. */
static bool has_large(heddle_context *ctx, const arrow_edges *self, const hd_arrow_column *column) {
    bool large = false;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(|| : large) if (self->edges >= HD_WORTH_THREADS))
    for (uint64_t e = 0; e < self->edges; e++) {
        uint64_t hint = 0, row = row_of(self, e);
        int64_t value;
        large = !hd_arrow_whole(column->type, hd_arrow_cell_at(column, hd_arrow_piece_at(column, row, &hint), row),
                                &value) ||
                large;
    }
    return large;
}

static heddle_weight_type weight_type_of(heddle_context *ctx, const arrow_edges *self, const hd_arrow_column *column) {
    switch (column->type.code) {
    case 'I': return HEDDLE_WEIGHT_U32;
    case 'l':
    case 'L': return HEDDLE_WEIGHT_I64;
    case 'e':
    case 'f': return HEDDLE_WEIGHT_F32;
    case 'g': return HEDDLE_WEIGHT_F64;
    case 'd': return column->type.scale || has_large(ctx, self, column) ? HEDDLE_WEIGHT_F64 : HEDDLE_WEIGHT_I64;
    default: return HEDDLE_WEIGHT_I32;
    }
}

static void write_weight(arrow_edges *self, uint64_t e, hd_arrow_type type, hd_arrow_cell cell) {
    int64_t whole = 0;
    if (!hd_weight_real(self->type))
        hd_arrow_whole(type, cell, &whole);
    switch (self->type) {
    case HEDDLE_WEIGHT_U32: ((uint32_t *)self->made)[e] = (uint32_t)whole; break;
    case HEDDLE_WEIGHT_I32: ((int32_t *)self->made)[e] = (int32_t)whole; break;
    case HEDDLE_WEIGHT_I64: ((int64_t *)self->made)[e] = whole; break;
    case HEDDLE_WEIGHT_F32: ((float *)self->made)[e] = (float)hd_arrow_real(type, cell); break;
    default: ((double *)self->made)[e] = hd_arrow_real(type, cell); break;
    }
}

static heddle_status make_weights(heddle_context *ctx, const hd_arrow_column *column, arrow_edges *self) {
    uint64_t bad = UINT64_MAX;
    HD_TRY(HD_NEW(ctx, (uint64_t **)&self->made, self->edges, "weights"));
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(min : bad) if (self->edges >= HD_WORTH_THREADS))
    for (uint64_t part = 0; part < self->parts; part++) {
        uint64_t hint = 0, end = hd_split(self->edges, self->parts, part + 1);
        for (uint64_t e = hd_split(self->edges, self->parts, part); e < end; e++) {
            uint64_t row = row_of(self, e);
            hd_arrow_cell cell = hd_arrow_cell_at(column, hd_arrow_piece_at(column, row, &hint), row);
            write_weight(self, e, column->type, cell);
            if (column->type.code == 'L' && ((int64_t *)self->made)[e] < 0)
                bad = row < bad ? row : bad;
        }
    }
    self->weights = self->made;
    return bad == UINT64_MAX ? HEDDLE_OK
                             : hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: row %llu exceeds 2^63 - 1", column->name,
                                       (unsigned long long)bad);
}

static heddle_status read_weights(heddle_context *ctx, arrow_edges *self) {
    const hd_arrow_column *column = &self->column[HD_ROLE_WEIGHT];
    if (self->columns < HD_ROLES)
        return HEDDLE_OK;
    if (hd_arrow_is_text(column->type))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: numbers are needed as weights, not strings", column->name);
    self->type = weight_type_of(ctx, self, column);
    if (column->piece_count != 1 || self->kept || column->index.code || !strchr("iIlfg", column->type.code))
        return make_weights(ctx, column, self);
    const hd_arrow_piece *piece = &column->pieces[0];
    self->weights = (const char *)piece->array->buffers[1] + piece->offset * hd_weight_size(self->type);
    return HEDDLE_OK;
}

/* ---- Edges between numbers -------------------------------------------------------------------------------------- */

static void begin(void *context, hd_cursor *cursor) {
    const arrow_edges *self = context;
    cursor->position = hd_split(self->edges, self->parts, cursor->part);
    cursor->end = hd_split(self->edges, self->parts, cursor->part + 1);
}

/* False: no id, or beyond the number of vertices; cursor->expected says so. */
static bool read_id(const arrow_edges *self, int side, uint64_t row, hd_cursor *cursor, uint64_t *id) {
    const hd_arrow_column *column = &self->column[side];
    hd_arrow_cell cell = hd_arrow_cell_at(column, hd_arrow_piece_at(column, row, &cursor->state[side]), row);
    int64_t whole = 0;
    bool fits;
    if (hd_arrow_is_real(column->type)) {
        double value = hd_arrow_real(column->type, cell);
        fits = fabs(value) <= HD_EXACT_WHOLE && value == trunc(value);
        whole = fits ? (int64_t)value : 0;
    } else {
        fits = hd_arrow_whole(column->type, cell, &whole);
    }
    bool large = column->type.code == 'L' && whole < 0;
    cursor->seen_large |= large;
    cursor->seen_negative |= whole < 0 && !large;
    if (!fits)
        cursor->expected = "a whole number as id";
    else if (self->vertices && (uint64_t)whole >= self->vertices)
        cursor->expected = "an id below the number of vertices";
    *id = (uint64_t)whole;
    return !cursor->expected;
}

static void next(void *context, hd_cursor *cursor, hd_edge_batch *batch) {
    const arrow_edges *self = context;
    uint64_t e = cursor->position, left = cursor->end - e;
    size_t count = left < HD_BATCH ? (size_t)left : HD_BATCH;
    for (size_t i = 0; i < count; i++, e++) {
        uint64_t row = row_of(self, e);
        bool fits = read_id(self, HD_ROLE_SOURCE, row, cursor, &batch->source[i]) &&
                    read_id(self, HD_ROLE_TARGET, row, cursor, &batch->target[i]);
        if (fits && self->weights) {
            hd_batch_weigh(batch, i, self->weights, self->type, e);
            if (!(batch->weight[i] - batch->weight[i] == 0))
                cursor->expected = "a finite weight";
        }
        if (cursor->expected) {
            cursor->error_at = row;
            return; /* count stays 0 */
        }
    }
    cursor->position = e;
    batch->count = count;
}

static heddle_status fail(void *context, heddle_context *ctx, const hd_cursor *cursor) {
    const arrow_edges *self = context;
    double ends[2];
    for (int side = 0; side < 2; side++) {
        uint64_t hint = 0;
        const hd_arrow_column *column = &self->column[side];
        ends[side] =
            hd_arrow_real(column->type, hd_arrow_cell_at(column, hd_arrow_piece_at(column, cursor->error_at, &hint),
                                                         cursor->error_at));
    }
    return hd_fail(ctx, HEDDLE_E_ARGUMENT, "row %llu (%.17g -> %.17g): expected %s",
                   (unsigned long long)cursor->error_at, ends[0], ends[1], cursor->expected);
}

static heddle_status build_numbers(heddle_context *ctx, arrow_edges *self, const heddle_build_options *options,
                                   heddle_graph **graph) {
    hd_edge_source source = {.self = self,
                             .parts = self->parts,
                             .phase = "build",
                             .work = self->edges,
                             .apart = true,
                             .ids = self->vertices ? HD_IDS_KNOWN : HD_IDS_DISCOVER,
                             .vertices = self->vertices,
                             .id_hint = self->edges * 16 + 1024,
                             .weighted = self->type != HEDDLE_WEIGHT_NONE,
                             .weight_type = self->type,
                             .begin = begin,
                             .next = next,
                             .fail = fail};
    if (self->vertices > UINT32_MAX - 1)
        return hd_fail(ctx, HEDDLE_E_LIMIT, "more than 2^32 - 2 vertices");
    return hd_graph_build(ctx, &source, options, graph);
}

/* ---- Edges between strings -------------------------------------------------------------------------------------- */

/* A side's strings, and what of them had to be written down. */
typedef struct arrow_side {
    heddle_strings strings;
    uint64_t *offsets, *lengths, *codes;
    uint64_t count; /* of offsets and lengths */
} arrow_side;

/* The strings of an array as they lie. */
static void point_at(const struct ArrowArray *array, hd_arrow_type type, uint64_t offset, uint64_t count,
                     heddle_strings *strings) {
    strings->text = array->buffers[2] ? array->buffers[2] : "";
    strings->offset_bits = type.code == 'u' ? 32 : 64;
    strings->offsets = (const char *)array->buffers[1] + offset * (size_t)strings->offset_bits / 8;
    strings->count = count;
}

static int bits_of(char code) {
    return strchr("cC", code) ? 8 : strchr("sS", code) ? 16 : strchr("iI", code) ? 32 : 64;
}

/* Whether one batch has it all. */
static bool lies_ready(const arrow_edges *self, const hd_arrow_column *column) {
    return column->piece_count == 1 && !self->kept && column->type.code != 'v';
}

static void point_at_piece(const hd_arrow_column *column, arrow_side *side) {
    const hd_arrow_piece *piece = &column->pieces[0];
    const struct ArrowArray *array = piece->array, *dictionary = array->dictionary;
    if (!column->index.code) {
        point_at(array, column->type, piece->offset, piece->rows, &side->strings);
        return;
    }
    point_at(dictionary, column->type, (uint64_t)dictionary->offset, (uint64_t)dictionary->length, &side->strings);
    side->strings.code_bits = bits_of(column->index.code);
    side->strings.codes = (const char *)array->buffers[1] + piece->offset * (size_t)side->strings.code_bits / 8;
}

/* Addresses become offsets from the lowest. */
static void offset_from_lowest(heddle_context *ctx, arrow_side *side) {
    uint64_t low = UINT64_MAX;
    HD_PARALLEL_FOR(ctx, schedule(static) reduction(min : low) if (side->count >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < side->count; k++)
        low = side->lengths[k] && side->offsets[k] < low ? side->offsets[k] : low;
    HD_PARALLEL_FOR(ctx, schedule(static) if (side->count >= HD_WORTH_THREADS))
    for (uint64_t k = 0; k < side->count; k++)
        side->offsets[k] = side->lengths[k] ? side->offsets[k] - low : 0;
    side->strings.text = low == UINT64_MAX ? "" : (const char *)(uintptr_t)low;
    side->strings.offsets = side->offsets;
    side->strings.lengths = side->lengths;
    side->strings.offset_bits = 64;
    side->strings.count = side->count;
}

static heddle_status new_addresses(heddle_context *ctx, uint64_t count, arrow_side *side) {
    side->count = count;
    HD_TRY(HD_NEW(ctx, &side->offsets, count, "strings"));
    return HD_NEW(ctx, &side->lengths, count, "strings");
}

static void write_address(hd_arrow_type type, hd_arrow_cell cell, arrow_side *side, uint64_t k) {
    side->offsets[k] = (uintptr_t)hd_arrow_text(type, cell, &side->lengths[k]);
}

static heddle_status write_strings(heddle_context *ctx, const arrow_edges *self, const hd_arrow_column *column,
                                   arrow_side *side) {
    HD_TRY(new_addresses(ctx, self->edges, side));
    HD_PARALLEL_FOR(ctx, schedule(static) if (self->edges >= HD_WORTH_THREADS))
    for (uint64_t part = 0; part < self->parts; part++) {
        uint64_t hint = 0, end = hd_split(self->edges, self->parts, part + 1);
        for (uint64_t e = hd_split(self->edges, self->parts, part); e < end; e++) {
            uint64_t row = row_of(self, e);
            write_address(column->type, hd_arrow_cell_at(column, hd_arrow_piece_at(column, row, &hint), row), side, e);
        }
    }
    offset_from_lowest(ctx, side);
    return HEDDLE_OK;
}

/* The dictionaries of all batches, one behind the other, and codes into them. */
static heddle_status write_dictionaries(heddle_context *ctx, const arrow_edges *self, const hd_arrow_column *column,
                                        arrow_side *side) {
    uint64_t count = 0, *base;
    HD_TRY(HD_NEW(ctx, &base, column->piece_count, "dictionaries"));
    for (uint64_t p = 0; p < column->piece_count; p++) {
        base[p] = count;
        count += (uint64_t)column->pieces[p].array->dictionary->length;
    }
    heddle_status status = new_addresses(ctx, count, side);
    if (status == HEDDLE_OK)
        status = HD_NEW(ctx, &side->codes, self->edges, "codes");
    for (uint64_t p = 0; p < column->piece_count && status == HEDDLE_OK; p++) {
        const struct ArrowArray *one = column->pieces[p].array->dictionary;
        for (uint64_t k = 0; k < (uint64_t)one->length; k++)
            write_address(column->type, (hd_arrow_cell){one, k + (uint64_t)one->offset}, side, base[p] + k);
    }
    if (status == HEDDLE_OK) {
        HD_PARALLEL_FOR(ctx, schedule(static) if (self->edges >= HD_WORTH_THREADS))
        for (uint64_t part = 0; part < self->parts; part++) {
            uint64_t hint = 0, end = hd_split(self->edges, self->parts, part + 1);
            for (uint64_t e = hd_split(self->edges, self->parts, part); e < end; e++) {
                uint64_t row = row_of(self, e);
                const hd_arrow_piece *piece = hd_arrow_piece_at(column, row, &hint);
                side->codes[e] = base[hint] + hd_arrow_code(column, piece, row);
            }
        }
        offset_from_lowest(ctx, side);
        side->strings.codes = side->codes;
        side->strings.code_bits = 64;
    }
    HD_DELETE(&ctx->allocator, base, column->piece_count);
    return status;
}

static heddle_status read_side(heddle_context *ctx, const arrow_edges *self, const hd_arrow_column *column,
                               arrow_side *side) {
    heddle_strings_init(&side->strings);
    if (lies_ready(self, column)) {
        point_at_piece(column, side);
        return HEDDLE_OK;
    }
    return column->index.code ? write_dictionaries(ctx, self, column, side) : write_strings(ctx, self, column, side);
}

static heddle_status build_strings(heddle_context *ctx, const char *function, const arrow_edges *self,
                                   const heddle_build_options *options, heddle_graph **graph) {
    arrow_side side[2] = {{.count = 0}};
    heddle_status status = HEDDLE_OK;
    if (self->vertices)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "vertices: ids are strings here, and the vertices are those that occur: leave it out");
    for (int s = 0; s < 2 && status == HEDDLE_OK; s++)
        status = read_side(ctx, self, &self->column[s], &side[s]);
    if (status == HEDDLE_OK)
        status = hd_graph_from_strings(ctx, function, self->edges, &side[0].strings, &side[1].strings, self->weights,
                                       self->type, options, graph);
    for (int s = 0; s < 2; s++) {
        HD_DELETE(&ctx->allocator, side[s].offsets, side[s].count);
        HD_DELETE(&ctx->allocator, side[s].lengths, side[s].count);
        HD_DELETE(&ctx->allocator, side[s].codes, self->edges);
    }
    return status;
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

static heddle_status open_columns(heddle_context *ctx, const heddle_arrow_options *options, arrow_edges *self) {
    uint64_t chosen[HD_ROLES] = {0};
    bool apart = options->targets != NULL;
    if (apart)
        chosen[HD_ROLE_WEIGHT] = options->weights ? 0 : NO_COLUMN;
    else
        HD_TRY(choose_columns(ctx, &self->table[0], options, chosen));
    self->columns = chosen[HD_ROLE_WEIGHT] == NO_COLUMN ? 2 : HD_ROLES;
    for (int role = 0; role < self->columns; role++) {
        hd_arrow_column *column = &self->column[role];
        const hd_arrow_table *table = &self->table[apart ? role : 0];
        if (!table->column_count)
            return fail_column(ctx, table, role_names[role]);
        HD_TRY(hd_arrow_column_open(ctx, table, chosen[role], column));
        if (!*column->name)
            snprintf(column->name, sizeof column->name, "%ss", role_names[role]);
        if (column->rows != self->column[0].rows)
            return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: %llu elements are needed, not %llu", column->name,
                           (unsigned long long)self->column[0].rows, (unsigned long long)column->rows);
    }
    self->rows = self->column[0].rows;
    return HEDDLE_OK;
}

static heddle_status build(heddle_context *ctx, const char *function, const heddle_arrow_options *options,
                           arrow_edges *self, heddle_graph **graph) {
    HD_TRY(open_columns(ctx, options, self));
    bool text[2];
    for (int s = 0; s < 2; s++) {
        text[s] = hd_arrow_is_text(self->column[s].type);
        if (self->column[s].type.code == 'b')
            return hd_fail(ctx, HEDDLE_E_ARGUMENT, "%s: integers or strings are needed as ids, not booleans",
                           self->column[s].name);
    }
    if (text[0] != text[1] && self->rows)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "%s: ids are strings in the other column, so strings are needed here too",
                       self->column[text[0]].name);
    self->vertices = options->vertices;
    hd_threads_settle(ctx, hd_work(self->vertices, self->rows, 1));
    self->parts = hd_array_parts(ctx, self->rows);
    HD_TRY(choose_rows(ctx, options->nulls, self));
    HD_TRY(read_weights(ctx, self));
    return text[0] && text[1] ? build_strings(ctx, function, self, &options->build, graph)
                              : build_numbers(ctx, self, &options->build, graph);
}

/* Reads all streams, so that each is released whatever the others say. */
static heddle_status take_streams(heddle_context *ctx, struct ArrowArrayStream *stream,
                                  const heddle_arrow_options *options, arrow_edges *self) {
    struct ArrowArrayStream *const streams[] = {stream, options->targets, options->weights};
    const char *const names[] = {options->targets ? "sources" : "table", "targets", "weights"};
    heddle_status status = HEDDLE_OK;
    for (int role = 0; role < HD_ROLES; role++) {
        if (streams[role] && status == HEDDLE_OK)
            status = hd_arrow_table_take(ctx, names[role], streams[role], &self->table[role]);
        else if (streams[role] && streams[role]->release)
            streams[role]->release(streams[role]);
    }
    return status;
}

heddle_status hd_graph_from_arrow(heddle_context *ctx, const char *function, struct ArrowArrayStream *stream,
                                  const heddle_arrow_options *options, heddle_graph **graph) {
    arrow_edges self = {.columns = 0};
    heddle_status status = take_streams(ctx, stream, options, &self);
    ctx->weight_type = options->weight_type;
    if (status == HEDDLE_OK)
        status = build(ctx, function, options, &self, graph);
    ctx->weight_type = HEDDLE_WEIGHT_NONE;
    HD_DELETE(&ctx->allocator, self.kept, self.edges);
    if (self.made)
        hd_free(&ctx->allocator, self.made, (size_t)self.edges * sizeof(uint64_t));
    for (int role = 0; role < HD_ROLES; role++) {
        hd_arrow_column_close(ctx, &self.column[role]);
        hd_arrow_table_free(ctx, &self.table[role]);
    }
    return status;
}

static heddle_status check_options(heddle_context *ctx, const heddle_arrow_options *options) {
    if (options->source_column == 0 || options->target_column == 0 || options->source_column < HEDDLE_COLUMN_AUTO ||
        options->target_column < HEDDLE_COLUMN_AUTO || options->weight_column < HEDDLE_COLUMN_AUTO)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "options->source_column, target_column and weight_column: expected "
                       "numbers of columns, from 1");
    if (options->nulls < HEDDLE_NULLS_REFUSE || options->nulls > HEDDLE_NULLS_DROP)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "options->nulls is %d, which has no meaning", (int)options->nulls);
    if (!hd_weight_is_known(options->weight_type))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "options->weight_type is %d, which has no meaning",
                       (int)options->weight_type);
    if (options->weights && !options->targets)
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "options->weights is a stream, and options->targets is NULL");
    return hd_build_options_check(ctx, &options->build);
}

heddle_status heddle_graph_from_arrow(heddle_context *ctx, struct ArrowArrayStream *stream,
                                      const heddle_arrow_options *given, heddle_graph **graph) {
    heddle_arrow_options options;
    if (graph)
        *graph = NULL;
    HD_ENTER(ctx);
    HD_NEEDS(ctx, stream);
    HD_NEEDS(ctx, graph);
    heddle_arrow_options_init(&options);
    heddle_status status = HD_TAKE_OPTIONS(ctx, given, &options);
    if (status == HEDDLE_OK)
        status = check_options(ctx, &options);
    if (status == HEDDLE_OK)
        return hd_graph_from_arrow(ctx, __func__, stream, &options, graph);
    if (stream->release)
        stream->release(stream);
    return status;
}
