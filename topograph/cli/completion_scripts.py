"""What a shell runs on TAB: each script hands over the line up to the cursor and what stands after
it, and gets a line for each candidate: its kind, its value and its help, divided by tabs. Kinds:
``plain``; ``open``, after which no space is put; ``dir`` and ``file``, where the shell completes a
path itself.
"""

from __future__ import annotations

BASH = r"""
_topograph_completion() {
    local kind value help
    COMPREPLY=()
    # bash replaces only $2, the part after the last : or =, so the answer has to leave out what comes before it
    while IFS=$'\t' read -r kind value help; do
        case $kind in
            dir) compopt -o dirnames ;;
            file) compopt -o default ;;
            open) compopt -o nospace; COMPREPLY+=("$value") ;;
            plain) COMPREPLY+=("$value") ;;
        esac
    done < <(env COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_AFTER="${COMP_LINE:COMP_POINT}" COMP_REPLACED="$2" \
        _TOPOGRAPH_COMPLETE=bash_complete "$1" 2>/dev/null)
}
complete -o nosort -F _topograph_completion topograph
"""  # noqa: E501

ZSH = r"""
#compdef topograph
_topograph_completion() {
    local -a rows fields plain plain_shown open open_shown
    local row
    rows=("${(@f)$(env COMP_LINE="${(j: :)words[1,CURRENT]}" COMP_AFTER="${(j: :)words[CURRENT+1,-1]}" \
        _TOPOGRAPH_COMPLETE=zsh_complete topograph 2>/dev/null)}")
    for row in $rows; do
        fields=("${(@s:	:)row}")
        case $fields[1] in
            dir) _path_files -/ ;;
            file) _path_files -f ;;
            open) open+=("$fields[2]"); open_shown+=("$fields[2]${fields[3]:+  -- $fields[3]}") ;;
            plain) plain+=("$fields[2]"); plain_shown+=("$fields[2]${fields[3]:+  -- $fields[3]}") ;;
        esac
    done
    (( $#open )) && compadd -U -S '' -V topograph -l -d open_shown -a open
    (( $#plain )) && compadd -U -V topograph -l -d plain_shown -a plain
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _topograph_completion "$@"
else
    compdef _topograph_completion topograph
fi
"""  # noqa: E501

FISH = r"""
function _topograph_completion
    for row in (env COMP_LINE=(commandline -cp | string collect) COMP_AFTER= _TOPOGRAPH_COMPLETE=fish_complete topograph 2>/dev/null)
        set -l field (string split -m 2 \t -- $row)
        switch $field[1]
            case dir
                __fish_complete_directories (commandline -ct)
            case file
                __fish_complete_path (commandline -ct)
            case plain open
                printf '%s\t%s\n' $field[2] "$field[3]"
        end
    end
end
complete --no-files --command topograph --arguments '(_topograph_completion)'
"""  # noqa: E501

SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
"""By shell; what ``_TOPOGRAPH_COMPLETE=<shell>_source topograph`` prints."""
