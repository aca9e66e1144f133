/** Why a file cannot be written, by the code of the system's error; each is the end of a sentence. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'calsyncd is not allowed to write it',
  EPERM: 'calsyncd is not allowed to write it',
  EROFS: 'it is on a read-only file system, or outside the ReadWritePaths= of the systemd service',
  ENOENT: 'there is no such file or folder',
  EEXIST: 'there is a file of that name',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOSPC: 'there is no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EBUSY: 'the system is using it, for example as a mount point',
  EIO: 'the device failed',
};

/**
 * Why a file or folder cannot be written, as the end of a sentence; the system's own message if there are no better
 * words.
 */
export const whyUnwritable = (error: unknown): string =>
  REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? (error instanceof Error ? error.message : String(error));
