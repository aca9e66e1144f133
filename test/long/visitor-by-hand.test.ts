import { rm } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { coming } from '../support/coming.ts';
import { inBothColourSchemes, faultsOf, launchChromium, navigate } from '../support/browser.ts';
import { signInTo, weekly } from '../support/console-world.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText } from '../support/feed-text.ts';
import { png } from '../support/pictures.ts';
import { until } from '../support/until.ts';

// What editors, authors and visitors write by hand, in a real browser with a real daemon, with and without JavaScript.

let feeds: FeedServer;
let home: Home;
let daemon: Daemon;
let browser: Browser;
let password = '';

beforeAll(async () => {
  feeds = await feedServer();
  feeds.on('/library.ics', body(calendarText(weekly('story', 'Story time', 3))));
  home = await programHome(`builtin: { title: Town calendar, timezone: Europe/Warsaw, suggestions: true }
sources:
  library: { url: "${feeds.url}/library.ics", every: 1h }
fetch: { allow_addresses: [127.0.0.1/32] }
`);
  daemon = home.start();
  await daemon.ready();
  password = /shown only this once:\s+(\S+)/.exec(daemon.stdout())?.[1] ?? '';
});
afterAll(async () => {
  await browser?.close();
  await home?.close();
  await feeds?.close();
  if (home) await rm(home.directory, { recursive: true, force: true });
});
beforeEach(async (context) => {
  browser ??= await launchChromium(context);
});

const open = async (options: BrowserContextOptions = {}): Promise<Page> =>
  (await browser.newContext(options)).newPage();

async function signIn(page: Page, login: string, secret: string): Promise<void> {
  await page.goto(`${daemon.url}/edit/`);
  await page.getByLabel('User name or e-mail address').fill(login);
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'My events' }).waitFor();
}

async function account(login: string, role: string): Promise<string> {
  const { stdout } = await home.command(['password', login, '--account', '--role', role, '--json']);
  return (JSON.parse(stdout) as { readonly password: string }).password;
}

/**
 * Checks that the page is accessible in light and dark colours, and not wider than the window. The checks need
 * JavaScript.
 */
async function expectReadable(page: Page, what = page.url()): Promise<void> {
  await page.waitForLoadState();
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  }
  expect({ what, faults: await inBothColourSchemes(faultsOf)(page) }).toEqual({ what, faults: [] });
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
  }
  expect.unreachable(`the keyboard alone does not reach ${selector}`);
}

/** A Wednesday. */
const DAY = coming(2);
/** The same day as it is typed, with its parts in the order of the browser's language. */
const TYPED = coming(2, 'MMddyyyy');

test.each([true, false])(
  'a half-written form is still filled in after a visit to another page (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const page = await open({ javaScriptEnabled });
    await signIn(page, 'admin', password);
    await page.getByRole('link', { name: 'New event' }).first().click();
    await page.getByLabel('Title').fill('Half written');
    await page.getByLabel('First day').fill(DAY);
    await page.getByLabel('Description').fill('First line');
    await page.getByLabel('Place', { exact: true }).fill('Town Hall');
    await page.getByRole('link', { name: 'My events' }).click();
    await page.getByRole('heading', { name: 'My events' }).waitFor();
    await page.goBack();
    expect(
      await Promise.all(['Title', 'First day', 'Description'].map((label) => page.getByLabel(label).inputValue())),
    ).toEqual(['Half written', DAY, 'First line']);
    expect(await page.getByLabel('Place', { exact: true }).inputValue()).toBe('Town Hall');
    await page.context().close();
  },
);

test.each([true, false])(
  'a form sent after the session has ended comes back with everything typed (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const context = await browser.newContext({ javaScriptEnabled });
    const [page, other] = [await context.newPage(), await context.newPage()];
    await signIn(page, 'admin', password);
    const title = `Written for an hour, ${javaScriptEnabled}`;
    await page.getByRole('link', { name: 'New event' }).first().click();
    await page.getByLabel('Title').fill(title);
    await page.getByLabel('First day').fill(DAY);
    await page.getByLabel('Description').fill('First line\n\n"Second" <b>one</b>');
    await page.getByLabel('All day', { exact: true }).check({ force: true });
    await other.goto(`${daemon.url}/edit/`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByLabel('Password').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('You were signed out in the meantime').waitFor();
    if (javaScriptEnabled) await expectReadable(page);
    await page.getByLabel('User name or e-mail address').fill('admin');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Nothing has been saved yet').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe(title);
    expect(await page.getByLabel('Description').inputValue()).toBe('First line\n\n"Second" <b>one</b>');
    expect(await page.getByLabel('All day', { exact: true }).isChecked()).toBe(true);
    if (javaScriptEnabled) await expectReadable(page);
    await other.goto(`${daemon.url}/edit/`);
    expect(await other.getByText(title).count()).toBe(0);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published. Visitors can see it now.').waitFor();
    await context.close();
  },
);

