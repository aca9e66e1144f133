import type { FeedCode } from '../../feed-codes.ts';
import { wellFormed } from '../../json.ts';
import { binaryFile } from './binary-file.ts';
import { decodeText } from '../../ical/read/decode.ts';
import type { Problem } from '../../problem.ts';
import type { FeedBytes, FeedRead } from '../../sync/formats/format.ts';
import { DEFAULT_FORMAT, FORMAT_NAMES, type FormatName } from '../../sync/formats/format-kinds.ts';
import { FORMATS } from '../../sync/formats/formats.ts';
import type { RulePath, RuleTrial } from '../../sync/drafts/rule-trial.ts';
import { tryRules, withoutRules } from '../../sync/drafts/try-rules.ts';
import type { DraftSettings, EventDraft } from '../../sync/model/draft.ts';

/** The input of a reading, for trying out unsaved rules. */
export interface TrialInput extends ParseInput {
  readonly shown?: { readonly path: RulePath; readonly max: number };
}

/** What unsaved rules would do to the events of a body. */
export type TrialOutput =
  | { readonly kind: 'tried'; readonly trial: RuleTrial }
  | Extract<FeedRead, { kind: 'notAFeed' }>;

/** Reads a body as if its source had no rules, and tries the input's rules on it. */
export function parseAndTry({ shown, ...input }: TrialInput): TrialOutput {
  const parsed = parseFeed({ ...input, settings: withoutRules(input.settings) });
  if (parsed.kind === 'notAFeed') return parsed;
  return { kind: 'tried', trial: tryRules(parsed.reading.drafts, input.settings, shown) };
}

export interface ParseInput extends Omit<FeedBytes, 'handOut'> {
  /** Detected from the bytes if undefined. */
  readonly format: FormatName | undefined;
  readonly settings: DraftSettings;
}

/** The content of a body, and its format. */
export type ParseOutput =
  | (Extract<FeedRead, { kind: 'reading' }> & { readonly format: FormatName })
  | Extract<FeedRead, { kind: 'notAFeed' }>;

/**
 * Bytes → everything that the feed says, or why they are not a feed. Pure, but slow for large feeds, so it runs in a
 * worker thread. `handOut` receives the drafts of a large feed as they are made.
 */
export function parseFeed(
  { format: named, settings, ...body }: ParseInput,
  handOut?: FeedBytes['handOut'],
): ParseOutput {
  const problem = unreadable(body.bytes);
  if (problem) return { kind: 'notAFeed', problem };
  const format = named ?? recognisedFormat(body, settings);
  let handedOut = 0;
  const counting = (hand: NonNullable<typeof handOut>): typeof hand => {
    return (drafts, share) => {
      handedOut += charactersIn(drafts);
      if (handedOut <= CHARACTERS_MAX) hand(wellFormed(drafts), share);
    };
  };
  const read = FORMATS[format].read({ ...body, ...(handOut ? { handOut: counting(handOut) } : {}) }, settings);
  if (read.kind === 'notAFeed') return wellFormed(read);
  const { drafts, excluded } = read.reading;
  const characters = charactersIn(drafts) + charactersIn(excluded) + (read.isHandedOut ? handedOut : 0);
  if (characters > CHARACTERS_MAX) return { kind: 'notAFeed', problem: tooMuchText(characters) };
  return { ...wellFormed(read), format };
}

/**
 * The most text that a feed may turn into, in characters: more than all but the strangest feeds have, and no more than
 * the program can hold while planning. A rule of a few bytes can repeat its event's description thousands of times.
 */
const CHARACTERS_MAX = 200_000_000;

type WithTexts = Pick<EventDraft, 'uid' | 'rungs'> & Partial<Pick<EventDraft, 'fields'>>;

/** Counts the characters of drafts. Shared objects, such as venues, are left out, because each is stored once. */
function charactersIn(drafts: readonly WithTexts[]): number {
  let characters = 0;
  for (const { uid = '', rungs, fields = {} } of drafts) {
    characters += uid.length;
    for (const texts of [rungs, fields])
      for (const text of Object.values<unknown>(texts)) if (typeof text === 'string') characters += text.length;
  }
  return characters;
}

const tooMuchText = (characters: number): Problem<FeedCode> => ({
  code: 'feed-too-complex',
  message:
    `The events of the feed in the window have ${characters} characters of text, each time that they repeat, ` +
    `and ${CHARACTERS_MAX} are read. A shorter "window" of the source has fewer of them.`,
  where: {},
});

/** Why bytes are rejected before any format is tried; undefined if they are not. */
function unreadable(bytes: Uint8Array): Problem<FeedCode> | undefined {
  const binary = binaryFile(bytes);
  if (binary !== null) return { code: 'feed-binary', message: binary, where: {} };
  const lines = linesIn(bytes);
  if (lines <= LINES_MAX) return undefined;
  return {
    code: 'feed-too-many-lines',
    message: `The feed has ${lines} lines, more than the ${LINES_MAX} that are read. Ask the publisher for a smaller feed.`,
    where: {},
  };
}

/** Twice as many as a hundred thousand events need. */
const LINES_MAX = 2_000_000;

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

const LINE_FEED = 10;
const START_BYTES = 4096;

/** The format of a body, detected from its first bytes. */
function recognisedFormat({ bytes, contentType }: FeedBytes, settings: DraftSettings): FormatName {
  const start = decodeText(bytes.subarray(0, START_BYTES), contentType).text;
  return FORMAT_NAMES.find((name) => FORMATS[name].recognises(start, contentType, settings)) ?? DEFAULT_FORMAT;
}
