/* edge_list_columns.c - which columns of an edge list hold source, target and weight: as the user's options say, as the
 * header names them, or else the first two and, if it is a number, the one after them. */
#include "io/edge_list.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const role_names[HD_ROLES] = {"source", "target", "weight"};

/* ---- What the user says ----------------------------------------------------------------------------------------- */

static heddle_status refuse_columns(heddle_context *ctx, const char *columns) {
    return hd_fail(
        ctx, HEDDLE_E_ARGUMENT,
        "columns '%.100s': expected source=COLUMN, target=COLUMN and weight=COLUMN (or weight=none), each at "
        "most once, separated by commas; a column is a number from 1 to 65535 or a name",
        columns);
}

static bool read_choice(hd_word word, bool may_lack, hd_column_choice *choice) {
    uint64_t number;
    if (word.p == word.end)
        return false;
    if (may_lack && hd_word_is(word, "none")) {
        choice->number = HEDDLE_COLUMN_NONE;
    } else if (hd_is_digit(*word.p)) {
        if (hd_scan_u64(word.p, word.end, &number) != word.end || number < 1 || number > 65535)
            return false;
        choice->number = (int)number;
    } else {
        choice->name = word;
    }
    return true;
}

static bool is_chosen(const hd_column_choice *choice) { return choice->number != HEDDLE_COLUMN_AUTO || choice->name.p; }

heddle_status hd_columns_read(heddle_context *ctx, const heddle_load_options *options,
                              hd_column_choice choice[HD_ROLES]) {
    for (int role = 0; role < HD_ROLES; role++)
        choice[role] = (hd_column_choice){.number = HEDDLE_COLUMN_AUTO};
    for (const char *p = options->columns; p; p = *p ? p + 1 : NULL) {
        const char *end = p + strcspn(p, ","), *sign = memchr(p, '=', (size_t)(end - p));
        int role = 0;
        while (sign && role < HD_ROLES && !hd_word_is((hd_word){p, sign}, role_names[role]))
            role++;
        if (!sign || role == HD_ROLES || is_chosen(&choice[role]) ||
            !read_choice((hd_word){sign + 1, end}, role == HD_ROLE_WEIGHT, &choice[role]))
            return refuse_columns(ctx, options->columns);
        p = end;
    }
    if (options->weight_column != HEDDLE_COLUMN_AUTO && is_chosen(&choice[HD_ROLE_WEIGHT]))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT, "the weight's column is given twice, the second time in '%.100s'",
                       options->columns);
    if ((options->weight_column == 1 || options->weight_column == 2) && !is_chosen(&choice[HD_ROLE_SOURCE]) &&
        !is_chosen(&choice[HD_ROLE_TARGET]))
        return hd_fail(ctx, HEDDLE_E_ARGUMENT,
                       "weight column %d: weights stand in column 3 or later, unless --columns says where the rest is",
                       options->weight_column);
    if (options->weight_column != HEDDLE_COLUMN_AUTO)
        choice[HD_ROLE_WEIGHT].number = options->weight_column;
    return HEDDLE_OK;
}

bool hd_columns_are_named(const hd_column_choice choice[HD_ROLES]) {
    bool named = false;
    for (int role = 0; role < HD_ROLES; role++)
        named |= choice[role].name.p != NULL;
    return named;
}

/* ---- What headers call columns ---------------------------------------------------------------------------------- */

/* In lower case, without blanks, underscores and the like. Sure: unlikely to be the label of a vertex. */
typedef struct column_name {
    const char *name;
    hd_role role;
    bool sure;
} column_name;

