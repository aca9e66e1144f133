import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { makeFeedParser } from '../../../src/run/parse/parse-pool.ts';
import type { FeedReport } from '../../../src/sync/formats/publisher-report.ts';

// Shared, because its thread takes longer to start than these tests run.
const parser = makeFeedParser();
afterAll(() => parser.close());

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'calsyncd-report-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** `preview FEED --report NAME`, on a feed with these lines. */
async function reported(
  feed: string,
  name: string,
  ...more: readonly string[]
): Promise<{ code: number; out: string; err: string; report: string }> {
  const [config, input, file] = ['calsyncd.yaml', 'feed.ics', name].map((each) => path.join(directory, each)) as [
    string,
    string,
    string,
  ];
  await writeFile(config, 'builtin: { timezone: Europe/Warsaw }\nsources: {}\n');
  await writeFile(input, feed);
  const said = { out: '', err: '' };
  const code = await runProgram(['preview', input, '--report', file, ...more, '--config', config], {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    isTerminal: false,
    now: () => Date.UTC(2026, 10, 20),
    stopped: new Promise(() => undefined),
    parser,
  });
  return { code, ...said, report: await readFile(file, 'utf8').catch(() => '') };
}

const HOSTILE = '"><script>alert(1)</script>';
const FEED = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  `PRODID:${HOSTILE}`,
  'BEGIN:VEVENT',
  `UID:${HOSTILE}`,
  'DTSTAMP:20261101T000000Z',
  'SEQUENCE:1',
  'DTSTART:20261210T200000Z',
  'DTEND:20261210T010000Z',
  `SUMMARY:${HOSTILE}`,
  `URL:${HOSTILE}`,
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

describe('preview --report', () => {
  it('writes a page that says what is wrong, where and how to fix it, without markup from the feed', async () => {
    const { code, out, err, report } = await reported(FEED, 'report.html');
    expect(code).toBe(0);
    expect(out).toContain('1 event');
    expect(out).toContain(`sources:\n  feed:\n    url: file:${directory}/feed.ics\n`);
    expect(err).toContain('report.html');
    for (const words of [
      'Events end before they begin',
      'Line 4, UID',
      'Instead of',
      'Affected programs',
      'DTEND:20261210T010000Z',
      'What is good',
      'A URL is not a web address',
    ])
      expect(report).toContain(words);
    expect(report.indexOf('id="end-before-start"')).toBeLessThan(report.indexOf('id="address-unusable"'));
    expect(report).not.toMatch(/<script|<img|\bsrc=|<link|@import|url\(/i);
    expect(report).toContain('&lt;script&gt;');
  });

  it.each([
    ['report.json', []],
    ['report.txt', ['--json']],
  ])('writes JSON: %s %j', async (name, more) => {
    const { code, report } = await reported(FEED, name, ...more);
    expect(code).toBe(0);
    expect(JSON.parse(report) as FeedReport).toMatchObject({
      feed: 'feed.ics',
      format: 'ical',
      events: 1,
      read: '2026-11-20T00:00:00.000Z',
      kinds: [
        {
          code: 'end-before-start',
          harm: 'wrong',
          count: 1,
          places: [{ line: 4, uid: HOSTILE, excerpt: 'DTSTART:20261210T200000Z\nDTEND:20261210T010000Z' }],
        },
        { code: 'address-unusable' },
      ],
    });
  });

  it('leaves the JSON of the preview as it is', async () => {
    const { out } = await reported(FEED, 'report.html', '--json');
    expect(JSON.parse(out)).toMatchObject({
      events: [{ all_day: false }],
      problems: [{ code: 'times-utc' }, { code: 'address-unusable' }, { code: 'end-before-start' }],
    });
  });

  it('reports on a body that is not a feed', async () => {
    const { code, report } = await reported('<html><body>Hello</body></html>', 'report.html');
    expect(code).toBe(1);
    expect(report).toContain('This is not a complete calendar');
    expect(report).not.toContain('What is good');
  });

  it('names the days that it covers', async () => {
    const { out, report } = await reported(FEED, 'report.html', '--from', '2026-12-01', '--to', '2026-12-31');
    expect(out).toContain('2026-12-01 to 2026-12-31');
    expect(report).toContain('1 from 2026-12-01 to 2026-12-31');
  });

  it('covers all of the last day, even one of 25 hours', async () => {
    const late = FEED.replace('DTSTART:20261210T200000Z', 'DTSTART:20271031T223000Z').replace(
      'DTEND:20261210T010000Z',
      'DTEND:20271031T224500Z',
    );
    const last = (day: string) => reported(late, 'report.html', '--from', '2027-10-31', '--to', day);
    expect((await last('2027-10-31')).report).toContain('1 from 2027-10-31 to 2027-10-31');
  });

  it.each([
    [['--from', '2027-05-01', '--to', '2027-01-01'], 'it is from 2027-05-01 to 2027-01-01.'],
    [['--to', '2020-01-01'], 'it is from 2026-10-21 to 2020-01-01.'],
    [['--to', '2027-02-30'], '--to takes a day such as 2027-01-31, not "2027-02-30".'],
  ])('refuses %j', async (days, says) => {
    expect(await reported(FEED, 'report.html', ...days)).toMatchObject({
      code: 64,
      err: expect.stringContaining(says) as string,
    });
  });

  it('writes no report on a local file that does not exist', async () => {
    const config = path.join(directory, 'calsyncd.yaml');
    await writeFile(config, 'sources: {}\n');
    const missing = { err: '' };
    const file = path.join(directory, 'none.html');
    expect(
      await runProgram(['preview', path.join(directory, 'none.ics'), '--report', file, '--config', config], {
        out: () => undefined,
        err: (text) => {
          missing.err += text;
        },
        isTerminal: false,
        now: Date.now,
        stopped: new Promise(() => undefined),
      }),
    ).toBe(1);
    expect(missing.err).toContain('There is no report');
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });

  it('says that the report cannot be written', async () => {
    const { code, err } = await reported(FEED, 'no/such/directory/report.html');
    expect(code).toBe(1);
    expect(err).toMatch(/cannot be written to .*: there is no such file or folder\.$/m);
  });
});

it('with --json, a feed comes with a suggested source, and a page with the feeds it links to', async () => {
  const feed = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    'X-WR-CALNAME:Jazz cellar',
    'X-WR-TIMEZONE:Europe/Berlin',
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'BEGIN:VEVENT',
    'UID:a',
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20261127T190000Z',
    'SUMMARY:Quartet',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
  expect(JSON.parse((await reported(feed, 'report.html', '--json')).out)).toMatchObject({
    coming: 1,
    suggested: { name: 'jazz-cellar', every: '6h', timezone: 'Europe/Berlin' },
  });
  const page = '<!doctype html><title>Jazz</title><a href="https://jazz.example/all.ics">Calendar</a>';
  expect(JSON.parse((await reported(page, 'page.html', '--json')).out)).toMatchObject({
    events: [],
    feeds: ['https://jazz.example/all.ics'],
  });
});
