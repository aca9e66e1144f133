import type { Budget } from '../../budget.ts';
import type { ErrorBody } from '../../contract/representation.ts';
import type { Queryable } from '../../db/database.ts';
import type { Sent } from '../../request-bytes.ts';
import type { Html } from '../../html/template.ts';
import type { OperatorCaller, SignedIn } from '../authorize/operator-door.ts';
import type { Caller } from '../context.ts';
import type { Frame } from '../pages/frame/layout.ts';
import type { RestSite } from '../requests/handle.ts';
import type { EditWords } from './words/edit-words.ts';

/** Who decides about an event, from where. */
interface Decider {
  readonly login: string;
  readonly peer: string;
}

/** Told by whoever reads the sources: which one an event comes from, and what can be decided about that. */
export interface EventSources {
  /** `isOurs`: it was made somebody's own. Undefined for an event that no source knows. */
  readonly of: (slug: string) => Promise<{ readonly name: string; readonly isOurs: boolean } | undefined>;
  readonly detach: (slug: string, by: Decider) => Promise<'begun' | 'busy' | 'unknown'>;
  readonly attach: (slug: string, by: Decider) => Promise<'begun' | 'busy' | 'unknown'>;
}

/** What the pages where events are edited are made of. */
export interface EditPlace {
  readonly db: Queryable;
  readonly frame: Frame;
  readonly words: EditWords;
  /** The REST interface, which is asked as whoever is signed in. */
  readonly answer: RestSite['answer'];
  readonly sources: EventSources;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** A request by somebody who is signed in. */
export interface AskedEdit extends EditPlace {
  readonly url: URL;
  /** What the path has named. */
  readonly params: Readonly<Record<string, string>>;
  readonly person: SignedIn;
  readonly browser: OperatorCaller;
  readonly budget: Budget;
  /** The address that asks. */
  readonly peer: string;
}

export interface EditPage {
  readonly title: string;
  readonly main: Html;
  readonly status?: number;
  /** How long to wait before asking again. */
  readonly waitMs?: number;
}

/** A page, or the path below `/edit` of the page to go to. */
export type EditAnswer = EditPage | { readonly to: string };

/** A page, and what the forms on it do, by the value of the button's `do`. */
export interface EditRoute {
  readonly path: string;
  readonly show: (asked: AskedEdit) => Promise<EditAnswer>;
  readonly acts?: Readonly<Record<string, (asked: AskedEdit, sent: Sent) => Promise<EditAnswer>>>;
}

/** Who is signed in, as the interface knows them. */
export const callerOfPerson = ({ id, login, email, role }: SignedIn): Caller => ({
  id,
  login,
  email,
  role,
});

/** What the interface answers to somebody who edits. */
export type EditTold<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: number; readonly error: ErrorBody };

/** Asks the interface for a path below the calendar's namespace, as whoever is signed in. Throws when the site fails. */
export async function tell<T>(
  { answer, frame, person }: Pick<AskedEdit, 'answer' | 'frame' | 'person'>,
  method: string,
  path: string,
  body?: Readonly<Record<string, unknown>>,
  asking?: Parameters<RestSite['answer']>[2],
): Promise<EditTold<T>> {
  const url = new URL(`http://in-process/api/${frame.settings.namespace}${path}`);
  const { status, body: told } = await answer({ method, url, ...(body && { body }) }, callerOfPerson(person), asking);
  // The contract types what each path answers.
  if (status < 300) return { ok: true, value: told as T };
  if (status >= 500) throw new Error(`the interface answered ${method} ${path} with ${status}`);
  return { ok: false, status, error: told as ErrorBody };
}
