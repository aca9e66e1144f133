import type { OnWait } from '../../client/ask.ts';
import type { OnRead } from '../../client/site-client.ts';
import type { Io } from '../terminal/io.ts';
import { whileWorking, type Status } from './working.ts';

/** Where it can be heard what is read, and what is waited for; each call returns a function that ends it. */
export interface Heard {
  readonly onRead: (listener: OnRead) => () => void;
  readonly onWait: (listener: OnWait) => () => void;
}

/** Says what is going on while feeds and sites are read: how much of them has come, and what is waited for. */
export const whileReading = <T>(
  { onRead, onWait }: Heard,
  io: Io,
  what: string,
  work: (status: Status) => Promise<T>,
): Promise<T> =>
  whileWorking(io, what, async (status) => {
    const ends = [onRead(status.reads), onWait(status.waits)];
    try {
      return await work(status);
    } finally {
      for (const end of ends) end();
    }
  });
