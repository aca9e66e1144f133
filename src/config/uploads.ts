import path from 'node:path';

/** The folder of uploaded files, which are read as feeds. */
export const uploadsIn = (dataDir: string): string => path.join(dataDir, 'uploads');
