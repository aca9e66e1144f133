import { AppError } from '../../error.ts';
import { explainEvent } from '../../run/decisions/explain-event.ts';
import {
  startDismiss,
  startLock,
  startRestore,
  startSettle,
  startSettleAll,
  startUnlock,
} from '../../run/decisions/settle-event.ts';
import { startAttach, startDetach } from '../../run/decisions/detach-event.ts';
import { startUndo } from '../../run/decisions/undo-run.ts';
import { isFieldName, type FieldName } from '../../sync/model/fields.ts';
import type { Started } from '../../run/steps/keep-plan.ts';
import { recordAct, type Asked as AskedFor } from '../../run/watch/acts.ts';
import { reasonIn } from '../frame/actor.ts';
import type { Answer, Asked, Route, Sent } from '../frame/operator.ts';
import { withWords } from '../frame/own-words.ts';
import { head } from '../frame/parts.ts';
import { byPerson, decided } from './decided.ts';
import { eventPath } from './listed.ts';
import { namedEvent, type NamedEvent } from './named-event.ts';

/** A decision about the event of the page; `field` is undefined where the form names none. */
type Begin = (
  asked: Asked,
  event: NamedEvent,
  field: FieldName | undefined,
  by: AskedFor,
  sent: Sent,
) => Promise<Started>;

const act =
  (begin: Begin) =>
  async (asked: Asked, sent: Sent): Promise<Answer> => {
    const event = await namedEvent(asked);
    if (!event?.isConfigured) return NOT_CONFIGURED;
    const field = sent.field('field');
    const { entry, setup } = event;
    return decided(asked, eventPath(asked, { slug: entry.slug, site: setup.site.key }), setup, () =>
      begin(asked, event, isFieldName(field) ? field : undefined, byPerson(asked, reasonIn(sent)), sent),
    );
  };

/** Takes an event back altogether: nothing of it is left for subscribers. */
async function forget(asked: Asked, sent: Sent): Promise<Answer> {
  const event = await namedEvent(asked);
  if (!event?.isConfigured) return NOT_CONFIGURED;
  const { entry, setup } = event;
  const path = eventPath(asked, { slug: entry.slug, site: setup.site.key });
  const { operator } = asked;
  try {
    const forgotten = await operator.forgetEvent(setup.site.key, entry.slug);
    if (!forgotten) return { to: withWords(asked, path, 'Neither the site nor a feed has it any more.') };
    const { by, reason } = byPerson(asked, reasonIn(sent));
    const { site, name: source } = setup;
    const about = { kind: 'forget', site: site.key, source, event: entry.slug, reason } as const;
    await recordAct(operator.context.database.query(), by, about);
    return { to: `${path}${path.includes('?') ? '&' : '?'}forgotten=${forgotten.uids.length > 0 ? 'told' : 'quiet'}` };
  } catch (error) {
    if (error instanceof AppError) return { to: withWords(asked, path, error.message) };
    throw error;
  }
}

const NOT_CONFIGURED: Answer = {
  title: 'Nothing was done',
  place: 'events',
  status: 409,
  main: head('Nothing was done', 'The source of this event is not in the configuration any more.'),
};

/** Gives a field back to the feed, or all that was edited or is in conflict. */
const giveBack: Begin = async ({ operator: { context } }, { setup, entry }, field, by) => {
  if (field !== undefined) return startSettle(context, setup, entry.slug, field, 'feed', by);
  const { edits, fields } = await explainEvent(context, setup, entry);
  const given = edits.filter((each) => fields[each]?.feed !== null);
  return startSettleAll(
    context,
    setup,
    given.map((each) => ({ slug: entry.slug, field: each, winner: 'feed' })),
    by,
  );
};

/** What the buttons of an event's page do. */
export const EVENT_ACTS: NonNullable<Route['acts']> = {
  keep: act(({ operator: { context } }, { setup, entry }, field, by) =>
    startSettle(context, setup, entry.slug, field, 'site', by),
  ),
  'give-back': act(giveBack),
  lock: act(({ operator: { context } }, { setup, entry }, field, by) =>
    startLock(context, setup, entry.slug, field, by),
  ),
  unlock: act(({ operator: { context } }, { setup, entry }, field, by) =>
    startUnlock(context, setup, entry.slug, field, by),
  ),
  undo: act(({ operator: { context } }, { setup, entry }, _field, by, sent) =>
    startUndo(context, setup, sent.field('run'), entry.slug, by),
  ),
  dismiss: act(({ operator: { context } }, { setup, entry }, _field, by) =>
    startDismiss(context, setup, entry.slug, by),
  ),
  forget,
  detach: act(({ operator: { context } }, { setup, entry }, _field, by) => startDetach(context, setup, entry.slug, by)),
  attach: act(({ operator: { context } }, { setup, entry }, _field, by) => startAttach(context, setup, entry.slug, by)),
  restore: act(({ operator: { context } }, { setup, entry }, _field, by) =>
    startRestore(context, setup, entry.slug, by),
  ),
};
