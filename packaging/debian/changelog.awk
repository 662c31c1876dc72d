# The list items of the newest section of CHANGELOG.md, as a section of debian/changelog has them: in lines of at most 78 characters.
function flush(    words, count, line, i) {
    count = split(item, words, " ")
    line = "  *"
    for (i = 1; i <= count; ++i) {
        if (length(line) + 1 + length(words[i]) > 78) {
            print line
            line = "   "
        }
        line = line " " words[i]
    }
    if (count > 0) print line
    item = ""
}
/^## / { if (found) exit; found = 1 }
/^- / { flush(); item = substr($0, 3); next }
/^  [^ ]/ && item { item = item " " $0; next }
{ flush() }
END { flush() }
