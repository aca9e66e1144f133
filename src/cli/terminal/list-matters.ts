import type { OpenMatter } from '../../run/state/open-matters.ts';
import type { Call } from './command.ts';
import { printTable } from './screen.ts';
import { EXIT, printJson, type ExitCode } from './io.ts';

/**
 * Lists decisions that wait for a person: as JSON under `name`, or else one line each with the command for it, or
 * `none`.
 */
export function listMatters(
  { io, options }: Call,
  name: string,
  matters: readonly OpenMatter[],
  command: (matter: OpenMatter) => string,
  none: string,
): ExitCode {
  if (options.json) printJson(io, { [name]: matters });
  else if (matters.length === 0) io.out(`${none}\n`);
  else
    printTable(io, {
      indent: 2,
      headings: ['source', 'event'],
      rows: matters.map((matter) => ({
        cells: [matter.source, `"${matter.title}"${matter.fields.length > 0 ? `: ${matter.fields.join(', ')}` : ''}`],
        below: [`npm run -s calsyncd -- ${command(matter)}`],
      })),
    });
  return EXIT.done;
}
