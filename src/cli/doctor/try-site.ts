import type { Rights } from '../../client/site-client.ts';
import type { SourceConfig } from '../../config/config.ts';
import type { Problem } from '../../problem.ts';
import { NO_RIGHTS } from '../../client/rights.ts';
import { HOW_TO_PUBLISH, NO_PUBLISHING } from '../../run/write/refuse-unpublished.ts';
import { isPublic } from '../../sync/model/publishing.ts';
import type { OpenSite } from '../open/open-sites.ts';
import type { Finding } from './finding.ts';

/** The abilities of a site, and whether our rights there suffice for the sources that write to it. */
export async function trySite(site: OpenSite, sources: readonly SourceConfig[]): Promise<Finding> {
  const client = site.client();
  const abilities = await client.abilities();
  const rights = await client.rights();
  const { root, namespace, title, timezone, batch, perPageMax, venueCoordinates, languages } = abilities;
  const lacking = lackingRights(site.name, rights);
  // The right to edit suffices if everything is written as drafts.
  const isEnough = rights === 'edit' && !sources.some(publishes);
  const problems = lacking && !isEnough ? [lacking] : [];
  return {
    found:
      `"${title}" at ${root}, ${namespace}, ${timezone}, ${batch ? 'batches of 25' : 'single writes'}, pages ` +
      `of ${perPageMax}${languagesInWords(site, languages)}${RIGHTS_IN_WORDS[rights]}`,
    remarks: isEnough ? [ENOUGH_FOR_DRAFTS] : [],
    problems,
    facts: {
      name: site.name,
      ok: problems.length === 0,
      root,
      namespace,
      title,
      timezone,
      batch,
      per_page: perPageMax,
      venue_coordinates: venueCoordinates,
      may_write: rights === 'publish' || rights === 'edit',
      may_publish: rights === 'publish',
      language: site.language,
      languages,
    },
  };
}

/** Whether a source, or one of its rules, makes events public. */
const publishes = ({ drafts: { status, set = [] } }: SourceConfig): boolean =>
  [status, ...set.map((rule) => rule.status)].some(isPublic);

const ENOUGH_FOR_DRAFTS =
  'The user may not publish, which is enough as long as only drafts are written here. If somebody has ' +
  `published one and its feed changes, the run stops. ${HOW_TO_PUBLISH}`;

const RIGHTS_IN_WORDS: Readonly<Record<Rights, string>> = {
  publish: ', may publish',
  edit: ', may write',
  nothing: '',
  unknown: ', does not say whether we may publish',
};

function lackingRights(site: string, rights: Rights): Problem | undefined {
  switch (rights) {
    case 'edit':
      return {
        code: NO_PUBLISHING,
        message: `site ${site}: the user may edit events, but not publish them: what it changes disappears from the site's pages. ${HOW_TO_PUBLISH}`,
        where: {},
      };
    case 'nothing':
      return {
        code: 'site-no-rights',
        message: `site ${site}: ${NO_RIGHTS}`,
        where: {},
      };
    case 'publish':
    case 'unknown':
      return undefined;
  }
}

function languagesInWords({ config: { languageParameter } }: OpenSite, languages: readonly string[]): string {
  if (languages.length > 0) return `, languages ${languages.join(', ')}`;
  return languageParameter === undefined ? '' : `, declares no parameter ${languageParameter}`;
}
