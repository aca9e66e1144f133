import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorFrom, jsonFrom } from '../../src/client/answer.ts';
import { rootNamedBy } from '../../src/client/address.ts';
import { api } from '../../src/contract/api.ts';
import type { Args } from '../../src/contract/arg.ts';
import { checkArgs } from '../../src/contract/check.ts';
import { decodeBytes } from '../../src/charset.ts';
import { NAMES_OF } from '../../src/csv/column-names.ts';
import { calendarContentOf } from '../../src/feeds/content/calendar-content.ts';
import { isHtml } from '../../src/html/is-html.ts';
import { startTags, xmlRecords } from '../../src/html/read-markup.ts';
import { embeddableHtml, safeHtml } from '../../src/html/sanitize.ts';
import { beginningOf, htmlFromText, textFromHtml } from '../../src/html/text.ts';
import { readJson } from '../../src/json.ts';
import { redact } from '../../src/redact.ts';
import { parseFeed } from '../../src/run/parse/parse-feed.ts';
import { refusalOf, requestFrom } from '../../src/site/authorize/application-request.ts';
import { discoverEmbed } from '../../src/site/embeds/discovery.ts';
import { ownAddress } from '../../src/site/embeds/own-embed.ts';
import { readEmbed } from '../../src/site/embeds/read-embed.ts';
import { fieldsOf } from '../../src/site/requests/fields.ts';
import { phpParamsFromText } from '../../src/site/requests/php-params.ts';
import { siteRoutes, matchRoute } from '../../src/site/requests/dispatch.ts';
import { imageFileFromBytes } from '../../src/site/store/image-file.ts';
import { costFromParts, costText } from '../../src/site/store/cost.ts';
import { renderBody, renderTitle, renderWebsite, storedText, termName } from '../../src/site/store/render.ts';
import { sanitizeTitle } from '../../src/site/store/sanitize-title.ts';
import { searchWords } from '../../src/site/store/search.ts';
import { identifyDrafts } from '../../src/sync/identity/identify-drafts.ts';
import type { EventDraft } from '../../src/sync/model/draft.ts';
import type { LedgerEntry } from '../../src/sync/model/plan.ts';
import { draftOf } from '../support/drafts.ts';
import { DRAFT_SETTINGS } from '../support/draft-settings.ts';
import { PIECES, superlinear } from '../support/growth.ts';

const SETTINGS = {
  title: '',
  description: '',
  timezone: 'Europe/Warsaw',
  languages: ['en'],
  publicUrl: 'https://site.example',
  namespace: 'calendar/events/v1',
  trashDays: 30,
};
const ROUTES = siteRoutes(SETTINGS);
const CONTEXT = { now: 0, timezone: 'Europe/Warsaw', languages: ['en'], namespace: 'calendar/events/v1' };
const HEADERS = new Headers();
const EVENT = {
  id: 1,
  title: 'A',
  description: '',
  excerpt: '',
  status: 'publish',
  all_day: false,
  featured: false,
  timezone: 'Europe/Warsaw',
  tags: [],
  categories: [],
  venue: [],
  organizer: [],
  cost: '',
  website: '',
  url: 'https://site.example/event/a/',
  image: false,
  start_date: '2027-01-10 18:00:00',
  end_date: '2027-01-10 20:00:00',
  utc_start_date: '2027-01-10 17:00:00',
  utc_end_date: '2027-01-10 19:00:00',
  date_utc: '2026-01-10 17:00:00',
  modified_utc: '2026-01-10 17:00:00',
};

/**
 * Every reader of text that enters by REST, embed or form, and how long that text can be (in thousands of characters)
 * if that is less than the default.
 */
