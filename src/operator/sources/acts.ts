import { countInWords } from '../../count-in-words.ts';
import { html, type Html } from '../../html/template.ts';
import { recordAct } from '../../run/watch/acts.ts';
import { pauseSource, resumeSource, type SourceName } from '../../run/watch/pauses.ts';
import { actorOf } from '../frame/actor.ts';
import type { Asked, Sent } from '../frame/operator.ts';
import { banner } from '../frame/parts.ts';
import { pauseWish } from './pause-fields.ts';

/** What an act leads back with: a name of `SAID` or `NOT_DONE`, and how many sources it was about. */
export type Done = readonly [name: keyof typeof SAID | keyof typeof NOT_DONE, count: number];

/** What is said of an act on the page that it leads to. */
const SAID = {
  checked: (count: number) =>
    count === 1
      ? 'It is being read now. What comes of it shows here.'
      : `${count} sources are being read now. What comes of it shows here.`,
  paused: (count: number) =>
    count === 1
      ? 'It is paused. What is on the site stays, and you can still check it by hand.'
      : `${count} sources are paused. What is on the site stays, and you can still check them by hand.`,
  resumed: (count: number) =>
    count === 1 ? 'It is read again when it is due.' : `${count} sources are read again when they are due.`,
  noted: () => 'The note is kept.',
  'taken-out': (count: number) =>
    count === 0
      ? 'It is out of the file, and no longer read.'
      : `It is out of the file, and no longer read. ${eventsStay(count)} on the site as ${count === 1 ? 'it is' : 'they are'}.`,
  forgotten: (count: number) =>
    `It is forgotten. ${eventsStay(count)} on the site as ${count === 1 ? 'it is' : 'they are'}.`,
} satisfies Words;

/** The same of one that was not done, or not whole. */
const NOT_DONE = {
  'not-paused': () => 'Nothing was paused: that moment is over already.',
  unreadable: () => 'Nothing was paused: that is no day.',
  none: () => 'Nothing was ticked, so nothing was done.',
  'note-long': () => 'The note is too long, and was not kept.',
  'taken-out-at-work': (count: number) =>
    `It is out of the file, but was at work, so nothing went to the trash. ${eventsStay(count)} on the site: ` +
    `“Decide” at the end of this page takes ${count === 1 ? 'it' : 'them'} off.`,
  'at-work': () => 'A run of it is under way, so nothing was done. Try again in a minute.',
} satisfies Words;

type Words = Readonly<Record<string, (count: number) => string>>;

const eventsStay = (count: number): string => countInWords(count, 'event stays', 'events stay');

/** The words of the address that an act leads to. */
export function saidBanner({ url }: Pick<Asked, 'url'>): Html | false {
  const [name = '', count = ''] = (url.searchParams.get('said') ?? '').split(':');
  const words = new Map<string, Words[string]>(Object.entries({ ...SAID, ...NOT_DONE })).get(name);
  const tone = Object.hasOwn(NOT_DONE, name) ? 'warn' : 'good';
  return words !== undefined && banner(tone, html`<p>${words(Number(count) || 0)}</p>`, true);
}

/** `path` with what is said there of an act. */
export const backTo = (path: string, [name, count]: Done): { readonly to: string } => ({
  to: `${path}${path.includes('?') ? '&' : '?'}said=${name}:${count}`,
});

const namesOf = ({ operator }: Pick<Asked, 'operator'>, names: readonly string[]): readonly SourceName[] =>
  names.flatMap((name) => {
    const setup = operator.context.sources.get(name);
    return setup ? [{ site: setup.site.key, source: name }] : [];
  });

/** Has sources read as soon as a worker is free, and notes who asked for it. Names that are not configured are left out. */
export async function checkNow(asked: Asked, names: readonly string[]): Promise<Done> {
  const { context, engine } = asked.operator;
  const known = namesOf(asked, names);
  if (known.length === 0) return ['none', 0];
  for (const name of known) await recordAct(context.database.query(), actorOf(asked), { kind: 'sync', ...name });
  await engine.request(
    known.map(({ source }) => source),
    'command',
  );
  return ['checked', known.length];
}

/** Pauses sources as a form says. */
export async function pauseAs(asked: Asked, sent: Sent, names: readonly string[]): Promise<Done> {
  const known = namesOf(asked, names);
  const [first] = known;
  if (!first) return ['none', 0];
  const wish = pauseWish(sent, asked.now, asked.zoneOf(first.site));
  if (wish === 'past') return ['not-paused', 0];
  if (wish === 'unreadable') return ['unreadable', 0];
  for (const name of known) await pauseSource(asked.operator.context.database.query(), name, wish, actorOf(asked));
  return ['paused', known.length];
}

/** Ends the pauses of sources. */
export async function resumeNow(asked: Asked, names: readonly string[]): Promise<Done> {
  let resumed = 0;
  for (const name of namesOf(asked, names))
    if (await resumeSource(asked.operator.context.database.query(), name, actorOf(asked))) resumed += 1;
  return resumed === 0 ? ['none', 0] : ['resumed', resumed];
}