static const column_name column_names[] = {
    {"source", HD_ROLE_SOURCE, true},     {"target", HD_ROLE_TARGET, true},
    {"sourceid", HD_ROLE_SOURCE, true},   {"targetid", HD_ROLE_TARGET, true},
    {"sourcenode", HD_ROLE_SOURCE, true}, {"targetnode", HD_ROLE_TARGET, true},
    {"src", HD_ROLE_SOURCE, true},        {"dst", HD_ROLE_TARGET, true},
    {"srcid", HD_ROLE_SOURCE, true},      {"dstid", HD_ROLE_TARGET, true},
    {"dest", HD_ROLE_TARGET, true},       {"destination", HD_ROLE_TARGET, true},
    {"destid", HD_ROLE_TARGET, true},     {"destinationid", HD_ROLE_TARGET, true},
    {"from", HD_ROLE_SOURCE, true},       {"to", HD_ROLE_TARGET, true},
    {"fromid", HD_ROLE_SOURCE, true},     {"toid", HD_ROLE_TARGET, true},
    {"fromnode", HD_ROLE_SOURCE, true},   {"tonode", HD_ROLE_TARGET, true},
    {"fromnodeid", HD_ROLE_SOURCE, true}, {"tonodeid", HD_ROLE_TARGET, true},
    {"startid", HD_ROLE_SOURCE, true},    {"endid", HD_ROLE_TARGET, true},
    {"startnode", HD_ROLE_SOURCE, true},  {"endnode", HD_ROLE_TARGET, true},
    {"node1", HD_ROLE_SOURCE, true},      {"node2", HD_ROLE_TARGET, true},
    {"id1", HD_ROLE_SOURCE, true},        {"id2", HD_ROLE_TARGET, true},
    {"vertex1", HD_ROLE_SOURCE, true},    {"vertex2", HD_ROLE_TARGET, true},
    {"start", HD_ROLE_SOURCE, false},     {"end", HD_ROLE_TARGET, false},
    {"u", HD_ROLE_SOURCE, false},         {"v", HD_ROLE_TARGET, false},
    {"follower", HD_ROLE_SOURCE, false},  {"followee", HD_ROLE_TARGET, false},
    {"user", HD_ROLE_SOURCE, false},      {"item", HD_ROLE_TARGET, false},
    {"userid", HD_ROLE_SOURCE, false},    {"itemid", HD_ROLE_TARGET, false},
    {"citing", HD_ROLE_SOURCE, false},    {"cited", HD_ROLE_TARGET, false},
    {"sender", HD_ROLE_SOURCE, false},    {"receiver", HD_ROLE_TARGET, false},
    {"weight", HD_ROLE_WEIGHT, true},     {"weights", HD_ROLE_WEIGHT, true},
    {"w", HD_ROLE_WEIGHT, true},          {"cost", HD_ROLE_WEIGHT, true},
    {"distance", HD_ROLE_WEIGHT, true},   {"length", HD_ROLE_WEIGHT, true},
    {"capacity", HD_ROLE_WEIGHT, true},   {"rating", HD_ROLE_WEIGHT, true},
    {"value", HD_ROLE_WEIGHT, true},
};

/* Numeric columns of these names are not weights. */
static const char *const other_names[] = {"id",       "edgeid", "key",  "index",    "type",  "kind",
                                          "label",    "time",   "date", "datetime", "stamp", "timestamp",
                                          "unixtime", "epoch",  "year", "since",    "ts",    "t"};

typedef struct plain_name {
    char text[24];
} plain_name;

static plain_name plain(hd_word word) {
    plain_name name = {""};
    size_t length = 0;
    for (const char *p = word.p; p < word.end; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || hd_is_digit(*p), capital = *p >= 'A' && *p <= 'Z';
        if (!letter && !capital && *p != '_' && *p != '-' && *p != ' ' && *p != '.')
            return (plain_name){""};
        if (!letter && !capital)
            continue;
        if (length + 1 == sizeof name.text)
            return (plain_name){""};
        name.text[length++] = capital ? (char)(*p - 'A' + 'a') : *p;
    }
    return name;
}

/* Neo4j writes "name:type" over a column, with the types START_ID and END_ID, perhaps with a group:
 * ":START_ID(User)". */
static hd_word name_part(hd_word word) {
    const char *colon = word.p < word.end ? memchr(word.p, ':', (size_t)(word.end - word.p)) : NULL;
    return (hd_word){word.p, colon ? colon : word.end};
}

static hd_word type_part(hd_word word) {
    const char *colon = name_part(word).end, *start = colon < word.end ? colon + 1 : word.end;
    const char *group = start < word.end ? memchr(start, '(', (size_t)(word.end - start)) : NULL;
    return (hd_word){start, group ? group : word.end};
}

hd_role hd_column_role(hd_word word, bool *sure) {
    plain_name name = plain(name_part(word)), type = plain(type_part(word));
    *sure = true;
    if (!strcmp(type.text, "startid"))
        return HD_ROLE_SOURCE;
    if (!strcmp(type.text, "endid"))
        return HD_ROLE_TARGET;
    for (size_t i = 0; i < sizeof column_names / sizeof *column_names; i++)
        if (!strcmp(column_names[i].name, name.text)) {
            *sure = column_names[i].sure;
            return column_names[i].role;
        }
    return HD_ROLE_NONE;
}

