import type { Problem } from '../../problem.ts';
import type { EventDraft } from '../model/draft.ts';
import type { Rung } from '../model/identity.ts';

/** How the feed's events were recognised in the ledger, on the source's rung. */
export interface Recognition {
  /** Recognised by their identity. */
  readonly known: number;
  /** Unchanged, but with a new identity. */
  readonly renewed: number;
}

/** With fewer renewed identities than this, nothing can be concluded about a feed. */
const RENEWED_MIN = 4;

/** The rung to use from now on: the next one if more identities were renewed than kept, with a problem that says so. */
export function rungAfter(
  rung: Rung,
  { known, renewed }: Recognition,
  drafts: readonly EventDraft[],
): { readonly rung: Rung; readonly problem: Problem | null } {
  if (rung === 'fingerprint' || renewed < RENEWED_MIN || renewed <= known) return { rung, problem: null };
  const next = rung === 'uid' && haveOwnUrls(drafts) ? 'url' : 'fingerprint';
  const [was, is] = [WORDS[rung], WORDS[next]];
  return {
    rung: next,
    problem: {
      code: 'identities-change',
      where: {},
      message:
        `${renewed} of ${known + renewed} events came with other ${was} than last time, and nothing else ` +
        `changed: from now on the events of this source are known by ${is}. ` +
        'No event was created twice.',
    },
  };
}

const WORDS: Readonly<Record<Rung, string>> = {
  uid: 'UIDs',
  url: 'addresses',
  fingerprint: 'their title, start and place',
};

function haveOwnUrls(drafts: readonly EventDraft[]): boolean {
  const urls = drafts.map(({ rungs }) => `${rungs.url ?? ''}\t${rungs.recurrenceId ?? ''}`);
  return (
    drafts.every(({ rungs: { url, uid } }) => url !== null && url !== '' && (uid === null || !url.includes(uid))) &&
    new Set(urls).size === urls.length
  );
}
