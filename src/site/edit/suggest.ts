import { createHmac } from 'node:crypto';
import { makeBudget, retryAfter, type Allowance, type Budget } from '../../budget.ts';
import type { Queryable } from '../../db/database.ts';
import { focusFirstInvalid } from '../../html/invalid-fields.ts';
import { html, type Html } from '../../html/template.ts';
import { lookPolicy } from '../../look/policy.ts';
import { isSameSecret } from '../../redact.ts';
import { formSent, isForeign, type Sent } from '../../request-bytes.ts';
import { signingKey } from '../authorize/sessions.ts';
import type { SiteSettings } from '../context.ts';
import { frameOf, htmlDocument } from '../pages/frame/layout.ts';
import { keepSuggestion } from '../store/suggestions.ts';
import { networkOf } from '../throttle.ts';
import { wallFromInstant } from '../../time.ts';
import { faultsIn, valuesSent, NO_VALUES, type EventValues, type Fault, type SkippedTime } from './event-values.ts';
import { editField, editNote, faultInWords } from './form-parts.ts';
import { editWordsIn } from './words/edit-words-in.ts';

export interface SuggestParts {
  readonly db: Queryable;
  readonly settings: SiteSettings;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

type HandleSuggest = (request: Request, peer?: string) => Promise<Response>;

/** The allowance of suggestions from one network, and of all together. */
const OF_ONE: Allowance = { burst: 4, perHour: 6 };
const OF_ALL: Allowance = { burst: 40, perHour: 60 };
const NETWORKS_MAX = 5_000;
/** A form that is filled in sooner was sent by a program; an older one must be opened again. */
const AGE_MS = { min: 3_000, max: 12 * 3_600_000 };
const LONGEST = { title: 200, venue: 200, website: 500, description: 5_000, email: 254 } as const;
/**
 * A character of any script takes up to nine bytes in a form (RFC 3986, section 2.1); the rest is for everything else.
 */
const BYTES_MAX = 9 * Object.values(LONGEST).reduce<number>((sum, length) => sum + length, 0) + 2_000;
/** A field that people do not see. */
const TRAP = 'fax';

/** The contents of a visitor's form. */
interface Typed {
  readonly values: EventValues;
  readonly email: string;
  /** The signed time at which it was first opened; absent for a form that is opened now. */
  readonly opened?: string;
}
type SuggestFault = Fault | SkippedTime | 'noEmail' | 'isOver';
type SuggestFaults = Readonly<Partial<Record<string, SuggestFault>>>;

const NOTHING: Typed = { values: NO_VALUES, email: '' };

/** Serves `/suggest/`, where visitors suggest events. Nothing is published before an editor has decided. */
export function makeSuggest({ db, settings, now }: SuggestParts): HandleSuggest {
  const frame = frameOf(settings);
  const words = editWordsIn(frame.language);
  const spend = allowances(now);
  let key: string | undefined;
  const signing = async (): Promise<string> => (key ??= await signingKey(db));

  return async (request, peer = '') => {
    const url = new URL(request.url);
    if (!/^\/suggest\/?$/.test(url.pathname)) return answered(404, html`<h1>${frame.words.notFound}</h1>`);
    if (request.method === 'POST') return taken(request, networkOf(peer));
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD, POST' } });
    if (url.searchParams.get('said') === 'thanks') return answered(200, thanks());
    return answered(200, await form(NOTHING, {}));
  };

  async function taken(request: Request, network: string): Promise<Response> {
    const { suggest } = words;
    if (isForeign(request, settings.publicUrl)) return answered(403, await form(NOTHING, {}, words.tooOld));
    const sent = await formSent(request, BYTES_MAX);
    if (sent === 'too large') return answered(413, await form(NOTHING, {}, suggest.tooLong));
    let typed = typedIn(sent);
    const again = async (status: number, faults: SuggestFaults, problem?: string, waitMs?: number): Promise<Response> =>
      answered(status, await form(typed, faults, problem), waitMs);
    // Programs that fill in the invisible field are thanked, but nothing is stored.
    if (sent.field(TRAP) !== '') return lead();
    const age = ageOf(await signing(), sent.field('opened'), now());
    if (age === undefined || age > AGE_MS.max) return again(403, {}, suggest.openedLongAgo);
    typed = { ...typed, opened: sent.field('opened') };
    if (age < AGE_MS.min) return again(429, {}, suggest.tooQuick, AGE_MS.min - age);
    const faults = faultsOfTyped(typed, settings.timezone, wallFromInstant(now(), settings.timezone).slice(0, 10));
    if (Object.keys(faults).length > 0) return again(422, faults, words.notTaken);
    const waitMs = spend(network);
    if (waitMs > 0) return again(429, {}, suggest.tooMany, waitMs);
    const { values, email } = typed;
    const { title, allDay, startDay, startTime, endDay, endTime, venue, website, description } = values;
    const fields = { title, allDay, startDay, startTime, endDay, endTime, venue, website, description };
    return (await keepSuggestion(db, { fields, email }, now())) ? lead() : again(503, {}, suggest.tooMany);
  }

  function lead(): Response {
    return new Response(null, { status: 303, headers: { ...HEADERS, Location: `${frame.base}/suggest/?said=thanks` } });
  }

  function thanks(): Html {
    const { suggest } = words;
    return html`<h1>${suggest.thanks}</h1>
<p>${suggest.thanksText}</p>
<p class="row"><a class="btn" href="${frame.base}/suggest/">${suggest.another}</a> <a class="btn quiet" href="${frame.base}/">${frame.words.whatIsOn}</a></p>`;
  }

  async function form(typed: Typed, faults: SuggestFaults, problem?: string): Promise<Html> {
    const { suggest, fields, groups } = words;
    const { values, email } = typed;
    const field = (
      name: 'title' | 'startDay' | 'startTime' | 'endDay' | 'endTime' | 'venue' | 'website' | 'description',
      more: Partial<Parameters<typeof editField>[0]> = {},
    ): Html => editField({ name, label: fields[name], value: values[name], fault: faultWords(faults[name]), ...more });
    return html`<h1>${suggest.title}</h1>
<p>${suggest.about}</p>
${problem !== undefined && editNote(problem, 'bad')}
<form class="form" method="post" action="${frame.base}/suggest/">
<input type="hidden" name="opened" value="${typed.opened ?? openedNow(await signing(), now())}">
${focusFirstInvalid(html`${field('title', { required: true, max: LONGEST.title })}
<fieldset class="card"><legend>${groups.when}</legend>
<label class="chip"><input type="checkbox" name="allDay" value="yes"${values.allDay && html` checked`}>${words.allDay}</label>
<div class="fields">${field('startDay', { type: 'date', required: true })}${field('startTime', { type: 'time' })}
${field('endDay', { type: 'date', hint: words.hints.endDay })}${field('endTime', { type: 'time' })}</div></fieldset>
${field('venue', { max: LONGEST.venue })}
${field('description', { lines: 6, max: LONGEST.description })}
${field('website', { type: 'url', max: LONGEST.website, hint: words.hints.website })}
${editField({
  name: 'email',
  label: suggest.email,
  value: email,
  type: 'email',
  max: LONGEST.email,
  hint: suggest.emailHint,
  autocomplete: 'email',
  fault: faultWords(faults['email']),
})}`)}
<div class="trap" aria-hidden="true"><label for="${TRAP}">Fax</label><input id="${TRAP}" name="${TRAP}" tabindex="-1" autocomplete="off"></div>
<div><button class="btn main">${suggest.send}</button></div>
</form>`;
  }

  function faultWords(fault: SuggestFault | undefined): string | undefined {
    if (fault === undefined) return undefined;
    return fault === 'noEmail' || fault === 'isOver' ? words.suggest[fault] : faultInWords(words, fault);
  }

  function answered(status: number, main: Html, waitMs?: number): Response {
    const shown = { title: words.suggest.title, main: html`<div class="text stack">${main}</div>` };
    return new Response(htmlDocument(frame, shown), {
      status,
      headers: { ...HEADERS, ...(waitMs === undefined ? {} : retryAfter(waitMs)) },
    });
  }
}

// The form contains the time, so a cached one would be too old.
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Type': 'text/html; charset=utf-8',
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy': lookPolicy({ framedBy: "'none'" }),
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

function typedIn(sent: Sent): Typed {
  const values = { ...valuesSent(sent), organizer: '', tags: '', cost: '', language: '', categories: [] };
  const texts = SHOWN.map((name) => [name, visible(values[name])] as const);
  return { values: { ...NO_VALUES, ...values, ...Object.fromEntries(texts) }, email: sent.field('email').trim() };
}

const SHOWN = ['title', 'venue', 'website', 'description'] as const;

/**
 * Removes invisible characters: they can reverse other text, or make an empty title look filled in (UTS #39, section
 * 3.1).
 */
const visible = (text: string): string =>
  text.replace(/[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]|(?!\n)\p{Cc}/gu, '').trim();

const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/;

function faultsOfTyped({ values, email }: Typed, zone: string, today: string): SuggestFaults {
  const tooLong = SHOWN.filter((name) => values[name].length > LONGEST[name]);
  const wrong = faultsIn(values, zone);
  const last = values.endDay === '' ? 'startDay' : 'endDay';
  return {
    ...wrong,
    ...(wrong.startDay === undefined &&
      wrong.endDay === undefined &&
      values[last] < today && { [last]: 'isOver' as const }),
    ...Object.fromEntries(tooLong.map((name) => [name, 'tooLong'])),
    ...(email !== '' && (email.length > LONGEST.email || !EMAIL.test(email)) && { email: 'noEmail' as const }),
  };
}

/**
 * Returns how long a network must wait before its next suggestion (ms), or counts one and returns 0. Each process
 * counts separately.
 */
function allowances(now: () => number): (network: string) => number {
  const all = makeBudget(OF_ALL, now);
  const networks = new Map<string, Budget>();
  return (network) => {
    const own = networks.get(network) ?? makeBudget(OF_ONE, now);
    networks.delete(network);
    networks.set(network, own);
    const [oldest] = networks.keys();
    if (networks.size > NETWORKS_MAX && oldest !== undefined) networks.delete(oldest);
    const waitMs = Math.max(own.waitMs(), all.waitMs());
    if (waitMs > 0) return waitMs;
    own.spend(1);
    all.spend(1);
    return 0;
  };
}

const sealOf = (key: string, at: string): string =>
  createHmac('sha256', key).update(`suggest ${at}`).digest('base64url');

/** The signed time at which a form was opened. */
const openedNow = (key: string, now: number): string => `${now}.${sealOf(key, String(now))}`;

/** How long ago a form was opened; undefined if it is not one of ours. */
function ageOf(key: string, opened: string, now: number): number | undefined {
  const [at = '', seal = ''] = opened.split('.');
  return isSameSecret(seal, sealOf(key, at)) ? now - Number(at) : undefined;
}
