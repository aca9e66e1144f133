import { AWAITED_PART } from './add/manual-change.ts';
import { routes as add } from './add/routes.ts';
import { routes as alerts } from './alerts/routes.ts';
import type { LivePart, Route } from './frame/operator.ts';
import { parts as general } from './live/general-parts.ts';
import { routes as events } from './events/routes.ts';
import { routes as help } from './help/routes.ts';
import { routes as rules } from './rules/routes.ts';
import { routes as settings } from './settings/routes.ts';
import { parts as runParts, routes as runs } from './runs/routes.ts';
import { routes as sources } from './sources/routes.ts';
import { routes as todo } from './todo/routes.ts';

/** All pages of the console, area by area. */
export const ROUTES: readonly Route[] = [
  ...add,
  ...alerts,
  ...events,
  ...help,
  ...rules,
  ...sources,
  ...todo,
  ...settings,
  ...runs,
];

/** All live parts of pages, area by area. */
export const LIVE_PARTS: readonly LivePart[] = [...general, ...runParts, AWAITED_PART];
