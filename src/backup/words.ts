import { grouped } from '../count-in-words.ts';
/** "48 kB", "1.2 GB". */
export function bytesInWords(bytes: number): string {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? ['bytes', 1];
  const count = bytes / size;
  return `${count < 10 && size > 1 ? count.toFixed(1) : grouped(Math.round(count))} ${unit}`;
}

const UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;
