import type { Route } from './frame/operator.ts';
import { routes as todo } from './todo/routes.ts';

/** All pages of the console, area by area. */
export const ROUTES: readonly Route[] = [...todo];
