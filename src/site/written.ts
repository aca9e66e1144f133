import { digestOf } from '../etag.ts';
import { mapWithPauses } from '../pauses.ts';
import { madeOnce } from './made-once.ts';

/** Bytes to be sent in order, whose pieces several answers may share, and a digest that identifies them. */
export interface WrittenBytes {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  readonly digest: string;
}

/** An element of an answer's list, such as an event, serialized for all pages that contain it. */
interface WrittenMember {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly digest: string;
}
/** The list with which an answer begins, and the JSON that follows it. */
interface Listed {
  readonly name: string;
  readonly members: readonly object[];
  readonly rest: string;
}

/** Lists whose elements may be long: the events of a page, the answers of a batch. */
const LISTS: ReadonlySet<string> = new Set(['events', 'responses']);

/** Elements that appear on several pages are serialized once. */
const writtenMember = madeOnce((member: object): WrittenMember => {
  const bytes = jsonBytes(member);
  return { bytes, digest: digestOf(bytes) };
});

const jsonBytes = (value: unknown): Uint8Array<ArrayBuffer> => Buffer.from(JSON.stringify(value));

const COMMA = Buffer.from(',');

/**
 * Serializes an answer as JSON. The digest of a page is made from the digests of its events, so events serialized
 * before are not hashed again. Long lists are written in steps that let other work run in between.
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

/** The same without a digest, for answers that nobody will request again. */
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

/** The parts of an answer that begins with a non-empty list; undefined for any other. */
function listedIn(body: unknown): Listed | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const [name = ''] = Object.keys(body);
  if (!LISTS.has(name)) return undefined;
  const { [name]: members, ...others } = body as Readonly<Record<string, unknown>>;
  if (!Array.isArray(members) || members.length === 0) return undefined;
  const rest = JSON.stringify(others);
  return { name, members: members as readonly object[], rest: `]${rest === '{}' ? '' : ','}${rest.slice(1)}` };
}
