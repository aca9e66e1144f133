import { eventHref } from '../events/list-parts.ts';
import { sourcePath } from '../sources/paths.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { listEvents } from '../../run/events/list-events.ts';
import { likelyTwice, sourcesWith } from '../../run/events/symptoms.ts';
import { sourceState, type StateWord } from '../../run/watch/source-state.ts';
import type { Asked, Page } from '../frame/operator.ts';
import { head, linkTo, state } from '../frame/parts.ts';
import { docIndex } from './doc-pages.ts';
import { overviewOf } from '../sources/overview.ts';

/** What the console currently knows about each symptom. */
interface Facts {
  readonly ignored: number;
  readonly held: number;
  readonly twice: Awaited<ReturnType<typeof likelyTwice>>;
  readonly zoneless: readonly string[];
  /** Fields of sources where the feed has authority, in words. */
  readonly feedDecides: readonly string[];
  readonly stale: readonly string[];
  readonly failing: number;
}

interface Symptom {
  readonly id: string;
  readonly seen: string;
  /** At most a few lines. */
  readonly answer: string;
  /** The pages that show it for the configured sources. */
  readonly places: (facts: Facts) => readonly (readonly [path: string, text: string])[];
  readonly more?: (asked: Asked, facts: Facts) => HtmlPart;
}

const named = (names: readonly string[]): readonly (readonly [string, string])[] =>
  names.slice(0, NAMES_MAX).map((name) => [sourcePath(name), name]);

const NAMES_MAX = 8;

/** The symptoms that people notice, the most frequent first. */
const SYMPTOMS: readonly Symptom[] = [
  {
    id: 'missing',
    seen: 'Events are missing',
    answer:
      'Four reasons, in this order: the feed does not have them; a rule leaves them out; a person took them ' +
      'off; the source fails or is held. Find the event by a word of its title: its page says which.',
    places: ({ ignored, held, failing }) => [
      ['/events/?view=list&over=yes', 'Find the event'],
      ['/ignored/', `Taken off by people: ${ignored}`],
      ['/events/?view=list&state=held', `Held: ${held}`],
      ['/sources/?state=failing', `Sources that fail: ${failing}`],
    ],
  },
  {
    id: 'twice',
    seen: 'An event is there twice',
    answer:
      'Two sources may bring it, its feed may have given it a new id, or somebody typed it on the site ' +
      'before. The pages of both say where they come from; take one of them off, and it stays off.',
    places: () => [['/ignored/#others', 'Typed on the site: let a source take it over']],
    more: (asked, { twice: { pairs, count } }) =>
      count === 0
        ? html`<p class="small dim">No two coming events have the same title and time.</p>`
        : html`<p>Likely pairs: ${count}${count > pairs.length && `, the first ${pairs.length} of them`}</p>
            <ul>
              ${pairs.map(
                ({ site, title, sources, slugs }) =>
                  html`<li>
                    ${title} (${sources.join(', ')}):
                    ${slugs
                      .slice(0, NAMES_MAX)
                      .map(
                        (slug, index) =>
                          html`${index > 0 && ' · '}<a href="${eventHref(asked, { slug, site })}">${index + 1}</a>`,
                      )}
                  </li>`,
              )}
            </ul>`,
  },
  {
    id: 'hour',
    seen: 'Times are an hour off',
    answer:
      'The feed gives times without a zone, or in UTC, and the zone that was taken for them is not the ' +
      'right one. Say it once, in the settings of the source: timezone.',
    places: ({ zoneless }) => named(zoneless),
    more: (_, { zoneless }) => html`<p class="small dim">Sources with such times: ${zoneless.length}</p>`,
  },
  {
    id: 'edit',
    seen: 'My edit has vanished',
    answer:
      'Edits stay by default. Where “the feed decides” is set for a field, they do not. To keep one event ' +
      'as it is here whatever its feed says, lock it on its page.',
    places: () => [['/events/?view=list&state=locked', 'Locked events']],
    more: (_, { feedDecides }) =>
      feedDecides.length === 0
        ? html`<p class="small dim">There is no field in which the feed decides.</p>`
        : html`<p>
            The feed decides:
            ${feedDecides.slice(0, NAMES_MAX).join(' · ')}${
              feedDecides.length > NAMES_MAX && ` and ${feedDecides.length - NAMES_MAX} more`
            }
          </p>`,
  },
  {
    id: 'back',
    seen: 'A removed event comes back',
    answer:
      'On the site, move it to the trash rather than deleting it for good; or open its page here and take ' +
      'it off: then it stays off, whatever its feed says.',
    places: ({ ignored }) => [['/ignored/', `Events that people took off: ${ignored}`]],
  },
  {
    id: 'conflict',
    seen: 'An event is out of date',
    answer:
      'It was changed here and in the feed, and the site shows what was typed here until somebody decides. ' +
      'Or the feed itself is old: the event’s page says when it was read, and what it says.',
    places: () => [
      ['/conflicts/', 'Conflicts'],
      ['/events/?view=list&state=edited', 'Events that were edited here'],
    ],
  },
  {
    id: 'quiet',
    seen: 'Nothing has changed for days',
    answer:
      'A source may be stale: it reads well, but its publisher brings nothing new. Open its feed yourself, ' +
      'and ask the publisher whether it is still the right one.',
    places: ({ stale }) => named(stale),
    more: (_, { stale }) => html`<p class="small dim">Stale sources: ${stale.length}</p>`,
  },
  {
    id: 'held',
    seen: 'Nothing happens although the feed is right',
    answer:
      'A run that would remove, move or retitle many events waits for a person. Look at what it would do, ' +
      'then approve or reject it. Until then nothing changes.',
    places: ({ held }) => [
      ['/', 'What waits for you'],
      ['/events/?view=list&state=held', `Events in held runs: ${held}`],
    ],
  },
  {
    id: 'silent',
    seen: 'calsyncd is silent',
    answer:
      'Nothing is lost. The developer looks at /readyz and at the log, and starts it again; runs go on where they stopped.',
    places: () => [['/sources/', 'How the sources are']],
  },
];

