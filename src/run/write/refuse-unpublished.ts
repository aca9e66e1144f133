import type { ErrorCode } from '../../codes.ts';
import type { Problem } from '../../problem.ts';
import type { Plan } from '../../sync/model/plan.ts';
import { needsPublishing } from '../../sync/model/publishing.ts';
import type { SiteSetup } from '../state/context.ts';

/** The code of a problem that the user may not publish. */
export const NO_PUBLISHING = 'site-no-publish';

/** What to do about it. */
export const HOW_TO_PUBLISH =
  'Give that user a role that may publish events (on WordPress: Editor; ' +
  'an Author for events that are all its own), or use an application password of somebody who has one.';

const WRITTEN = {
  begun: 'Nothing was written.',
  resumed: 'The run had been interrupted; nothing more of it is written.',
} as const;

/**
 * Why a plan must not begin or continue: if a user without the right to publish changes events, the site takes them off
 * its pages. Null if there is no such problem.
 */
export async function publishingProblem(
  { client, name }: Pick<SiteSetup, 'client' | 'name'>,
  plan: Pick<Plan, 'actions' | 'ledger'>,
  when: 'begun' | 'resumed' = 'begun',
): Promise<Problem<ErrorCode> | null> {
  if (!needsPublishing(plan) || (await client.rights()) !== 'edit') return null;
  return {
    code: NO_PUBLISHING,
    where: {},
    message:
      `The user in the configuration of site ${name} may edit events there, but not publish them: ` +
      'the site would turn what is written into unpublished posts without an address. ' +
      `${WRITTEN[when]} ${HOW_TO_PUBLISH} Or let the source write "status: draft".`,
  };
}
