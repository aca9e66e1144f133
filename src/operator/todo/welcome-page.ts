import { safeLink } from '../../html/link.ts';
import { html, type Html } from '../../html/template.ts';
import { linkTo, mayChange } from '../frame/parts.ts';
import type { Asked } from '../frame/operator.ts';
import { icon, sign } from '../frame/sprite.ts';

/** The start page while no source is configured. */
export function welcomeMain(asked: Asked): Html {
  const { operator } = asked;
  if (!mayChange(asked))
    return html`<div class="narrow">
      <h1>Your calendar is empty</h1>
      <p class="say">It has no source yet. An administrator adds the first one; you then see here what it needs.</p>
    </div>`;
  const sites = operator.sites();
  const site = sites.map(
    ({ name, home, isBuiltin }) =>
      html`<p class="dim">
        ${isBuiltin ? operator.config().builtin.title : name} ${safeLink({ href: home }, html`See it ${icon('open')}`)}
      </p>`,
  );
  return html`<div class="narrow stack-5">
    <div>
      <h1>Your calendar is empty. Which calendar is to be in it?</h1>
      <p class="say">Paste an address. You see the result before anything appears on the site.</p>
    </div>
    <form class="box stack" action="${linkTo(asked, '/add/')}">
      <label class="field" for="w">Address of a calendar, a table, or any web page</label>
      <div class="row">
        <input
          id="w"
          class="wide-in"
          name="url"
          type="text"
          inputmode="url"
          placeholder="https://library.example/events"
          autocomplete="off"
          required
        /><button class="go">Look</button>
      </div>
      <p class="small dim">
        iCalendar (.ics, webcal), CSV, a published Google sheet, or the page where the events are listed.
      </p>
    </form>
    <div class="half">
      <div class="answer">
        <h2>I have a file</h2>
        <p>An .ics or .csv from your computer, read once or put here again when it changes.</p>
        <div><a class="btn" href="${linkTo(asked, '/add/')}">Choose a file</a></div>
      </div>
      <div class="answer">
        <h2>I write the file</h2>
        <p>The console watches <code>${operator.config().file}</code> and shows its problems beside the lines.</p>
        <div><a class="btn" href="${linkTo(asked, '/settings/')}">Show the file</a></div>
      </div>
    </div>
    <ol class="steps">
      <li>
        ${sign('well')}
        <h2>The database is there</h2>
      </li>
      <li>
        ${sign('well')}
        <h2>${sites.length === 1 ? 'The site is configured' : 'The sites are configured'}</h2>
        ${site}
      </li>
      <li>
        ${sign('new')}
        <h2 class="todo">A first source</h2>
        <p class="dim">You are here.</p>
      </li>
    </ol>
  </div>`;
}
