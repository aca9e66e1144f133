/** Why a file cannot be read, by the code of the system's error; each is the end of a sentence. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'calsyncd is not allowed to read it',
  EPERM: 'calsyncd is not allowed to read it',
  EISDIR: 'it is a directory',
  ENOTFILE: 'it is a pipe, a socket or a device, not a file',
  ENXIO: 'it is a pipe, a socket or a device, not a file',
  ENOTDIR: 'a part of its path is a file, not a directory',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the device failed',
};

/** Why a file cannot be read, as the end of a sentence; undefined if there are no words for the error. */
export const whyUnreadable = (error: unknown): string | undefined =>
  REASONS[(error as NodeJS.ErrnoException).code ?? ''];
