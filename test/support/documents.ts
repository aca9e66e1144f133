import { globSync, readFileSync } from 'node:fs';

/** What people read to use the program: the README and the pages of docs/. */
export const DOCUMENTS: readonly string[] = ['README.md', ...globSync('docs/*.md').toSorted()];

export const textOf = (file: string): string => readFileSync(file, 'utf8');

/** The blocks of code of a document in a language, in order, also those in lists. */
export const blocksIn = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)]
    .filter(([, , named]) => named === language)
    .map(([, indent = '', , block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));

/** The commands of the program that a script names, with their options. */
export const commandsIn = (
  script: string,
): readonly { readonly command: string; readonly flags: readonly string[] }[] =>
  [...script.replaceAll(/ #.*/g, '').matchAll(/(?:^|[ (])calsyncd (?:-- )?([a-z]+)([^\n#|&>]*)/gm)].map(
    ([, command = '', rest = '']) => ({
      command,
      flags: rest.match(/(?<=\s)--?[a-z][a-z-]*/g) ?? [],
    }),
  );

/** A block that is a configuration of ours: one of another program begins with the name of its file. */
export const isOurConfiguration = (block: string): boolean => !/^# \S+\.ya?ml$/m.test(block.split('\n')[0] ?? '');

/** Values for the variables that a configuration names. */
export const variablesOf = (configuration: string): Record<string, string> =>
  Object.fromEntries(
    [...configuration.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name = '']) => [
      name,
      /WEBHOOK|WORKFLOW|_URL$/.test(name) ? 'https://hooks.example/of-some-length' : 'a-value-of-some-length',
    ]),
  );
