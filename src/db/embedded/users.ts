import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../error.ts';
import { whyUnwritable } from '../../files/why-unwritable.ts';
import { processIdentity } from './process.ts';

let count = 0;

/** Marks in `folder` that this process uses the server. Returns the file of the mark. Throws AppError. */
export function markInUse(folder: string): string {
  count += 1;
  const mark = path.join(folder, `${process.pid}-${count}`);
  try {
    fs.writeFileSync(mark, processIdentity(process.pid) ?? '');
    return mark;
  } catch (error) {
    fs.rmSync(mark, { force: true });
    throw new AppError('data-directory', `The data directory cannot be used: ${whyUnwritable(error)} (${folder}).`, {
      cause: error,
    });
  }
}

/** Whether a living process has a mark in `folder`. Removes the marks of dead processes. */
export function isInUse(folder: string): boolean {
  const marks = fs.readdirSync(folder);
  const dead = marks.filter(
    (mark) => processIdentity(Number.parseInt(mark, 10)) !== fs.readFileSync(path.join(folder, mark), 'utf8'),
  );
  for (const mark of dead) fs.rmSync(path.join(folder, mark), { force: true });
  return dead.length < marks.length;
}
