import { describe, expect, it } from 'vitest';
import { merge, type Verdict } from '../../../src/sync/event/merge.ts';
import { FIELD_NAMES, UNITS } from '../../../src/sync/model/fields.ts';
import type { Authority } from '../../../src/sync/model/plan.ts';

// Feed changed, site changed, the same in the end → the verdicts for preserve, feed, site.
const TABLE: readonly (readonly [string, boolean, boolean, boolean, Verdict, Verdict, Verdict])[] = [
  ['nothing changed', false, false, true, 'nothing', 'nothing', 'nothing'],
  ['nothing changed, the site renders it in its own way', false, false, false, 'nothing', 'nothing', 'nothing'],
  ['the feed changed', true, false, false, 'write', 'write', 'leave'],
  ['a person edited the site', false, true, false, 'leave', 'write', 'leave'],
  ['both changed, to the same', true, true, true, 'adopt', 'adopt', 'adopt'],
  ['both changed, differently', true, true, false, 'conflict', 'write', 'leave'],
  ['the feed changed to what the site shows', true, false, true, 'adopt', 'adopt', 'adopt'],
  ['a person set it back to what the feed says', false, true, true, 'adopt', 'adopt', 'adopt'],
];
const AUTHORITIES: readonly Authority[] = ['preserve', 'feed', 'site'];

describe('the three-way merge', () => {
  it.each(TABLE)('%s', (_name, feed, site, same, ...verdicts) => {
    expect(AUTHORITIES.map((authority) => merge({ feed, site, same }, authority))).toEqual(verdicts);
  });

  it('every field belongs to exactly one unit, and the dates and the zone belong to the same one', () => {
    expect(UNITS.flat().toSorted()).toEqual(FIELD_NAMES.toSorted());
    expect(UNITS).toContainEqual(['start_date', 'end_date', 'timezone', 'all_day']);
  });
});
