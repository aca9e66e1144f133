import { ALERT_CHANNELS, ALERT_KIND_NAMES, type AlertChannel } from '../../config/alerts/alert-kinds.ts';
import { asLiteral } from '../../config/environment.ts';
import type { Raw, RawMap } from '../../config/splice/raw.ts';
import type { Sent } from '../frame/operator.ts';

/** The kinds of alerts that a receiver gets if the file does not list any. */
export const DEFAULT_ALERT_KINDS = ALERT_KIND_NAMES.filter((name) => name !== 'digest');

/** The option, among the environment variables, that leaves the file's value as it is. */
export const UNCHANGED = 'as written';

/** The name of the field with a secret's variable. A plain `token` field is the one that marks our own forms. */
export const variableField = (secret: 'address' | 'token' | 'code'): string => `${secret}-in`;

/** A new receiver, with nothing filled in. */
export const NEW_RECEIVER: RawMap = { mail: '' };

const TEXTS = ['after', 'quiet', 'digest_at'] as const;
/** Secrets besides the address, which is also one. */
const SECRETS = ['token', 'code'] as const;

/** The channel of a receiver in the file. */
export const channelOf = (receiver: RawMap): AlertChannel =>
  ALERT_CHANNELS.find((channel) => Object.hasOwn(receiver, channel)) ?? 'mail';

/** The value of a key as field text; '' if it is missing or not a single value. */
export const fieldText = (receiver: RawMap, key: string): string => {
  const value = receiver[key];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
};

/** A list of the file, where a single value may be written without brackets. */
export const listValue = (receiver: RawMap, key: string): readonly string[] | undefined => {
  const value = receiver[key];
  if (value === undefined || value === null) return undefined;
  return (Array.isArray(value) ? (value as readonly Raw[]) : [value]).map(String);
};

/** The environment variable that makes up a value; undefined for others. */
export const variableIn = (value: string): string | undefined => /^\$\{([A-Za-z_]\w*)\}$/.exec(value)?.[1];

/** A receiver as a form describes it. Unchanged values keep their spelling in the file. */
export function receiverFromForm(before: RawMap, sent: Sent): RawMap {
  const channel = ALERT_CHANNELS.find((each) => each === sent.field('channel')) ?? channelOf(before);
  const kept = Object.entries(before).filter(([key]) => !isOfForm(key));
  return Object.fromEntries(
    [
      [channel, addressSent(before, sent, channel)] as const,
      ...SECRETS.map((key) => [key, secretSent(before, key, sent.field(variableField(key)))] as const),
      ['hears', namesSent(before, 'hears', sent.all('hears'), DEFAULT_ALERT_KINDS)] as const,
      ['sources', namesSent(before, 'sources', sent.field('sources').split(/[\s,]+/), [])] as const,
      ...TEXTS.map((key) => [key, textSent(before, key, sent.field(key))] as const),
      ...kept,
    ].flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

const OF_FORM: readonly string[] = [...ALERT_CHANNELS, ...SECRETS, ...TEXTS, 'hears', 'sources'];
const isOfForm = (key: string): boolean => OF_FORM.includes(key);

function addressSent(before: RawMap, sent: Sent, channel: AlertChannel): Raw | undefined {
  return channel === 'mail'
    ? textSent(before, 'mail', sent.field('mail'))
    : secretSent(before, channel, sent.field(variableField('address')));
}

function textSent(before: RawMap, key: string, field: string): Raw | undefined {
  const text = field.trim();
  if (text === '') return undefined;
  return text === fieldText(before, key) ? before[key] : asLiteral(text);
}

/** Forms only send names of variables. A secret typed into a page would end up in the file. */
function secretSent(before: RawMap, key: string, field: string): Raw | undefined {
  if (field === UNCHANGED) return before[key];
  return /^[A-Za-z_]\w*$/.test(field) ? `\${${field}}` : undefined;
}

function namesSent(
  before: RawMap,
  key: string,
  fields: readonly string[],
  otherwise: readonly string[],
): Raw | undefined {
  const names = fields.map((name) => name.trim()).filter((name) => name !== '');
  const was = listValue(before, key);
  if (isAlike(names, was ?? otherwise)) return before[key];
  return names.map(asLiteral);
}

const isAlike = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && new Set([...one, ...other]).size === other.length;
