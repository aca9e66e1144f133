import { SCRIPTS, SHELLS } from '../complete/shell-scripts.ts';
import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { knownNames } from '../text/unknown-name.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

/** `completion SHELL`: prints the script with which a shell completes commands, options, sources, runs and slugs. */
export const command = commandOf({
  group: 'Start and check',
  usage: 'completion <shell>',
  description: 'a script for bash, zsh or fish that completes commands, options, sources, runs, slugs and feeds',
  example: 'completion bash > ~/.calsyncd-completion',
  choices: { shell: SHELLS },
  worksWithout: 'unread',
  tellsDoubts: true,
  act: async ({ io, options, args: [name] }) => {
    const shell = SHELLS.find((each) => each === name);
    if (!shell)
      throw new WrongUse(`There is no completion for "${name}". ${knownNames(name, SHELLS, 'There is one for')}`);
    if (options.json) printJson(io, { shell, script: SCRIPTS[shell] });
    else io.out(SCRIPTS[shell]);
    return EXIT.done;
  },
});
