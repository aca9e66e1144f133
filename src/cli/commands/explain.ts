import type { SourceConfig } from '../../config/config.ts';
import { whereInWords } from '../../problem.ts';
import { explainEvent, type ExplainedField, type Explanation } from '../../run/decisions/explain-event.ts';
import { actAsJson, actInWords, type Act } from '../../run/watch/acts.ts';
import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { eventNamed } from '../open/event-named.ts';
import { short } from '../terminal/words.ts';
import { withApp } from '../open/open-context.ts';
import { fetchesInWords } from '../../sync/event/absence.ts';
import { timesAtSites, type TimeAtSite } from '../../run/state/site-zones.ts';

/** `explain SLUG`: where an event comes from, and who decided each of its fields. */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'explain <slug>',
  description: 'why an event looks the way it does: source, line, identity, rules, edits, conflicts, runs',
  act: async ({ io, config, options, args: [slug] }) =>
    withApp(config, io, async (app) => {
      const { entry, setup } = await eventNamed(app, slug);
      const explanation = await explainEvent(app.context, setup, entry);
      const rules = config.sources.filter(({ name }) => name === setup.name).flatMap(rulesOf);
      if (options.json) printJson(io, { ...explanation, acts: explanation.acts.map(actAsJson), rules });
      else io.out(inWords(explanation, rules, await timesAtSites(app.state.database.query(), config.builtin.timezone)));
      return EXIT.done;
    }),
});

/** What the configuration says about the events of a source, in words. */
function rulesOf({
  drafts: { only, skip, categories, tags, defaultVenue, timezone, utcTimes },
  authority,
  missing,
}: SourceConfig): readonly string[] {
  return [
    ...only.map((rule) => ruleInWords('only', rule)),
    ...skip.map((rule) => ruleInWords('skip', rule)),
    ...Object.entries(categories.map).map(([from, to]) => `category ${from} becomes ${to}`),
    ...(categories.unknown === 'ignore' ? ['other categories are left out'] : []),
    ...categories.add.map((name) => `category ${name} is added`),
    ...tags.add.map((name) => `tag ${name} is added`),
    ...(defaultVenue === undefined ? [] : [`venue ${defaultVenue} where the feed names none`]),
    ...(timezone === undefined ? [] : [`times without a zone are in ${timezone}`]),
    ...(utcTimes === 'utc' ? ['times in UTC stay in UTC'] : []),
    ...(authority.default === 'preserve' ? [] : [`the ${authority.default} decides`]),
    ...Object.entries(authority.fields).map(
      ([field, who]) => `${field}: ${who === 'preserve' ? 'edits on the site stay' : `the ${who} decides`}`,
    ),
    `when it is gone from the feed for ${fetchesInWords(missing.after)}: ${missing.action}`,
  ];
}

const ruleInWords = (word: string, { field, matches }: SourceConfig['drafts']['only'][number]): string =>
  `${word} where ${field} matches ${matches}`;

const STATES = {
  kept: 'on the site, kept in step by calsyncd',
  removed: 'removed by calsyncd, because it disappeared from the feed',
  ignored: 'removed by a person; "restore" brings it back',
  detached: 'a person\'s own: its source neither changes nor removes it; "detach --off" gives it back',
} as const;

function inWords(
  {
    slug,
    title,
    source,
    site,
    id,
    state,
    onSite,
    notAsked,
    identity,
    feed,
    fields,
    conflicts,
    changedHere,
    whyNotNewer,
    links,
    held,
    runs,
    acts,
  }: Explanation,
  rules: readonly string[],
  timeAt: TimeAtSite,
): string {
  const timeInWords = (time: Date | null): string => (time === null ? 'never' : timeAt(site, time));
  const place = feed.where ? whereInWords(feed.where) : '';
  const lines = [
    `"${title}" (${slug})`,
    `  source    ${source}, ${feed.presence}${place === '' ? '' : ` (${place})`}${feed.missing > 0 ? `, missing for ${fetchesInWords(feed.missing)}` : ''}; last good fetch ${timeInWords(feed.good)}`,
    `  identity  ${identityInWords(identity)}`,
    `  site      ${site}, id ${id ?? 'unknown'}, ${STATES[state]}; ${notAsked === null ? `there now: ${onSite ?? 'not found'}` : 'not asked now'}`,
    ...Object.values(links).flatMap((link) => (link === null ? [] : [`            ${link}`])),
    ...(notAsked === null ? [] : [`    ${notAsked} The fields are as the site showed them after our last write.`]),
    ...(feed.touchedBy.length > 0 ? ['  touched by', ...feed.touchedBy.map((rule) => `    ${rule}`)] : []),
    '  rules of the source',
    ...rules.map((rule) => `    ${rule}`),
    '  fields',
    ...Object.entries(fields).map(
      ([field, each]) => `    ${field.padEnd(16)} ${each.origin.padEnd(7)} ${valueInWords(each)}${whyInWords(each)}`,
    ),
    ...(changedHere ? [`  changed   on the site at ${changedHere.at} UTC, after our last write`] : []),
    '  why is it not newer?',
    ...whyNotNewer.map((reason) => `    ${reason}`),
    ...(conflicts.length > 0 ? [`  settle    npm run -s calsyncd -- settle ${slug} feed   (or site)`] : []),
    ...(held
      ? [
          `  held      ${changeInWords(held)}: ${held.because}`,
          `    npm run -s calsyncd -- approve ${held.run}   does it, with the rest of that run; reject ${held.run}   discards it`,
        ]
      : []),
    '  runs',
    ...runs.map(
      ({ run, at, action, fields: touched, because, outcome }) =>
        `    ${timeInWords(at)}  ${run}  ${changeInWords({ action, fields: touched })}: ${because}${outcome === 'done' ? '' : ` (${outcome ?? 'not written yet'})`}`,
    ),
    ...actsInWords(acts, timeInWords),
  ];
  return `${lines.join('\n')}\n`;
}

/** What people have decided about it, if anything. */
const actsInWords = (acts: readonly Act[], timeInWords: (time: Date) => string): readonly string[] => [
  ...(acts.length > 0 ? ['  decided by people'] : []),
  ...acts.map(
    (act) => `    ${timeInWords(act.at)}  ${actInWords(act)}${act.reason === null ? '' : `: "${act.reason}"`}`,
  ),
];

/** What the site shows: names for what is linked. */
const valueInWords = ({ site, names }: ExplainedField): string =>
  site === null ? 'not shown' : short(names === undefined ? site : names.site);

/** Where the feed says it, what has changed it since, and why the feed may not. */
function whyInWords({ from, rules, conflict, locked, feed }: ExplainedField): string {
  const lines = [...new Set(from.map(({ line }) => `line ${line}`))];
  const said = [...lines, ...rules, ...(locked ? ['locked'] : [])];
  return `${said.length > 0 ? `  (${said.join('; ')})` : ''}${conflict ? `  CONFLICT, the feed says ${short(feed)}` : ''}`;
}

const changeInWords = ({ action, fields }: { readonly action: string; readonly fields: readonly string[] }): string =>
  action === 'update' ? `update of ${fields.join(', ')}` : action;

/**
 * "uid e1@x, occurrence 20270105T190000, number 2 of those that share it, key kcwi…": an identity is one text with
 * tabs.
 */
function identityInWords({ rung, identity, key }: Explanation['identity']): string {
  const [base, ...parts] = identity.split('\t');
  return [
    `${rung} ${base}`,
    ...parts.map((part) =>
      part.startsWith('~') ? `number ${part.slice(1)} of those that share it` : `occurrence ${part}`,
    ),
    `key ${key}`,
  ].join(', ');
}
