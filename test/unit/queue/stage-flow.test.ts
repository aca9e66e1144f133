import { describe, expect, it } from 'vitest';
import { stageFlow, type WriteData } from '../../../src/queue/jobs.ts';

type Batches = Parameters<typeof stageFlow>[2];

/** The jobs of a stage, in the order in which they are taken. */
const inOrder = (batches: Batches, atOnce?: number): readonly WriteData[] =>
  stageFlow({ run: 'town-1', source: 'town', stage: 'venues' }, 'site', batches, atOnce)
    .children!.toSorted((one, other) => one.opts!.priority! - other.opts!.priority!)
    .map(({ data }) => data as WriteData);

/** The batches of each of them. */
const jobsOf = (numbers: readonly number[], atOnce?: number): readonly (readonly number[])[] =>
  inOrder(
    numbers.map((number) => ({ stage: 'events', number })),
    atOnce,
  ).map(({ batch, more = [] }) => [batch, ...more]);
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, number) => number);

describe('the jobs of a stage', () => {
  it.each([0, 1, 8, 9, 40, 401])('write each of %d batches once, in order', (count) =>
    expect(jobsOf(upTo(count)).flat()).toEqual(upTo(count)),
  );
  it('are one for each of the first eight batches', () =>
    expect(jobsOf(upTo(8))).toEqual(upTo(8).map((number) => [number])));
  it('are far fewer for many batches, with at most four in a job', () => {
    const lengths = jobsOf(upTo(400)).map(({ length }) => length);
    expect(lengths.length).toBeLessThan(120);
    expect(Math.max(...lengths)).toBe(4);
  });
  it.each([9, 20, 33, 64, 401])('use all places at the site up to the end of %d batches', (count) => {
    const places = [0, 0, 0, 0];
    for (const { length } of jobsOf(upTo(count))) places[places.indexOf(Math.min(...places))]! += length;
    expect(Math.max(...places)).toBe(Math.ceil(count / places.length));
  });
  it('write batches of two kinds one kind after the other, without mixing them', () => {
    const batches = (['terms', 'venues'] as const).flatMap((stage) =>
      Array.from({ length: 20 }, (_, number) => ({ stage, number })),
    );
    const jobs = inOrder(batches);
    expect(
      jobs.flatMap(({ stage, batch, more = [] }) => [batch, ...more].map((number) => ({ stage, number }))),
    ).toEqual(batches);
  });
  it('have as many batches each as the site takes at once', () =>
    expect(jobsOf(upTo(10), 4)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ]));
  it('leave out batches that are done', () => expect(jobsOf([3, 7, 12]).flat()).toEqual([3, 7, 12]));
});
