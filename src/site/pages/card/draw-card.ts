import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** A picture takes a thread a tenth of a second; more than these waiting are strangers who want work done. */
const WAITING_MAX = 20;

let isThere: boolean | undefined;

/** Whether pictures can be drawn here: the library is an optional dependency. */
export function canDraw(): boolean {
  if (isThere !== undefined) return isThere;
  try {
    createRequire(import.meta.url).resolve('@resvg/resvg-js');
    isThere = true;
  } catch {
    // It was left out when the program was installed.
    isThere = false;
  }
  return isThere;
}

const DRAW_MS_MAX = 20_000;
/** Without a picture for this long the thread is ended. */
const IDLE_MS_MAX = 60_000;

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** An SVG as PNG, in a thread of its own, one at a time; undefined where too many wait. */
export function draw(svg: string): Promise<Uint8Array> | undefined {
  if (waiting >= WAITING_MAX) return undefined;
  waiting += 1;
  const drawn = last.then(() => drawNow(svg));
  const done = (): void => {
    waiting -= 1;
  };
  last = drawn.then(done, done);
  return drawn;
}

async function drawNow(svg: string): Promise<Uint8Array> {
  clearTimeout(idle);
  const own = (worker ??= new Worker(new URL('draw-worker.ts', import.meta.url)));
  own.ref();
  try {
    const drawn = once(own, 'message', { signal: AbortSignal.timeout(DRAW_MS_MAX) });
    own.postMessage(svg);
    const [picture] = (await drawn) as [Uint8Array];
    return picture;
  } catch (error) {
    end();
    throw error;
  } finally {
    // The process need not wait for it.
    own.unref();
    idle = setTimeout(end, IDLE_MS_MAX).unref();
  }
}

function end(): void {
  const ended = worker;
  worker = undefined;
  void ended?.terminate();
}
