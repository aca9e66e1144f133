import type { Route } from '../frame/operator.ts';
import { CONFLICT_ACTS } from './conflict-acts.ts';
import { conflictsPage } from './conflicts-page.ts';
import { EVENT_ACTS } from './event-acts.ts';
import { eventPage } from './event-page.ts';
import { ADOPT_ACTS, adoptPage, IGNORED_ACTS, ignoredPage } from './ignored-page.ts';
import { listPage } from './list-page.ts';

export const routes: readonly Route[] = [
  { path: '/events/', show: listPage },
  { path: '/events/:slug/', show: eventPage, acts: EVENT_ACTS },
  { path: '/conflicts/', show: conflictsPage, acts: CONFLICT_ACTS },
  { path: '/ignored/', show: ignoredPage, acts: IGNORED_ACTS },
  { path: '/adopt/', show: adoptPage, acts: ADOPT_ACTS },
];
