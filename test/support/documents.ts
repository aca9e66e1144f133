import { globSync, readFileSync } from 'node:fs';

/** The user documentation: the README and the pages of docs/. */
export const DOCUMENTS: readonly string[] = ['README.md', ...globSync('docs/*.md').toSorted()];

export const textOf = (file: string): string => readFileSync(file, 'utf8');

/** The code blocks of a document in one language, in order, including those in lists. */
export const blocksIn = (text: string, language: string): readonly string[] =>
  [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)]
    .filter(([, , named]) => named === language)
    .map(([, indent = '', , block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));

/** The calsyncd commands in a script, with their options. */
export const commandsIn = (
  script: string,
): readonly { readonly command: string; readonly flags: readonly string[] }[] =>
  [...script.replaceAll(/ #.*/g, '').matchAll(/(?:^|[ (])calsyncd (?:-- )?([a-z]+)([^\n#|&>]*)/gm)].map(
    ([, command = '', rest = '']) => ({
      command,
      flags: rest.match(/(?<=\s)--?[a-z][a-z-]*/g) ?? [],
    }),
  );

/**
 * Whether a YAML block is a configuration of calsyncd. Blocks for other programs begin with a comment that names the
 * file.
 */
export const isOurConfiguration = (block: string): boolean => !/^# \S+\.ya?ml$/m.test(block.split('\n')[0] ?? '');

/** Placeholder values for the environment variables in a configuration. */
export const variablesOf = (configuration: string): Record<string, string> =>
  Object.fromEntries(
    [...configuration.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name = '']) => [
      name,
      /WEBHOOK|WORKFLOW|_URL$/.test(name) ? 'https://hooks.example/of-some-length' : 'a-value-of-some-length',
    ]),
  );
