import { askForBackup, backupState, listBackups, type BackupRecord, type BackupState } from '../../backup/records.ts';
import { bytesInWords } from '../../backup/words.ts';
import { countInWords } from '../../count-in-words.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { spanInWords } from '../../run/watch/moments.ts';
import { actorOf } from '../frame/actor.ts';
import type { Answer, Asked, Page } from '../frame/operator.ts';
import { banner, button, form, mayChange, state } from '../frame/parts.ts';
import { row, table } from '../frame/table.ts';
import { moment } from '../frame/times.ts';
import { settingsMain, zoneOfSettings } from './settings-frame.ts';

const LISTED_MAX = 20;

/**
 * The latest backups, the next one due, and a button to make one now. The files can only be fetched on the machine
 * itself.
 */
export async function backupsPage(asked: Asked, said: HtmlPart = ''): Promise<Page> {
  const query = asked.operator.context.database.query();
  const [known, listed] = [await backupState(query), await listBackups(query, LISTED_MAX + 1)];
  const { keep } = asked.operator.config().backup;
  return {
    title: 'Backups',
    place: 'settings',
    live: ['page'],
    main: settingsMain(
      asked,
      'backups',
      'All that calsyncd keeps, as it was at one moment, in files on the machine. Restoring one is a command there.',
      html`${said}${trouble(asked, known)}
        <section>
          <h2>Now</h2>
          ${facts(asked, known)}
          <p class="small dim">
            The latest ${keep === 1 ? 'one stays' : `${keep} stay`}, the newest good one always. They hold hashes of
            passwords, so only the person who runs calsyncd can read them. The configuration file is not in them: back
            it up, too.
          </p>
        </section>
        <section>
          <h2>Earlier</h2>
          ${history(asked, listed)}
        </section>`,
      mayChange(asked) && known.asked === undefined && form(asked, button('backup', 'Back up now', { kind: 'go' })),
    ),
  };
}

const trouble = ({ now, ...asked }: Asked, { failingSince, last }: BackupState): HtmlPart =>
  failingSince !== null &&
  banner(
    'bad',
    html`<p>
        <b>Backups have failed since ${moment(failingSince.getTime(), zoneOfSettings(asked), now)}:</b> ${last?.problem}
      </p>
      <p>It is tried again automatically.</p>`,
  );

function facts(asked: Asked, known: BackupState): Html {
  const zone = zoneOfSettings(asked);
  const at = (instant: number): Html => moment(instant, zone, asked.now);
  const next = asked.operator.nextBackup(known, asked.now);
  const { lastGood, byHand, asked: wanted } = known;
  return html`<dl class="kv">
    <dt>Last good one</dt>
    <dd>${lastGood ? madeInWords(lastGood, at) : 'none'}</dd>
    ${
      byHand &&
      html`<dt>Last by hand</dt>
        <dd>${madeInWords(byHand, at)}</dd>`
    }
    <dt>Next</dt>
    <dd>${nextInWords(next, asked.now, at)}</dd>
    ${
      wanted &&
      html`<dt>Under way</dt>
        <dd>asked for by ${wanted.name}, ${at(wanted.askedAt.getTime())}</dd>`
    }
  </dl>`;
}

const madeInWords = (record: BackupRecord, at: (instant: number) => Html): Html =>
  html`${at(record.startedAt?.getTime() ?? 0)}, ${sizeInWords(record)}, <code>${record.file}</code>`;

function nextInWords(next: number | undefined, now: number, at: (instant: number) => Html): HtmlPart {
  if (next === undefined)
    return html`not planned: <code>backup: { every: 24h }</code> in the configuration makes one a day`;
  return next <= now ? 'due now' : at(next);
}

/** Physical backups do not count rows. */
const sizeInWords = ({ bytes, rows }: BackupRecord): string =>
  `${bytesInWords(bytes ?? 0)} (${rows === null ? 'physical' : countInWords(rows, 'row')})`;

function history(asked: Asked, listed: readonly BackupRecord[]): Html {
  if (listed.length === 0) return html`<p class="dim">None yet.</p>`;
  const zone = zoneOfSettings(asked);
  const columns = ['Asked for', 'By', 'Took', 'Result'];
  const rows = listed
    .slice(0, LISTED_MAX)
    .map((each) =>
      row(columns, [
        moment(each.askedAt.getTime(), zone, asked.now),
        each.via === 'schedule' ? 'the schedule' : each.name,
        tookInWords(each),
        result(each),
      ]),
    );
  return html`${table('Backups', columns, rows)}
  ${listed.length > LISTED_MAX && html`<p class="small dim">Only the last ${LISTED_MAX} are shown.</p>`}`;
}

const tookInWords = ({ startedAt, endedAt }: BackupRecord): string =>
  startedAt && endedAt ? spanInWords(endedAt.getTime() - startedAt.getTime()) : '–';

function result(record: BackupRecord): HtmlPart {
  if (record.problem !== null) return html`${state('failing', { word: 'failed' })} ${record.problem}`;
  if (record.endedAt === null) return record.startedAt ? 'being made' : 'waits for a process that syncs';
  return html`${state('well', { word: 'good' })} ${sizeInWords(record)}`;
}

/** Requests a backup, which a process that syncs makes within seconds. */
export async function backUpNow(asked: Asked): Promise<Answer> {
  if (!mayChange(asked))
    return backupsPage(asked, banner('bad', html`<p><b>Nothing was asked for:</b> only administrators may.</p>`, true));
  const { name, from, address } = actorOf(asked);
  await askForBackup(asked.operator.context.database.query(), { name, via: from, address });
  return { to: '/settings/backups/' };
}
