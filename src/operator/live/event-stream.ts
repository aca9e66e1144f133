/** The sending end of a page's event stream. */
export interface EventStream {
  readonly response: Response;
  /** Sends an event. One without a name only keeps the connection alive; the page does not see it. */
  readonly send: (event: string, data: string, id?: string) => void;
  readonly isOpen: () => boolean;
  readonly end: () => void;
}

/** A client that leaves more than this unread is disconnected, and reconnects. */
const WAITING_BYTES_MAX = 1_000_000;
/** How long a browser waits before it reconnects. */
const AGAIN_MS = 2_000;

// Proxies must not store, compress or buffer it either.
const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
};

const ENCODER = new TextEncoder();

/** A response that continues until one side ends it; `onEnd` is called once. */
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

/** An event in the wire format, where each line of its data is a line of its own. */
export function eventText(event: string, data: string, id?: string): string {
  if (event === '') return ':\n\n';
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\n${lines.join('')}\n`;
}
