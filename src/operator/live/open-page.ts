import { randomBytes } from 'node:crypto';
import { digestOf } from '../../etag.ts';
import type { Asked, Change, LivePart, SharedPartContext, PartContent } from '../frame/operator.ts';
import type { EventStream } from './event-stream.ts';

/** A part that a page has asked for. */
export interface RequestedPart {
  readonly part: LivePart;
  readonly of: string;
  /** Its full name, with the argument. */
  readonly name: string;
}

/** One rendering pass over all pages, in which parts that several pages share are rendered once. */
export interface RenderPass {
  readonly look: Omit<SharedPartContext, 'base'>;
  readonly shared: Map<string, Promise<PartContent>>;
}

/** A page that is open in a browser. */
export interface OpenPage {
  readonly asked: Asked;
  readonly stream: EventStream;
  /** Sends the parts that look different after these changes, or after any. */
  readonly update: (making: RenderPass, changes: readonly Change[] | 'all') => Promise<void>;
  /** Sends all parts, unless the page already had them when its stream broke off. */
  readonly begin: (making: RenderPass, lastId: string | null) => Promise<void>;
}

/** The parts with these names; unknown names are left out. */
export const wantedOf = (parts: readonly LivePart[], names: readonly string[]): readonly RequestedPart[] =>
  names.flatMap((name) => {
    const [own, ...of] = name.split(':');
    const part = parts.find((each) => each.name === own);
    return part ? [{ part, of: of.join(':'), name }] : [];
  });

export function openPage(asked: Asked, wanted: readonly RequestedPart[], stream: EventStream): OpenPage {
  /** The digest of what was last sent of each part. */
  const sent = new Map<string, string>();
  const send = (name: string, shown: PartContent): void => {
    if (shown === undefined) return;
    const digest = digestOf(textOf(shown));
    if (sent.get(name) === digest) return;
    sent.set(name, digest);
    const text = textOf(shown).replaceAll(ANY_TOKEN, asked.caller.token).replaceAll(ANY_ONCE, asked.once);
    stream.send(shown === 'superseded' ? 'superseded' : 'part', text, idOf(sent));
  };
  return {
    asked,
    stream,
    update: async (making, changes) => {
      for (const each of wanted) {
        if (!stream.isOpen()) return;
        if (isConcerned(each, changes)) send(each.name, await shownTo(asked, each, making));
      }
    },
    begin: async (making, lastId) => {
      const all = new Map<string, PartContent>();
      for (const each of wanted) all.set(each.name, await shownTo(asked, each, making));
      const now = new Map(
        [...all].flatMap(([name, shown]) => (shown === undefined ? [] : [[name, digestOf(textOf(shown))] as const])),
      );
      if (lastId === idOf(now)) for (const [name, digest] of now) sent.set(name, digest);
      for (const [name, shown] of all) send(name, shown);
    },
  };
}

/**
 * Placeholders for what differs between a person's sessions and open pages: the forms' token and the page view's id.
 */
const ANY_TOKEN = `token${randomBytes(16).toString('hex')}`;
const ANY_ONCE = `once${randomBytes(16).toString('hex')}`;

const textOf = (shown: Exclude<PartContent, undefined>): string => (shown === 'superseded' ? '' : shown.markup);

const isConcerned = ({ part, of }: RequestedPart, changes: readonly Change[] | 'all'): boolean =>
  changes === 'all' || changes.some((change) => part.concerns(change, of));

function shownTo(asked: Asked, { part, of, name }: RequestedPart, { look, shared }: RenderPass): Promise<PartContent> {
  const key = part.isPersonal ? JSON.stringify([name, asked.person.id, asked.url.href]) : name;
  const made =
    shared.get(key) ??
    (part.isPersonal
      ? part.show({ ...asked, ...look, caller: { ...asked.caller, token: ANY_TOKEN }, once: ANY_ONCE }, of)
      : part.show({ ...look, base: asked.base }, of));
  shared.set(key, made);
  return made;
}

/** Identifies what a page has been sent, so that nothing is sent again if it reconnects with the same id. */
const idOf = (sent: ReadonlyMap<string, string>): string => digestOf(JSON.stringify([...sent].toSorted()));
