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

/** The person who makes a decision about an event, and their address. */
interface Decider {
  readonly login: string;
  readonly peer: string;
}

/** The sources of events and the decisions about them, supplied by the program that syncs. */
export interface EventSources {
  /** `isOurs`: the event is detached from its source. Undefined for an event that no source knows. */
  readonly of: (slug: string) => Promise<{ readonly name: string; readonly isOurs: boolean } | undefined>;
  readonly detach: (slug: string, by: Decider) => Promise<'begun' | 'busy' | 'unknown'>;
  readonly attach: (slug: string, by: Decider) => Promise<'begun' | 'busy' | 'unknown'>;
}

/** The parts of the pages for editing events. */
export interface EditPlace {
  readonly db: Queryable;
  readonly frame: Frame;
  readonly words: EditWords;
  /** The REST interface, called as the person who is signed in. */
  readonly answer: RestSite['answer'];
  readonly sources: EventSources;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** A request by a person who is signed in. */
export interface AskedEdit extends EditPlace {
  readonly url: URL;
  /** The parameters in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly person: SignedIn;
  readonly browser: OperatorCaller;
  readonly budget: Budget;
  /** The client's address. */
  readonly peer: string;
}

export interface EditPage {
  readonly title: string;
  readonly main: Html;
  readonly status?: number;
  /** How long to wait before trying again. */
  readonly waitMs?: number;
}

/** A page, or the path below `/edit` to redirect to. */
export type EditAnswer = EditPage | { readonly to: string };

/** A page, and the actions of its forms by the value of the button `do`. */
export interface EditRoute {
  readonly path: string;
  readonly show: (asked: AskedEdit) => Promise<EditAnswer>;
  readonly acts?: Readonly<Record<string, (asked: AskedEdit, sent: Sent) => Promise<EditAnswer>>>;
}

/** The signed-in person as a caller of the interface. */
export const callerOfPerson = ({ id, login, email, role }: SignedIn): Caller => ({
  id,
  login,
  email,
  role,
});

/** The interface's answer to a person who edits. */
export type EditResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: number; readonly error: ErrorBody };

/** Calls the interface at a path below the calendar's namespace, as the signed-in person. Throws if the site fails. */
export async function callInterface<T>(
  { answer, frame, person }: Pick<AskedEdit, 'answer' | 'frame' | 'person'>,
  method: string,
  path: string,
  body?: Readonly<Record<string, unknown>>,
  asking?: Parameters<RestSite['answer']>[2],
): Promise<EditResult<T>> {
  const url = new URL(`http://in-process/api/${frame.settings.namespace}${path}`);
  const { status, body: told } = await answer({ method, url, ...(body && { body }) }, callerOfPerson(person), asking);
  // The contract determines the type of the answer at each path.
  if (status < 300) return { ok: true, value: told as T };
  if (status >= 500) throw new Error(`the interface answered ${method} ${path} with ${status}`);
  return { ok: false, status, error: told as ErrorBody };
}
