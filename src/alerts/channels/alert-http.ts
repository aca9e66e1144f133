import { openHttp, type Http } from '../../client/http.ts';

/** The HTTP client for alerts. Receivers may be slow, and each gets few requests at a time. */
export const openAlertHttp = (): Http =>
  openHttp({ connectionsPerHost: 2, connectTimeoutMs: 5_000, headersTimeoutMs: 10_000, idleTimeoutMs: 10_000 });
