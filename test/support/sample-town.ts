import path from 'node:path';
import { putSamples } from './samples.ts';

/**
 * The configuration of a town whose feed is one of the samples. Copies the samples into a folder; the configuration
 * reads them from there.
 */
export async function sampleTown(folder: string): Promise<string> {
  const samples = path.join(folder, 'samples');
  await putSamples(samples);
  return `builtin: { title: Town, timezone: Europe/Warsaw }
sources: { theatre: { url: "file:${path.join(samples, 'theatre.ics')}", language: pl, every: 6h } }
fetch: { allow_files: [${samples}] }
`;
}
