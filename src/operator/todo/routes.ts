import { html } from '../../html/template.ts';
import { head } from '../frame/parts.ts';
import type { Route } from '../frame/operator.ts';

export const routes: readonly Route[] = [
  {
    path: '/',
    show: async ({ operator }) => ({
      title: 'To do',
      place: 'todo',
      main: head('To do', html`${operator.context.sources.size} sources are watched.`),
    }),
  },
];
