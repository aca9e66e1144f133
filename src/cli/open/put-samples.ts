import { constants, cpSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** What the program brings along: the configuration comes last, as it says that the rest is there. */
const SAMPLES = ['samples', 'calsyncd.schema.json', 'calsyncd.yaml'] as const;
const BROUGHT = path.resolve(import.meta.dirname, '../../../config');

/**
 * Puts the samples where the configuration is looked for, if there is not even a folder for it, and says so. Undefined
 * if there is one.
 */
export function putSamples(file: string): string | undefined {
  const folder = path.dirname(path.resolve(file));
  if (existsSync(folder)) return undefined;
  try {
    mkdirSync(folder);
    for (const name of SAMPLES) {
      const target = path.join(folder, name);
      if (name === 'samples') cpSync(path.join(BROUGHT, name), target, { recursive: true });
      else copyFileSync(path.join(BROUGHT, name), target, constants.COPYFILE_EXCL);
    }
    return `There was no configuration here, so a sample was put into ${file}.`;
  } catch (error) {
    return `There is no configuration here, and no sample can be put into ${file}: ${(error as Error).message}.`;
  }
}