test('an editor adds an event with a picture and repeats it, and visitors see it', async () => {
  const page = await open();
  await signIn(page, 'admin', password);
  await page.getByRole('link', { name: 'New event' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Title').fill('Open garden');
  await page.getByLabel('First day').fill(DAY);
  await page.getByLabel('Starts at').fill('15:00');
  await page.getByLabel('Place').fill('Town garden');
  await page.getByLabel('Picture', { exact: true }).setInputFiles({
    name: 'garden.png',
    mimeType: 'image/png',
    buffer: Buffer.from(png(640, 400, 3)),
  });
  await expectReadable(page);
  await page.getByRole('button', { name: 'Publish' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Published. Visitors can see it now.').waitFor();
  await page.getByText('Repeat this event').click();
  await page.getByLabel('Up to and including').fill(coming(23));
  await page.getByRole('button', { name: 'Create these dates' }).click();
  await page.getByText('3 dates were created.').waitFor();
  await expectReadable(page);
  await page.getByRole('link', { name: 'View its page' }).click();
  await page.waitForURL(/\/event\/[a-z-]+\/$/);
  expect(await page.locator('h1').innerText()).toBe('Open garden');
  expect(await page.locator('main').innerText()).toContain('Town garden');
  expect(await page.locator('main img').first().getAttribute('src')).toContain('/media/');
});

test('without JavaScript, an event that an author submits waits in the To do, and an editor publishes it', async () => {
  const author = await open({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await signIn(author, 'anna', await account('anna', 'contributor'));
  await author.getByRole('link', { name: 'New event' }).first().click();
  await author.getByLabel('Title').fill('Choir night');
  await author.getByLabel('First day').fill(DAY);
  await author.getByRole('button', { name: 'Submit for review' }).click();
  // A browser that checks forms itself would ask for the missing time.
  expect(await author.locator('#startTime-fault').innerText()).toBe('Please fill this in.');
  await author.getByLabel('Starts at').fill('19:00');
  await author.getByRole('button', { name: 'Submit for review' }).click();
  await author.getByText('Submitted. An editor will review it').waitFor();

  const editor = await open({ javaScriptEnabled: false });
  await signInTo(editor, daemon.url, password);
  await editor.getByRole('link', { name: '1 event submitted', exact: true }).click();
  await editor.getByRole('link', { name: 'Choir night' }).click();
  await editor.getByRole('button', { name: 'Publish' }).click();
  await editor.getByText('Published. Visitors can see it now.').waitFor();
});

test.each([
  { width: 390, javaScriptEnabled: true },
  { width: 820, javaScriptEnabled: false },
])(
  'a visitor suggests an event, and an editor publishes it, $width pixels wide, JavaScript: $javaScriptEnabled',
  async ({ width, javaScriptEnabled }) => {
    const title = `Street party ${width}`;
    const visitor = await open({ javaScriptEnabled, viewport: { width, height: 844 } });
    await visitor.goto(daemon.url);
    await visitor.getByRole('link', { name: 'Suggest an event' }).click();
    for (const [label, text] of [
      ['Title', title],
      ['First day', DAY],
      ['Starts at', '16:00'],
      ['Place', 'Elm Street'],
      ['Your e-mail address', 'neighbour@mail.example'],
    ] as const)
      await visitor.getByLabel(label).fill(text);
    if (javaScriptEnabled) await expectReadable(visitor);
    // A form sent within three seconds counts as a robot's: it comes back with everything typed, to be sent again.
    await until('the form to be old enough', async () => {
      await visitor.getByRole('button', { name: 'Send the suggestion' }).click();
      return (await visitor.locator('h1').innerText()) === 'Thank you for the suggestion';
    });
    expect(await visitor.context().cookies()).toEqual([]);

    const editor = await open({ javaScriptEnabled });
    await signInTo(editor, daemon.url, password);
    await editor.getByRole('link', { name: '1 suggestion from visitors', exact: true }).click();
    if (javaScriptEnabled) await expectReadable(editor);
    expect(await editor.locator('main').innerText()).toContain('neighbour@mail.example');
    await editor.getByRole('button', { name: new RegExp(`^Publish.*${title}`) }).click();
    await editor.getByText('There are no suggestions.').waitFor();
    await visitor.goto(`${daemon.url}/?search=${encodeURIComponent(title)}`);
    expect(await visitor.locator('main').innerText()).toContain(title);
  },
);

test('by keyboard alone, a visitor suggests an event, 1440 pixels wide', async () => {
  const visitor = await open({ viewport: { width: 1440, height: 900 } });
  await visitor.goto(daemon.url);
  await tabTo(visitor, 'a[href$="/suggest/"]');
  await visitor.keyboard.press('Enter');
  await visitor.getByRole('heading', { name: 'Suggest an event' }).waitFor();
  await tabTo(visitor, '#title');
  await visitor.keyboard.type('Keyboard party');
  await tabTo(visitor, '#startDay');
  await visitor.keyboard.type(TYPED);
  await tabTo(visitor, '#startTime');
  await visitor.keyboard.type('0400PM');
  await tabTo(visitor, '[type=email]');
  await visitor.keyboard.type('keys@mail.example');
  await until('the form to be old enough', async () => {
    await tabTo(visitor, 'main form [type=submit], main form button:not([type])');
    await navigate(visitor, () => visitor.keyboard.press('Enter'));
    return (await visitor.locator('h1').innerText()) === 'Thank you for the suggestion';
  });
  const editor = await open();
  await signInTo(editor, daemon.url, password);
  await editor.getByRole('link', { name: '1 suggestion from visitors', exact: true }).click();
  await editor.getByRole('button', { name: /^Publish.*Keyboard party/ }).click();
  await editor.getByText('There are no suggestions.').waitFor();
  await visitor.goto(`${daemon.url}/?search=Keyboard`);
  // The day and the time as typed; the year is shown if it is not the current one.
  const isThisYear = coming(2, 'yyyy') === String(new Date().getUTCFullYear());
  const day = coming(2, isThisYear ? 'cccc\nd\nLLLL' : 'cccc\nd\nLLLL yyyy');
  expect(await visitor.locator('main').innerText()).toContain(`${day}\n16:00\nKeyboard party`);
});

test('an open To do page shows a new suggestion by itself, and an editor refuses it with a reason', async () => {
  const editor = await open();
  await signInTo(editor, daemon.url, password);
  await editor.getByRole('heading', { name: 'To do' }).or(editor.locator('h1')).first().waitFor();
  const visitor = await open();
  await visitor.goto(`${daemon.url}/suggest/`);
  for (const [label, text] of [
    ['Title', 'Lost cat'],
    ['First day', DAY],
    ['Starts at', '16:00'],
    ['Your e-mail address', 'cat@mail.example'],
  ] as const)
    await visitor.getByLabel(label).fill(text);
  await until('the form to be old enough', async () => {
    await visitor.getByRole('button', { name: 'Send the suggestion' }).click();
    return (await visitor.locator('h1').innerText()) === 'Thank you for the suggestion';
  });
  // The page has not been reloaded.
  await editor.getByRole('link', { name: '1 suggestion from visitors', exact: true }).waitFor();
  await editor.getByRole('link', { name: '1 suggestion from visitors', exact: true }).click();
  await editor.getByText('Refuse', { exact: false }).first().click();
  await editor.getByLabel('Why (for editors only)').fill('Not an event.');
  await editor.getByRole('button', { name: /^Refuse.*Lost cat/ }).click();
  await editor.getByText('Refused. It will be deleted in a few days.').waitFor();
  await editor.getByText('Decided in the last seven days').click();
  expect(await editor.getByText('Not an event.').isVisible()).toBe(true);
  await expectReadable(editor);
});

test('by keyboard alone, an event is written, refused because of a mistake, corrected and published', async () => {
  const page = await open();
  await page.goto(`${daemon.url}/edit/`);
  await tabTo(page, '[name=login]');
  await page.keyboard.type('admin');
  await tabTo(page, '[name=password]');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'My events' }).waitFor();
  await tabTo(page, 'main a[href$="/edit/event/new/"]');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'New event' }).waitFor();
  await tabTo(page, '#title');
  await page.keyboard.type('Keyboard concert');
  await tabTo(page, '[name=allDay]');
  await page.keyboard.press('Space');
  await tabTo(page, '#startDay');
  await page.keyboard.type(TYPED);
  await tabTo(page, '#website');
  await page.keyboard.type('https://x y');
  await page.evaluate('document.querySelector("form.edit").noValidate = true');
  await tabTo(page, '[value=publish]');
  await page.keyboard.press('Enter');
  await page.getByText('Not saved yet. What you wrote is still here.').waitFor();
  // The wrong field is in view and has the focus.
  await page.locator('#website[aria-invalid]:focus').waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await tabTo(page, '[value=publish]');
  await page.keyboard.press('Enter');
  await page.getByText('Published. Visitors can see it now.').waitFor();
  expect(await page.locator('#title').inputValue()).toBe('Keyboard concert');
});

test('each page, including refusals, is accessible in light and dark colours, on a phone and on a desktop', async () => {
  const page = await open();
  await page.goto(`${daemon.url}/edit/`);
  await expectReadable(page);
  await page.getByLabel('User name or e-mail address').fill('admin');
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await expectReadable(page, 'a wrong password');
  await signIn(page, 'admin', password);
  for (const path of [
    '/edit/',
    '/edit/?of=all',
    '/edit/?list=trash',
    '/edit/event/new/',
    '/edit/event/999999/',
    '/edit/nothing/',
    '/edit/review/',
    '/edit/venues/',
    '/edit/venues/?list=trash',
    '/edit/venues/new/',
    '/edit/organizers/',
    '/edit/organizers/new/',
    '/suggest/',
    '/suggest/?said=thanks',
  ]) {
    await page.goto(`${daemon.url}${path}`);
    await expectReadable(page, path);
  }
  /** Sends a form that browsers would refuse to send, and checks the page that comes back. */
  const refused = async (path: string, fields: Readonly<Record<string, string>>, button: string, says: RegExp) => {
    await page.goto(`${daemon.url}${path}`);
    await page.evaluate('for (const one of document.forms) one.noValidate = true');
    for (const [name, value] of Object.entries(fields))
      await page.evaluate(
        `document.querySelector(${JSON.stringify(`main form:last-of-type [name=${name}], main form.edit [name=${name}]`)}).value = ${JSON.stringify(value)}`,
      );
    await page.locator(button).click();
    await page.getByText(says).waitFor();
    await expectReadable(page, `${path} refused: ${says}`);
  };
  await refused('/edit/event/new/', { website: 'x' }, 'main [value=publish]', /Not saved yet\./);
  await refused('/edit/venues/new/', { website: 'x' }, 'main [value=save]', /Not saved yet\./);
  // On a slow machine, the form is not sent too quickly.
  const fields = { email: 'x', title: 'y' };
  await refused('/suggest/', fields, 'main form.form .main', /That was very quick\.|Not saved yet\./);
  await page.goto(`${daemon.url}/edit/venues/?search=garden`);
  await page.getByRole('link', { name: 'Town garden' }).click();
  const place = new URL(page.url()).pathname;
  await expectReadable(page);
  await refused(place, { version: 'old', city: 'Elsewhere' }, 'main form.edit [value=save]', /Someone else has saved/);
  await page.goto(`${daemon.url}/edit/?search=garden`);
  await page.getByRole('link', { name: 'Open garden' }).first().click();
  const event = new URL(page.url()).pathname;
  await refused(event, { version: 'old', title: 'Mine' }, 'main form.edit [value=save]', /Someone else has saved/);
  await page.goto(`${daemon.url}/operator/`);
  await page.goto(`${daemon.url}${event}`);
  await page.evaluate('document.querySelector("form.edit").action = "/edit/event/999999/"');
  await page.locator('main form.edit [value=save]').click();
  expect(await page.getByRole('alert').innerText()).toContain('You can no longer save this');
  await expectReadable(page, 'an event that is gone');
});

test('an imported event is detached from its source, and given back', async () => {
  const page = await open();
  await signIn(page, 'admin', password);
  await until('the source to be read', async () => {
    await page.goto(`${daemon.url}/edit/?of=all&search=story`);
    return (await page.getByRole('link', { name: 'Story time' }).count()) > 0;
  });
  await page.getByRole('link', { name: 'Story time' }).first().click();
  await page.getByText('This event comes from library.').waitFor();
  await navigate(page, () => page.getByRole('button', { name: 'Make it our own' }).click());
  await until('the event to be one’s own', async () => {
    await page.reload();
    return (await page.getByText('This event came from library and is now your own.').count()) > 0;
  });
  await expectReadable(page);
  await navigate(page, () => page.getByRole('button', { name: 'Give it back to its source' }).click());
  await until('the event to follow its source', async () => {
    await page.reload();
    return (await page.getByText('This event comes from library.').count()) > 0;
  });
  expect(await page.getByRole('button', { name: 'Make it our own' }).count()).toBe(1);
});

test('a place gets its address, which its events show', async () => {
  const page = await open();
  await signIn(page, 'admin', password);
  await page.getByRole('link', { name: 'Places' }).click();
  await page.getByRole('link', { name: 'Town garden' }).click();
  await page.getByLabel('Street and number').fill('Mill Lane 4');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. All its events show the change.').waitFor();
  await expectReadable(page);
  await page.goto(`${daemon.url}/event/open-garden/`);
  expect(await page.locator('main').innerText()).toContain('Mill Lane 4');
});
