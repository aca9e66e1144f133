import type { Sent } from '../../../request-bytes.ts';
import { findLinked } from '../../store/linked.ts';
import { callInterface, type AskedEdit, type EditAnswer } from '../editor.ts';
import { idIn, notYours } from '../event-acts.ts';
import { saidIn } from '../events-page.ts';
import { LINKED_LISTS, type Linked, type LinkedName } from '../linked.ts';
import { pictureParam, sentPicture } from '../picture.ts';
import { conflictWith } from '../stored-event.ts';
import { faultsInPlace, paramsOfPlace, placeRefusalOf, placeSent, storedPlace } from './place-fields.ts';
import { placeFormPage, type PlaceShown } from './place-form.ts';

/** The form of a place or organizer, which may be new. */
export const placeShown =
  (kind: LinkedName) =>
  async (asked: AskedEdit): Promise<EditAnswer> => {
    const id = idIn(asked);
    const stored = await storedPlace(asked, kind, id);
    if (id !== 0 && !stored) return notYours(asked);
    return placeFormPage(asked, kind, { values: stored?.values ?? {}, stored, said: saidIn(asked) });
  };

/** Saves a place or organizer, sending what differs from the stored one. */
export const savePlace =
  (kind: LinkedName) =>
  async (asked: AskedEdit, sent: Sent): Promise<EditAnswer> => {
    const id = idIn(asked);
    const list = LINKED_LISTS[kind];
    const values = placeSent(kind, sent);
    const stored = await storedPlace(asked, kind, id);
    // Stored whatever happens to the form, so that the image need not be chosen again.
    const picture = await sentPicture(asked, sent);
    const again = (more: Partial<PlaceShown>) =>
      placeFormPage(asked, kind, { values, stored, picture, status: 422, ...more });
    if (id !== 0 && sent.field('version') !== stored?.version) return again(conflictWith(stored));
    const faults = faultsInPlace(kind, values);
    if (Object.keys(faults).length > 0 || picture.kind === 'refused') return again({ faults });
    const told = await callInterface<Linked>(
      asked,
      'POST',
      id === 0 ? `/${list}` : `/${list}/${id}`,
      { ...paramsOfPlace(kind, values, stored?.values ?? {}), ...pictureParam(picture) },
      stored && { isAsKnown: stored.isAsKnown },
    );
    if (told.ok) return { to: `/${list}/${told.value.id}/?said=linked` };
    if (told.error.code === 'rest_changed_meanwhile') return again(conflictWith(await storedPlace(asked, kind, id)));
    return again(placeRefusalOf(kind, told.error));
  };

/** Moves a place or organizer to the trash, which removes it from its events. */
export const trashPlace =
  (kind: LinkedName) =>
  async (asked: AskedEdit): Promise<EditAnswer> => {
    const list = LINKED_LISTS[kind];
    const told = await callInterface(asked, 'DELETE', `/${list}/${idIn(asked)}`);
    return told.ok ? { to: `/${list}/?list=trash&said=placeTrashed` } : notYours(asked);
  };

/** Restores one from the trash with its former status, so a draft stays a draft until its event is published. */
export const restorePlace =
  (kind: LinkedName) =>
  async (asked: AskedEdit, sent: Sent): Promise<EditAnswer> => {
    const list = LINKED_LISTS[kind];
    const id = idIn({ params: { id: sent.field('id') } });
    const row = id === 0 ? undefined : await findLinked(asked.db, list, { id });
    const told = await callInterface(asked, 'POST', `/${list}/${id}`, { status: row?.trashed_from ?? 'publish' });
    return told.ok ? { to: `/${list}/${id}/?said=placeRestored` } : notYours(asked);
  };
