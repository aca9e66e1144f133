import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Operator } from '../../../src/operator/frame/operator.ts';
import { BEFORE_FIELDS, messageHtml } from '../../../src/operator/sources/message-html.ts';
import { parseFeed } from '../../../src/run/parse/parse-feed.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

// Messages name commands, runs and events; on a page these become links.

const SLUG = 'opera-night-1-66msrroidc4eyl';
const RUN = 'opera-20261129T153435-50885d';
const shown = (message: string, params: Readonly<Record<string, string>> = {}): string =>
  messageHtml(
    { base: '/town', params, operator: operatorOf('town.example') },
    message,
    'key of town.example',
  ).markup.replaceAll('\n', '');
const operatorOf = (...names: readonly string[]): Operator =>
  ({ sites: () => names.map((name) => ({ name, key: `key of ${name}` })) }) as unknown as Operator;
const link = (path: string, words: string): string => `<a href="/town/operator${path}">${words}</a>`;

test.each([
  [
    `${SLUG} is off the site already, and stays off: "npm run -s calsyncd -- restore ${SLUG}" brings it back.`,
    { slug: SLUG },
    `This event is off the site already, and stays off: ${link('/ignored/', '“Restore it”')} brings it back.`,
  ],
  [`${SLUG} is in no conflict.`, {}, `${link(`/events/${SLUG}/`, 'That event')} is in no conflict.`],
  [
    `The run ${RUN} has been rejected: nothing is to decide. "npm run -s calsyncd -- runs opera" lists later runs.`,
    { run: RUN },
    `This run has been rejected: nothing is to decide. ${link('/runs/?source=opera', 'The page of all runs')} lists later runs.`,
  ],
  [
    `It was rejected with the run ${RUN}. "npm run -s calsyncd -- sync opera" makes the plan again.`,
    {},
    `It was rejected with ${link(`/runs/${RUN}/`, 'another run')}. ${link('/sources/opera/', '“Check now”')} makes the plan again.`,
  ],
  [`"A & B" (${SLUG}) was left.`, {}, `${link(`/events/${SLUG}/`, '“A &amp; B”')} was left.`],
  [
    `It is tried again later; "npm run -s calsyncd -- settle ${SLUG} feed --field image" tries it at once.`,
    {},
    `It is tried again later; ${link(`/events/${SLUG}/#image`, '“Try it again now”')} tries it at once.`,
  ],
  [
    `then "npm run -s calsyncd -- sync opera --full" tries it.`,
    {},
    'then <code>calsyncd sync opera --full</code> tries it.',
  ],
  [`"npm run -s calsyncd -- forget opera" ends it.`, {}, '<code>calsyncd forget opera</code> ends it.'],
  [
    `"A & B" cannot get back its former start_date, hide_from_listings: the site did not show that.`,
    {},
    '&quot;A &amp; B&quot; cannot get back its former “Begins”, “Hidden in lists”: the site did not show that.',
  ],
  [
    `On the site, image of ${SLUG} is as the feed says already.`,
    { slug: SLUG },
    'On the site, “Picture” of this event is as the feed says already.',
  ],
  [
    'update of "A": A person has changed it on the site in the meantime (end_date, cost): nothing is overwritten.',
    {},
    'update of &quot;A&quot;: A person has changed it on the site in the meantime (“Ends”, “Price”): nothing is overwritten.',
  ],
  [
    'No column was recognized as title or start_date; the columns are "A", "B". Name them under columns in the ' +
      'configuration, for example columns: { title: "A ""b""" }.',
    {},
    'No column was recognized as “Title” or “Begins”; the columns are &quot;A&quot;, &quot;B&quot;. ' +
      'Name them in its settings.',
  ],
  [
    'The column is gone, or the configuration of the source names another, or none: columns: { venue: none }.',
    {},
    'The column is gone, or its settings name another, or “none”.',
  ],
  ['"A" was changed since in title: it is left.', {}, '&quot;A&quot; was changed since in “Title”: it is left.'],
  [
    'The source names a column: columns: { start_date: none }. On the site, imageless pages stay.',
    {},
    'The source names a column: columns: { start_date: none }. On the site, imageless pages stay.',
  ],
  ['"A self-congratulatory evening" has no end.', {}, '&quot;A self-congratulatory evening&quot; has no end.'],
  [`See https://town.example/event/${SLUG}/ <b>`, {}, `See https://town.example/event/${SLUG}/ &lt;b&gt;`],
])('%s', (message, params, said) => {
  expect(shown(message, params)).toBe(said);
});

test.each([
  `${SLUG} is in no conflict.`,
  `"A & B" (${SLUG}) was left.`,
  `Somebody has it: "npm run -s calsyncd -- detach ${SLUG} --off" gives it back.`,
])('with several sites, links name the right one, as both may have the slug: %s', (message) => {
  const operator = operatorOf('theatre.example', 'town & church');
  const href = `href="/town/operator/events/${SLUG}/?site=town%20%26%20church"`;
  expect(messageHtml({ base: '/town', params: {}, operator }, message, 'key of town & church').markup).toContain(href);
  const unknown = messageHtml({ base: '/town', params: {}, operator }, message, undefined).markup;
  expect(unknown).toContain(`href="/town/operator/events/${SLUG}/"`);
});

test.each(BEFORE_FIELDS)('messages name fields after %j', (before) => {
  const sources = globSync('src/{csv,run,sync}/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  expect(sources.some((text) => text.includes(`${before}\${`))).toBe(true);
});

test.each([
  [
    'that are not recognized',
    'foo;bar\nConcert;soon\n',
    undefined,
    /^No column was recognized as “Title” or “Begins”; .* Name them in its settings\.$/,
  ],
  [
    'of which one is missing',
    'title;start_date\nConcert;2027-02-03 19:00\n',
    'title;start_date;venue\nConcert;2027-02-03 19:00;Hall\n',
    / Nothing is changed until the column is back, or its settings name another, or “none”\.$/,
  ],
])('a message about the columns of a table %s leads to the settings', (_, text, before, said) => {
  const parsed = parseFeed({
    bytes: Buffer.from(text),
    contentType: 'text/csv',
    format: 'csv',
    settings: DRAFT_SETTINGS,
    ...(before === undefined ? {} : { before: Buffer.from(before) }),
  });
  const { message } = parsed.kind === 'notAFeed' ? parsed.problem : parsed.reading.problems[0]!;
  expect(shown(message)).toMatch(said);
});
