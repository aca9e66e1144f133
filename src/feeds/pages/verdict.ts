import { html, joinHtml, type Html } from '../../html/template.ts';
import { icon } from '../../look/icons.ts';
import type { PageWords } from '../words/page-words.ts';
import type { Finding } from './self-test.ts';

/** Who can subscribe according to a test: everybody, most, only programs on this computer, or nobody. */
export type Verdict = 'all' | 'most' | 'local' | 'none';

const WORST: readonly Verdict[] = ['none', 'local', 'most'];

const verdictOf = (findings: readonly Finding[]): Verdict =>
  WORST.find((verdict) => findings.some(({ left }) => left === verdict)) ?? 'all';

/** A sentence that says whether it works. What has to be done is shown, what is right is folded. */
export function verdict(words: PageWords, findings: readonly Finding[]): Html {
  const found = verdictOf(findings);
  const [sentence, reason] = words.verdicts[found];
  const isGood = found === 'all';
  const [wrong, right] = [findings.filter(({ left }) => left !== 'all'), findings.filter(({ left }) => left === 'all')];
  return html`<div class="verdict ${isGood ? 'good' : 'bad'}" role="status"><span class="${isGood ? 'ok' : 'no'}">${icon(isGood ? 'ok' : 'no')}</span>
<b>${sentence}</b><span>${reason}</span></div>
${wrong.length > 0 && list(words, wrong)}
${right.length > 0 && html`<details><summary>${words.checksRight(right.length)}</summary>${list(words, right)}</details>`}`;
}

const list = ({ right, wrong }: PageWords, findings: readonly Finding[]): Html =>
  html`<ul class="tests">
${joinHtml(
  findings.map(({ left, text }) => {
    const [sign, word] = left === 'all' ? (['ok', right] as const) : (['no', wrong] as const);
    const verdict = html`<span class="${sign}">${icon(sign)}<span class="vh">${word}:</span></span>`;
    return html`<li>${verdict} <span>${text}</span></li>`;
  }),
  '\n',
)}
</ul>`;
