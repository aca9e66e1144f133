import { inQuotes } from '../../look/words/in-quotes.ts';
import { columnsPath } from './columns.ts';
import { messageHtml } from './message-html.ts';
import { countInWords, grouped } from '../../count-in-words.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { SourceFacts, SourceState, StateWord } from '../../run/watch/source-state.ts';
import { NOTE_MAX, type SourceNote } from '../../run/watch/notes.ts';
import { momentInWords, prepositionOf } from '../../run/watch/moments.ts';
import { reasonOf, stateInWords, WHO_WORDS, whoMustAct } from '../../run/watch/state-in-words.ts';
import { banner, button, form, linkTo, mayChange, type Tone } from '../frame/parts.ts';
import { icon } from '../frame/sprite.ts';
import { ago, moment } from '../frame/times.ts';
import type { Asked } from '../frame/operator.ts';
import { conflictsPath, runPath, sourcePath } from './paths.ts';

/** What the head of a source's page is built from. */
export interface SourceHead {
  readonly facts: SourceFacts;
  readonly state: SourceState;
  readonly asked: Asked;
  readonly zone: string;
}

type Say = (of: SourceHead) => Html;

const coming = ({ facts }: SourceHead): string => countInWords(facts.coming, 'coming event');
const at = (instant: number | null, { zone, asked }: SourceHead): HtmlPart =>
  instant !== null && html`<b>${moment(instant, zone, asked.now)}</b>`;
/** A future moment, worded for the middle of a sentence. */
const comingAt = (instant: number, of: SourceHead): Html =>
  html`${prepositionOf(momentInWords(instant, of.asked.now, of.zone))}${at(instant, of)}`;
const next = (of: SourceHead): HtmlPart =>
  of.state.next !== null && html` It is read again ${comingAt(of.state.next, of)}.`;
const stays = (of: SourceHead): string => {
  if (of.facts.kept === 0) return 'Nothing of it is on the site yet.';
  return of.facts.coming === 1
    ? 'Its one coming event stays on the site as it was then.'
    : `Its ${of.facts.coming} coming events stay on the site as they were then.`;
};
const plain: Say = ({ facts, state, asked, zone }) => {
  const { who, text } = stateInWords(facts, state, { now: asked.now, zone });
  return html`${who !== null && html`<b>${who}</b> `}${messageHtml(asked, text, facts.site)}`;
};

const missing = ({ facts }: SourceHead): HtmlPart =>
  facts.missing > 0 &&
  html` ${grouped(facts.missing)} of them ${facts.missing === 1 ? 'is' : 'are'} missing from the feed.`;

const SAYS: Readonly<Record<StateWord, Say>> = {
  well: (of) =>
    html`Read well ${of.facts.goodAt !== null && ago(of.facts.goodAt, of.zone, of.asked.now)}: ${coming(of)} of it
    ${of.facts.coming === 1 ? 'is' : 'are'} on the site.${missing(of)}${next(of)}`,
  failing: (of) => {
    const { failures } = of.facts;
    return html`Failing since ${at(failures?.since ?? null, of)}: ${failures ? reasonOf(failures) : ''}.
    ${stays(of)}${of.state.next !== null && html` We try again ${comingAt(of.state.next, of)}.`}`;
  },
  held: (of) =>
    html`A plan has been waiting since ${at(of.facts.held?.since ?? null, of)}. Nothing of it is written until you say
    so.${next(of)}`,
  late: (of) => html`${plain(of)} ${stays(of)}`,
  stale: (of) => html`${plain(of)}${next(of)}`,
  new: plain,
  paused: (of) => html`Paused. ${plain(of)} ${stays(of)}`,
};

/** The source's state in one or two sentences. */
export const stateSentence = (of: SourceHead): Html => html`<p class="say">${SAYS[of.state.word](of)}</p>`;

interface Turn {
  readonly tone: Tone;
  readonly text: HtmlPart;
  readonly ways: HtmlPart;
}

const link = (asked: Asked, path: string, text: string, isMain = true): Html =>
  html`<a class="btn ${isMain ? 'go' : 'bare'}" href="${linkTo(asked, path)}">${text}</a>`;

