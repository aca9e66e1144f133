import { countInWords } from '../../count-in-words.ts';
import { html, type Html } from '../../html/template.ts';
import { recordAct } from '../../run/watch/acts.ts';
import { loadFacts } from '../../run/watch/facts.ts';
import { pauseSource, resumeSource, type SourceName } from '../../run/watch/pauses.ts';
import { isWorkerSilent, type SourceFacts } from '../../run/watch/source-state.ts';
import { actorOf } from '../frame/actor.ts';
import type { Asked, Sent } from '../frame/operator.ts';
import { banner } from '../frame/parts.ts';
import { pauseWish } from './pause-fields.ts';

/** The outcome of an act for the page it leads to: a key of `SAID` or `NOT_DONE`, and the number of sources. */
export type ActOutcome = readonly [name: keyof typeof SAID | keyof typeof NOT_DONE, count: number];

/**
 * The banner text for each act that succeeded. The banner stays until its page is left, and returns with its address,
 * so it says what was done, not what is under way.
 */
const SAID = {
  checked: (count: number) =>
    count === 1
      ? 'You asked for a run. Its result appears here.'
      : `You asked for runs of ${count} sources. Their results appear here.`,
  'checked-once': () => 'You asked for one run; the source stays paused. The result appears here.',
  paused: (count: number) =>
    count === 1
      ? 'It is paused. What is on the site stays, and you can still check it by hand.'
      : `${count} sources are paused. What is on the site stays, and you can still check them by hand.`,
  resumed: (count: number) =>
    count === 1 ? 'It is read again when it is due.' : `${count} sources are read again when they are due.`,
  noted: () => 'The note is saved.',
  'taken-out': (count: number) =>
    count === 0
      ? 'It was taken out of the file and is no longer read.'
      : `It was taken out of the file and is no longer read. ${eventsStay(count)} on the site as ${count === 1 ? 'it is' : 'they are'}.`,
  forgotten: (count: number) =>
    `It is forgotten. ${eventsStay(count)} on the site as ${count === 1 ? 'it is' : 'they are'}.`,
} satisfies Words;

/** The banner text for each that did nothing, or only a part. */
const NOT_DONE = {
  'not-paused': () => 'Nothing was paused: that moment is over already.',
  unreadable: () => 'Nothing was paused: that is not a date.',
  none: () => 'Nothing was ticked, so nothing was done.',
  'none-fails': () => 'None fails any more, so nothing was done.',
  gone: () => 'Nothing was done: it is no longer in the configuration.',
  'no-worker': (count: number) =>
    `No worker of calsyncd is running. ${count === 1 ? 'It is' : `${count} sources are`} read as soon as one is.`,
  'in-work': (count: number) =>
    count === 1
      ? 'A run of it was already under way, so no other was started. The result appears here.'
      : `Runs of all ${count} sources were already under way, so no others were started. The results appear here.`,
  'not-resumed': () => 'Nothing was done: it was no longer paused.',
  'paused-by-file': (count: number) =>
    `Nothing was done: the configuration file pauses ${count === 1 ? 'it' : 'them'}, and “Paused” in ${
      count === 1 ? 'its settings' : 'their settings'
    } ends that.`,
  'note-long': () => 'The note is too long and was not saved.',
  'taken-out-at-work': (count: number) =>
    `It was taken out of the file, but a run of it was under way, so nothing went to the trash. ${eventsStay(count)} on the site: ` +
    `“Decide” at the end of this page takes ${count === 1 ? 'it' : 'them'} off.`,
  'not-put-off': () => 'Nothing was put off: it no longer needs anybody.',
  'decided-before': () =>
    'Nothing was done: this plan had already been decided, or was out of date. What became of it is shown below.',
  'at-work': () => 'A run of it is under way, so nothing was done. Try again in a minute.',
} satisfies Words;

type Words = Readonly<Record<string, (count: number) => string>>;

const eventsStay = (count: number): string => countInWords(count, 'event stays', 'events stay');

