import { ALERT_CHANNELS, SUBMISSION_KINDS } from './alert-kinds.ts';
import type { ConfigFile, ReceiverEntry } from '../declaration.ts';
import { nearest } from '../nearest.ts';
import type { Incomplete } from '../read-file.ts';
import { complain, isGiven, warn, type Path, type Reading } from '../reading.ts';

const CODE_MIN = 8;

/** Checks of `alerts` that involve several values. Parts of the content may be missing if something else is wrong. */
export function checkAlerts(content: Incomplete<ConfigFile>, reading: Reading): void {
  const at: Path = ['alerts', 'mail'];
  if (isGiven(reading, [...at, 'username']) !== isGiven(reading, [...at, 'password']))
    complain(reading, at, 'config-missing', 'Expected username and password together.');
  const sources = Object.keys(content.sources ?? {});
  for (const [name, entry] of Object.entries(content.alerts?.receivers ?? {}))
    checkReceiver(['alerts', 'receivers', name], entry ?? {}, sources, reading);
}

function checkReceiver(
  path: Path,
  entry: Incomplete<ReceiverEntry>,
  sources: readonly string[],
  reading: Reading,
): void {
  checkAddress(path, reading);
  const has = (key: string): boolean => isGiven(reading, [...path, key]);
  if (has('token') && !has('ntfy'))
    warn(reading, [...path, 'token'], 'config-unused', 'Only ntfy takes a token: it is not used.');
  checkHears(path, entry, has, reading);
  if (entry.code && entry.code.reveal().length < CODE_MIN)
    complain(
      reading,
      [...path, 'code'],
      'config-value',
      `Expected at least ${CODE_MIN} characters, hard to guess: with it one decides what the site shows.`,
    );
  checkSources(path, entry.sources ?? [], sources, reading);
}

function checkHears(
  path: Path,
  entry: Incomplete<ReceiverEntry>,
  has: (key: string) => boolean,
  reading: Reading,
): void {
  const hears: readonly (string | undefined)[] = entry.hears ?? [];
  if (has('digest_at') && !hears.includes('digest'))
    warn(
      reading,
      [...path, 'digest_at'],
      'config-unused',
      'It hears no digest, so this is not used: add digest to hears.',
    );
  const unheard = has('hears') ? SUBMISSION_KINDS.filter((kind) => hears.includes(kind)) : [];
  if (unheard.length > 0 && (entry.sources ?? []).length > 0)
    warn(
      reading,
      [...path, 'hears'],
      'config-unused',
      `Events that people submit or suggest belong to no source, so a receiver for certain sources is not notified of them: ${unheard.join(', ')}.`,
    );
}

function checkSources(
  path: Path,
  named: readonly (string | undefined)[],
  sources: readonly string[],
  reading: Reading,
): void {
  for (const [index, source] of named.entries()) {
    if (source === undefined || sources.includes(source)) continue;
    const meant = nearest(source, sources);
    complain(
      reading,
      [...path, 'sources', index],
      'config-value',
      `There is no source "${source}".${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
    );
  }
}

function checkAddress(path: Path, reading: Reading): void {
  const given = ALERT_CHANNELS.filter((channel) => isGiven(reading, [...path, channel]));
  const channels = ALERT_CHANNELS.join(', ');
  if (given.length === 0)
    complain(reading, path, 'config-missing', `Expected an address under one of the keys ${channels}.`);
  if (given.length > 1)
    complain(
      reading,
      [...path, given[1] ?? ''],
      'config-both',
      `Expected only one of ${channels}, found ${given.join(' and ')}. Write another receiver for the second.`,
    );
  if (given.includes('mail') && !isGiven(reading, ['alerts', 'mail']))
    complain(
      reading,
      [...path, 'mail'],
      'config-missing',
      'Nothing says how mails are sent: add server and from under alerts.mail.',
    );
}