const TURNS: Readonly<Partial<Record<StateWord, (of: SourceHead) => Turn>>> = {
  held: ({ facts, asked }) => ({
    tone: 'info',
    text: messageHtml(asked, facts.held?.why ?? '', facts.site),
    ways: facts.held && link(asked, runPath(facts.held.run), 'Review'),
  }),
  failing: ({ facts, state, asked }) => ({
    tone: state.mustAct === 'nobody' ? 'warn' : 'bad',
    text: messageHtml(asked, facts.failures?.message ?? '', facts.site),
    ways: [
      ...waysOut(facts, state, asked),
      facts.failures && link(asked, runPath(facts.failures.run), 'The last run', false),
    ],
  }),
};

const FOR_ADMINISTRATORS = 'An administrator can change its rules and settings.';

function waysOut(facts: SourceFacts, { mustAct }: SourceState, asked: Asked): readonly HtmlPart[] {
  if (mustAct === 'publisher') return [link(asked, sourcePath(facts.source, 'report'), 'Write to them')];
  if (mustAct === 'you' && !mayChange(asked)) return [FOR_ADMINISTRATORS];
  if (facts.failures?.code === 'column-gone') return [link(asked, columnsPath(facts.source), 'Choose the column')];
  if (facts.failures?.code === 'rules-too-slow')
    return [link(asked, sourcePath(facts.source, 'rules'), 'Change the rules')];
  return mustAct === 'you' ? [link(asked, sourcePath(facts.source, 'settings'), 'Settings')] : [];
}

/** Who must act, and how; if nobody must, the banner about conflicts, if there are any. */
export function mustActBanner(of: SourceHead): Html | false {
  // A held plan waits even while its source is paused.
  const isHeld = of.facts.held !== null;
  const turn = TURNS[isHeld ? 'held' : of.state.word]?.(of);
  if (!turn) return conflictBanner(of);
  const who = isHeld ? `${WHO_WORDS.you} must decide` : whoMustAct(of.state.mustAct);
  return html`${banner(
    turn.tone,
    html`<p><b>${who}.</b> ${turn.text}</p>
      <p class="row">${turn.ways}</p>`,
  )}${conflictBanner(of)}`;
}

/** A banner asking for the columns of a table to be chosen, if that is the only reason why it gives no events. */
export const columnsBanner = ({ facts, asked }: SourceHead, why: string | undefined): Html | false =>
  why !== undefined &&
  facts.failures === null &&
  banner(
    'warn',
    html`<p>
        <b>${WHO_WORDS.you} must act:</b> say which column holds what. Until then no row of the table can be read.
      </p>
      <p class="row">
        ${mayChange(asked) ? link(asked, columnsPath(facts.source), 'Choose the columns') : FOR_ADMINISTRATORS}
      </p>`,
  );

const conflictBanner = ({ facts, asked }: SourceHead): Html | false =>
  facts.conflicts > 0 &&
  banner(
    'info',
    html`<p>
        <b>You must decide.</b> ${countInWords(facts.conflicts, 'event was', 'events were')} changed here and in the
        feed. The site shows what was typed here until then.
      </p>
      <p class="row">${link(asked, conflictsPath(facts.source), 'Settle')}</p>`,
  );

/** The note about the source, editable in place. */
export function noteBox(note: SourceNote | undefined, asked: Asked): Html {
  const field = html`<label class="field" for="note">What to do when it fails, and whom to ask</label
    ><textarea id="note" name="note" rows="3" maxlength="${NOTE_MAX}">${note?.text}</textarea>
    <p>${button('note', 'Keep')}</p>`;
  const shown = note
    ? html`<b>What to do when it fails</b> (by ${note.by}): ${inQuotes(note.text)} <u>Change</u>`
    : html`<u>Write down what to do when it fails</u>`;
  return html`<details class="small">
    <summary>${icon('pin')} ${shown}</summary>
    ${form(asked, field, { kind: 'stack' })}
  </details>`;
}