bool hd_column_is_other(hd_word word) {
    plain_name name = plain(name_part(word));
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (!strcmp(other_names[i], name.text))
            return true;
    return hd_word_is(type_part(word), "type");
}

hd_header_names hd_header_names_in(const hd_first_line *line) {
    bool found[HD_ROLES + 1] = {false}, sure[HD_ROLES + 1] = {false};
    for (int i = 0; i < line->fields; i++) {
        bool certain;
        hd_role role = hd_column_role(line->field[i], &certain);
        found[role] = true;
        sure[role] |= certain;
    }
    if (sure[HD_ROLE_SOURCE] && sure[HD_ROLE_TARGET])
        return HD_NAMES_SURE;
    return found[HD_ROLE_SOURCE] && found[HD_ROLE_TARGET] ? HD_NAMES_USUAL : HD_NAMES_NONE;
}

/* ---- Settling --------------------------------------------------------------------------------------------------- */

static bool is_taken(const hd_edge_list *list, int column) {
    bool taken = false;
    for (int role = 0; role < HD_ROLES; role++)
        taken |= list->column[role] == column;
    return taken;
}

static bool is_same_name(hd_word a, hd_word b) {
    if (a.end - a.p != b.end - b.p)
        return false;
    for (const char *p = a.p, *q = b.p; p < a.end; p++, q++) {
        char c = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p,
             d = *q >= 'A' && *q <= 'Z' ? (char)(*q - 'A' + 'a') : *q;
        if (c != d)
            return false;
    }
    return true;
}

/* The column of this name, whole or before a colon; 0: there is none. */
static int find_name(const hd_first_line *header, hd_word name) {
    for (int i = 0; i < header->fields; i++)
        if (is_same_name(header->field[i], name) || is_same_name(name_part(header->field[i]), name))
            return i + 1;
    return 0;
}

static heddle_status take_choices(heddle_context *ctx, hd_edge_list *list, const hd_column_choice choice[HD_ROLES],
                                  const hd_first_line *header) {
    for (int role = 0; role < HD_ROLES; role++) {
        hd_word name = choice[role].name;
        int column = name.p ? find_name(header, name) : choice[role].number;
        if (name.p && !column)
            return hd_text_refuse(ctx, &list->text, header->p, header->end, "a header with a column '%.*s', for the %s",
                                  (int)(name.end - name.p > 60 ? 60 : name.end - name.p), name.p, role_names[role]);
        if (column > 0 && is_taken(list, column))
            return hd_fail(ctx, HEDDLE_E_ARGUMENT, "column %d cannot be the %s: it holds something else", column,
                           role_names[role]);
        list->column[role] = column > 0 ? column : 0;
    }
    return HEDDLE_OK;
}

static void take_names(hd_edge_list *list, const hd_column_choice choice[HD_ROLES], const hd_first_line *header) {
    for (int i = 0; i < header->fields; i++) {
        bool sure;
        hd_role role = hd_column_role(header->field[i], &sure);
        if (role != HD_ROLE_NONE && !is_chosen(&choice[role]) && !list->column[role] && !is_taken(list, i + 1))
            list->column[role] = i + 1;
    }
}

static void take_first_free(hd_edge_list *list, hd_role role, int from) {
    while (is_taken(list, from))
        from++;
    if (!list->column[role])
        list->column[role] = from;
}

/* Takes the column after source and target for weights, if it holds numbers and the header, if any, does not name it
 * otherwise. */
static void take_weight_by_place(hd_edge_list *list, const hd_first_line *header, const hd_first_line *line) {
    const int *column = list->column;
    int place = column[HD_ROLE_SOURCE] > column[HD_ROLE_TARGET] ? column[HD_ROLE_SOURCE] : column[HD_ROLE_TARGET];
    bool there = place < line->fields && hd_means_number(line->field[place]);
    bool other = place < header->fields && hd_column_is_other(header->field[place]);
    list->column[HD_ROLE_WEIGHT] = there && !other ? place + 1 : 0;
    list->weight_by_place = there && !other;
    list->no_weight = !there && !other;
}

