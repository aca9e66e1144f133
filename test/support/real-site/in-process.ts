import type { Transport } from '../../../src/client/site-client.ts';
import { strike, type Answering, type Fault } from './faults.ts';
import type { Serving } from './real-site.ts';

/** Carries requests to a site in this process; a broken connection and a silence are errors as undici throws them. */
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

/** What a fault leaves of an answer: of none where the request was not carried out. */
export async function struck(fault: Fault, answer: Response | undefined): Promise<Response> {
  const text = (await answer?.text()) ?? '';
  return answered((response) => {
    if (!strike(fault, response)) response.end(text);
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
