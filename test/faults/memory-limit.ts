import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../support/until.ts';

/** A limit on the memory that a program and all its processes use together, like that of a container. */
export interface MemoryLimit {
  /** Put it before a command line to run that command under the limit. */
  readonly as: readonly string[];
  /** How many processes the kernel has killed because of it. */
  readonly killed: () => number;
  /** Call it when none of the processes is left. */
  readonly remove: () => Promise<unknown>;
}

/** Where a version of control groups creates groups, and its files for the limit, for swap, and for kills. */
interface Version {
  readonly root: string;
  readonly limit: string;
  readonly swap: { readonly file: string; readonly isWithMemory: boolean };
  readonly events: string;
}

const VERSIONS: readonly Version[] = [
  {
    root: '/sys/fs/cgroup',
    limit: 'memory.max',
    swap: { file: 'memory.swap.max', isWithMemory: false },
    events: 'memory.events',
  },
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    swap: { file: 'memory.memsw.limit_in_bytes', isWithMemory: true },
    events: 'memory.oom_control',
  },
];

/** Creates a limit of so many megabytes, without swap; undefined where this machine does not allow it. */
export function memoryLimit(megabytes: number): MemoryLimit | undefined {
  const made = VERSIONS.map((version) => ({ version, group: makeGroup(version) })).find(({ group }) => group);
  if (!made?.group) return undefined;
  const { version, group } = made;
  const [file, bytes] = [(name: string): string => path.join(group, name), String(megabytes * 1024 * 1024)];
  writeFileSync(file(version.limit), bytes);
  if (existsSync(file(version.swap.file)))
    writeFileSync(file(version.swap.file), version.swap.isWithMemory ? bytes : '0');
  return {
    as: ['sh', '-c', `echo $$ > ${file('cgroup.procs')} && exec "$@"`, 'sh'],
    killed: () => Number(/^oom_kill (\d+)/m.exec(readFileSync(file(version.events), 'utf8'))?.[1] ?? Number.NaN),
    remove: () => until('the end of the last process', () => isDone(() => rmdirSync(group))),
  };
}

let groups = 0;

/** A new control group; undefined without the right to create one, or if it cannot limit memory. */
function makeGroup({ root, limit }: Version): string | undefined {
  const group = path.join(root, `calsyncd-${process.pid}-${(groups += 1)}`);
  if (!isDone(() => mkdirSync(group))) return undefined;
  if (existsSync(path.join(group, limit))) return group;
  rmdirSync(group);
  return undefined;
}

function isDone(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    // The caller only asks whether it worked.
    return false;
  }
}
