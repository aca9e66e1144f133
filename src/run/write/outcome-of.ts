import { isGone } from '../../client/questions.ts';
import { foreignCode, type ProblemCode } from '../../codes.ts';
import type { Event } from '../../contract/representation.ts';
import type { Problem } from '../../problem.ts';
import { linkedInWords } from '../../sync/plan/plan-in-words.ts';
import type { Action, FieldState, Outcome } from '../../sync/model/plan.ts';
import { IMAGE_REFUSED } from '../../sync/event/refused-image.ts';
import { writtenEventOf } from '../../sync/compare/site-values.ts';
import { CHANGED_SINCE, EVENT_REMOVED } from './writes-of.ts';
import { HOW_TO_PUBLISH, NO_PUBLISHING } from './refuse-unpublished.ts';
import { publicAddress } from '../fetch/public-address.ts';
import type { ImageWriteAnswer } from './write-images.ts';

/** Statuses after which the same request may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * The outcome of an action according to a site's answer. `imageBy` says whether its image comes from the feed or a
 * person.
 */
export function outcomeOf(action: Action, answer: ImageWriteAnswer, imageBy: FieldState['by'] = 'feed'): Outcome {
  if (answer.kind === 'lost') return { kind: 'failed', problem: problemWith(action, 'answer-lost', answer.message) };
  const { status, body } = answer;
  if (status < 200 || status >= 300) return outcomeOfError(action, status, body);
  const done = withAlready(doneOf(action, body), answer);
  return withDifference(action, withImageProblem(action, done, answer, imageBy), answer);
}

function outcomeOfError(action: Action, status: number, body: unknown): Outcome {
  const { code, message, data } = errorOf(body);
  if (code === 'term_exists' && typeof data?.['term_id'] === 'number')
    return { kind: 'done', id: data['term_id'], slug: '', values: {} };
  // It was already gone, as intended.
  if (action.kind === 'remove' && action.how === 'trash' && isGone(status, body))
    return { kind: 'done', id: action.id, slug: action.slug, values: {} };
  if (isChange(action) && isNowhere(code))
    return { kind: 'refused', problem: problemWith(action, EVENT_REMOVED, REMOVED) };
  if (code === CHANGED_SINCE)
    return { kind: 'refused', problem: problemWith(action, CHANGED_SINCE, changedInWords(message)) };
  return otherError(action, status, code, message ?? 'no reason given');
}

function otherError(action: Action, status: number, code: string | undefined, message: string): Outcome {
  const problem = problemWith(
    action,
    foreignCode(code ?? `http-${status}`),
    `The site refused (${status}): ${message}`,
  );
  return PASSING.has(status) && !isFinal(code) ? { kind: 'failed', problem } : { kind: 'refused', problem };
}

const isChange = (action: Action): boolean => action.resource === 'events' && action.kind !== 'create';

const REMOVED =
  'A person has trashed, deleted or renamed it in the meantime: it stays that way, and the next run checks it again.';
const changedInWords = (fields: string | undefined): string =>
  `A person has changed it on the site in the meantime (${fields}): nothing is overwritten, and the next run checks it again.`;

const isNowhere = (code: string | undefined): boolean => code === 'rest-event-not-found' || code === 'event-not-found';

/** Real sites answer simple mistakes in terms with a 500, which it is pointless to repeat (contract of terms). */
const isFinal = (code: string | undefined): boolean =>
  ['duplicate_term_slug', 'empty_term_name', 'invalid_term_name', 'db_insert_error'].includes(code ?? '');

function doneOf(action: Action, body: unknown): Outcome {
  if (typeof body !== 'object' || body === null || typeof (body as { id?: unknown }).id !== 'number') {
    return {
      kind: 'failed',
      problem: problemWith(action, 'answer-unreadable', 'The site reported that it wrote, but not what.'),
    };
  }
  const { id, slug } = body as { id: number; slug: string };
  if (action.resource !== 'events') return { kind: 'done', id, slug, values: {} };
  // The representation after a write is the contract's event; only existing members are read.
  const event = writtenEventOf(body as Event);
  return {
    kind: 'done',
    id,
    slug: event.slug,
    values: action.kind === 'remove' && action.how === 'trash' ? {} : event.values,
    ...(event.modified === undefined ? {} : { modified: event.modified }),
    ...(event.utc === undefined ? {} : { utc: event.utc }),
  };
}

const withAlready = (outcome: Outcome, { already }: ImageWriteAnswer): Outcome =>
  outcome.kind === 'done' && already ? { ...outcome, already } : outcome;

function withImageProblem(
  action: Action,
  outcome: Outcome,
  { imageRefused }: ImageWriteAnswer,
  by: FieldState['by'],
): Outcome {
  if (outcome.kind !== 'done' || imageRefused === undefined) return outcome;
  const address = 'fields' in action && 'image' in action.fields ? String(action.fields['image']) : '';
  const again =
    by === 'feed' && 'slug' in action
      ? `It is tried again later; "npm run -s calsyncd -- settle ${action.slug} feed --field image" tries it at once. `
      : '';
  return {
    ...outcome,
    problem: problemWith(
      action,
      IMAGE_REFUSED,
      `The site did not accept the image ${publicAddress(address)}, so the event was written without it. ` +
        `${again}${imageRefused || 'Check that the address shows a picture.'}`,
    ),
  };
}

/** Reports a write that was carried out differently than sent; the run stops there. */
function withDifference(action: Action, outcome: Outcome, { differs, ...answer }: ImageWriteAnswer): Outcome {
  if (outcome.kind !== 'done' || !differs) return outcome;
  const { status, slug } = (answer.kind === 'answered' ? answer.body : null) as {
    readonly status?: unknown;
    readonly slug?: unknown;
  };
  const made = [
    ...(differs.status === undefined ? [] : [`"${String(status)}" instead of "${differs.status}"`]),
    ...(differs.slug ? [slug === '' ? 'without an address of its own' : `under the address "${String(slug)}"`] : []),
  ].join(', ');
  const isWithheld = (differs.status === 'publish' || differs.status === 'future') && status !== 'trash';
  const why = isWithheld
    ? `The user in the configuration may edit events there, but not publish them. ${HOW_TO_PUBLISH}`
    : 'Something on the site, such as a plugin, decides otherwise: find out what, or ask for it in the configuration.';
  return {
    ...outcome,
    differs,
    problem: problemWith(
      action,
      isWithheld ? NO_PUBLISHING : NOT_AS_SENT,
      `The site made it ${made}, so the run has stopped here. ${why} Until then "undo" of this run takes back what it did.`,
    ),
  };
}

/** The code of an answer that does not match what was sent. */
const NOT_AS_SENT = 'not-as-sent';

/** A problem with an action, whose message names the action. */
export function problemWith(action: Action, code: ProblemCode, message: string): Problem {
  const name = 'ref' in action ? linkedInWords(action.ref) : `"${action.title}"`;
  const slug = 'slug' in action ? action.slug : undefined;
  return { code, message: `${action.kind} of ${name}: ${message}`, where: slug === undefined ? {} : { slug } };
}

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

function errorOf(body: unknown): ErrorBody {
  return typeof body === 'object' && body !== null ? body : {};
}
