import { configKeys, type ConfigKey } from '../../config/keys/config-keys.ts';
import { html, type Html } from '../../html/template.ts';
import type { Asked, Page } from '../frame/operator.ts';
import { head, linkTo } from '../frame/parts.ts';

/** `/help/keys/`: every key of the configuration file, generated from its declaration. */
export async function keysPage(asked: Asked): Promise<Page> {
  const parts = Map.groupBy(configKeys(), partOf);
  return {
    title: 'Every key of the configuration',
    place: 'help',
    main: html`<p class="crumb"><a href="${linkTo(asked, '/help/')}">Help</a></p>
      ${head(
        'Every key of the configuration',
        'What it is, what it takes, an example, and a common mistake. NAME is a name that you choose.',
      )}
      <div class="cols">
        <div class="stack-5">${[...parts].map(([part, keys]) => section(part, keys))}</div>
        <aside>
          <nav class="box stack" aria-label="On this page">
            <h2>On this page</h2>
            <ul class="stack">
              ${[...parts.keys()].map((part) => html`<li><a href="#${idOf(part)}">${part}</a></li>`)}
            </ul>
          </nav>
        </aside>
      </div>`,
  };
}

/** The keys of a single source or feed form a part of their own. */
const partOf = ({ path }: ConfigKey): string =>
  /^(?:sources|feeds)\.NAME(?=\.)|^sources\.NAME\.set\[\]|^[^.]+/.exec(path)?.[0] ?? path;

const idOf = (name: string): string => name.replaceAll(/[^\w-]+/g, '-');

const section = (part: string, keys: readonly ConfigKey[]): Html =>
  html`<section>
    <h2 id="${idOf(part)}">${part}</h2>
    <dl class="stack">${keys.map(entry)}</dl>
  </section>`;

/** A key that only contains others gets a single line. */
function entry({ path, description, takes, fallback, isRequired, note }: ConfigKey): Html {
  const name = path.split('.').at(-1) ?? path;
  if (!note)
    return html`<div>
      <dt><code>${path}</code></dt>
      <dd>${description}:</dd>
    </div>`;
  return html`<div class="box doc">
    <dt>
      <b><code>${path}</code></b>
    </dt>
    <dd class="stack">
      <p>${description}.</p>
      <p class="small dim">
        Takes ${takes}.
        ${isRequired && 'It has to be there.'}${fallback !== undefined && html`Default: <code>${fallback}</code>.`}
      </p>
      <pre class="code" tabindex="0">${name}: ${note.example}</pre>
      <p class="small">${note.wrong !== undefined && html`Not <code>${name}: ${note.wrong}</code>. `}${note.mind}</p>
    </dd>
  </div>`;
}
