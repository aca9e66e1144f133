import type { Route } from '../frame/operator.ts';
import { docPage, newsPage } from './doc-pages.ts';
import { helpPage } from './help-page.ts';
import { keysPage } from './keys-page.ts';

export const routes: readonly Route[] = [
  { path: '/help/', show: helpPage },
  { path: '/help/keys/', show: keysPage },
  { path: '/help/new/', show: newsPage },
  { path: '/help/:name/', show: docPage },
];