/** The banner for the outcome that the address names, if any. */
export function outcomeBanner({ url }: Pick<Asked, 'url'>): Html | false {
  const [name = '', count = ''] = (url.searchParams.get('said') ?? '').split(':');
  const words = new Map<string, Words[string]>(Object.entries({ ...SAID, ...NOT_DONE })).get(name);
  const tone = Object.hasOwn(NOT_DONE, name) ? 'warn' : 'good';
  return words !== undefined && banner(tone, html`<p>${words(Number(count) || 0)}</p>`, true);
}

/** A redirect to `path` that shows the outcome there. */
export const backTo = (path: string, [name, count]: ActOutcome): { readonly to: string } => ({
  to: `${path}${path.includes('?') ? '&' : '?'}said=${name}:${count}`,
});

const namesOf = ({ operator }: Pick<Asked, 'operator'>, names: readonly string[]): readonly SourceName[] =>
  names.flatMap((name) => {
    const setup = operator.context.sources.get(name);
    return setup ? [{ site: setup.site.key, source: name }] : [];
  });

/** The outcome when none of the submitted names is configured. */
const noneOf = (names: readonly string[]): ActOutcome => [names.length === 0 ? 'none' : 'gone', 0];

/** The current state of the named sources. */
async function factsOf({ operator, now }: Asked, names: readonly SourceName[]): Promise<readonly SourceFacts[]> {
  const wanted = new Set(names.map(({ source }) => source));
  const watched = (await operator.watched()).filter(({ source }) => wanted.has(source));
  return loadFacts(operator.context.database.query(), watched, now);
}

/**
 * Requests a run of each source from the next free worker and records who asked. Skips names that are not configured
 * and sources with a run in progress, because a new run would find them busy and end.
 */
export async function checkNow(asked: Asked, names: readonly string[]): Promise<ActOutcome> {
  const { context, engine } = asked.operator;
  const known = namesOf(asked, names);
  if (known.length === 0) return noneOf(names);
  const free = (await factsOf(asked, known)).filter(({ isRunning }) => !isRunning);
  if (free.length === 0) return ['in-work', known.length];
  for (const { site, source } of free)
    await recordAct(context.database.query(), actorOf(asked), { kind: 'sync', site, source });
  await engine.request(
    free.map(({ source }) => source),
    'command',
  );
  return [checkedAs(free, asked.now), free.length];
}

function checkedAs([first, ...others]: readonly SourceFacts[], now: number): ActOutcome[0] {
  if (isWorkerSilent(first?.workerAt ?? null, now)) return 'no-worker';
  return others.length === 0 && first?.pause ? 'checked-once' : 'checked';
}

/** Pauses sources as the submitted form asks. */
export async function pauseAsAsked(asked: Asked, sent: Sent, names: readonly string[]): Promise<ActOutcome> {
  const known = namesOf(asked, names);
  const [first] = known;
  if (!first) return noneOf(names);
  const wish = pauseWish(sent, asked.now, asked.zoneOf(first.site));
  if (wish === 'past') return ['not-paused', 0];
  if (wish === 'unreadable') return ['unreadable', 0];
  for (const name of known) await pauseSource(asked.operator.context.database.query(), name, wish, actorOf(asked));
  return ['paused', known.length];
}

/** Ends the pauses of sources, except those set in the configuration file. */
export async function resumeNow(asked: Asked, names: readonly string[]): Promise<ActOutcome> {
  const known = namesOf(asked, names);
  if (known.length === 0) return noneOf(names);
  let resumed = 0;
  for (const name of known)
    if (await resumeSource(asked.operator.context.database.query(), name, actorOf(asked))) resumed += 1;
  if (resumed > 0) return ['resumed', resumed];
  const resting = (await factsOf(asked, known)).filter(({ pause }) => pause?.by === null);
  return resting.length > 0 ? ['paused-by-file', resting.length] : ['not-resumed', 0];
}
