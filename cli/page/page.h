/* page.h - HTML reports: one self-contained HTML file, drawn as inline SVG, without scripts.
 *
 * Pages are small (at most 200 kB), follow the system's light or dark mode, and print well. Each kind of page has a
 * file of its own (page_run.c, page_info.c …); here are the writer, the escaping of text, and shared parts.
 */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "command.h"
#include "text.h"

enum { CLI_PAGE_MOST = 200 * 1000 }; /* bytes */

typedef struct cli_page {
    FILE *out; /* in memory until it is whole; NULL: memory is short */
    char *text;
    size_t size;
} cli_page;

/* Text in memory: a page, or a part of one. */
void cli_page_begin(cli_page *page);
/* Appends a part, and frees it. */
void cli_page_append(cli_page *page, cli_page *part);
/* Writes the text, complete or not at all, and frees it. The exit status. */
int cli_page_finish(cli_page *page, const char *path);

/* `kind` is the small word above the title. Both are escaped. */
void cli_page_open(cli_page *page, const char *kind, const char *title);
/* Ends the page with the command that made it, and writes it: complete or not at all. The exit status. */
int cli_page_close(cli_session *session, cli_page *page, const char *path);
/* Gives up what was not closed. */
void cli_page_drop(cli_page *page);

/* Text from anywhere: markup is escaped, control characters and bytes that are no UTF-8 become U+FFFD. */
void cli_page_put(cli_page *page, const char *text);
/* Markup of our own. */
void cli_page_raw(cli_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The name of a file in a title: the last part of its path; "standard input" for "-". */
const char *cli_page_name(const char *path);

/* A row of figures: begin, each, end. `note` may be NULL. */
void cli_page_tiles(cli_page *page);
void cli_page_tile(cli_page *page, const char *label, const char *value, const char *note);
void cli_page_tiles_end(cli_page *page);

/* A section with a heading and a sentence about its contents; `says` may be NULL. */
void cli_page_section(cli_page *page, const char *title, const char *says);
void cli_page_section_end(cli_page *page);

/* Checks the path of --report, which must not be standard output, where the summary goes. 0, or the exit status. */
int cli_page_check(const cli_session *session, const char *path);

#define CLI_REPORT_OPTION(type, field)                               \
    CLI_VALUE("report", 0, "FILE.html", cli_parse_text, type, field, \
              "also write a page to look at: one file of HTML with its drawings in it, for any browser")

#endif
