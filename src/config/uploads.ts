import path from 'node:path';

/** Where the files are that people have uploaded, to be read as feeds. */
export const uploadsIn = (dataDir: string): string => path.join(dataDir, 'uploads');
