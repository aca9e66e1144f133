import type { AskedEdit, EditAnswer, EditRoute } from './editor.ts';
import { idIn, notYours, restore, save, trash } from './event-acts.ts';
import { eventFormPage } from './event-form.ts';
import { NO_VALUES } from './event-values.ts';
import { eventsPage, saidIn } from './events-page.ts';
import { storedEvent } from './stored-event.ts';

async function eventPageShown(asked: AskedEdit): Promise<EditAnswer> {
  const stored = await storedEvent(asked, idIn(asked));
  if (!stored) return notYours(asked);
  return eventFormPage(asked, { values: stored.values, stored, said: saidIn(asked) });
}

/** All pages where events are edited. */
export const EDIT_ROUTES: readonly EditRoute[] = [
  { path: '/', show: eventsPage, acts: { restore } },
  {
    path: '/event/new/',
    show: (asked) => eventFormPage(asked, { values: NO_VALUES }),
    acts: { draft: save('draft'), pending: save('pending'), publish: save('publish') },
  },
  {
    path: '/event/:id(\\d+)/',
    show: eventPageShown,
    acts: {
      save: save(undefined),
      draft: save('draft'),
      takeBack: save('draft'),
      pending: save('pending'),
      publish: save('publish'),
      trash,
    },
  },
];
