import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { uploadNames } from '../../src/backup/uploads.ts';
import { listActs } from '../../src/run/watch/acts.ts';
import { approveRun } from '../../src/run/decisions/approve-run.ts';
import { beginRun } from '../../src/run/state/lease.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import { hiddenIn, signedInConsole, tokenIn, type Answered, type ConsoleClient } from '../support/console.ts';
import { comingStart } from '../support/coming.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// Adding a source in the console, changing its settings, and removing it again.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
let browser: ConsoleClient;
const feed = (name: string): string =>
  calendarText([
    ...feedEvents(4),
    { uid: 'jam', title: `Jam at ${name}`, start: '20270306T200000', lines: ['CATEGORIES:Konzert'] },
  ]);
const CONFIG = [
  '# The town.',
  'builtin: { timezone: Europe/Warsaw }',
  'fetch: { allow_addresses: [127.0.0.1/32] }',
  '',
  'sources:',
  '  town: # ours',
  '    url: URL/town.ics # theirs',
  '    every: 1h',
  '',
].join('\n');
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  feeds.on('/town.ics', body(feed('town')));
  feeds.on('/jazz.ics', body(feed('the cellar').replace('VERSION:2.0', 'VERSION:2.0\r\nX-WR-CALNAME:Jazz cellar')));
  feeds.on(
    '/programme',
    body(`<title>Jazz</title><a href="/jazz.ics">Calendar</a><a href="/gone.ics">Old</a>`, {
      'content-type': 'text/html',
    }),
  );
  app = await syncing.open(CONFIG.replace('URL', feeds.url));
  browser = await signedInConsole(app);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const file = (): Promise<string> => readFile(app.config.file, 'utf8');
const runIn = (to: string): string => decodeURIComponent(/^\/runs\/([^/]+)\/$/.exec(to)?.[1] ?? '');

