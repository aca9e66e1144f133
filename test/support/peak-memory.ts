import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import v8 from 'node:v8';
import vm from 'node:vm';

/**
 * A process's peak resident memory in megabytes, and how much that exceeds the memory before. Undefined on systems
 * other than Linux.
 */
export interface PeakMemory {
  readonly mb: number;
  readonly moreMb: number;
}

/** Runs something and returns the peak memory of this process meanwhile. */
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

/** Writing 5 here makes Linux reset the peak (proc(5)). */
function resetPeak(): boolean {
  if (!existsSync('/proc/self/clear_refs')) return false;
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    return true;
  } catch {
    // A sandbox may forbid it; then the peak is unknown.
    return false;
  }
}

const statusKb = (name: string): number | undefined => {
  const kb = new RegExp(String.raw`^${name}:\s+(\d+) kB`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return kb === undefined ? undefined : Number(kb);
};
