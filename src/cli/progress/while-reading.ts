import type { OnWait } from '../../client/ask.ts';
import type { OnRead } from '../../client/site-client.ts';
import type { Io } from '../terminal/io.ts';
import { whileWorking, type Status } from './working.ts';

/** Where to listen for what is read and what is waited for. Each function returns one that removes the listener. */
export interface ReadingListeners {
  readonly onRead: (listener: OnRead) => () => void;
  readonly onWait: (listener: OnWait) => () => void;
}

/** Shows progress while `work` reads feeds and sites: how much has been read, and what is waited for. */
export const whileReading = <T>(
  { onRead, onWait }: ReadingListeners,
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
