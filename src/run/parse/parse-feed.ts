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

/** The same as for a reading, to try unsaved rules on. */
export interface TrialInput extends ParseInput {
  readonly shown?: { readonly path: RulePath; readonly max: number };
}

/** What unsaved rules would do to a body's events. */
export type TrialOutput =
  | { readonly kind: 'tried'; readonly trial: RuleTrial }
  | Extract<FeedRead, { kind: 'notAFeed' }>;

/** Reads a body as if its source had no rules, and tries these on it. */
export function parseAndTry({ shown, ...input }: TrialInput): TrialOutput {
  const parsed = parseFeed({ ...input, settings: withoutRules(input.settings) });
  if (parsed.kind === 'notAFeed') return parsed;
  return { kind: 'tried', trial: tryRules(parsed.reading.drafts, input.settings, shown) };
}

export interface ParseInput extends Omit<FeedBytes, 'handOut'> {
  /** Detected from the bytes where it is undefined. */
  readonly format: FormatName | undefined;
  readonly settings: DraftSettings;
}

/** What a body contains, and in which format. */
export type ParseOutput =
  | (Extract<FeedRead, { kind: 'reading' }> & { readonly format: FormatName })
  | Extract<FeedRead, { kind: 'notAFeed' }>;

/**
 * Bytes → all that the feed says, or why they are not a feed. Pure, and slow for large feeds, so it runs in a worker
 * thread. `handOut` takes the drafts of a large feed as they are made.
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
 * The texts of all that a feed becomes, in characters: more than all but the strangest feeds have, and no more than the
 * program can hold while it plans. A rule of a few bytes repeats its event's description thousands of times.
 */
const CHARACTERS_MAX = 200_000_000;

type WithTexts = Pick<EventDraft, 'uid' | 'rungs'> & Partial<Pick<EventDraft, 'fields'>>;

/** What several have in common as an object, such as their venue, is not counted, because it is kept once. */
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

/** Why bytes are rejected before any format is tried; undefined where they are not. */
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

/** Twice what a hundred thousand events need. */
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