describe('a source is added', () => {
  test('from the address of a web page: previewed, written to the file, and held as a plan first', async () => {
    const looked = await browser.post('/add/', { do: 'look', url: `${feeds.url}/programme` });
    expect(looked.text).toContain('This is a web page. It leads to 1 calendar');
    expect(looked.text).toContain('Jazz cellar · 5 coming events · iCalendar');
    expect(looked.text).toMatch(
      /This is what your visitors will see 5 coming events .*Sat 6 Mar 2027, 20:00 Jam at the cellar/,
    );
    expect(looked.text).toMatch(/1 other address .*gone\.ics does not exist \(404\)/);
    expect(looked.html).toContain('“Konzert” (1 event) is on the site');
    const chosen = {
      url: `${feeds.url}/programme`,
      feed: `${feeds.url}/jazz.ics`,
      shown: `${feeds.url}/jazz.ics`,
      name: 'jazz',
      every: '6h',
      from: 'Konzert',
      to: 'Music',
      missing: 'cancel',
    };
    const block = `\n  jazz:\n    url: ${feeds.url}/jazz.ics\n    every: 6h\n    missing: { action: cancel }\n    categories: { map: { Konzert: Music } }\n`;
    expect((await browser.post('/add/', { do: 'look', ...chosen })).html).toContain(
      '<ins class="plus">    every: 6h</ins>',
    );
    const { to } = await browser.post('/add/', { do: 'save', ...chosen });
    expect(await file()).toBe(CONFIG.replace('URL', feeds.url) + block);
    const run = runIn(to);
    expect(run).toMatch(/^jazz-/);
    expect(await app.events()).toEqual([]);
    expect(await listActs(app.state.database.query(), { source: 'jazz' }, 10)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'configure', by: { name: 'clerk', from: 'console', address: '127.0.0.1' } }),
      ]),
    );
    const started = await approveRun(app.context, app.setup('jazz'), run, { by: { name: 'clerk', from: 'console' } });
    await carryOn(app.context, app.setup('jazz'), started, () => undefined);
    expect((await app.events()).map(({ title }) => title)).toContain('Jam at the cellar');
  });

  test('with an address that is taken literally, even if it contains the syntax of a variable', async () => {
    feeds.on('/leak', body('<a href="/secret.ics?key=${PATH}">Calendar</a>', { 'content-type': 'text/html' }));
    feeds.on('/secret.ics', body(feed('the trap')));
    const address = `${feeds.url}/secret.ics?key=\${PATH}`;
    const chosen = { url: `${feeds.url}/leak`, feed: address, shown: address, name: 'trap', every: '6h' };
    const looked = await browser.post('/add/', { do: 'save', ...chosen, from: 'Konzert', to: '${HOME}' });
    expect(runIn(looked.to)).toMatch(/^trap-/);
    expect(await file()).toContain('?key=$${PATH}');
    expect(app.context.sources.get('trap')?.address).toBe(address);
    expect(JSON.stringify(app.inForce.config().sources.at(-1))).toContain('"Konzert":"${HOME}"');
  });

  test('with its first plan held, even if the form is sent twice at once', async () => {
    const url = `${feeds.url}/jazz.ics`;
    const chosen = { do: 'save', url, feed: url, shown: url, name: 'jazz', every: '6h' };
    await Promise.all([browser.post('/add/', chosen), browser.post('/add/', chosen)]);
    await browser.post('/add/', chosen);
    expect(await app.sync('jazz')).toMatchObject({ state: 'held', writes: 0 });
  });

  const upload = async (bytes: string, name: string, button = 'upload'): Promise<Answered> => {
    const form = new FormData();
    form.set('token', tokenIn((await browser.get('/add/')).html));
    form.set('url', '');
    form.set('do', button);
    form.set('file', new File([bytes], name));
    return browser.send('/add/', { method: 'POST', body: form, headers: { 'sec-fetch-site': 'same-origin' } });
  };

  test.each([
    ['Drama Club 2027.ics', 'drama-club-2027'],
    ['../../Żółw.ics', 'zolw'],
    [`${'very-long-'.repeat(20)}.ics`, 'very-long-very-long-very-long'],
    ['日本.ics', 'source'],
  ])(
    'from an uploaded file whose calendar has no name: %s is called %s, and a backup includes it',
    async (name, called) => {
      const { html } = await upload(feed('home'), name);
      expect(/name="name"[^>]* value="([^"]+)"|value="([^"]+)"[^>]* name="name"/.exec(html)?.[1]).toBe(called);
      const folder = path.join(syncing.directory, 'data', 'uploads');
      expect(await uploadNames(folder)).toEqual(await readdir(folder));
    },
  );

  test('from the file that was chosen, even while another upload of the same form is still being read', async () => {
    // If the clock were ahead of the files' timestamps, the first one would count as old and be removed.
    syncing.clock.now = (await stat(app.config.file)).mtime.getTime();
    const ahead = calendarText([{ uid: 'jam', title: 'Jam', start: comingStart(5) }]);
    const { token, once } = hiddenIn((await browser.get('/add/')).html, 'value="upload"');
    const looks = ['Wrong.ics', 'Right.ics'].map(async (name) => {
      const form = new FormData();
      for (const [field, value] of Object.entries({ token, once, do: 'upload' })) form.set(field, value!);
      form.set('file', new File([ahead], name));
      return browser.send('/add/', { method: 'POST', body: form, headers: { 'sec-fetch-site': 'same-origin' } });
    });
    const [wrong, right] = await Promise.all(looks);
    expect(wrong!.html).toContain('value="wrong"');
    expect(right!.html).toContain('value="right"');
  });

  test('from a file that was chosen, even if the button for addresses is pressed', async () => {
    expect((await upload(feed('home'), 'home.ics', 'look')).text).toContain('Jam at home');
    expect((await browser.post('/add/', { do: 'look', url: '' })).text).toContain(
      'Paste an address, or choose a file.',
    );
  });

  test('from an uploaded file, which is kept and read like any other feed', async () => {
    const looked = await upload(feed('home'), 'home.ics');
    expect(looked.text).toContain('Jam at home');
    expect(looked.text).toMatch(/Which one\? home\.ics · \d+ coming event/);
    const url = /name="url" value="(file:[^"]+)"/.exec(looked.html)?.[1] ?? '';
    expect(await readdir(path.join(syncing.directory, 'data', 'uploads'))).toHaveLength(1);
    const { to } = await browser.post('/add/', {
      do: 'save',
      url,
      feed: url,
      shown: url,
      name: 'home',
      every: '24h',
      missing: 'trash',
    });
    expect(runIn(to)).toMatch(/^home-/);
    expect(await file()).toContain(`  home:\n    url: ${url}\n    every: 24h\n`);
  });

  test('with the last day of what lasts several days on its card', async () => {
    const [fair] = feedEvents(1, '2027-03-06');
    feeds.on('/fair.ics', body(calendarText([fair!]).replace('DURATION:PT1H', 'DURATION:P9D')));
    const { text } = await browser.post('/add/', { do: 'look', url: `${feeds.url}/fair.ics` });
    expect(text).toContain('Sat 6 Mar 2027, 18:00, until Mon 15 Mar 2027 Event number 0');
  });

  test.each([
    ['file:calsyncd.yaml', 'This is not a web address'],
    ['/srv/choir.ics', 'you can upload a file instead'],
    ['../choir.ics', 'you can upload a file instead'],
    ['http://127.0.0.1:8080/feeds/all.ics', 'Reading it would be a loop'],
    ['http://169.254.169.254/latest/', 'is not an address of the public internet'],
  ])('but not from %s', async (url, sentence) => {
    expect((await browser.post('/add/', { do: 'look', url })).text).toContain(sentence);
    expect(await file()).toBe(CONFIG.replace('URL', feeds.url));
  });

  test('after a wrong name and time zone are corrected on the form that refused them', async () => {
    const url = `${feeds.url}/floating.ics`;
    // Only times without a zone are read in the zone of the source.
    feeds.on('/floating.ics', body(feed('the cellar').replaceAll(';TZID=Europe/Warsaw', '')));
    const wrong = { do: 'save', url, feed: url, shown: url, name: 'jazz club!', every: '6h', timezone: 'Nowhere' };
    for (const sent of [wrong, { ...wrong, name: 'jazz' }]) {
      const { html, text } = await browser.post('/add/', sent);
      expect(text).toContain('It cannot be saved like this.');
      expect(html).toContain('value="save"');
      // What is below a wrong name is not checked.
      expect(html.includes('id="field-timezone" aria-invalid="true"')).toBe(sent !== wrong);
    }
    expect((await browser.post('/add/', { ...wrong, name: 'jazz', timezone: '' })).to).toMatch(/^\/runs\/jazz-/);
  });

  test('as a block to copy if the file cannot be written, and never by an editor', async () => {
    await chmod(app.config.file, 0o400);
    const looked = await browser.post('/add/', { do: 'look', url: `${feeds.url}/jazz.ics` });
    // Root can write it anyway.
    expect(looked.text).toContain(process.getuid?.() === 0 ? 'Save and sync' : 'The file has to be changed by hand');
    const editor = await signedInConsole(app, 'writer', 'editor');
    expect((await editor.get('/add/')).status).toBe(403);
  });

  test('but not while the file has a mistake that somebody else has just made', async () => {
    await writeFile(app.config.file, 'sources: { town: ');
    const looked = await browser.post('/add/', { do: 'look', url: `${feeds.url}/jazz.ics` });
    expect(looked.text).toContain('The file has a mistake that has to be fixed first.');
    expect(looked.html).not.toContain('value="save"');
  });
});

