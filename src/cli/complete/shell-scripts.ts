/** The shells that can be completed. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The first line if file names are candidates as well. */
export const FILES_TOO = ':files';

// Each calls the program as the user did, with the words up to the cursor. A line of output is a candidate, then a tab
// and its description.

const BASH = `# Completion of calsyncd for bash. In ~/.bashrc:  source <(calsyncd completion bash)
# In a checkout, before that:  calsyncd() { npm run -s calsyncd -- "$@"; }
_calsyncd() {
  local line current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  while IFS= read -r line; do
    if [ "$line" = "${FILES_TOO}" ]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    else
      COMPREPLY+=("\${line%%$'\\t'*}")
    fi
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _calsyncd calsyncd
`;

const ZSH = `#compdef calsyncd
# Completion of calsyncd for zsh. In ~/.zshrc, after compinit:  source <(calsyncd completion zsh)
# In a checkout, before that:  calsyncd() { npm run -s calsyncd -- "$@"; }
_calsyncd() {
  local line files=
  local -a found
  while IFS= read -r line; do
    if [[ $line == ${FILES_TOO} ]]; then
      files=1
    else
      line=\${line//:/\\\\:}
      found+=("\${line/$'\\t'/:}")
    fi
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe calsyncd found
  [[ -n $files ]] && _files
  return 0
}
if [[ \${funcstack[1]} == _calsyncd ]]; then _calsyncd "$@"; else compdef _calsyncd calsyncd; fi
`;

const FISH = `# Completion of calsyncd for fish:  calsyncd completion fish > ~/.config/fish/completions/calsyncd.fish
# In a checkout, before that:  function calsyncd; npm run -s calsyncd -- $argv; end; funcsave calsyncd
function __calsyncd_complete
  set -l typed (commandline -opc)
  set -l current (commandline -ct)
  set -l program $typed[1]
  set -e typed[1]
  $program complete -- $typed "$current" 2>/dev/null | while read -l line
    if test "$line" = "${FILES_TOO}"
      __fish_complete_path "$current"
    else
      echo $line
    end
  end
end
complete -c calsyncd -f -a '(__calsyncd_complete)'
`;

/** The scripts by shell. */
export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
