import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    faultTable: string;
  }
}

interface Row {
  readonly fault: string;
  readonly outcome: string;
}

/** Collects the outcome of each fault, and prints the table when all have been tried. */
export function setup(project: TestProject): () => void {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'calsyncd-faults-'));
  const file = path.join(directory, 'rows');
  writeFileSync(file, '');
  project.provide('faultTable', file);
  return () => {
    const rows = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
    const width = Math.max(0, ...rows.map(({ fault }) => fault.length));
    process.stderr.write(`\n${'fault'.padEnd(width)} | outcome\n${'-'.repeat(width)}-|--------\n`);
    for (const { fault, outcome } of rows.toSorted((one, other) => (one.fault < other.fault ? -1 : 1)))
      process.stderr.write(`${fault.padEnd(width)} | ${outcome}\n`);
    rmSync(directory, { recursive: true, force: true });
  };
}

/** Adds a row to the table. */
export const addRow = (file: string, row: Row): void => appendFileSync(file, `${JSON.stringify(row)}\n`);
