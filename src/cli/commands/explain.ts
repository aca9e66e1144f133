import { countInWords } from '../../count-in-words.ts';
import type { SourceConfig } from '../../config/config.ts';
import { whereInWords } from '../../problem.ts';
import { explainEvent, type ExplainedField, type Explanation } from '../../run/decisions/explain-event.ts';
import { actAsJson, actInWords, type Act } from '../../run/watch/acts.ts';
import { feedDisagrees } from '../../run/decisions/feed-disagrees.ts';
import { FIELD_NAMES, type FieldName } from '../../sync/model/fields.ts';
import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson, type Io } from '../terminal/io.ts';
import { printLines, printTable } from '../terminal/screen.ts';
import type { Row, Style } from '../text/table.ts';
import { zonesNote } from '../text/time-column.ts';
import { eventToTell } from '../open/event-named.ts';
import { shortJson } from '../terminal/words.ts';
import { whileReading } from '../progress/while-reading.ts';
import { withApp } from '../open/open-context.ts';
import { wallFromInstant } from '../../time.ts';
import { IN_FEED, isBroughtBack, isTakenOffByPerson } from '../../run/events/why-not-newer.ts';
import { fetchesInWords } from '../../sync/event/absence.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';

/** `explain SLUG`: shows where an event comes from, and who decided each of its fields. */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'explain <slug>',
  description: 'why an event looks the way it does: source, line, identity, rules, edits, conflicts, runs',
  example: 'explain summer-fair-abcd1234efgh56',
  act: async ({ io, config, options, args: [slug] }) =>
    withApp(config, io, async (app) => {
      const { entry, setup } = await eventToTell(app, slug);
      const explanation = await whileReading(app, io, 'asking the feed and the site', () =>
        explainEvent(app.context, setup, entry),
      );
      const configured = config.sources.filter(({ name }) => name === setup.name);
      const rules = configured.flatMap(rulesOf);
      if (options.json) printJson(io, { ...explanation, acts: explanation.acts.map(actAsJson), rules });
      else {
        const zoneOf = await zonesOfSites(app.state.database.query(), config.builtin.timezone);
        tell(io, explanation, { rules, isConfigured: configured.length > 0 }, zoneOf(explanation.site));
      }
      return EXIT.done;
    }),
});

/** The configured rules for the events of a source, in words. */
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

const UNTIL_BACK = 'until it is in the feed again and no rule leaves it out';

const STATES = {
  kept: 'on the site, kept in step by calsyncd',
  trash: `taken off by calsyncd, ${UNTIL_BACK}`,
  draft: `made a draft by calsyncd, ${UNTIL_BACK}`,
  cancel: `marked as cancelled by calsyncd, ${UNTIL_BACK}`,
  ignored: 'removed by a person; "restore" brings it back',
  detached: 'a person\'s own: its source neither changes nor removes it; "detach --off" gives it back',
  left: 'on the site as its source left it',
  back: 'removed by a person, and back on the site since; the next full comparison includes it again',
} as const;

function standingOf({ state, removed, onSite }: Explanation, isConfigured: boolean): keyof typeof STATES {
  if (isBroughtBack({ state, onSite })) return 'back';
  if (isTakenOffByPerson({ state, onSite })) return 'ignored';
  if (state === 'removed') return removed ?? 'trash';
  return state === 'kept' && !isConfigured ? 'left' : state;
}

/** What the configuration says about the event's source. */
interface ItsSource {
  readonly rules: readonly string[];
  readonly isConfigured: boolean;
}

/** Prints the explanation, with all times in one zone, which is named once. */
function tell(io: Io, explanation: Explanation, { rules, isConfigured }: ItsSource, zone: string): void {
  const timeInWords = (time: Date | null): string =>
    time === null ? 'never' : wallFromInstant(time.getTime(), zone).slice(0, 16);
  // The title that visitors see, which a person may have typed.
  const shown = explanation.fields.title?.site;
  const title = typeof shown === 'string' && shown !== '' ? shown : explanation.title;
  printLines(io, [{ text: `"${title}" (${explanation.slug})`, style: 'strong' }]);
  printTable(io, { indent: 2, rows: facts(explanation, isConfigured, timeInWords) });
  printLines(io, [
    ...(explanation.notAsked === null
      ? []
      : [`    ${explanation.notAsked} The fields are as the site showed them after our last write.`]),
    ...section('touched by', explanation.feed.touchedBy),
    ...section('rules of the source', rules),
    '  fields',
  ]);
  printTable(io, { indent: 4, rows: rowsOfFields(explanation) });
  printLines(io, [
    ...section('why is it not newer?', explanation.whyNotNewer),
    ...waitingInWords(explanation),
    ...(explanation.runs.length > 0 ? ['  runs'] : []),
  ]);
  printTable(io, { indent: 4, rows: explanation.runs.map((touch) => rowOfRun(touch, timeInWords)) });
  printLines(io, [
    ...section('decided by people', actsInWords(explanation.acts, timeInWords)),
    zonesNote([explanation.site], () => zone),
  ]);
}

const section = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`  ${heading}`, ...lines.map((line) => `    ${line}`)];

