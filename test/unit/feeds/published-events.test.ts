import { expect, test } from 'vitest';
import { readableOf } from '../../../src/feeds/content/published-events.ts';
import { siteEvent } from '../../support/memory-site.ts';

/** How many turns other work gets meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const count = (): void => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work;
  isOver = true;
  return turns;
}

test.each(['<p>', '<li>', '<i>x</i>'])(
  'a long text of %s is read in pieces, so that other work gets its turn',
  async (piece) => {
    const event = siteEvent(1, { description: piece.repeat(200_000 / piece.length) });
    expect(await turnsDuring(readableOf([event], []))).toBeGreaterThan(0);
  },
);
