import { constants, cpSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';

/** The bundled files. The configuration comes last, because its presence says that the rest is there. */
const SAMPLES = ['samples', 'calsyncd.schema.json', 'calsyncd.yaml'] as const;
const BROUGHT = path.resolve(import.meta.dirname, '../../../config');

/**
 * Copies the samples to where the configuration is expected, if its folder does not exist, and returns a message about
 * it. Undefined if the folder exists.
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
