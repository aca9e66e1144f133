import { rawAt, rawIn } from '../../config/splice/raw.ts';
import { namesIn } from '../../config/environment.ts';
import { html } from '../../html/template.ts';
import { isOpenAddress } from '../../run/fetch/public-address.ts';
import { crumbs, head, linkTo, mayChange } from '../frame/parts.ts';
import type { Answer, Asked, Route } from '../frame/operator.ts';
import { sourcePath } from './paths.ts';
import { unknownSource } from './source-page.ts';
import { isOnWeb, feedOrigin } from './sources-page.ts';

/** Redirects to the feed itself, as its publisher serves it; never reveals an address that holds a secret. */
async function openFeed(asked: Asked): Promise<Answer> {
  const { operator, params } = asked;
  const name = params['source'] ?? '';
  const config = operator.config().sources.find((source) => source.name === name);
  if (!config) return { title: name, place: 'sources', status: 404, main: unknownSource(name, asked) };
  const { url } = config;
  if (isOnWeb(config) && isOpenAddress(url) && !(await isFromEnvironment(asked, name)))
    return new Response(null, { status: 303, headers: { Location: url, 'Cache-Control': 'no-store' } });
  const why = isOnWeb(config)
    ? `Its address at ${feedOrigin(config)} seems to hold what only calsyncd should know.`
    : `It is the file ${feedOrigin(config)} on the machine of calsyncd.`;
  const main = html`${crumbs(asked, [
      ['/sources/', 'Sources'],
      [sourcePath(name), name],
    ])}${head(`The feed of ${name} is not opened from here`, why)}
    <p>
      What was read of it last is on <a href="${linkTo(asked, sourcePath(name))}">its page</a>${
        mayChange(asked) &&
        html`, its address in <a href="${linkTo(asked, sourcePath(name, 'settings'))}">its settings</a>`
      }.
    </p>`;
  return { title: `The feed of ${name}`, place: 'sources', main };
}

/** Whether the file takes part of the address from an environment variable, where secrets are kept. */
async function isFromEnvironment({ operator }: Asked, name: string): Promise<boolean> {
  const { text } = await operator.configFile.read();
  const written = rawAt(rawIn(text), ['sources', name, 'url']);
  // If the file cannot be parsed, assume that it does.
  return typeof written !== 'string' || namesIn(written).length > 0;
}

export const feedRoute: Route = { path: '/sources/:source/feed/', show: openFeed };
