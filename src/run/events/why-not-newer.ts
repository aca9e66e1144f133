import type { FieldName } from '../../sync/model/fields.ts';
import type { Authority, LedgerEntry, RemoveEvent } from '../../sync/model/plan.ts';
import { sameJson } from '../../sync/model/json.ts';
import type { Json } from '../../sync/model/plan.ts';
import type { Waiting } from '../state/held.ts';
import { countInWords, timesInWords } from '../../count-in-words.ts';

/** What decides whether an event on the site matches its feed. */
export interface EventSituation {
  readonly state: LedgerEntry['state'];
  /** How we removed it; null if we did not. */
  readonly removed: RemoveEvent['how'] | null;
  /** Its current status on the site; null if it is not there or the site was not asked. */
  readonly onSite: string | null;
  /** In words, that the last good reading of the feed has it, or why not. */
  readonly presence: string;
  readonly missing: number;
  /** A person keeps it although the feed no longer has it. */
  readonly isPinned: boolean;
  /** How many good readings must lack the event before it is removed, and what then becomes of it. */
  readonly removal: { readonly after: number; readonly action: string };
  readonly held: Waiting | null;
  /** A rejected change, which is not proposed again until the feed changes. */
  readonly rejected: Waiting | null;
  /** A field that only exists together with others has no entry here. */
  readonly fields: Readonly<Partial<Record<FieldName, FieldSituation>>>;
}

export interface FieldSituation {
  readonly isEdited: boolean;
  readonly conflict: boolean;
  readonly locked: boolean;
  /** The site refused it the last time. */
  readonly refused: boolean;
  /** The feed's value differs and the field has been unlocked, so the next run compares it. */
  readonly isDue: boolean;
  readonly authority: Authority;
  readonly feed: Json;
  /** What the site returned for our last write. */
  readonly agreed: Json;
}

/** Whether a person has taken an event off its site, even if no run has noticed yet. */
export const isTakenOffByPerson = ({ state, onSite }: Pick<EventSituation, 'state' | 'onSite'>): boolean =>
  state === 'ignored' ? !isBroughtBack({ state, onSite }) : state === 'kept' && onSite === 'trash';

/** Whether an event that a person had taken off is back on its site, and no run has noticed yet. */
export const isBroughtBack = ({ state, onSite }: Pick<EventSituation, 'state' | 'onSite'>): boolean =>
  state === 'ignored' && onSite !== null && onSite !== 'trash';

/**
 * Why an event does not match its feed, one reason per sentence, the most telling first; if it does match, one sentence
 * that says so.
 */
export function whyNotNewer(standing: EventSituation): readonly string[] {
  const reasons = [
    ...REASONS.flatMap((reason) => reason(standing)),
    ...FIELD_REASONS.flatMap((reason) => reasonFor(reason, standing)),
  ];
  return reasons.length > 0 ? reasons : ['It is: the site shows what the last good reading of the feed says.'];
}

const REMOVED: Readonly<Record<RemoveEvent['how'], readonly [what: string, comesBack: string]>> = {
  trash: ['taken off the site', 'It returns'],
  draft: ['made a draft', 'It is as it was before'],
  cancel: ['marked as cancelled', 'It is as it was before'],
};

const REASONS: readonly ((standing: EventSituation) => readonly string[])[] = [
  ({ state, onSite }) =>
    isTakenOffByPerson({ state, onSite })
      ? ['A person took it off the site, so it stays off until somebody restores it.']
      : [],
  ({ state, onSite }) =>
    isBroughtBack({ state, onSite })
      ? ['A person took it off the site, and it is back there since: the next full comparison includes it again.']
      : [],
  ({ state }) =>
    state === 'detached' ? ['A person has made it their own: its feed neither changes nor removes it.'] : [],
  ({ removed, presence }) => {
    if (removed === null) return [];
    const [what, comesBack] = REMOVED[removed];
    return presence === IN_FEED
      ? [`It was ${what}, and the feed has it again: the next run takes that back.`]
      : [`It was ${what}: ${presence}. ${comesBack} once that changes.`];
  },
  ({ held }) =>
    held
      ? [`A held run would change it (${held.action}: ${held.because}). Nothing is written until somebody decides.`]
      : [],
  ({ rejected }) =>
    rejected
      ? [
          `A change of it (${rejected.action}: ${rejected.because}) was rejected with the run ${rejected.run}. ` +
            'Nothing is written until the feed changes, or somebody asks for a run.',
        ]
      : [],
  ({ state, presence, missing, isPinned, removal: { after, action } }) => {
    if (state !== 'kept' || presence === IN_FEED) return [];
    const stays = ' A person has kept it anyway, so it stays until somebody takes it off.';
    const often =
      missing < after
        ? `${missing} of ${countInWords(after, 'time', 'times')}; then`
        : `${timesInWords(missing)}; after ${countInWords(after, 'time', 'times')}`;
    const count = missing > 0 ? ` It was missing ${often}: ${action}.` : '';
    return [`The feed does not say anything about it now: ${presence}.${isPinned ? stays : count}`];
  },
];

/** How an event is described that the last good feed has. */
export const IN_FEED = 'in the feed';

interface FieldReason {
  readonly isSo: (field: FieldSituation) => boolean;
  readonly words: (names: string) => string;
}

/** The first reason that applies to a field is given for it. */
const FIELD_REASONS: readonly FieldReason[] = [
  {
    isSo: ({ locked }) => locked,
    words: (names) => `${names}: locked by a person, so the feed never changes it.`,
  },
  {
    isSo: ({ conflict }) => conflict,
    words: (names) => `${names}: changed here and in the feed. The site's stays until somebody settles it.`,
  },
  {
    isSo: ({ isEdited, authority }) => isEdited && authority === 'preserve',
    words: (names) =>
      `${names}: changed here, and the feed has not changed it since, so the edit stays (authority: preserve).`,
  },
  {
    isSo: ({ refused }) => refused,
    words: (names) =>
      `${names}: the site did not accept it, so the event is shown without it. It is tried again later.`,
  },
  {
    isSo: ({ isDue, authority }) => isDue && authority !== 'site',
    words: (names) => `${names}: unlocked since the last run, so the next one writes what the feed says.`,
  },
  {
    isSo: ({ authority, feed, agreed, isEdited }) =>
      authority === 'site' && feed !== null && (isEdited || !sameJson(feed, agreed)),
    words: (names) => `${names}: the site decides, so the feed does not change it (authority: site).`,
  },
];

function reasonFor(reason: FieldReason, { state, onSite, fields }: EventSituation): readonly string[] {
  if (state !== 'kept' || onSite === 'trash') return [];
  const own = Object.entries(fields).filter(([, field]) => FIELD_REASONS.find(({ isSo }) => isSo(field)) === reason);
  if (own.length === 0) return [];
  const names = own.length === Object.keys(fields).length ? 'All fields' : own.map(([name]) => name).join(', ');
  return [reason.words(names)];
}
