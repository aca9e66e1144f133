import type { FileNow, Saved } from '../../config/change/config-store.ts';
import { maskSecrets, MASK } from '../../config/change/mask-secrets.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import { whereInWords } from '../../problem.ts';
import { findVersion } from '../../run/watch/config-versions.ts';
import { yamlDifference } from '../add/yaml-shown.ts';
import { actorOf, REASON_MAX, reasonIn } from '../frame/actor.ts';
import type { Answer, Asked, Page, Sent } from '../frame/operator.ts';
import { banner, button, crumbs, form, head, mayChange } from '../frame/parts.ts';
import { moment } from '../frame/times.ts';
import { differenceRows } from './difference-rows.ts';
import { zoneOfSettings } from './settings-frame.ts';

type Version = NonNullable<Awaited<ReturnType<typeof findVersion>>>;

const versionOf = ({ operator, params }: Asked): Promise<Version | undefined> =>
  findVersion(operator.context.database.query(), Number(/^\d{1,15}$/.exec(params['version'] ?? '')?.[0] ?? 0));

/** A version of the file, compared with the current file, with a button to restore it. */
export async function showVersion(asked: Asked): Promise<Answer> {
  const version = await versionOf(asked);
  return version ? versionPage(asked, version) : GONE;
}

/** Writes a version back into the file. */
export async function restoreVersion(asked: Asked, sent: Sent): Promise<Answer> {
  const version = await versionOf(asked);
  if (!version) return GONE;
  if (!mayChange(asked)) return versionPage(asked, version, banner('bad', ONLY_ADMINISTRATORS, true));
  const text = version.bytes.toString('utf8');
  const saved = await asked.operator.configFile.save(text, sent.field('hash'), actorOf(asked), {
    reason: reasonIn(sent),
    details: { version: version.id },
  });
  if (saved.kind === 'saved') return { to: '/settings/?done=back#versions' };
  return versionPage(asked, version, notSaved(saved));
}

const ONLY_ADMINISTRATORS = html`<p><b>Nothing was written:</b> only administrators change the file.</p>`;

const GONE: Page = {
  title: 'No such version',
  status: 404,
  place: 'settings',
  main: head('No such version', html`The last ten versions are kept; this one is no longer among them.`),
};

function notSaved(saved: Exclude<Saved, { readonly kind: 'saved' }>): Html {
  if (saved.kind === 'edited')
    return banner(
      'warn',
      html`<p>
        <b>Nothing was written:</b> somebody has changed the file since you opened this page. Below is what differs now.
      </p>`,
      true,
    );
  if (saved.kind === 'read-only')
    return banner(
      'warn',
      html`<p><b>Nothing was written:</b> ${saved.reason}. Put the text below into the file.</p>`,
      true,
    );
  return banner(
    'bad',
    html`<p><b>Nothing was written:</b> this version cannot be used any more.</p>
      <ul>
        ${saved.problems.map(({ message, where }) => html`<li>${message} ${whereInWords(where)}</li>`)}
      </ul>`,
    true,
  );
}

async function versionPage(asked: Asked, version: Version, said: HtmlPart = ''): Promise<Page> {
  const { configFile } = asked.operator;
  const now = await configFile.read();
  const zone = zoneOfSettings(asked);
  const text = version.bytes.toString('utf8');
  const when = moment(version.at.getTime(), zone, asked.now);
  const { problems, difference } = configFile.check(text);
  const isSame = version.hash === now.hash;
  return {
    title: 'A version of the settings',
    place: 'settings',
    // If there is nothing to fill in, the page updates itself once the file has the text.
    ...(now.readOnly !== undefined && { live: ['page'] }),
    main: html`${crumbs(asked, [['/settings/', 'Settings']])}
      ${head(
        html`The version of ${when}`,
        version.changes === '' ? 'As calsyncd was started.' : html`It changed: ${version.changes}.`,
      )}
      <div class="stack-5 gap-5">
        ${said}
        ${problems.length > 0 && banner('warn', html`<p>It cannot be used as it is: ${problems[0]?.message}</p>`)}
        <div class="half">
          <section>
            <h2>What taking it back changes <small>against what runs</small></h2>
            ${difference ? differenceRows(difference) : html`<p class="dim">It cannot be compared.</p>`}
          </section>
          <section>
            <h2>Line by line <small>against the file as it is</small></h2>
            ${isSame ? html`<p class="dim">The file is this version.</p>` : yamlDifference(now.text, text)}
          </section>
        </div>
        ${!isSame && takingBack(asked, now, text)}
      </div>`,
  };
}

function takingBack(asked: Asked, now: FileNow, text: string): Html | '' {
  if (!mayChange(asked)) return '';
  if (now.readOnly !== undefined) return byHand(now, text);
  return html`<section>
    <details>
      <summary class="btn">Take it back…</summary>
      ${form(
        asked,
        html`<input type="hidden" name="hash" value="${now.hash}" />
          <p>
            This writes the file as it was then, and loads it. The version that is there now stays among the last ten.
          </p>
          <label class="field"
            >Why <span class="opt">(shown in the history)</span><input name="reason" maxlength="${REASON_MAX}"
          /></label>
          <p>${button('back', 'Yes, write it', { kind: 'go' })}</p>`,
      )}
    </details>
  </section>`;
}

function byHand({ readOnly }: FileNow, text: string): Html {
  const shown = maskSecrets(text);
  return html`<section>
    <h2>To put into the file</h2>
    <p>
      calsyncd cannot write the file: ${readOnly}. Put this text in its place; calsyncd notices within seconds, and the
      settings say so.${shown.includes(MASK) && html` Where it says ${MASK}, the secret stays as it is in your file.`}
    </p>
    <pre class="code" tabindex="0" role="region" aria-label="The text of the version">${shown}</pre>
  </section>`;
}
