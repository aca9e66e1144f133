import { AppError } from '../../error.ts';
import { explainEvent } from '../../run/decisions/explain-event.ts';
import {
  startDismiss,
  startLock,
  startRestore,
  startRetry,
  startSettle,
  startSettleAll,
  startUnlock,
} from '../../run/decisions/settle-event.ts';
import { startAttach, startDetach } from '../../run/decisions/detach-event.ts';
import { startUndo } from '../../run/decisions/undo-run.ts';
import { isFieldName, type FieldName } from '../../sync/model/fields.ts';
import type { StartOutcome } from '../../run/steps/keep-plan.ts';
import { recordAct, type ActRequest as AskedFor } from '../../run/watch/acts.ts';
import { reasonIn } from '../frame/actor.ts';
import type { Answer, Asked, Route, Sent } from '../frame/operator.ts';
import { withNotice } from '../frame/signed-notices.ts';
import { head } from '../frame/parts.ts';
import { eventPath } from '../sources/paths.ts';
import { requestedBy, startAndRedirect } from './start-and-redirect.ts';
import { namedEvent, type NamedEvent } from './named-event.ts';
import { isAsShown, namedOrEdited } from './shown-fields.ts';

/** A decision about the page's event. */
interface Decision {
  readonly event: NamedEvent;
  /** The field that the form names, if any. */
  readonly field: FieldName | undefined;
  readonly by: AskedFor;
  readonly sent: Sent;
}

type Begin = (asked: Asked, decision: Decision) => Promise<StartOutcome>;

const act =
  (begin: Begin) =>
  async (asked: Asked, sent: Sent): Promise<Answer> => {
    const event = await namedEvent(asked);
    if (!event?.isConfigured) return NOT_CONFIGURED;
    const field = fieldIn(sent);
    return startAndRedirect(asked, pathOf(asked, event), event.setup, () =>
      begin(asked, { event, field, by: requestedBy(asked, reasonIn(sent)), sent }),
    );
  };

const pathOf = (asked: Asked, { entry, setup }: NamedEvent): string =>
  eventPath(asked, { slug: entry.slug, site: setup.site.key });

function fieldIn(sent: Sent): FieldName | undefined {
  const field = sent.field('field');
  return isFieldName(field) ? field : undefined;
}

/** Decides which side is right, or what stays as it is, but only if the page has shown the current values. */
const actAsShown =
  (begin: Begin) =>
  async (asked: Asked, sent: Sent): Promise<Answer> => {
    const event = await namedEvent(asked);
    if (!event?.isConfigured) return NOT_CONFIGURED;
    const explanation = await explainEvent(asked.operator.context, event.setup, event.entry);
    return isAsShown(sent, explanation, fieldIn(sent))
      ? act(begin)(asked, sent)
      : { to: withNotice(asked, pathOf(asked, event), CHANGED) };
  };

const CHANGED =
  'This has changed on the site or in the feed since you opened the page, so nothing was decided. Below is its current state.';

/** Forgets an event, so that subscribers keep nothing of it. */
async function forget(asked: Asked, sent: Sent): Promise<Answer> {
  const event = await namedEvent(asked);
  if (!event?.isConfigured) return NOT_CONFIGURED;
  const { entry, setup } = event;
  const path = pathOf(asked, event);
  const { operator } = asked;
  try {
    const forgotten = await operator.forgetEvent(setup.site.key, entry.slug);
    if (!forgotten) return { to: withNotice(asked, path, 'Neither the site nor a feed has it any more.') };
    const { by, reason } = requestedBy(asked, reasonIn(sent));
    const { site, name: source } = setup;
    const about = { kind: 'forget', site: site.key, source, event: entry.slug, reason } as const;
    await recordAct(operator.context.database.query(), by, about);
    return { to: `${path}${path.includes('?') ? '&' : '?'}forgotten=${forgotten.uids.length > 0 ? 'told' : 'quiet'}` };
  } catch (error) {
    if (error instanceof AppError) return { to: withNotice(asked, path, error.message) };
    throw error;
  }
}

const NOT_CONFIGURED: Answer = {
  title: 'Nothing was done',
  place: 'events',
  status: 409,
  main: head('Nothing was done', 'The source of this event is not in the configuration any more.'),
};

/** Gives a field back to the feed, or all fields that were edited or are in conflict. */
const giveBack: Begin = async ({ operator: { context } }, { event: { setup, entry }, field, by }) => {
  if (field !== undefined) return startSettle(context, setup, entry.slug, field, 'feed', by);
  const given = namedOrEdited(await explainEvent(context, setup, entry), field);
  return startSettleAll(
    context,
    setup,
    given.map((each) => ({ slug: entry.slug, field: each, winner: 'feed' })),
    by,
  );
};

/** The acts of the buttons on an event's page. */
export const EVENT_ACTS: NonNullable<Route['acts']> = {
  keep: actAsShown(({ operator: { context } }, { event: { setup, entry }, field, by }) =>
    startSettle(context, setup, entry.slug, field, 'site', by),
  ),
  'give-back': actAsShown(giveBack),
  retry: actAsShown(({ operator: { context } }, { event: { setup, entry }, by }) =>
    startRetry(context, setup, entry.slug, by),
  ),
  lock: actAsShown(({ operator: { context } }, { event: { setup, entry }, field, by }) =>
    startLock(context, setup, entry.slug, field, by),
  ),
  unlock: actAsShown(({ operator: { context } }, { event: { setup, entry }, field, by }) =>
    startUnlock(context, setup, entry.slug, field, by),
  ),
  undo: act(({ operator: { context } }, { event: { setup, entry }, by, sent }) =>
    startUndo(context, setup, sent.field('run'), entry.slug, by),
  ),
  dismiss: act(({ operator: { context } }, { event: { setup, entry }, by }) =>
    startDismiss(context, setup, entry.slug, by),
  ),
  forget,
  detach: actAsShown(({ operator: { context } }, { event: { setup, entry }, by }) =>
    startDetach(context, setup, entry.slug, by),
  ),
  attach: actAsShown(({ operator: { context } }, { event: { setup, entry }, by }) =>
    startAttach(context, setup, entry.slug, by),
  ),
  restore: act(({ operator: { context } }, { event: { setup, entry }, by }) =>
    startRestore(context, setup, entry.slug, by),
  ),
};
