import { beforeEach, describe, expect, test } from 'vitest';
import { parseRows } from '../../../src/csv/parse-rows.ts';
import { parseCalendar } from '../../../src/ical/read/parse-calendar.ts';
import { draftsFromRows } from '../../../src/sync/drafts/from-rows.ts';
import type { DraftSettings, EventDraft, SetRule } from '../../../src/sync/model/draft.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';
import { draftsOf } from '../../support/drafts-of.ts';
import { draftOf } from '../../support/drafts.ts';
import { syncing } from '../../support/syncing.ts';

let { site, run } = syncing();
beforeEach(() => {
  ({ site, run } = syncing());
});

const GIVEN = {
  cost: 'free',
  featured: true,
  show_map: true,
  tags: ['imported'],
  organizer: [{ organizer: 'Town' }],
} as const;
const ruled = (more: Partial<EventDraft> = {}): EventDraft =>
  draftOf('1', GIVEN, { fromRules: ['cost', 'featured', 'show_map', 'tags', 'organizer'], ...more });
const values = () => site.events[0]?.values;

describe('a value that only a rule gave', () => {
  test('is removed with the rule, and then the field is left alone', () => {
    run([ruled()]);
    expect(values()).toMatchObject({ cost: 'free', featured: true });
    const ended = run([draftOf('1')]);
    expect(ended.actions).toMatchObject([
      { kind: 'update', fields: { cost: '', featured: false, tags: [], organizer: [] } },
    ]);
    expect(values()).toMatchObject({ cost: '', featured: false, tags: [], organizer: [], show_map: true });
    Object.assign(values() ?? {}, { cost: '5' });
    expect(run([draftOf('1')])).toMatchObject({ actions: [], conflicts: [] });
    expect(values()).toMatchObject({ cost: '5' });
  });

  test('is also removed if the rule came after the event', () => {
    run([draftOf('1')]);
    run([ruled()]);
    run([draftOf('1')]);
    expect(values()).toMatchObject({ cost: '', featured: false, tags: [], organizer: [] });
  });

  test('stays if a person has changed it', () => {
    run([ruled()]);
    Object.assign(values() ?? {}, { cost: '5' });
    expect(run([draftOf('1')]).conflicts).toMatchObject([{ field: 'cost', feed: '', site: '5' }]);
    expect(values()).toMatchObject({ cost: '5', featured: false });
  });

  test('stays if a cancellation leaves the field out', () => {
    run([ruled()]);
    run([draftOf('1', {}, { unsaid: ['cost', 'organizer'] })]);
    expect(values()).toMatchObject({ cost: 'free', featured: false });
    expect(values()?.organizer).not.toEqual([]);
  });
});

test("a feed's own value stays when the feed no longer has the field", () => {
  run([draftOf('1', GIVEN)]);
  expect(run([draftOf('1')]).actions).toEqual([]);
  run([draftOf('1', { cost: '12' })]);
  run([ruled()]);
  run([draftOf('1', { cost: '12' })]);
  expect(run([draftOf('1')]).actions).toEqual([]);
  expect(values()).toMatchObject({ cost: '12' });
});

describe('drafts list the fields that only rules give', () => {
  const SETTINGS: DraftSettings = {
    ...DRAFT_SETTINGS,
    tags: { add: ['imported'] },
    defaultVenue: 'Hall',
    defaultOrganizer: 'Town',
    set: [{ when: [], only_where_empty: false, featured: true, cost: 'free' } satisfies SetRule],
  };
  test('of a calendar', () => {
    const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:1', 'SUMMARY:A', 'DTSTART:20270110T180000Z'];
    const { value } = parseCalendar([...lines, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n'));
    expect(draftsOf(value, SETTINGS).drafts[0]?.fromRules?.toSorted()).toEqual(['cost', 'featured']);
  });
  test.each([
    ['Title,Start\nA,2027-01-10', ['cost', 'featured', 'organizer', 'tags', 'venue']],
    ['Title,Start,Cost,Venue,Tags,Organizer\nA,2027-01-10,5,,x,', ['featured']],
  ])('of a table: %j', (text, fields) => {
    const rows = parseRows(new TextEncoder().encode(text), null);
    if (rows.kind !== 'rows') throw new Error('no rows');
    expect(draftsFromRows(rows, SETTINGS).drafts[0]?.fromRules?.toSorted()).toEqual(fields);
  });
});
