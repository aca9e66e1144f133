import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Event } from '../../contract/representation.ts';
import { makeThrottle } from '../throttle.ts';
import type { HandlerContext, PasswordTries } from '../context.ts';
import { invalidParams } from '../http-problem.ts';
import { PLAIN_BLANKS } from './plain-fields.ts';
import type { EventRow } from './tables.ts';

const LENGTH_MAX = 255;

/** An event's password as it is stored: '' for none, else a salt and a hash. Throws HttpProblem if it is too long. */
export function passwordHash(password: string): string {
  if (password.length > LENGTH_MAX)
    throw invalidParams({ password: `A password has at most ${LENGTH_MAX} characters.` });
  return password === '' ? '' : salted(randomBytes(12).toString('hex'), password);
}

// People mistype, but guessing takes very many attempts. Repeating the same wrong password, as programs do, does not
// count as another guess.
// These passwords are short words, and an attacker may use many networks, so each event also has a limit over all
// networks: in the end one guess a minute.
export const triesOfEventPasswords = (): Omit<PasswordTries, 'peer'> => ({
  throttle: makeThrottle({ free: 20, firstWaitMs: 1_000, waitMsMax: 60_000, forgetMs: 900_000 }),
  eventThrottle: makeThrottle({ free: 200, firstWaitMs: 1_000, waitMsMax: 60_000, forgetMs: 900_000 }),
  opened: new Set(),
});
const OPENED_MAX = 10_000;

/**
 * The result of a password: the event is open (as one without a password always is), is not, or no attempt is allowed
 * for `waitMs` milliseconds.
 */
export type PasswordResult = { readonly isOpen: true } | { readonly isOpen: false; readonly waitMs: number };
const CLOSED: PasswordResult = { isOpen: false, waitMs: 0 };

/** Tries the request's password on an event; wrong ones are counted per network and event, and per event. */
export function tryPassword(
  { id, password: kept }: Pick<EventRow, 'id' | 'password'>,
  { password: given, tries, now }: Pick<HandlerContext, 'password' | 'tries' | 'now'>,
): PasswordResult {
  if (kept === '') return { isOpen: true };
  if (given === undefined || given === '') return CLOSED;
  const key = `${tries?.peer ?? ''} ${id}`;
  const waitMs = tries ? waitFor(tries, key, String(id), now) : 0;
  if (waitMs > 0) return { isOpen: false, waitMs };
  const hash = saltedLike(kept, given);
  if (timingSafeEqual(Buffer.from(kept), Buffer.from(hash))) {
    if (tries) remember(tries, key);
    return { isOpen: true };
  }
  if (tries?.throttle.failed(key, now, hash)) tries.eventThrottle.failed(String(id), now);
  return CLOSED;
}

const waitFor = ({ throttle, eventThrottle, opened }: PasswordTries, key: string, event: string, now: number): number =>
  Math.max(throttle.waitMs(key, now), opened.has(key) ? 0 : eventThrottle.waitMs(event, now));

function remember({ throttle, opened }: PasswordTries, key: string): void {
  throttle.passed(key);
  // Added again so that the most recent is dropped last.
  opened.delete(key);
  opened.add(key);
  const [oldest] = opened;
  if (opened.size > OPENED_MAX && oldest !== undefined) opened.delete(oldest);
}

// A fast hash is enough: the password guards one event whose text is stored next to it, a page of a list compares
// fifty, and only the password itself has to be kept out of the database.
const salted = (salt: string, password: string): string =>
  `${salt}:${createHash('sha256').update(`${salt}${password}`).digest('hex')}`;

/** The hash of a password with the salt of another hash. */
function saltedLike(kept: string, password: string): string {
  const [salt = ''] = kept.split(':');
  return salted(salt, password);
}

/** What lists show of a protected event: which one it is, its title and its times. */
type ShownField =
  | 'id'
  | 'global_id'
  | 'global_id_lineage'
  | 'author'
  | 'status'
  | 'date'
  | 'date_utc'
  | 'modified'
  | 'modified_utc'
  | 'url'
  | 'rest_url'
  | 'slug'
  | 'title'
  | `${'' | 'utc_'}${'start' | 'end'}_date${'' | '_details'}`
  | 'timezone'
  | 'timezone_abbr'
  | 'json_ld'
  | 'previous_start_date'
  | 'translation_language';

/** What replaces everything else: a new field that is neither here nor shown does not compile. */
const BLANKS = {
  description: '',
  excerpt: '',
  image: false,
  cost: '',
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
  categories: [],
  tags: [],
  venue: [],
  organizer: [],
  custom_fields: [],
  // Null, like the flags among the plain fields.
  all_day: null,
  ...PLAIN_BLANKS,
} satisfies Readonly<Record<Exclude<keyof Event, ShownField>, unknown>>;

/** A protected event as lists show it: only its times and title. */
export const blanked = (event: Event): Event =>
  // Apart from the nulls, each value has its field's type.
  ({ ...event, ...(BLANKS as unknown as Pick<Event, keyof typeof BLANKS>) });
