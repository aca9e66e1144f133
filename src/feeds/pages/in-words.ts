import { html, joinHtml, type Html } from '../../html/template.ts';
import { safeLink } from '../../html/link.ts';
import { DAY_MS, isoFromInstant } from '../../time.ts';
import type { Choices } from '../definition/choices.ts';
import { startParts, type ComingEvent } from '../content/coming-events.ts';
import { FEED_WINDOW, NARROWINGS, type FeedDefinition, type Narrowing } from '../definition/definition.ts';
import type { Feed } from '../serve/feed-cache.ts';
import { timeInWords } from '../words/page-language.ts';
import type { PageWords } from '../words/page-words.ts';

/** "12 events: categories Music or Jazz, from 90 days ago to 540 days ahead." */
export function contentsInWords(
  words: PageWords,
  definition: FeedDefinition,
  latest: Feed | undefined,
  choices: Choices | undefined,
): string {
  const named = (name: Narrowing, ref: string): string =>
    choices?.[name].first.find(({ value, slug }) => value === ref || slug === ref)?.name ?? ref;
  const lists = NARROWINGS.flatMap((name) =>
    definition[name]?.length
      ? [
          `${(definition[name].length === 1 ? words.one : words.several)[name]} ${definition[name].map((ref) => named(name, ref)).join(` ${words.or} `)}`,
        ]
      : [],
  );
  const more = [
    ...(definition.search ? [words.containing(definition.search)] : []),
    ...(definition.featured === undefined ? [] : [definition.featured ? words.featuredOnly : words.unfeaturedOnly]),
    ...ownInWords(words, definition),
    ...(definition.language === undefined ? [] : [words.inLanguage(languageInWords(words, definition.language))]),
    ...Object.entries(definition.more ?? {}).map(([name, text]) => `${name.replaceAll('_', ' ')} ${text}`),
  ];
  const { past, future } = definition.window ?? FEED_WINDOW;
  const count = latest ? eventsInWords(words, latest.events) : words.eventsUncounted;
  const span =
    definition.more || definition.time
      ? ''
      : `, ${words.span(numberInWords(words, days(past)), numberInWords(words, days(future)))}`;
  return `${count}: ${[...lists, ...more].join(', ') || words.everything}${span}.`;
}

const ownInWords = (words: PageWords, { free, time }: FeedDefinition): readonly string[] => [
  ...(free ? [words.free] : []),
  ...(time ? [timeInWords(words, time)] : []),
];

export const numberInWords = ({ locale }: PageWords, number: number, digits = 0): string =>
  number.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** "1,200 events". */
export const eventsInWords = (words: PageWords, count: number): string =>
  words.events(count, numberInWords(words, count));

/** `pl` → Polish; anything but a language code stays as it is. */
export function languageInWords({ locale }: PageWords, language: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}

const days = (span: number): number => Math.round(span / DAY_MS);

/** The next events of a feed, at most `most`. */
function comingOf(coming: readonly ComingEvent[], now: number, most: number): readonly ComingEvent[] {
  const left = coming.filter(({ endsAt }) => endsAt >= now);
  // An exhibition that lasts for months is not what comes next.
  const [running, next] = [
    left.filter((event) => isRunning(event, now)),
    left.filter((event) => !isRunning(event, now)),
  ];
  return [...next, ...running].slice(0, most);
}

/** The same without cancelled events, for lines that do not say that an event is cancelled. */
export const takingPlace = (coming: readonly ComingEvent[], now: number, most: number): readonly ComingEvent[] =>
  comingOf(
    coming.filter(({ isCancelled }) => !isCancelled),
    now,
    most,
  );

const isRunning = ({ startsAt }: ComingEvent, now: number): boolean => startsAt < now - DAY_MS;

/** "10 Jan" and "18:00"; for an event in progress, until when it lasts. */
function whenOf(words: PageWords, event: ComingEvent, now: number): ReturnType<typeof startParts> {
  const { day, time } = startParts(event, words.locale, now);
  if (!isRunning(event, now)) return { day, time };
  const last = { start: { kind: 'date', day: event.lastDay }, mark: '' } as const;
  return { day: words.until(startParts(last, words.locale, now).day), time: '' };
}

/** "10 Jan", or until when it lasts. */
export const dayOfComing = (words: PageWords, event: ComingEvent, now: number): string => whenOf(words, event, now).day;

/** The next events of a feed, as a list. */
export function comingList(words: PageWords, coming: readonly ComingEvent[], now: number, most: number): Html {
  const shown = comingOf(coming, now, most);
  if (shown.length === 0) return html`<p class="dim">${words.nothingComing}</p>`;
  return html`<ol class="evs">
${joinHtml(
  shown.map((event) => line(words, event, now)),
  '\n',
)}
</ol>`;
}

function line(words: PageWords, event: ComingEvent, now: number): Html {
  const { title, location, url, isCancelled, start, startsAt } = event;
  const { day, time } = whenOf(words, event, now);
  const datetime = start.kind === 'date' ? start.day : isoFromInstant(startsAt);
  const facts = [
    location && html`<span class="place">${location}</span>`,
    isCancelled && html`<span class="tag bad">${words.calledOff}</span>`,
  ];
  const when = html`<time datetime="${datetime}">${day}</time>${time !== '' && html`<small>${time}</small>`}`;
  return html`<li class="ev${isCancelled && ' off'}"><div class="t">${when}</div>
<div><h3>${url ? safeLink({ href: url, dir: 'auto' }, title) : title}</h3>
<p>${facts}</p></div></li>`;
}
