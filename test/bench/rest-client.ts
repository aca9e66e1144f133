import net from 'node:net';

/** A request of a benchmark. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly authorization?: string | undefined;
  /** The content codings that it accepts. */
  readonly accepts?: string | undefined;
  readonly body?: string | Buffer | undefined;
}
export interface Received {
  readonly status: number;
  readonly bytes: Buffer;
}

/**
 * A connection that stays open and carries one request at a time. It is deliberately simple, because Node's own client
 * takes longer than the servers that are measured with it.
 */
export interface Connection {
  readonly send: (sent: Sent) => Promise<Received>;
  readonly close: () => void;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Opens a connection to `http://127.0.0.1:PORT`. Answers must have a Content-Length. */
export function connect(url: string): Connection {
  const { hostname, port, host } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
  let waiting: PromiseWithResolvers<Received> | undefined;
  let arrived: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    arrived = arrived.length === 0 ? chunk : Buffer.concat([arrived, chunk]);
    const received = readAnswer(arrived);
    if (!received) return;
    arrived = Buffer.alloc(0);
    waiting?.resolve(received);
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error(`${url} closed the connection`)));
  return {
    send: ({ method, path, authorization, accepts, body }) => {
      waiting = Promise.withResolvers<Received>();
      const head = [
        `${method} ${path} HTTP/1.1`,
        `Host: ${host}`,
        ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
        ...(accepts === undefined ? [] : [`Accept-Encoding: ${accepts}`]),
        ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
      ];
      const start = `${head.join('\r\n')}\r\n\r\n`;
      socket.write(Buffer.isBuffer(body) ? Buffer.concat([Buffer.from(start), body]) : start + (body ?? ''));
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

/** The answer once all of it has arrived, otherwise undefined. */
function readAnswer(arrived: Buffer): Received | undefined {
  const end = arrived.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const head = arrived.toString('latin1', 0, end);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length === undefined) throw new Error(`an answer without its length: ${head}`);
  const from = end + END_OF_HEAD.length;
  if (arrived.length < from + Number(length)) return undefined;
  return { status: Number(head.slice(9, 12)), bytes: arrived.subarray(from) };
}