const READERS: readonly (readonly [name: string, read: (text: string) => unknown, thousands?: number])[] = [
  ['HTML that is sanitized', safeHtml],
  ['HTML as text', textFromHtml],
  ['the beginning of HTML', beginningOf],
  ['text as HTML', htmlFromText],
  ['text that may be HTML', isHtml],
  ['an embed of an unknown site', (text) => embeddableHtml(text, false)],
  ['an embed of a known site', (text) => embeddableHtml(text, true)],
  ['a page with oEmbed links', (text) => discoverEmbed(text, 'https://x.example/')],
  ['start tags', (text) => startTags(text, ['link', 'a'])],
  ['XML', (text) => xmlRecords(text, ['oembed'])],
  ['XML of a feed', (text) => xmlRecords(`<rss><channel>${text}`, ['rss', 'channel', 'item'])],
  ['XML of oEmbed', (text) => readEmbed(`<oembed>${text}</oembed>`, 'text/xml', false)],
  [
    'oEmbed data',
    (text) =>
      readEmbed(JSON.stringify({ type: 'rich', title: text, html: `<blockquote>${text}` }), 'application/json', false),
  ],
  ['oEmbed data without a type', (text) => readEmbed(text, '', false)],
  ['JSON', (text) => readJson(text, { depth: 512, values: 25_000 })],
  ['JSON after PHP warnings', jsonFrom],
  ['a form', phpParamsFromText],
  ['a form’s name', (text) => phpParamsFromText(`${encodeURIComponent(text.toWellFormed())}=1`)],
  ['a rendered text', renderBody],
  ['a rendered title', renderTitle],
  ['a stored text', (text) => storedText(text, false)],
  ['a term’s name', termName],
  ['a website', renderWebsite],
  ['a slug', sanitizeTitle],
  ['a search', searchWords],
  ['a cost', (text) => costText(costFromParts([text]))],
  ['costs', (text) => costFromParts(text.split('a'))],
  ['wanted fields', (text) => fieldsOf({ a: { b: 1 } }, text)],
  ['a path', (text) => matchRoute(ROUTES, `/calendar/events/v1/events/by-slug/${text}`), 16],
  ['an own address', (text) => ownAddress(`https://site.example/event/${text}`, 'https://site.example'), 16],
  [
    'the request of an application for a password',
    (text) =>
      refusalOf(
        requestFrom(() => text),
        false,
      ),
  ],
  ['the page of an answer', (text) => rootNamedBy(HEADERS, text, new URL('https://x.example'))],
  ['the Link of an answer', (text) => rootNamedBy(headersWith('link', text), '', new URL('https://x.example')), 16],
  [
    'an answer that is no JSON',
    (text) => errorFrom({ status: 200, headers: HEADERS, text, body: undefined }, 'reading', 'x.example', true),
  ],
  [
    'the error of an answer',
    (text) =>
      errorFrom(
        { status: 400, headers: HEADERS, text: '', body: { code: text, message: text } },
        'reading',
        'x.example',
        true,
      ),
  ],
  ['a line of the log', redact],
  ['bytes of a page', (text) => decodeBytes(Buffer.from(text, 'latin1'), null)],
  ['bytes of a picture', (text) => imageFileFromBytes(Buffer.from(`\0\0\0\u0018ftypavif${text}`, 'latin1'))],
  [
    'a description in a feed',
    (text) => calendarContentOf({ ...EVENT, description: text, website: `https://${text}` } as never),
  ],
  [
    'names in a feed',
    (text) =>
      calendarContentOf({
        ...EVENT,
        title: text,
        cost: text,
        venue: [{ status: 'publish', venue: text, address: text }],
      } as never),
  ],
];

function headersWith(name: string, value: string): Headers {
  const headers = new Headers();
  // A header cannot contain other characters.
  if (/^[\t\x20-\x7e]*$/.test(value)) headers.set(name, value);
  return headers;
}

/** Properties of events, one for each way in which a value is read. */
const PROPERTIES = [
  'SUMMARY',
  'DESCRIPTION',
  'X-ALT-DESC;FMTTYPE=text/html',
  'LOCATION',
  'GEO',
  'CATEGORIES',
  'ORGANIZER;CN=x',
  'CONTACT',
  'URL',
  'ATTACH',
  'STATUS',
  'DTEND',
  'DURATION',
  'RRULE',
  'RDATE',
  'EXDATE',
  'X-COST',
];
const SIZE = 64_000;
const CELL_SIZE = 16_000;
const inCell = (text: string): string => `"x${text.replaceAll('"', '""')}y"`;
const piece = fc.constantFrom(...PIECES);
/** A beginning, something repeated very often, and an end: what makes a reader backtrack. */
const worstCase = fc.record({
  before: fc.oneof(fc.constant(''), piece),
  often: fc.oneof(
    piece,
    fc.tuple(piece, piece).map((pair) => pair.join('')),
    fc.tuple(piece, piece, piece).map((three) => three.join('')),
  ),
  after: fc.oneof(fc.constant(''), fc.constant('x'), piece),
});
const textOf =
  ({ before, often, after }: { readonly before: string; readonly often: string; readonly after: string }) =>
  (size: number): string =>
    `${before}${often.repeat(Math.ceil(size / often.length))}${after}`;

/** Each piece over and over; and what readers were once slow with: a tag or a comment that does not end. */
const REPEATED = PIECES.map((often) => ({ before: '', often, after: 'x' }));
const ENDLESS = ['<link ', '<a ', '<!--', '<a href="', 'http://'].map((before) => ({ before, often: 'a', after: '>' }));

