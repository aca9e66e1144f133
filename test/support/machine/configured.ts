import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { loadConfig, type Config } from '../../../src/config.ts';

/** The configuration that the program reads from YAML. */
export async function configured(yaml: string): Promise<Config> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'calsyncd-configured-'));
  try {
    await writeFile(path.join(directory, 'config.yaml'), yaml);
    const { value, problems } = loadConfig({ path: path.join(directory, 'config.yaml'), env: {} });
    if (!value) throw new Error(problems.map(({ message }) => message).join('\n'));
    return value;
  } finally {
    await rm(directory, { recursive: true });
  }
}
