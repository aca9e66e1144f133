import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

// OWASP's second recommendation for Argon2id: 19 MiB, two passes, one lane. Takes 40 ms.
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const HASH = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;
const TAG_BYTES = 32;

/** Long enough not to be guessed, short enough not to keep the machine busy. */
export const PASSWORD_LENGTH = { min: 12, max: 200 };

interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

const tagOf = (password: string, nonce: Buffer, cost: Cost): Promise<Buffer> =>
  promisify(argon2)('argon2id', {
    message: Buffer.from(password.normalize('NFC')),
    nonce,
    tagLength: TAG_BYTES,
    ...cost,
  });

/** Hashes an account password for storage, in the PHC string format with its salt and cost. */
export async function hashPassword(password: string, cost: Cost = COST): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await tagOf(password, nonce, cost);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;
}

/**
 * Whether a password matches a hash. Without a hash it takes just as long, so that nobody learns who has an account.
 */
export async function isPasswordOfHash(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = HASH.exec(hash ?? '') ?? [];
  const cost =
    memory === undefined ? COST : { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const given = await tagOf(
    password.slice(0, PASSWORD_LENGTH.max),
    memory === undefined ? Buffer.alloc(16) : Buffer.from(salt, 'base64'),
    cost,
  );
  const kept = memory === undefined ? Buffer.alloc(TAG_BYTES) : Buffer.from(tag, 'base64');
  return kept.length === given.length && timingSafeEqual(kept, given) && memory !== undefined;
}

// Leaves out characters that look like others.
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Makes a password that cannot be guessed: 20 characters, 116 bits. */
export const randomPassword = (): string =>
  Array.from({ length: 20 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
