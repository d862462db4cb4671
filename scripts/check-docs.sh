#!/usr/bin/env bash
# Checks that the man page and the shell completions know every command and option that the command itself knows,
# that files which the manuals name or link to exist, and that the glossary has each term once.
#
#   HEDDLE=build/heddle scripts/check-docs.sh
set -euo pipefail
heddle=$(realpath "${HEDDLE:-build/heddle}")
cd "$(dirname "$0")/.."
bad=0

# Which words a file has. A word is as long as it can be, so that none is found as a part of another.
declare -A known # FILE WORD
learn() { # FILE, whose text is read from the input
    while read -r word; do known[$1 $word]=yes; done < <(grep -oE -e '[a-z-]+' | sort -u)
}
learn docs/heddle.1 < <(sed "s/\\\\//g" docs/heddle.1)
learn completions/heddle.bash <completions/heddle.bash
learn completions/_heddle <completions/_heddle
learn completions/heddle.fish < <(sed 's/ -l / --/g' completions/heddle.fish)

everywhere() { # WORD
    for file in docs/heddle.1 completions/heddle.bash completions/_heddle completions/heddle.fish; do
        [ "${known[$file $1]:-}" ] || {
            echo "$file does not know $1"
            bad=1
        }
    done
}

# The list ends with other names of algorithms, "name (command)", which are not offered.
commands=$("$heddle" help | sed -n '/^Usage:/,/^More:/s/^  \([a-z]\+\) \+[^ (].*/\1/p')
[ -n "$commands" ] || {
    echo "heddle help lists no commands"
    exit 1
}
for command in $commands; do
    everywhere "$command"
    for option in $("$heddle" help "$command" | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p' | sort -u); do
        everywhere "$option"
    done
done
for topic in formats generators; do
    for name in $("$heddle" help $topic | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
        everywhere "$name"
    done
done

# Paths in backticks: `src/graph/graph.h`, `src/base/`, `cli/page*.c`. Those with a placeholder (NAME, <module>) are not
# checked. Links: [text](file), relative to the page.
missing() { # PAGE WHAT
    echo "$1 names $2, which does not exist"
    bad=1
}
folders='src|cli|tests|scripts|include|docs|bench|cmake|examples'
for page in README.md CONTRIBUTING.md docs/*.md docs/tasks/*.md; do
    for path in $(grep -oE "\`($folders)/[^\` ]*\`" "$page" | tr -d '`' | sort -u); do
        case $path in *NAME* | *'<'* | *…*) continue ;; esac
        compgen -G "${path%%:*}" >/dev/null || missing "$page" "$path"
    done
    for link in $(grep -oE '\]\([^)# ]+' "$page" | sed 's/^](//' | grep -v '^[a-z]*:' | sort -u); do
        case $link in ../c/* | ../commands/*) continue ;; esac # scripts/site.py makes them, and checks
        [ -e "$(dirname "$page")/$link" ] || missing "$page" "$link"
    done
done

# A term of the glossary stands in one row only. A cell may have several terms: "push, pull", "resident *H*".
twice=$(sed -n 's/^| \([^|]*\) |.*/\1/p' docs/glossary.md | sed 's/ \*H\*//g; s/, /\n/g' | grep -vx -e word -e '-*' |
    tr '[:upper:]' '[:lower:]' | sort | uniq -d)
[ -z "$twice" ] || {
    echo "docs/glossary.md has a term in two rows:" $twice
    bad=1
}
exit $bad
