import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** An image occupies a thread for a tenth of a second; more waiting than this is abuse. */
const WAITING_MAX = 20;

let isThere: boolean | undefined;

/** Whether images can be drawn here; the library is an optional dependency. */
export function canDraw(): boolean {
  if (isThere !== undefined) return isThere;
  try {
    createRequire(import.meta.url).resolve('@resvg/resvg-js');
    isThere = true;
  } catch {
    // Left out when the program was installed.
    isThere = false;
  }
  return isThere;
}

const DRAW_MS_MAX = 20_000;
/** After this long without an image, the thread is ended. */
const IDLE_MS_MAX = 60_000;

let worker: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

/** Converts an SVG to PNG in a thread of its own, one at a time; undefined if too many are waiting. */
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
    // The thread must not keep the process alive.
    own.unref();
    idle = setTimeout(end, IDLE_MS_MAX).unref();
  }
}

function end(): void {
  const ended = worker;
  worker = undefined;
  void ended?.terminate();
}
