/* page.c - the writer of pages. The style is in page_style.c. */
#include "page/page.h"

#include "common.h"
#include "file.h"
#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

extern const char *const cli_page_style[];

void cli_page_raw(cli_page *page, const char *format, ...) {
    va_list list;
    if (!page->out)
        return;
    va_start(list, format);
    vfprintf(page->out, format, list);
    va_end(list);
}

void cli_page_put(cli_page *page, const char *text) {
    if (!page->out)
        return;
    for (size_t length; *text; text += length ? length : 1) {
        length = cli_utf8_length(text);
        if (!cli_harmless(text))
            fputs("\xef\xbf\xbd", page->out);
        else if (*text == '&')
            fputs("&amp;", page->out);
        else if (*text == '<')
            fputs("&lt;", page->out);
        else if (*text == '>')
            fputs("&gt;", page->out);
        else if (*text == '"')
            fputs("&quot;", page->out);
        else
            fwrite(text, 1, length, page->out);
    }
}

void cli_page_begin(cli_page *page) {
    *page = (cli_page){.out = NULL};
    page->out = open_memstream(&page->text, &page->size);
}

void cli_page_append(cli_page *page, cli_page *part) {
    bool whole = part->out && fflush(part->out) == 0;
    if (page->out && whole) {
        fwrite(part->text, 1, part->size, page->out);
    } else if (page->out) {
        fclose(page->out);
        page->out = NULL;
    }
    cli_page_drop(part);
}

void cli_page_open(cli_page *page, const char *kind, const char *title) {
    cli_page_begin(page);
    cli_page_raw(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"color-scheme\" content=\"light dark\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "style-src 'unsafe-inline'\">\n<title>");
    cli_page_put(page, title);
    cli_page_raw(page, "</title>\n<style>\n");
    for (const char *const *line = cli_page_style; *line; line++)
        cli_page_raw(page, "%s\n", *line);
    cli_page_raw(page, "</style>\n</head>\n<body>\n<header>\n<p class=\"kind\">");
    cli_page_put(page, kind);
    cli_page_raw(page, "</p>\n<h1>");
    cli_page_put(page, title);
    cli_page_raw(page, "</h1>\n</header>\n<main>\n");
}

/* An argument, quoted for a shell. */
static void put_argument(cli_page *page, const char *text) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,.:/@%";
    char one[2] = "";
    if (*text && !text[strspn(text, plain)]) {
        cli_page_put(page, text);
        return;
    }
    cli_page_put(page, "'");
    for (; *text; text++) {
        if (*text == '\'') {
            cli_page_put(page, "'\\''");
        } else if ((unsigned char)*text < 0x80) {
            one[0] = *text;
            cli_page_put(page, one);
        } else { /* the rest of a character stays with its beginning */
            size_t length = cli_utf8_length(text);
            char whole[5] = "";
            memcpy(whole, text, length ? length : 1);
            cli_page_put(page, whole);
            text += length ? length - 1 : 0;
        }
    }
    cli_page_put(page, "'");
}

static void put_command(cli_page *page, const cli_session *session) {
    cli_page_raw(page, "<section class=\"made\">\n<h2>Made by</h2>\n<pre><code>heddle");
    for (int i = 0; i < session->word_count; i++) {
        cli_page_raw(page, " ");
        put_argument(page, session->words[i]);
    }
    cli_page_raw(page, "</code></pre>\n<p class=\"quiet\">heddle %s</p>\n</section>\n", heddle_version());
}

void cli_page_drop(cli_page *page) {
    if (page->out)
        fclose(page->out);
    free(page->text);
    *page = (cli_page){.out = NULL};
}

static int write_file(const cli_page *page, const char *path) {
    cli_file file;
    if (cli_file_open(&file, path)) {
        bool written = fwrite(page->text, 1, page->size, file.out) == page->size;
        if (cli_file_close(&file, written) && written)
            return 0;
    }
    cli_say("%.800s: cannot write the page: %s", path, strerror(errno));
    return CLI_EXIT_OUTPUT;
}

int cli_page_close(cli_session *session, cli_page *page, const char *path) {
    put_command(page, session);
    cli_page_raw(page, "</main>\n</body>\n</html>\n");
    return cli_page_finish(page, path);
}

int cli_page_finish(cli_page *page, const char *path) {
    bool whole = page->out && !ferror(page->out);
    if (page->out)
        whole &= fclose(page->out) == 0;
    page->out = NULL;
    int exit_status = 0;
    if (!whole) {
        cli_say("out of memory");
        exit_status = heddle_status_exit(HEDDLE_E_MEMORY);
    } else {
        exit_status = write_file(page, path);
    }
    cli_page_drop(page);
    return exit_status;
}

const char *cli_page_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return !strcmp(path, "-") ? "standard input" : slash && slash[1] ? slash + 1 : path;
}

void cli_page_tiles(cli_page *page) { cli_page_raw(page, "<dl class=\"tiles\">\n"); }

void cli_page_tile(cli_page *page, const char *label, const char *value, const char *note) {
    cli_page_raw(page, "<div><dt>");
    cli_page_put(page, label);
    cli_page_raw(page, "</dt><dd>");
    cli_page_put(page, value);
    if (note) {
        cli_page_raw(page, "<small>");
        cli_page_put(page, note);
        cli_page_raw(page, "</small>");
    }
    cli_page_raw(page, "</dd></div>\n");
}

void cli_page_tiles_end(cli_page *page) { cli_page_raw(page, "</dl>\n"); }

void cli_page_section(cli_page *page, const char *title, const char *says) {
    cli_page_raw(page, "<section>\n<h2>");
    cli_page_put(page, title);
    cli_page_raw(page, "</h2>\n");
    if (says) {
        cli_page_raw(page, "<p class=\"says\">");
        cli_page_put(page, says);
        cli_page_raw(page, "</p>\n");
    }
}

void cli_page_section_end(cli_page *page) { cli_page_raw(page, "</section>\n"); }

int cli_page_check(const cli_session *session, const char *path) {
    if (path && !strcmp(path, "-"))
        return cli_usage_error(session->command, "--report needs a file of its own");
    int exit_status = cli_check_replaced(session, path, NULL, 0);
    return exit_status ? exit_status : cli_file_check(path, "cannot write the page");
}
