import { codedOf, type Coded } from './coded.ts';

/** A file that pages load. */
export interface ServedFile {
  /** Its media type. */
  readonly type: string;
  readonly read: () => Promise<Uint8Array>;
  readonly cacheControl: string;
}

/** Answers GET and HEAD with a file, which is read on first use. */
export function serveFile({ type, read, cacheControl }: ServedFile): (request: Request) => Promise<Response> {
  const load = async (): Promise<Coded> =>
    codedOf(new Uint8Array(await read()), {
      'content-type': type,
      'cache-control': cacheControl,
      'x-content-type-options': 'nosniff',
    });
  let kept: Promise<Coded> | undefined;
  return async (request) => (await (kept ??= load())).answer(request);
}
