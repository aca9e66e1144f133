import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import v8 from 'node:v8';
import vm from 'node:vm';

/**
 * Megabytes that a process held resident at most, and how much more that was than before; undefined where the system
 * does not tell (it is Linux that does).
 */
export interface PeakMemory {
  readonly mb: number;
  readonly moreMb: number;
}

/** Runs something and says the most memory that this process held meanwhile. */
export function peakMemoryOf<T>(act: () => T): { readonly value: T; readonly peak: PeakMemory | undefined } {
  collectGarbage();
  const before = resetPeak() ? statusKb('VmRSS') : undefined;
  const value = act();
  const peak = before === undefined ? undefined : statusKb('VmHWM');
  return {
    value,
    peak:
      before === undefined || peak === undefined
        ? undefined
        : { mb: Math.round(peak / 1024), moreMb: Math.max(0, Math.round((peak - before) / 1024)) },
  };
}

let collect: (() => void) | undefined;

function collectGarbage(): void {
  v8.setFlagsFromString('--expose-gc');
  collect ??= vm.runInNewContext('gc') as () => void;
  collect();
}

/** Linux forgets the peak when 5 is written here (proc(5)). */
function resetPeak(): boolean {
  if (!existsSync('/proc/self/clear_refs')) return false;
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return true;
  } catch {
    // A sandbox may forbid it: then there is nothing to tell.
    return false;
  }
}

const statusKb = (name: string): number | undefined => {
  const kb = new RegExp(String.raw`^${name}:\s+(\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return kb === undefined ? undefined : Number(kb);
};
