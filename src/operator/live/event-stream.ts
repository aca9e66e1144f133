/** The open end of a page's event stream. */
export interface EventStream {
  readonly response: Response;
  /** Sends an event; one without a name keeps the connection alive, and the page does not hear of it. */
  readonly send: (event: string, data: string, id?: string) => void;
  readonly isOpen: () => boolean;
  readonly end: () => void;
}

/** Whoever takes so little for so long is cut off, and asks anew. */
const WAITING_BYTES_MAX = 1_000_000;
/** A browser whose connection is lost waits for so long before it asks again. */
const AGAIN_MS = 2_000;

// For proxies too: nothing is kept, compressed or held back.
const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
};

const ENCODER = new TextEncoder();

/** An answer that goes on until one of the two ends it; `onEnd` is called once. */
export function openEventStream(onEnd: () => void): EventStream {
  let isOpen = true;
  const over = (): boolean => {
    const was = isOpen;
    isOpen = false;
    if (was) onEnd();
    return was;
  };
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (own) => {
        controller = own;
      },
      cancel: () => void over(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: WAITING_BYTES_MAX }),
  );
  const end = (): void => {
    if (over()) controller?.close();
  };
  const write = (text: string): void => {
    if (!isOpen) return;
    controller?.enqueue(ENCODER.encode(text));
    if ((controller?.desiredSize ?? 0) <= 0) end();
  };
  write(`retry: ${AGAIN_MS}\n\n`);
  return {
    response: new Response(body, { headers: HEADERS }),
    send: (event, data, id) => write(eventText(event, data, id)),
    isOpen: () => isOpen,
    end,
  };
}

/** An event as it is sent; each line of its data is a line of its own. */
export function eventText(event: string, data: string, id?: string): string {
  if (event === '') return ':\n\n';
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\n${lines.join('')}\n`;
}
