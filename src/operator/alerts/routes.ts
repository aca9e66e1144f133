import type { Route } from '../frame/operator.ts';
import { RECEIVER_ROUTES } from './receiver-page.ts';
import { REPORT_PATH, rotateReportLink, showReport, sendReportLetter } from './report-page.ts';
import { ALERTS_PATH, showAlerts, testReceiver } from './settings-page.ts';

export const routes: readonly Route[] = [
  { path: ALERTS_PATH, show: showAlerts, acts: { test: testReceiver } },
  ...RECEIVER_ROUTES,
  { path: REPORT_PATH, show: showReport, acts: { rotate: rotateReportLink, write: sendReportLetter } },
];
