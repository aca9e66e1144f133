import type { AskedEdit, EditAnswer, EditRoute } from './editor.ts';
import { notYours, restore, save, trash } from './event-acts.ts';
import { eventFormPage } from './event-form.ts';
import { NO_VALUES } from './event-values.ts';
import { eventsPage } from './events-page.ts';
import { eventShown } from './event-shown.ts';
import { decideSource } from './imported.ts';
import { placeShown, restorePlace, savePlace, trashPlace } from './places/place-acts.ts';
import { placesPage } from './places/place-list.ts';
import { repeat } from './repeat.ts';
import {
  publishSuggestion,
  refuseSuggestion,
  reviewPage,
  sendBack,
  suggestedValues,
  suggestionIn,
  takeUpSuggestion,
} from './review.ts';

async function newEventShown(asked: AskedEdit): Promise<EditAnswer> {
  const named = asked.url.searchParams.get('suggestion');
  const suggestion = named === null ? undefined : await suggestionIn(asked, named);
  if (named !== null && !suggestion) return notYours(asked);
  return eventFormPage(asked, { values: suggestion ? suggestedValues(suggestion) : NO_VALUES });
}

/** All pages for editing events. */
export const EDIT_ROUTES: readonly EditRoute[] = [
  { path: '/', show: eventsPage, acts: { restore } },
  {
    path: '/event/new/',
    show: newEventShown,
    acts: { draft: save('draft'), pending: save('pending'), publish: save('publish') },
  },
  {
    path: '/event/:id(\\d+)/',
    show: eventShown,
    acts: {
      save: save(undefined),
      draft: save('draft'),
      takeBack: save('draft'),
      pending: save('pending'),
      publish: save('publish'),
      trash,
      repeat,
      sendBack,
      detach: decideSource('detach'),
      attach: decideSource('attach'),
    },
  },
  {
    path: '/review/',
    show: (asked) => reviewPage(asked),
    acts: { publish: publishSuggestion, refuse: refuseSuggestion, reopen: takeUpSuggestion },
  },
  ...(['venue', 'organizer'] as const).flatMap((kind): readonly EditRoute[] => {
    const [show, save] = [placeShown(kind), savePlace(kind)];
    return [
      { path: `/${kind}s/`, show: placesPage(kind), acts: { restore: restorePlace(kind) } },
      { path: `/${kind}s/new/`, show, acts: { save } },
      { path: `/${kind}s/:id(\\d+)/`, show, acts: { save, trash: trashPlace(kind) } },
    ];
  }),
];