describe('the settings of a source', () => {
  test('are saved as changes of the file that touch nothing else in it', async () => {
    const shown = await browser.post('/sources/town/settings/', {
      do: 'show',
      every: '2h',
      'missing.after': '5',
      timezone: 'Nowhere',
    });
    expect(shown.text).toContain('It cannot be saved like this.');
    const { to } = await browser.post('/sources/town/settings/', { do: 'save', every: '2h', 'missing.after': '5' });
    expect((await browser.get(to)).text).toContain('Saved. It is in force from now on.');
    expect(await file()).toBe(
      CONFIG.replace('URL', feeds.url).replace('every: 1h\n', 'every: 2h\n    missing: { after: 5 }\n'),
    );
    expect(app.inForce.config().sources[0]?.missing.after).toBe(5);
  });

  test('are saved only where the form was edited, even if it shows an older version of the file', async () => {
    const page = '/sources/town/settings/';
    const old = (await browser.get(page)).html;
    const filled = (name: string): string =>
      new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]*)"`).exec(old.replaceAll('\n', ' '))?.[1] ?? 'none';
    await browser.post(page, { do: 'save', timezone: 'Europe/Berlin', 'was:timezone': filled('was:timezone') });
    await browser.post(page, {
      do: 'save',
      every: '2h',
      'was:every': filled('was:every'),
      timezone: filled('timezone'),
      'was:timezone': filled('was:timezone'),
    });
    expect(await file()).toMatch(/every: 2h\n +timezone: Europe\/Berlin\n/);
  });

  test.each([
    ['timezone', '${CONSOLE_TRAP}', 'A form of the console cannot put ${CONSOLE_TRAP} here'],
    [
      'url',
      'https://elsewhere.example/?key=${CONSOLE_TRAP:-none}',
      'A form of the console cannot put ${CONSOLE_TRAP} here',
    ],
    ['url', 'file:.env', 'From the console only files are read that are in a folder which fetch.allow_files names'],
    ['url', ' FILE:calsyncd.yaml', 'From the console only files are read'],
  ])('cannot have %s set to %s', async (field, value, sentence) => {
    process.env['CONSOLE_TRAP'] = 'swordfish';
    try {
      const before = await file();
      for (const act of ['show', 'save']) {
        const { text } = await browser.post('/sources/town/settings/', { do: act, [field]: value });
        expect(text).toContain(sentence);
        expect(text).not.toContain('swordfish');
      }
      expect(await file()).toBe(before);
    } finally {
      delete process.env['CONSOLE_TRAP'];
    }
  });

  test('can rename it, and its events stay', async () => {
    await app.sync('town');
    const slugs = (await app.events()).map(({ slug }) => slug);
    const { to } = await browser.post('/sources/town/settings/', { do: 'rename', to: 'city' });
    expect(to).toBe('/sources/city/settings/?saved');
    expect(await app.sync('city')).toMatchObject({ created: 0, removed: 0 });
    expect((await app.events()).map(({ slug }) => slug)).toEqual(slugs);
  });

  test('can remove it, and move its events to the trash on request', async () => {
    await app.sync('town');
    const { to } = await browser.post('/sources/town/settings/', { do: 'remove', events: 'trash' });
    expect(await file()).toContain('\nsources: {}\n');
    expect(runIn(to)).toMatch(/^town-/);
    expect(await app.events()).toEqual([]);
  });

  test('can remove it, and keep its events', async () => {
    await app.sync('town');
    const { to } = await browser.post('/sources/town/settings/', { do: 'remove', events: 'keep' });
    expect(to).toBe('/sources/?said=taken-out:5');
    expect((await browser.get(to)).text).toContain('no longer read. 5 events stay on the site as they are.');
    expect(await app.events()).toHaveLength(5);
  });

  test('can remove it while it is being read, with a warning that its events stay on the site', async () => {
    await app.sync('town');
    const lease = { site: app.setup('town').site.key, source: 'town', run: 'town-20270115T120000-000000' };
    await beginRun(app.state.database, lease, { kind: 'schedule' }, app.context.member.id());
    const { to } = await browser.post('/sources/town/settings/', { do: 'remove', events: 'trash' });
    const { html, text } = await browser.get(to);
    expect(text).toContain('nothing went to the trash. 5 events stay on the site');
    expect(html).toMatch(/class="banner warn"[^<]*role="status"/);
    expect(await app.events()).toHaveLength(5);
  });
});
