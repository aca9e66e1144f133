import type { ProblemCode } from '../../codes.ts';
import { FEED_ADVICE, type FeedCode } from '../../feed-codes.ts';
import { DAY_MS } from '../../time.ts';

/** Who must act: `you` is the person who configures the sources, `nobody` means that it passes by itself. */
export type MustAct = 'you' | 'publisher' | 'developer' | 'site' | 'nobody';

/** A failure that usually passes is left alone for this long. */
const PASSES_WITHIN_MS = DAY_MS;

/** A failure that usually passes, and who must act if it does not. */
interface Passing {
  readonly passes: true;
  readonly afterwards: Exclude<MustAct, 'nobody'>;
}
type Turn = Exclude<MustAct, 'nobody'> | Passing;

const passing = (afterwards: Passing['afterwards']): Passing => ({ passes: true, afterwards });

// Feed codes that are not listed are the publisher's, or the operator's if the advice says so; all other codes are
// ours.
const TURNS: Readonly<Partial<Record<ProblemCode, Turn>>> = {
  'feed-busy': passing('publisher'),
  'feed-server-error': passing('publisher'),
  'feed-timeout': passing('publisher'),
  'feed-cut-off': passing('publisher'),
  'feed-refused': passing('publisher'),
  'feed-unreachable': passing('publisher'),
  'feed-unknown-host': passing('publisher'),
  'feed-unauthorized': 'you',
  'feed-failed': passing('publisher'),
  'feed-unreadable': 'developer',
  'feed-proxy': 'developer',
  'feed-own': 'you',
  // The publisher may have renamed it on purpose, so the operator decides what to read instead.
  'column-gone': 'you',
  'rules-too-slow': 'you',
  'site-busy': passing('site'),
  'site-unavailable': passing('site'),
  'site-unreachable': passing('site'),
  'site-error': passing('site'),
  'site-not-json': passing('site'),
  'site-paging': 'site',
  'site-redirects': 'you',
  'site-refused': passing('site'),
  'site-no-namespace': 'site',
  'site-no-route': 'site',
  'site-elsewhere': 'you',
  'site-gone': 'you',
  'site-bad-address': 'you',
  'site-forbidden': 'you',
  'site-unauthorized': 'you',
  'site-no-publish': 'you',
  'site-no-rights': 'you',
  'site-language': 'you',
  'site-unknown': 'you',
  'not-as-sent': 'site',
  'slug-not-kept': 'site',
  'broken-off': 'site',
  'address-refused': 'you',
  'invalid-header': 'you',
  'event-removed': passing('you'),
  'events-lost': 'you',
  'changed-since': passing('you'),
  stopped: passing('developer'),
  'cut-off': passing('developer'),
  'answer-lost': passing('site'),
};

/** Who must act on a failure with this code that has lasted this long. */
export function mustActOn(code: ProblemCode | null, lastedMs: number): MustAct {
  const turn = turnOf(code);
  if (typeof turn === 'string') return turn;
  return lastedMs < PASSES_WITHIN_MS ? 'nobody' : turn.afterwards;
}

function turnOf(code: ProblemCode | null): Turn {
  const known = code === null ? undefined : TURNS[code];
  if (known !== undefined) return known;
  if (code === null || !Object.hasOwn(FEED_ADVICE, code)) return 'developer';
  return 'operator' in FEED_ADVICE[code as FeedCode] ? 'you' : 'publisher';
}