/** The rows about the event as a whole. */
function facts(
  explanation: Explanation,
  isConfigured: boolean,
  timeInWords: (time: Date | null) => string,
): readonly Row[] {
  const { source, site, id, onSite, notAsked, identity, feed, changedHere, links, alsoFrom } = explanation;
  const stands = STATES[standingOf(explanation, isConfigured)];
  const place = feed.where ? ` (${whereInWords(feed.where)})` : '';
  const changed = changedHere && timeInWords(new Date(`${changedHere.at.replace(' ', 'T')}Z`));
  return [
    { cells: ['source', `${source}, ${presenceInWords(feed, place)}`] },
    { cells: ['fetched', feed.good === null ? 'never' : `${timeInWords(feed.good)}, the last time that it was good`] },
    { cells: ['identity', identityInWords(identity)] },
    {
      cells: [
        'site',
        `${site}, id ${id ?? 'unknown'}, ${stands}; ${notAsked === null ? `there now: ${onSite ?? 'not found'}` : 'not asked now'}`,
      ],
    },
    ...Object.values(links).flatMap((link) => (link === null ? [] : [{ cells: ['', link] }])),
    ...alsoFrom.events.map((other) => ({ cells: ['twice?', `it also comes from ${other.source}: ${other.slug}`] })),
    ...(alsoFrom.more > 0 ? [{ cells: ['', `and from ${countInWords(alsoFrom.more, 'more event')}`] }] : []),
    ...(changed === null ? [] : [{ cells: ['changed', `on the site at ${changed}, after our last write`] }]),
  ];
}

/** While a run is held, the feed that counts is older than the one that the event is missing from. */
function presenceInWords({ presence, missing }: Explanation['feed'], place: string): string {
  if (missing === 0) return `${presence}${place}`;
  const fetches = `missing for ${fetchesInWords(missing)}`;
  return presence === IN_FEED
    ? `${presence} as it was last taken over${place}, and ${fetches} since`
    : `${presence}${place}, ${fetches}`;
}

const ORIGIN_STYLES: Readonly<Partial<Record<ExplainedField['origin'], Style>>> = { person: 'strong' };

const rowsOfFields = (explanation: Explanation): readonly Row[] =>
  FIELD_NAMES.flatMap((field) => {
    const each = explanation.fields[field];
    return each ? [rowOfField(field, each, feedDisagrees(explanation, field, each))] : [];
  });

function rowOfField(field: FieldName, each: ExplainedField, isOther: boolean): Row {
  const value = `${valueInWords(each)}${whyInWords(each)}${isOther ? feedInWords(each) : ''}`;
  const style = ORIGIN_STYLES[each.origin];
  return {
    cells: [
      field,
      style === undefined ? each.origin : { text: each.origin, style },
      each.conflict ? { text: value, style: 'wait' } : value,
    ],
  };
}

/** The decisions that wait for a person. */
const waitingInWords = ({ slug, conflicts, held }: Explanation): readonly string[] => [
  ...(conflicts.length > 0 ? [`  settle    npm run -s calsyncd -- settle ${slug} feed   (or site)`] : []),
  ...(held
    ? [
        `  held      ${changeInWords(held)}: ${held.because}`,
        `    npm run -s calsyncd -- approve ${held.run}   does it, with the rest of that run; reject ${held.run}   discards it`,
      ]
    : []),
];

const rowOfRun = (
  { run, at, action, fields, because, outcome }: Explanation['runs'][number],
  timeInWords: (time: Date | null) => string,
): Row => ({
  cells: [
    timeInWords(at),
    run,
    `${changeInWords({ action, fields })}: ${because}${outcome === 'done' ? '' : ` (${outcome ?? 'not written yet'})`}`,
  ],
});

/** The decisions that people have made about it. */
const actsInWords = (acts: readonly Act[], timeInWords: (time: Date) => string): readonly string[] =>
  acts.map((act) => `${timeInWords(act.at)}  ${actInWords(act)}${act.reason === null ? '' : `: "${act.reason}"`}`);

/** The value that the site shows, with names for linked items. */
const valueInWords = ({ site, names }: ExplainedField): string =>
  site === null ? 'not shown' : shortJson(names === undefined ? site : names.site);

/** The lines of the feed, the rules that changed the value, and whether the field is locked. */
function whyInWords({ from, rules, locked }: ExplainedField): string {
  const lines = [...new Set(from.map(({ line }) => `line ${line}`))];
  const said = [...lines, ...rules, ...(locked ? ['locked'] : [])];
  return said.length > 0 ? `  (${said.join('; ')})` : '';
}

const feedInWords = ({ conflict, feed, names }: ExplainedField): string =>
  `  ${conflict ? 'CONFLICT, ' : ''}the feed says ${shortJson(names === undefined ? feed : names.feed)}`;

const changeInWords = ({ action, fields }: { readonly action: string; readonly fields: readonly string[] }): string =>
  action === 'update' ? `update of ${fields.join(', ')}` : action;

/**
 * "uid e1@x, occurrence 20270105T190000, number 2 of those that share it, key kcwi…". An identity is one text with tabs
 * between its parts.
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
