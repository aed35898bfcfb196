import { type Command, EXIT, UsageError } from '../command.ts';

/** The words that can follow a command. */
const VERBS: Record<string, readonly string[]> = {
  decisions: ['list', 'show', 'approve', 'reject'],
  webhooks: ['list', 'create', 'delete', 'rotate-secret', 'deliveries', 'retry'],
  keys: ['list', 'create', 'revoke'],
  completion: ['bash', 'zsh', 'fish'],
};

/** A completion script for the shell, generated from the commands. */
export function makeCompletion(names: () => readonly string[]): Command {
  const bash = () => `_countersign() {
  local current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_CWORD}:\${COMP_WORDS[1]}" in
    1:*) COMPREPLY=($(compgen -W "${names().join(' ')}" -- "$current")) ;;
${Object.entries(VERBS)
  .map(([name, verbs]) => `    2:${name}) COMPREPLY=($(compgen -W "${verbs.join(' ')}" -- "$current")) ;;`)
  .join('\n')}
  esac
}
complete -o default -F _countersign countersign
`;
  const scripts: Record<string, () => string> = {
    bash,
    zsh: () => `autoload -U +X bashcompinit && bashcompinit\n${bash()}`,
    fish: () =>
      [
        `complete -c countersign -f -n __fish_use_subcommand -a "${names().join(' ')}"`,
        ...Object.entries(VERBS).map(
          ([name, verbs]) =>
            `complete -c countersign -f -n "__fish_seen_subcommand_from ${name}" -a "${verbs.join(' ')}"`,
        ),
        '',
      ].join('\n'),
  };
  return {
    summary: 'print a script that completes commands in the shell',
    help: `countersign completion bash|zsh|fish

bash: add  eval "$(countersign completion bash)"  to ~/.bashrc
zsh:  add  eval "$(countersign completion zsh)"   to ~/.zshrc
fish: countersign completion fish > ~/.config/fish/completions/countersign.fish`,
    async run({ positionals: [shell = ''] }) {
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
      if (!script) throw new UsageError('Name a shell: bash, zsh or fish.');
      process.stdout.write(script());
      return EXIT.done;
    },
  };
}
