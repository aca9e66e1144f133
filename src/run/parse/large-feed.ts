const LARGE_BYTES = 1_000_000;

/** Whether reading a feed takes so much memory that it is worth a pause to give it back. */
export const isLarge = ({ bytes }: { readonly bytes: Uint8Array }): boolean => bytes.length > LARGE_BYTES;
