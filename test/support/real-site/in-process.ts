import type { Transport } from '../../../src/client/site-client.ts';
import { sendFault, type Answering, type Fault } from './faults.ts';
import type { Serving } from './real-site.ts';

/** Sends requests to a site in this process. Broken connections and timeouts cause the same errors as in undici. */
export const inProcess =
  (serving: Serving): Transport =>
  async (request) => {
    const body = request.body === null ? '' : await request.text();
    const { pathname, search } = new URL(request.url);
    return answered((response) =>
      serving(
        { method: request.method, url: pathname + search, headers: Object.fromEntries(request.headers), body },
        response,
      ),
    );
  };

/** What a fault makes of the site's answer, which is undefined if the request was not carried out. */
export async function faultyResponse(fault: Fault, answer: Response | undefined): Promise<Response> {
  const text = (await answer?.text()) ?? '';
  return answered((response) => {
    if (!sendFault(fault, response)) response.end(text);
  });
}

function answered(answer: (response: Answering) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    let isSilent = true;
    let [status, headers, text]: [number, Record<string, string>, string] = [200, {}, ''];
    const end = (rest: string): void => {
      isSilent = false;
      resolve(new Response(text + rest, { status, headers }));
    };
    answer({
      destroy: () => {
        isSilent = false;
        reject(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }));
      },
      writeHead: (to, told) => {
        [status, headers] = [to, told];
        return { end };
      },
      write: (part) => {
        text += part;
      },
      end,
    });
    if (isSilent) reject(new DOMException('The operation timed out.', 'TimeoutError'));
  });
}
