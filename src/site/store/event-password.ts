import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Event } from '../../contract/representation.ts';
import { invalidParams } from '../http-problem.ts';

const LENGTH_MAX = 255;

/** What is kept of an event's password: '' for none, else a salt and a hash. Throws HttpProblem for one that is too long. */
export function passwordHash(password: string): string {
  if (password.length > LENGTH_MAX) throw invalidParams('password');
  return password === '' ? '' : salted(randomBytes(12).toString('hex'), password);
}

/** Whether an event shows itself to who gives this password; one without a password always does. */
export function isOpen(kept: string, given: string | undefined): boolean {
  if (kept === '') return true;
  if (given === undefined || given === '') return false;
  return timingSafeEqual(Buffer.from(kept), Buffer.from(salted(kept.split(':')[0] ?? '', given)));
}

// It guards one event, whose text lies beside it, and a page of a list compares fifty: a fast hash that shows no password as such.
const salted = (salt: string, password: string): string => `${salt}:${createHash('sha256').update(`${salt}${password}`).digest('hex')}`;

/** A protected event as lists show it: when it is and what it is called, nothing else. */
export const blanked = (event: Event): Event => ({
  ...event,
  description: '', excerpt: '', image: false, cost: '', website: '',
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
  categories: [], tags: [], venue: [], organizer: [], custom_fields: [],
  // The contract has true and false; real sites write null here, by which readers know the event is protected.
  ...{ all_day: null, show_map: null, show_map_link: null, hide_from_listings: null, sticky: null, featured: null } as unknown as Pick<Event, 'all_day'>,
});
