import fs from 'node:fs';
import path from 'node:path';
import { processIdentity } from './process.ts';

let count = 0;

/** Marks in `folder` that this process uses the server; returns the mark's file. */
export function leaveMark(folder: string): string {
  count += 1;
  const mark = path.join(folder, `${process.pid}-${count}`);
  fs.writeFileSync(mark, processIdentity(process.pid) ?? '');
  return mark;
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
