import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportedEvent, sequenceOf, type ExportedEvent } from '../../../src/feeds/content/export-state.ts';
import type { CalendarContent } from '../../../src/ical/write/write-event.ts';

const content = (title: string): CalendarContent => ({
  title,
  start: { kind: 'utc', at: 0 },
  status: 'CONFIRMED',
  contacts: [],
  categories: [],
});
const ms = (seconds: number): number => Date.UTC(2026, 0, 1) + seconds * 1000;

test('SEQUENCE counts seconds from 2020', () => {
  expect(sequenceOf(Date.UTC(2020, 0, 1, 0, 0, 7, 900))).toBe(7);
  expect(sequenceOf(0)).toBe(0);
});

test('only changes that subscribers see change the modification time', () => {
  const first = exportedEvent('a', content('A'), ms(10), undefined);
  expect(first.modifiedAt).toBe(ms(10));
  expect(exportedEvent('a', content('A'), ms(50), first)).toBe(first);
  expect(exportedEvent('a', content('B'), ms(50), first).modifiedAt).toBe(ms(50));
  expect(exportedEvent('a', content('B'), ms(10), first).modifiedAt).toBe(ms(11));
});

test('a SEQUENCE rises with every change of content and never falls, even if the state is lost', () => {
  // A site's history of one event: each edit is later than the one before, and is visible or not.
  const edits = fc.array(
    fc.record({
      after: fc.integer({ min: 1, max: 1000 }),
      title: fc.constantFrom('A', 'B', 'C'),
      forgotten: fc.boolean(),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(edits, (history) => {
      const told = tell(history);
      expect(told.filter(({ sequence }, index) => sequence < (told[index - 1]?.sequence ?? 0))).toEqual([]);
      expect(
        told.filter(({ title, sequence }, index) => {
          const before = told[index - 1];
          return before && !history[index]!.forgotten && (title === before.title) !== (sequence === before.sequence);
        }),
      ).toEqual([]);
    }),
  );
});

/** What subscribers see after each edit. */
function tell(
  history: readonly { after: number; title: string; forgotten: boolean }[],
): readonly { title: string; sequence: number }[] {
  let [known, now]: [ExportedEvent | undefined, number] = [undefined, ms(0)];
  return history.map(({ after, title, forgotten }) => {
    now += after * 1000;
    known = exportedEvent('a', content(title), now, forgotten ? undefined : known);
    return { title, sequence: sequenceOf(known.modifiedAt) };
  });
}
