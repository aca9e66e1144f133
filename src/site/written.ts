import { digestOf } from '../etag.ts';
import { mapWithPauses } from '../pauses.ts';
import { madeOnce } from './made-once.ts';

/** Bytes that are sent one after the other, which several answers may have in common, and what identifies them all. */
export interface WrittenBytes {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  readonly digest: string;
}

/** A member of an answer's list: an event, for every page that it is on. */
interface WrittenMember {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly digest: string;
}
/** The list that an answer begins with, and what follows it. */
interface Listed {
  readonly name: string;
  readonly members: readonly object[];
  readonly rest: string;
}

/** Lists whose members may be long: events of a page, answers of a batch. */
const LISTS: ReadonlySet<string> = new Set(['events', 'responses']);

/** What will be on several pages is written once. */
const writtenMember = madeOnce((member: object): WrittenMember => {
  const bytes = jsonBytes(member);
  return { bytes, digest: digestOf(bytes) };
});

const jsonBytes = (value: unknown): Uint8Array<ArrayBuffer> => Buffer.from(JSON.stringify(value));

const COMMA = Buffer.from(',');

/**
 * An answer as JSON. What identifies a page is made of what identifies each of its events, so that those that have been
 * written once are not hashed again either. Others have their turn while a long one is written.
 */
export async function writtenJson(body: unknown): Promise<WrittenBytes> {
  const listed = listedIn(body);
  if (!listed) return writtenText(JSON.stringify(body));
  const members = await mapWithPauses(listed.members, writtenMember);
  const bytes = members.map((member) => member.bytes);
  return {
    pieces: piecesOf(listed, bytes),
    digest: digestOf(`${members.map(({ digest }) => digest).join('')}${listed.rest}`),
  };
}

/** The same of an answer that nobody comes back to. */
export async function jsonPieces(body: unknown): Promise<WrittenBytes['pieces']> {
  const listed = listedIn(body);
  return listed ? piecesOf(listed, await mapWithPauses(listed.members, jsonBytes)) : [jsonBytes(body)];
}

const piecesOf = ({ name, rest }: Listed, members: readonly Uint8Array<ArrayBuffer>[]): WrittenBytes['pieces'] => [
  Buffer.from(`{"${name}":[`),
  ...members.flatMap((bytes, index) => (index === 0 ? [bytes] : [COMMA, bytes])),
  Buffer.from(rest),
];

/** A text in one piece. */
export function writtenText(text: string): WrittenBytes {
  const bytes = Buffer.from(text);
  return { pieces: [bytes], digest: digestOf(bytes) };
}

/** Undefined for an answer that does not begin with a list that has anything in it. */
function listedIn(body: unknown): Listed | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const [name = ''] = Object.keys(body);
  if (!LISTS.has(name)) return undefined;
  const { [name]: members, ...others } = body as Readonly<Record<string, unknown>>;
  if (!Array.isArray(members) || members.length === 0) return undefined;
  const rest = JSON.stringify(others);
  return { name, members: members as readonly object[], rest: `]${rest === '{}' ? '' : ','}${rest.slice(1)}` };
}
