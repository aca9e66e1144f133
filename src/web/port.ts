import { createServer } from 'node:net';
import { AppError } from '../error.ts';

/** An address that a process listens on. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * The port that a process will listen on; for port 0, a free one. Throws AppError if it is taken, before a database is
 * started for nothing.
 */
export function claimPort({ host, port }: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(port, host, () => {
      const bound = server.address();
      server.close(() => resolve(typeof bound === 'object' && bound !== null ? bound.port : port));
    });
    server.once('error', (cause) => reject(portUnusable({ host, port }, cause)));
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine does not have it',
  ENOTFOUND: 'its name has no address in the DNS',
  EAI_AGAIN: 'no DNS server answers',
  EACCES: 'this user is not allowed to listen there: ports below 1024 are for root',
};

/** The error for an address that cannot be listened on, with advice. */
export const portUnusable = ({ host, port }: Address, cause: NodeJS.ErrnoException): AppError =>
  new AppError(
    'port-unusable',
    cause.code === 'EADDRINUSE'
      ? `Port ${port} is taken by another program. Set PORT to a free one, for example PORT=${port + 1}.`
      : `The address ${host}:${port} cannot be used: ${REASONS[cause.code ?? ''] ?? cause.message}. Set HOST and PORT to one that can.`,
    { cause },
  );
