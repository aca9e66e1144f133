import { ALERT_CHANNELS, ALERT_KIND_NAMES, type AlertChannel } from '../../config/alerts/alert-kinds.ts';
import { asLiteral } from '../../config/environment.ts';
import type { Raw, RawMap } from '../../config/splice/raw.ts';
import type { Sent } from '../frame/operator.ts';

/** What a receiver hears where the file says nothing. */
export const HEARS_BY_DEFAULT = ALERT_KIND_NAMES.filter((name) => name !== 'digest');

/** The value of a choice among environment variables that leaves the file as it is. */
export const AS_WRITTEN = 'as written';

/** The field that names the variable of a secret; `token` alone is what tells a form of ours. */
export const variableField = (secret: 'address' | 'token' | 'code'): string => `${secret}-in`;

/** A receiver that says nothing yet. */
export const NEW_RECEIVER: RawMap = { mail: '' };

const TEXTS = ['after', 'quiet', 'digest_at'] as const;
/** What may be sent along, or asked for, besides the address; secrets, as the address of a channel is. */
const SECRETS = ['token', 'code'] as const;

/** How a receiver is reached, as the file has it. */
export const channelOf = (receiver: RawMap): AlertChannel =>
  ALERT_CHANNELS.find((channel) => Object.hasOwn(receiver, channel)) ?? 'mail';

/** What the file says, as the text of a field; '' for nothing, and for what is no single value. */
export const written = (receiver: RawMap, key: string): string => {
  const value = receiver[key];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
};

/** A list of the file, whose single value may stand without brackets. */
export const listed = (receiver: RawMap, key: string): readonly string[] | undefined => {
  const value = receiver[key];
  if (value === undefined || value === null) return undefined;
  return (Array.isArray(value) ? (value as readonly Raw[]) : [value]).map(String);
};

/** The name of the environment variable that a value of the file is. */
export const variableIn = (value: string): string | undefined => /^\$\{([A-Za-z_]\w*)\}$/.exec(value)?.[1];

/** A receiver as a form wants it; what the form has not changed stays as it is written. */
export function receiverSent(before: RawMap, sent: Sent): RawMap {
  const channel = ALERT_CHANNELS.find((each) => each === sent.field('channel')) ?? channelOf(before);
  const kept = Object.entries(before).filter(([key]) => !isOfForm(key));
  return Object.fromEntries(
    [
      [channel, addressSent(before, sent, channel)] as const,
      ...SECRETS.map((key) => [key, secretSent(before, key, sent.field(variableField(key)))] as const),
      ['hears', namesSent(before, 'hears', sent.all('hears'), HEARS_BY_DEFAULT)] as const,
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
  return text === written(before, key) ? before[key] : asLiteral(text);
}

/** Only the name of a variable is ever sent: a secret that is typed into a page would stand in the file. */
function secretSent(before: RawMap, key: string, field: string): Raw | undefined {
  if (field === AS_WRITTEN) return before[key];
  return /^[A-Za-z_]\w*$/.test(field) ? `\${${field}}` : undefined;
}

function namesSent(
  before: RawMap,
  key: string,
  fields: readonly string[],
  otherwise: readonly string[],
): Raw | undefined {
  const names = fields.map((name) => name.trim()).filter((name) => name !== '');
  const was = listed(before, key);
  if (isAlike(names, was ?? otherwise)) return before[key];
  return names.map(asLiteral);
}

const isAlike = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && new Set([...one, ...other]).size === other.length;
