import type { Html, HtmlPart } from '../../html/template.ts';
import { html } from '../../html/template.ts';
import type { Asked } from '../frame/operator.ts';
import { head, linkTo, tabs } from '../frame/parts.ts';

type Tab = 'file' | 'people' | 'alerts' | 'backups';

/** The tabs of the settings, with their paths. */
const TABS: readonly (readonly [tab: Tab, path: string, text: string, right?: 'administrator'])[] = [
  ['file', '/settings/', 'File'],
  ['people', '/settings/people/', 'People', 'administrator'],
  ['alerts', '/settings/alerts/', 'Alerts'],
  ['backups', '/settings/backups/', 'Backups'],
];

/** A page of the settings, with its head and tabs. */
export const settingsMain = (
  asked: Asked,
  current: Tab,
  sentence: HtmlPart,
  content: HtmlPart,
  acts?: HtmlPart,
): Html =>
  html`${head('Settings', sentence, acts)}
    ${tabs(
      'Settings',
      TABS.filter(([, , , right]) => right === undefined || asked.person.role === right).map(([tab, path, text]) => ({
        href: linkTo(asked, path),
        text,
        isChosen: tab === current,
      })),
    )}
    <div class="stack-5 gap-5">${content}</div>`;

/** The zone in which these pages show times. */
export const zoneOfSettings = ({ operator, zoneOf }: Pick<Asked, 'operator' | 'zoneOf'>): string =>
  zoneOf(operator.sites()[0]?.key ?? 'builtin');
