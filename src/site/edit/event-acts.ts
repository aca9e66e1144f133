import { eventZone } from '../../contract/event-zone.ts';
import type { ErrorBody, Event } from '../../contract/representation.ts';
import type { Sent } from '../../request-bytes.ts';
import type { Status } from '../../contract/post-args.ts';
import { mayEditOthers } from '../store/rights.ts';
import { decideSuggestion, writeReviewNote, writeSuggestedEvent } from '../store/suggestions.ts';
import {
  callerOfPerson,
  callInterface,
  type AskedEdit,
  type EditAnswer,
  type EditPage,
  type EditResult,
} from './editor.ts';
import { eventFormPage, type FormShown } from './event-form.ts';
import {
  faultsIn,
  faultsOf,
  isOther,
  NO_VALUES,
  paramsOf,
  valuesSent,
  type EventValues,
  type Faults,
} from './event-values.ts';
import { noted } from './form-parts.ts';
import { linkedParam } from './linked.ts';
import { pictureParam, sentPicture } from './picture.ts';
import { conflictWith, storedEvent, type StoredEvent } from './stored-event.ts';
import type { SaidName } from './words/edit-words.ts';

/** The id in a path such as `/event/12/`; 0 if it is not a number. */
export const idIn = ({ params }: Pick<AskedEdit, 'params'>): number =>
  /^[1-9]\d{0,8}$/.test(params['id'] ?? '') ? Number(params['id']) : 0;

/** The page for an event that does not exist or that the person may not change. */
export const notYours = ({ words }: Pick<AskedEdit, 'words'>): EditPage => ({
  title: words.notYours,
  status: 404,
  main: noted(words.notYours, words.notYoursText),
});

/** Saves a form with the status of the button pressed; without one the status stays. */
export const save =
  (status: Status | undefined) =>
  async (asked: AskedEdit, sent: Sent): Promise<EditAnswer> => {
    const id = idIn(asked);
    const stored = await storedEvent(asked, id);
    const sentValues = valuesSent(sent);
    // The form does not ask for the language if there is only one.
    const values = { ...sentValues, language: sentValues.language || (stored?.values.language ?? '') };
    // Stored whatever happens to the form, so that the image need not be chosen again.
    const picture = await sentPicture(asked, sent);
    const again = (more: Partial<FormShown>) => eventFormPage(asked, { values, stored, picture, status: 422, ...more });
    if (id !== 0 && sent.field('version') !== stored?.version) return again(conflictWith(stored));
    const faults = faultsIn(values, zoneOf(asked, stored));
    if (Object.keys(faults).length > 0 || picture.kind === 'refused') return again({ faults });
    const told = await write(asked, values, stored, {
      ...pictureParam(picture),
      ...(status !== undefined && { status }),
    });
    if (!told.ok) return again(await refusedShown(asked, told.error));
    await settleReview(asked, told.value);
    return { to: `/event/${told.value.id}/?said=${saidOf(told.value.status, status)}` };
  };

/** The zone of the times in a form. */
const zoneOf = ({ frame }: AskedEdit, stored: StoredEvent | undefined): string =>
  eventZone(stored?.row.timezone ?? '') ?? frame.settings.timezone;

/** How a form is shown again after the interface has refused it. */
const refusedShown = async (asked: AskedEdit, error: ErrorBody): Promise<Partial<FormShown>> =>
  error.code === 'rest_changed_meanwhile' ? conflictWith(await storedEvent(asked, idIn(asked))) : refusalOf(error);

/** Deletes the review note of an event that is submitted again, and marks the suggestion behind the form as decided. */
async function settleReview(asked: AskedEdit, event: Event): Promise<void> {
  const { db, url, person, now } = asked;
  const { id, status } = event;
  if (status === 'publish') await publishLinked(asked, event);
  if (status !== 'draft') await writeReviewNote(db, id, '', person.login, now());
  const named = url.searchParams.get('suggestion') ?? '';
  if (!/^[1-9]\d{0,8}$/.test(named) || !mayEditOthers(callerOfPerson(person))) return;
  if (await decideSuggestion(db, Number(named), { state: 'taken', by: person.login }, now()))
    await writeSuggestedEvent(db, Number(named), id);
}

/** Venues and organizers created with an unpublished event are drafts until somebody who may do so publishes both. */
export async function publishLinked(asked: AskedEdit, { venue, organizer }: Event): Promise<void> {
  const linked = [
    ...('id' in venue ? [venue] : venue).map((one) => ['venues', one] as const),
    ...organizer.map((one) => ['organizers', one] as const),
  ].filter(([, { status }]) => status === 'pending' || status === 'draft');
  for (const [kind, { id }] of linked) await callInterface(asked, 'POST', `/${kind}/${id}`, { status: 'publish' });
}

const write = async (
  asked: AskedEdit,
  values: EventValues,
  stored: StoredEvent | undefined,
  more: Readonly<Record<string, unknown>>,
): Promise<EditResult<Event>> =>
  callInterface<Event>(
    asked,
    'POST',
    stored ? `/events/${stored.row.id}` : '/events',
    { ...(await paramsFor(asked, values, stored, waits(more['status'] ?? stored?.row.status))), ...more },
    stored && { isAsKnown: stored.isAsKnown },
  );

const waits = (status: unknown): boolean => status === 'draft' || status === 'auto-draft' || status === 'pending';

async function paramsFor(
  asked: AskedEdit,
  values: EventValues,
  stored: StoredEvent | undefined,
  isWaiting: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const former = stored?.values ?? NO_VALUES;
  const venues = stored?.event.venue ?? [];
  return {
    ...paramsOf(values, former),
    ...(isOther('venue', values, former) && {
      venue: await linkedParam(asked, 'venue', values.venue, 'id' in venues ? [venues] : venues, isWaiting),
    }),
    ...(isOther('organizer', values, former) && {
      organizer: await linkedParam(asked, 'organizer', values.organizer, stored?.event.organizer ?? [], isWaiting),
    }),
  };
}

/** The interface's refusal: at its fields, or as its message. */
function refusalOf({ code, message, data }: ErrorBody): { readonly faults?: Faults; readonly refusal?: string } {
  const faults = faultsOf(typeof data === 'object' && data !== null ? data['params'] : undefined);
  if (code === 'rest_forbidden' && faults.tags) return { faults: { tags: 'newTag' } };
  return Object.keys(faults).length > 0 ? { faults } : { refusal: message };
}

/** The interface decides on the status, so the notice says what it became. */
function saidOf(now: string, wanted: Status | undefined): SaidName {
  if (wanted === undefined) return 'saved';
  if (now === 'pending') return 'pending';
  return now === 'draft' ? 'draft' : 'published';
}

/** Moves an event to the trash. */
export async function trash(asked: AskedEdit): Promise<EditAnswer> {
  const told = await callInterface(asked, 'DELETE', `/events/${idIn(asked)}`);
  return told.ok ? { to: '/?list=trash&said=trashed' } : notYours(asked);
}

/** Takes an event out of the trash, as a draft. */
export async function restore(asked: AskedEdit, sent: Sent): Promise<EditAnswer> {
  const id = idIn({ params: { id: sent.field('id') } });
  const told = await callInterface(asked, 'POST', `/events/${id}`, { status: 'draft' });
  return told.ok ? { to: `/event/${id}/?said=restored` } : notYours(asked);
}
