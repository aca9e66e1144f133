/** What goes wrong with one request. */
export type Fault =
  /** Carried out, then the connection breaks, so the answer is lost. */
  | { readonly kind: 'lost' }
  /** The connection breaks before the request is carried out. */
  | { readonly kind: 'hang-up' }
  /** Carried out, but never answered. */
  | { readonly kind: 'mute' }
  /** An error from the server or a proxy in front of it. With `carriedOut`, the site did the work first. */
  | {
      readonly kind: 'status';
      readonly status: 429 | 500 | 502 | 503 | 504;
      readonly retryAfter?: string;
      readonly carriedOut?: boolean;
    }
  /** A web page instead of JSON: a login form, a firewall. */
  | { readonly kind: 'page'; readonly status?: number; readonly carriedOut?: boolean }
  /** The user may not see this particular object. */
  | { readonly kind: 'forbidden' }
  /** A gateway in front of the site has lost its route to it. */
  | { readonly kind: 'astray' }
  /** A plugin prints a warning before the JSON. */
  | { readonly kind: 'warning' };

export interface FaultPlan {
  readonly fault: Fault;
  /** Which requests fail. */
  readonly when: (method: string, path: string) => boolean;
  /** How many of them succeed first. */
  after: number;
  /** How many of them fail. */
  times: number;
}

/** The fault for a request, if one is due. Counts the request. */
export function dueFault(plans: readonly FaultPlan[], method: string, path: string): Fault | undefined {
  for (const plan of plans) {
    if (plan.times === 0 || !plan.when(method, path)) continue;
    if (plan.after > 0) {
      plan.after -= 1;
      continue;
    }
    plan.times -= 1;
    return plan.fault;
  }
  return undefined;
}

/** Whether the site carries the request out before it fails. */
export const isCarriedOut = (fault: Fault): boolean =>
  fault.kind === 'lost' ||
  fault.kind === 'mute' ||
  fault.kind === 'warning' ||
  ('carriedOut' in fault && fault.carriedOut === true);

/** Where an answer is written to, for example a server's response. */
export interface Answering {
  readonly destroy: () => unknown;
  readonly writeHead: (status: number, headers: Record<string, string>) => Pick<Answering, 'end'>;
  readonly write: (text: string) => unknown;
  readonly end: (text: string) => unknown;
}

export const WARNING =
  '<br />\n<b>Warning</b>:  Undefined array key "x" [id] in <b>/srv/wp-content/plugins/x.php</b> on line <b>3</b><br />\n';
const PAGE =
  '<!DOCTYPE html>\n<html><head><title>One moment, please</title><script>var a = {"b": [1]};</script></head><body>Checking your browser.</body></html>';

/** Answers with the fault. False if the site's own answer has to follow (after a warning). */
export function sendFault(fault: Fault, response: Answering): boolean {
  switch (fault.kind) {
    case 'lost':
    case 'hang-up':
      response.destroy();
      return true;
    case 'mute':
      return true;
    case 'page':
      response.writeHead(fault.status ?? 200, { 'content-type': 'text/html; charset=UTF-8' }).end(PAGE);
      return true;
    case 'astray':
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"message":"no Route matched with those values"}');
      return true;
    case 'forbidden':
      response
        .writeHead(403, { 'content-type': 'application/json' })
        .end('{"code":"event-not-accessible","message":"The requested event is not accessible","data":{"status":403}}');
      return true;
    case 'warning':
      response.write(WARNING);
      return false;
    case 'status': {
      const headers = {
        'content-type': 'text/html',
        ...(fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }),
      };
      // WordPress itself reports a crash as JSON; other errors come from in front of it.
      if (fault.status === 500)
        response
          .writeHead(500, { 'content-type': 'application/json' })
          .end(
            '{"code":"internal_server_error","message":"<p>There has been a critical error on this website.</p>","data":{"status":500},"additional_errors":[]}',
          );
      else response.writeHead(fault.status, headers).end(PAGE);
      return true;
    }
  }
}
