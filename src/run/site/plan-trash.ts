import { mayBeLeft, planForget } from '../../sync/decisions/forget.ts';
import type { Plan } from '../../sync/model/plan.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadLedger } from '../state/ledger.ts';
import { loadUnanswered, withLostAnswers } from '../state/lost-answers.ts';
import { askAboutLostAnswers } from './ask-about-lost-answers.ts';
import { eventIn, loadEvents } from './load-events.ts';

/** The plan that moves everything a source has left on its site to the trash. */
export async function planTrash(context: RunContext, setup: SourceSetup): Promise<Plan> {
  const stored = await loadLedger(context.database.query(), setup.site.key, setup.name);
  const ledger = withLostAnswers(
    stored,
    await askAboutLostAnswers(setup.site.client, await loadUnanswered(context.database.query(), setup), stored),
  );
  const left = [...ledger.values()].filter(mayBeLeft);
  const snapshot = await loadEvents(
    setup.site.client,
    ledger,
    left.map(({ slug }) => slug),
  );
  return planForget(left, snapshot, eventIn(snapshot), setup.policy(context.now(), false));
}