/** The texts on which a reader is too slow, the first one only. */
function slowOn(read: (text: string) => unknown, sizeMax: number, all = REPEATED): readonly object[] {
  for (const parts of all) {
    const growth = superlinear(textOf(parts), read, sizeMax);
    if (growth) return [{ ...parts, growth }];
  }
  return [];
}

describe('twice the text takes little more than twice the time to read', () => {
  test.each(READERS.map(([name, read, thousands = SIZE / 1000]) => ({ name, read, thousands })))(
    '$name',
    ({ read, thousands }) => {
      expect(slowOn(read, thousands * 1000, [...REPEATED, ...ENDLESS])).toEqual([]);
      fc.assert(
        fc.property(worstCase, (parts) => {
          expect(slowOn(read, thousands * 1000, [parts])).toEqual([]);
        }),
        { numRuns: 30 },
      );
    },
  );

  test.each([...NAMES_OF.keys()])('the column %s of a table', (field) => {
    const read = (text: string): unknown =>
      parseFeed({
        bytes: Buffer.from(`Title,Start,Column\nA,2027-01-01,${inCell(text)}\n`),
        contentType: null,
        format: 'csv',
        settings: { ...DRAFT_SETTINGS, columns: { title: 'Title', start_date: 'Start', [field]: 'Column' } },
      });
    expect(slowOn(read, CELL_SIZE)).toEqual([]);
  });

  test.each(PROPERTIES)('the property %s of an event', (property) => {
    const read = (text: string): unknown =>
      parseFeed({
        bytes: Buffer.from(
          `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270101T100000Z\r\nSUMMARY:A\r\n${property}:x${text}y\r\n` +
            'END:VEVENT\r\nEND:VCALENDAR\r\n',
        ),
        contentType: null,
        format: 'ical',
        settings: DRAFT_SETTINGS,
      });
    expect(slowOn(read, CELL_SIZE)).toEqual([]);
  });

  test('every argument of every endpoint', () => {
    const endpoints = [...new Map(Object.values(api).map(({ args }) => [args, args as Args])).values()];
    const read = (text: string): void => {
      for (const args of endpoints)
        checkArgs(args, Object.fromEntries(Object.keys(args).map((name) => [name, text])), CONTEXT);
    };
    expect(slowOn(read, SIZE)).toEqual([]);
  });
});

type Identification = Parameters<typeof identifyDrafts>[0];

/** So many events that differ only in their description, which has changed in half of them. */
function alikeAndChanged(many: number): Identification {
  const drafts = (isLater: boolean) =>
    Array.from({ length: many }, (_, index) =>
      draftOf('same', { title: 'Same', description: `${isLater && index % 2 === 0 ? 'Later ' : ''}${index}` }),
    );
  const asked = { source: 'town', rung: 'uid', now: 0 } as const;
  const entries = identifyDrafts({ ...asked, drafts: drafts(false), ledger: new Map() }).value.map(
    ({ draft, slug, key, rung, identity }): LedgerEntry => ({
      slug,
      key,
      rung,
      identity,
      uid: 'same',
      title: draft.fields.title,
      startsAt: draft.startsAt,
      endsAt: draft.endsAt,
      id: 1,
      state: 'kept',
      missing: 0,
      fields: { ...feedStatesOf(draft) },
    }),
  );
  return { ...asked, drafts: drafts(true), ledger: new Map(entries.map((entry) => [entry.slug, entry])) };
}

const feedStatesOf = ({ fields }: EventDraft): LedgerEntry['fields'] =>
  Object.fromEntries(Object.entries(fields).map(([field, feed]) => [field, { feed, by: 'feed' }]));

test('twice as many events with the same title and time take little more than twice the time to identify', () => {
  const known = new Map<number, Identification>();
  const asked = (many: number): Identification => {
    const one = known.get(many) ?? alikeAndChanged(many);
    known.set(many, one);
    return one;
  };
  const identify = ({ length }: string): unknown => identifyDrafts(asked(length));
  expect(superlinear((many) => 'x'.repeat(many), identify, 4_000)).toBeUndefined();
});

test('the measurement finds readers that backtrack, and passes a linear one', () => {
  expect(
    superlinear(
      (size) => `${' '.repeat(size)}x`,
      (text) => /\s+$/.test(text),
      SIZE / 2,
    ),
  ).toBeDefined();
  expect(
    superlinear(
      (size) => '<a '.repeat(size / 3),
      (text) => [...text.matchAll(/<a\s[^>]*>/g)],
      2 * SIZE,
    ),
  ).toBeDefined();
  expect(
    superlinear(
      (size) => 'x'.repeat(size),
      (text) =>
        text
          .split('')
          .map((sign) => sign.codePointAt(0))
          .join(),
      SIZE,
    ),
  ).toBeUndefined();
});
