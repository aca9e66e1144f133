import type { Http } from '../../client/http.ts';
import type { Alert } from './alert.ts';

const ALERT_MS_MAX = 10_000;

/**
 * Sends an alert to the operator's webhook. Returns the reason if it failed; the address is a secret and appears in no
 * message.
 */
export async function sendAlert(http: Http, webhook: URL, alert: Alert): Promise<string | undefined> {
  const body = Buffer.from(JSON.stringify(alert));
  try {
    const answer = await http.send({
      method: 'POST',
      url: webhook,
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(ALERT_MS_MAX),
    });
    answer.body.on('error', () => undefined).destroy();
    return answer.status < 300 ? undefined : `it answered ${answer.status}`;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}