const STATES: Readonly<Record<StateWord, string>> = {
  new: 'it has never been read well yet',
  well: 'it was read well, and when it was due',
  late: 'it should have been read and was not: a matter for the developer',
  failing: 'it could not be read. Its events stay as they are, and it says whose turn it is',
  held: 'reading it would change much at once: a plan waits for you, and nothing is written until you decide',
  stale: 'it is read well, but its publisher adds nothing new, or it has no coming events',
  paused:
    'a person has stopped it, until a day or until somebody presses Resume. It is not read by itself; its ' +
    'events stay. Its page says who, until when, and why',
};

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['j', 'k'], 'next, previous'],
  [['Enter'], 'open'],
  [['/'], 'find'],
  [['g', 't'], 'to do; then also s, e, r: sources, events, runs'],
  [['a', 'x'], 'in a review: approve, reject; it asks before it does'],
  [['1', '2', 'n'], 'in a conflict: the site’s, the feed’s, the next one'],
  [['?'], 'this page'],
  [['Esc'], 'close, back'],
];

const NEVER: readonly string[] = [
  'Remove events because a feed is broken, empty or a login page.',
  'Write over what a person wrote here since.',
  'Write what was not shown in a plan.',
  'Decide a held run by itself.',
];

/** `/help/`: the symptoms, each with links to the pages that show it for the configured sources. */
export async function helpPage(asked: Asked): Promise<Page> {
  const facts = await factsFor(asked);
  return {
    title: 'What is wrong?',
    place: 'help',
    main: html`${head(
        'What is wrong?',
        'Begin with what you see. Each answer leads to the place that shows it for your sources.',
      )}
      <div class="cols">
        <div class="stack">
          ${SYMPTOMS.map((symptom, index) => answer(asked, facts, symptom, index === 0))} ${await docIndex(asked)}
        </div>
        <aside class="stack-4">
          <section class="box">
            <h2>How a source is</h2>
            <dl class="kv">
              ${Object.entries(STATES).map(
                // Object.entries loses the key type.
                ([word, meaning]) =>
                  html`<dt>${state(word as StateWord)}</dt>
                    <dd>${meaning}</dd>`,
              )}
            </dl>
          </section>
          <section class="box">
            <h2>Keys</h2>
            <dl class="kv">
              ${KEYS.map(
                ([keys, what]) =>
                  html`<dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt>
                    <dd>${what}</dd>`,
              )}
            </dl>
          </section>
          <section class="well-box">
            <h2>What it never does</h2>
            <ul class="stack">
              ${NEVER.map((line) => html`<li>${line}</li>`)}
            </ul>
          </section>
        </aside>
      </div>`,
  };
}

function answer(asked: Asked, facts: Facts, { id, seen, answer: said, places, more }: Symptom, isOpen: boolean): Html {
  const links = places(facts).map(([path, text]) => html`<a class="btn" href="${linkTo(asked, path)}">${text}</a>`);
  return html`<details id="${id}" class="box" ${isOpen && html` open`}>
    <summary><b>${seen}</b></summary>
    <div class="stack">
      <p>${said}</p>
      ${more?.(asked, facts)}${links.length > 0 && html`<div class="row">${links}</div>`}
    </div>
  </details>`;
}

/** More pairs are only counted. */
const PAIRS_MAX = 5;
/** Problems which say that a time zone had to be guessed. */
const ZONE_CODES = ['times-floating', 'timezone-missing', 'times-utc', 'timezone-unknown'] as const;

async function factsFor(asked: Asked): Promise<Facts> {
  const query = asked.operator.context.database.query();
  const { now } = asked;
  const [{ byState }, twice, zoneless, { facts }] = await Promise.all([
    listEvents(query, { from: now }, { offset: 0, limit: 0 }),
    likelyTwice(query, now, PAIRS_MAX),
    sourcesWith(query, ZONE_CODES),
    overviewOf(asked),
  ]);
  const wordOf = (one: (typeof facts)[number]): StateWord => sourceState(one, now).word;
  return {
    ignored: byState.ignored,
    held: byState.held,
    twice,
    zoneless,
    feedDecides: feedDecidesIn(asked),
    stale: facts.filter((one) => wordOf(one) === 'stale').map(({ source }) => source),
    failing: facts.filter((one) => wordOf(one) === 'failing').length,
  };
}

const feedDecidesIn = ({ operator }: Asked): readonly string[] =>
  operator
    .config()
    .sources.flatMap(({ name, authority }) => [
      ...(authority.default === 'feed' ? [`all of ${name}`] : []),
      ...Object.entries(authority.fields).flatMap(([field, who]) => (who === 'feed' ? [`${field} of ${name}`] : [])),
    ]);