static void prepare_words(hd_edge_list *list) {
    const char *kind = list->labels ? "label" : "id";
    bool usual = list->column[HD_ROLE_SOURCE] == 1 && list->column[HD_ROLE_TARGET] == 2;
    list->last_column = 0;
    for (int role = 0; role < HD_ROLES; role++) {
        int column = list->column[role];
        size_t room = sizeof list->missing[role];
        list->last_column = column > list->last_column ? column : list->last_column;
        if (role == HD_ROLE_WEIGHT)
            snprintf(list->missing[role], room, "a weight in column %d (--weight-column none reads none)", column);
        else if (usual)
            snprintf(list->missing[role], room, "a %s vertex %s", role == HD_ROLE_SOURCE ? "first" : "second", kind);
        else
            snprintf(list->missing[role], room, "a vertex %s in column %d", kind, column);
    }
}

heddle_status hd_columns_settle(heddle_context *ctx, hd_edge_list *list, const hd_column_choice choice[HD_ROLES],
                                const hd_first_line *header, const hd_first_line *line) {
    bool index = header->fields && header->field[0].p == header->field[0].end; /* pandas writes one, without a name */
    memset(list->column, 0, sizeof list->column);
    HD_TRY(take_choices(ctx, list, choice, header));
    take_names(list, choice, header);
    take_first_free(list, HD_ROLE_SOURCE, index ? 2 : 1);
    take_first_free(list, HD_ROLE_TARGET, index ? 2 : 1);
    if (!list->column[HD_ROLE_WEIGHT] && !is_chosen(&choice[HD_ROLE_WEIGHT]))
        take_weight_by_place(list, header, line);
    prepare_words(list);
    return HEDDLE_OK;
}

void hd_columns_find_type(hd_edge_list *list, const hd_first_line *header, const hd_first_line *line) {
    for (int i = 0; i < header->fields && i < line->fields; i++) {
        bool undirected = hd_word_is(line->field[i], "undirected");
        if (is_taken(list, i + 1) || !hd_word_is(header->field[i], "type") ||
            !(undirected || hd_word_is(line->field[i], "directed")))
            continue;
        list->type_column = i + 1;
        list->undirected = undirected;
        list->last_column = i + 1 > list->last_column ? i + 1 : list->last_column;
    }
}

void hd_columns_tell(const hd_edge_list *list, const hd_first_line *header, char *text, size_t room) {
    size_t length = 0;
    text[0] = '\0';
    for (int role = 0; role < HD_ROLES && length < room; role++) {
        int column = list->column[role];
        hd_word name = column && column <= header->fields ? header->field[column - 1] : (hd_word){text, text};
        if (!column)
            continue;
        length += (size_t)snprintf(text + length, room - length, "%s%s in column %d", length ? ", " : "",
                                   role_names[role], column);
        if (name.p < name.end && length < room)
            length += (size_t)snprintf(text + length, room - length, " ('%.*s')",
                                       (int)(name.end - name.p > 40 ? 40 : name.end - name.p), name.p);
    }
}

/* "userId" -> "user"; false if it does not end by "id". */
static bool drop_id(plain_name *name) {
    size_t length = strlen(name->text);
    if (length < 3 || strcmp(name->text + length - 2, "id") != 0)
        return false;
    name->text[length - 2] = '\0';
    return true;
}

bool hd_columns_tell_kinds(const hd_edge_list *list, const hd_first_line *header, hd_word kind[2]) {
    enum { SAME = 3 }; /* letters that names of one kind begin with: "user1" and "user2", "follower" and "followee" */
    plain_name name[2];
    bool id[2], sure[2], user[2], certain;
    for (int role = 0; role < 2; role++) {
        if (list->column[role] > header->fields)
            return false;
        kind[role] = header->field[list->column[role] - 1];
        sure[role] = hd_column_role(kind[role], &certain) != HD_ROLE_NONE && certain;
        name[role] = plain(kind[role]);
        id[role] = drop_id(&name[role]);
        user[role] = strncmp(name[role].text, "user", 4) == 0;
    }
    return !list->labels && !(sure[0] && sure[1]) && ((id[0] && id[1]) || user[0] || user[1]) && name[0].text[0] &&
           name[1].text[0] && strncmp(name[0].text, name[1].text, SAME) != 0;
}
