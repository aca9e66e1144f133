import type { FileNow, InThisProcess } from '../../config/change/config-store.ts';
import { isNoDifference } from '../../config/change/difference.ts';
import { countInWords } from '../../count-in-words.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { findVersion, listVersions, type ConfigVersion } from '../../run/watch/config-versions.ts';
import { listConfigs, type NamedProcessConfig } from '../../run/watch/process-configs.ts';
import { yamlDifference } from '../add/yaml-shown.ts';
import type { Asked, Page } from '../frame/operator.ts';
import { banner, button, form, linkTo, mayChange } from '../frame/parts.ts';
import { row, table, type Column } from '../frame/table.ts';
import { ago, moment } from '../frame/times.ts';
import { differenceRows } from './difference-rows.ts';
import { fileListing } from './file-listing.ts';
import { settingsMain, zoneOfSettings } from './settings-frame.ts';

/** What the page is built from. */
interface Parts {
  readonly asked: Asked;
  readonly zone: string;
  readonly now: FileNow;
  readonly running: InThisProcess;
  readonly versions: readonly ConfigVersion[];
  /** The text in force, if the file differs and that version is stored. */
  readonly former: string | undefined;
  readonly processes: readonly NamedProcessConfig[];
}

/** The configuration file: its state, its pending changes and its versions. */
export async function filePage(asked: Asked, said: HtmlPart = ''): Promise<Page> {
  const { configFile, context } = asked.operator;
  const query = context.database.query();
  const [now, running, versions] = [await configFile.read(), configFile.state(), await listVersions(query)];
  const kept = now.hash === running.hash ? undefined : versions.find(({ hash }) => hash === running.hash);
  const parts: Parts = {
    asked,
    zone: zoneOfSettings(asked),
    now,
    running,
    versions,
    former: kept && (await findVersion(query, kept.id))?.bytes.toString('utf8'),
    processes: await listConfigs(query),
  };
  return {
    title: 'Settings',
    place: 'settings',
    live: ['page'],
    main: settingsMain(asked, 'file', sentence(parts), html`${said}${content(parts)}`, acts(parts)),
  };
}

const isInForce = ({ now, running }: Parts): boolean => now.hash === running.hash;

/** A sentence on whether the file is what is in force. */
function sentence(parts: Parts): Html {
  const { now, running, zone, asked } = parts;
  const since = moment(running.since.getTime(), zone, asked.now);
  if (now.hash === '') return html`The file cannot be read. What runs is the version of ${since}.`;
  const changed =
    now.changedAt !== undefined && html` It was changed ${ago(now.changedAt, zone, asked.now)}${byWhom(parts)}`;
  if (isInForce(parts)) return html`One file.${changed}, and has been in force since ${since}.`;
  if (now.problems.length > 0)
    return html`One file.${changed}, and is <b>not loaded</b>:
      ${countInWords(now.problems.length, 'problem keeps', 'problems keep')} it from being used. What runs is the
      version of ${since}.`;
  return html`One file.${changed}, and will be loaded within seconds.`;
}

/** Who wrote the file's version, if known. */
function byWhom({ now, versions }: Parts): HtmlPart {
  const version = versions.find(({ hash }) => hash === now.hash);
  if (!version || version.by.from === 'file') return ', outside this console';
  return html` by ${version.by.name}${version.by.from === 'command' && ', on the command line'}`;
}

const acts = (parts: Parts): HtmlPart =>
  html`<a class="btn" href="#versions">Earlier versions</a>${
      mayChange(parts.asked) &&
      form(
        parts.asked,
        isInForce(parts) || parts.now.problems.length > 0
          ? html`<button class="go" disabled>Load now</button>`
          : button('load', 'Load now', { kind: 'go' }),
      )
    }`;

function content(parts: Parts): Html {
  const { asked, now } = parts;
  const from = Number(asked.url.searchParams.get('from')) || undefined;
  const listing =
    now.hash === ''
      ? banner('bad', html`<p>${now.problems[0]?.message}</p>`)
      : fileListing({ ...now, from, hrefFrom: (line) => linkTo(asked, `/settings/?from=${line}#file`) });
  return html`<div class="half">
      <section id="file">
        <h2>The file <small>${now.file}${now.readOnly !== undefined && ', read-only here'}</small></h2>
        ${listing}${readOnlyNote(now)}
      </section>
      <section>
        <h2>What loading changes <small>the file against what runs</small></h2>
        ${changes(parts)}${linesPart(parts)}${processesPart(parts)}
      </section>
    </div>
    <section id="versions">
      <h2>Earlier versions <small>the last ten that were valid</small></h2>
      ${versionsTable(parts)}
    </section>`;
}

const readOnlyNote = ({ readOnly }: FileNow): Html | '' =>
  readOnly === undefined
    ? ''
    : html`<p class="small dim">
        calsyncd cannot write this file: ${readOnly}. What you decide here is shown as text to put into it; calsyncd
        notices within seconds when it is there.
      </p>`;

function changes(parts: Parts): Html {
  const { now, running } = parts;
  const restart =
    running.restart.length > 0 &&
    html`<p>
      ${running.restart.join(', ')} ${running.restart.length > 1 ? 'come' : 'comes'} into force with the next start.
    </p>`;
  if (isInForce(parts))
    return html`<p class="dim">Nothing: the file is in force.</p>
      ${restart}`;
  if (!now.difference) return html`<p>What is marked has to be fixed first. Until then all runs as before.</p>`;
  return isNoDifference(now.difference)
    ? html`<p class="dim">Only comments and spacing.</p>`
    : differenceRows(now.difference);
}

/** A line-by-line comparison of the version in force with the file. Secrets are masked on both sides. */
function linesPart({ now, former }: Parts): Html | '' {
  if (former === undefined || now.hash === '') return '';
  return html`<h3>Line by line</h3>
    ${yamlDifference(former, now.text)}`;
}

/** The processes, if there are several; each reads its own file. */
function processesPart({ processes, asked, zone }: Parts): Html | '' {
  if (processes.length < 2) return '';
  return html`<h3>Processes</h3>
    <ul class="rows tight">
      ${processes.map(
        ({ process, since, problems, restart }) =>
          html`<li>
            <b>${process}</b> ·
            ${
              problems.length > 0
                ? html`<b>has not loaded its file</b>: ${problems[0]?.message}`
                : html`loaded ${ago(since.getTime(), zone, asked.now)}`
            }${restart.length > 0 && html` · needs a restart for ${restart.join(', ')}`}
          </li>`,
      )}
    </ul>`;
}

function versionsTable({ versions, running, asked, zone }: Parts): Html {
  const columns: readonly Column[] = ['Loaded', 'By', 'Changed', { unseen: 'Now' }];
  const rows = versions.map(({ id, hash, at, by, changes: what }, index) => {
    const isRunning = hash === running.hash && versions.findIndex((each) => each.hash === hash) === index;
    const loaded = moment(at.getTime(), zone, asked.now);
    return row(columns, [
      loaded,
      by.from === 'file' ? 'outside this console' : by.name,
      what === '' ? 'when calsyncd started' : what,
      isRunning
        ? html`<b>in force</b>`
        : html`<a href="${linkTo(asked, `/settings/versions/${id}/`)}"
            >Compare<span class="vh"> the version of ${loaded}</span></a
          >`,
    ]);
  });
  return table('Earlier versions of the file', columns, rows);
}
