# header-manual.awk - the manual page heddle.3 from include/heddle.h, whose comments are the reference.
#
#   awk -v version=0.1.0 -f scripts/header-manual.awk include/heddle.h >heddle.3
#
# The header is a list of blocks with blank lines between them: comments, which become text, and declarations, which are
# shown as they are with the comments that stand before and inside them. "---- Title ----" begins a section.

function plain(line) { # as roff wants it
    gsub(/\\/, "\\e", line)
    sub(/^['.]/, "\\\\\\&&", line)
    return line
}

function end_code() {
    if (code)
        print ".EE"
    code = 0
}

function show(line) { # code, line by line
    if (!code)
        print ".PP\n.EX"
    code = 1
    print plain(line)
}

function tell(line) { # text, filled; lists begin with " - "
    end_code()
    if (line ~ /^ *- /)
        print ".IP \\(bu 2"
    sub(/^ *(- )?/, "", line)
    if (line != "")
        print plain(line)
}

BEGIN {
    printf ".TH HEDDLE 3 \"\" \"Heddle %s\" \"Library Functions Manual\"\n", version
    print ".SH NAME\nheddle \\- graph analytics that run irregular graphs evenly on SIMD machines"
    print ".SH SYNOPSIS\n.EX\n#include <heddle.h>\n\ncc program.c $(pkg-config --cflags --libs heddle)\n.EE\n.SH DESCRIPTION"
}

/^#(ifndef HEDDLE_H|define HEDDLE_H|if |else|endif|include|ifdef|undef)/ || /^extern "C"/ || /^}$/ && !body && !inline { next }
/^#define HEDDLE_(API|VERSION)/ { next }

/^\/\* ---- / {
    end_code()
    title = $0
    gsub(/^\/\* -+ | -+ \*\/$/, "", title)
    print ".SH " toupper(title)
    next
}

# Comments that stand alone on their lines, outside of structs.
!body && /^\/\*/ { comment = 1; print ".PP" }
comment {
    line = $0
    last = line ~ /\*\/$/
    sub(/ ?\*\/$/, "", line)
    sub(/^(\/\*| \*) ?/, "", line)
    if (line ~ /^    /) # an example
        show(line)
    else
        tell(line)
    if (last)
        comment = 0
    next
}

/^static inline/ { inline = 1 }
inline { # one line says enough
    if (/^static inline/) {
        line = $0
        sub(/ \{.*$/, ";", line)
        sub(/^static inline /, "", line)
        show(line)
    }
    if (/^}/ || /\}$/)
        inline = 0
    next
}

/\{$/ { body = 1 }
/^}/ { body = 0; show($0); next }
/^$/ { end_code(); next }
{
    line = $0
    sub(/^HEDDLE_API /, "", line)
    show(line)
}

END {
    end_code()
    print ".SH SEE ALSO\n.BR heddle (1)"
}
