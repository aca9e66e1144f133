import type { Route } from '../frame/operator.ts';
import { helpPage } from './help-page.ts';

export const routes: readonly Route[] = [{ path: '/help/', show: helpPage }];
