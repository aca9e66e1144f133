import { html, type HtmlPart } from '../../html/template.ts';
import type { Answer, Asked, Route } from '../frame/operator.ts';
import { banner, mayChange } from '../frame/parts.ts';
import { backupsPage, backUpNow } from './backups-page.ts';
import { filePage } from './file-page.ts';
import { changeRole, invite, newPassword, peoplePage } from './people-page.ts';
import { showVersion, restoreVersion } from './version-page.ts';

/** The file and its versions, backups, and accounts. */
export const routes: readonly Route[] = [
  { path: '/settings/', show: (asked) => filePage(asked, said(asked)), acts: { load } },
  { path: '/settings/versions/:version/', show: showVersion, acts: { back: restoreVersion } },
  { path: '/settings/backups/', show: (asked) => backupsPage(asked), acts: { backup: backUpNow } },
  {
    path: '/settings/people/',
    right: 'administrator',
    show: (asked) => peoplePage(asked),
    acts: { role: changeRole, password: newPassword, invite },
  },
];

const SAID: Readonly<Record<string, HtmlPart>> = {
  back: html`<p><b>The earlier version is in the file again, and in force.</b></p>`,
  loaded: html`<p><b>The file was read.</b> It is in force.</p>`,
};

function said({ url }: Asked): HtmlPart {
  const done = url.searchParams.get('done') ?? '';
  return Object.hasOwn(SAID, done) ? banner('good', SAID[done], true) : '';
}

/** Loads the file now. */
async function load(asked: Asked): Promise<Answer> {
  if (!mayChange(asked))
    return filePage(asked, banner('bad', html`<p><b>Nothing was loaded:</b> only administrators may.</p>`, true));
  const { problems } = await asked.operator.configFile.load();
  if (problems.length === 0) return { to: '/settings/?done=loaded' };
  return filePage(
    asked,
    banner(
      'bad',
      html`<p><b>The file cannot be used:</b> ${problems[0]?.message}</p>
        <p>All runs as before.</p>`,
      true,
    ),
  );
}
