// The console works without this file. It adds live parts, a warning of silence, counts, filters and shortcuts.
const $ = (query, of = document) => of.querySelector(query);
const $$ = (query, of = document) => [...of.querySelectorAll(query)];
const root = document.documentElement;
const { live } = document.body.dataset;

// 1. The last sign of life of the daemon. After 90 s without one, the page says so and turns grey.
const SILENT_MS = 90_000;
const pulse = $('[data-last]');
let last = Date.now() - 1000 * Number(pulse?.dataset.ago ?? 0);
function ago(s) {
  if (s < 60) return `${s} s`;
  return s < 3600 ? `${Math.round(s / 60)} min` : `${Math.round(s / 3600)} h`;
}
const isSilent = () => root.classList.contains('silent');
function beat() {
  if (!live || document.hidden) return;
  const ms = Math.max(0, Date.now() - last);
  if (pulse) pulse.textContent = pulse.dataset.last.replace('%', ago(Math.round(ms / 1000)));
  if (ms > SILENT_MS === isSilent()) return;
  root.classList.toggle('silent');
  const say = $('[data-silence]');
  if (say) say.hidden = !isSilent(); // role=alert: announced once, when it changes
  hush();
}
/** Disables the buttons of forms while the daemon would not answer. */
function hush() {
  for (const button of $$('form[method=post] button, form[method=post] input[type=submit]')) {
    if (isSilent() && !button.disabled) button.dataset.hushed = '';
    else if (isSilent() || !('hushed' in button.dataset)) continue;
    else delete button.dataset.hushed;
    button.disabled = isSilent();
  }
}
setInterval(beat, 1000);
beat();

// 2. Live parts: the server sends finished HTML for an id, never instructions.
const html = window.trustedTypes?.createPolicy('console', { createHTML: (text) => text });
const parsed = (text) =>
  new DOMParser().parseFromString(html ? html.createHTML(text) : text, 'text/html').body.firstElementChild;
let events;
function listen() {
  if (!live || document.hidden || events) return;
  events = new EventSource(live);
  events.addEventListener('beat', ({ data }) => {
    last = Date.now() - 1000 * Number(data);
    beat();
  });
  events.addEventListener('part', ({ data }) => show(data));
  events.addEventListener('superseded', () => {
    $('[data-superseded]')?.removeAttribute('hidden');
    for (const button of $$('[data-decide] button')) button.disabled = true;
  });
  events.addEventListener('error', () => {
    // The connection was refused, and a browser only retries after a lost one.
    if (events?.readyState === EventSource.CLOSED) setTimeout(listen, 10_000, (events = undefined));
  });
}
function isBusyWith(element) {
  const selection = getSelection();
  if (selection?.type === 'Range' && element.contains(selection.anchorNode)) return true;
  if (element.contains(document.activeElement)) return true;
  const fields = $$('textarea, input:not([type=checkbox], [type=radio], [type=hidden])', element);
  return fields.some(({ value, defaultValue }) => value !== defaultValue);
}
/** Keeps what the user has ticked and unfolded. */
function carry(old, next) {
  for (const box of $$('input:checked', old)) {
    const same = $$('input', next).find(({ name, value }) => name === box.name && value === box.value);
    if (same) same.checked = true;
  }
  const [folds, before] = [$$('details', next), $$('details', old)];
  if (folds.length === before.length) for (const [index, fold] of folds.entries()) fold.open = before[index].open;
}
/** Replaces what differs; where the user is busy, only what is beside that. */
function renew(old, next) {
  if (old.isEqualNode(next)) return true;
  if (!isBusyWith(old)) {
    carry(old, next);
    old.replaceWith(document.adoptNode(next));
    return true;
  }
  const [parts, before] = [[...next.children], [...old.children]];
  if (parts.length === before.length && parts.length > 0)
    for (const [index, part] of parts.entries()) renew(before[index], part);
  return false;
}
/** Parts that arrived while the user was busy with them. */
const waiting = new Map();
function show(data) {
  const next = parsed(data);
  const old = next && document.getElementById(next.id);
  if (!old) return;
  const { id } = next;
  if (renew(old, next)) waiting.delete(id);
  else waiting.set(id, data);
  for (const field of $$('[data-filter]')) filter(field);
  count();
  hush();
}
document.addEventListener('focusout', () => setTimeout(() => [...waiting.values()].forEach(show)));
document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    events?.close(); // browsers allow six connections per host
    events = undefined;
  } else {
    last = Math.max(last, Date.now() - SILENT_MS + 10_000);
    listen();
  }
});

// 3. A review counts the ticked events by kind, and sends along the numbers that were seen.
function count() {
  const review = $('[data-review]');
  if (!review) return;
  const boxesOf = (name) => $$(`input[type=checkbox][name="${name}"]`, review);
  for (const at of $$('[data-n]', review)) {
    const boxes = boxesOf(at.dataset.n);
    const on = boxes.filter((box) => box.checked).length;
    if (at.matches('input')) at.value = on;
    else at.textContent = at.dataset.of === undefined || on === boxes.length ? on : `${on} of ${boxes.length}`;
  }
  for (const all of $$('[data-all]', review)) {
    const boxes = boxesOf(all.dataset.all);
    const on = boxes.filter((box) => box.checked).length;
    all.parentNode.hidden = false; // without script it would tick nothing
    all.checked = on > 0;
    all.indeterminate = on > 0 && on < boxes.length;
  }
  const counted = $('[data-counts]', review);
  if (counted)
    counted.value =
      counted.dataset.counts ||
      ['remove', 'move', 'change', 'new'].map((kind) => $$(`input[name=${kind}]:checked`, review).length);
  for (const box of $$('.ev input[type=checkbox]', review)) box.closest('.ev').classList.toggle('out', !box.checked);
}
document.addEventListener('change', ({ target }) => {
  const of = target.dataset.all;
  if (of) for (const box of $$(`[data-review] input[name="${of}"]`)) box.checked = target.checked;
  count();
});
count();

// 4. Filter as you type; the form's GET does the same without script.
function filter({ value, dataset }) {
  const words = value.toLowerCase().split(/\s+/);
  for (const row of $$(dataset.filter)) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }
}
document.addEventListener('input', ({ target }) => target.matches('[data-filter]') && filter(target));

// 5. Copy, close menus that have lost the focus, and prevent double submits.
const isCopied = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is no clipboard API over plain HTTP from another machine, so copy by selecting.
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    const copied = document.execCommand('copy');
    field.remove();
    return copied;
  }
};
// By clicks elsewhere or by keyboard, since a menu must not cover what has the focus.
for (const type of ['click', 'focusin'])
  document.addEventListener(type, ({ target }) => {
    for (const menu of $$('.menu[open]')) if (!menu.contains(target)) menu.open = false;
  });
// A double click submits a form twice, and only the second answer is seen.
const DOUBLE_CLICK_MS = 1000;
const sent = new WeakMap();
document.addEventListener('submit', (event) => {
  const { target, timeStamp } = event;
  if (target.method !== 'post') return;
  if (timeStamp - sent.get(target) < DOUBLE_CLICK_MS) event.preventDefault();
  else sent.set(target, timeStamp);
});
document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copy]');
  if (!button) return;
  const source = $(button.dataset.copy);
  if (await isCopied(source.textContent)) button.textContent = button.dataset.done;
  else {
    // The user can copy the selected text by hand.
    source.hidden = false;
    getSelection().selectAllChildren(source);
  }
  button.focus({ preventScroll: true });
});

// 6. Keyboard shortcuts, unless switched off. None makes a decision without its confirmation step.
const OFF = 'calsyncd-keys-off';
const GO = { t: 'todo', s: 'sources', e: 'events', r: 'runs' };
const stored = (change) => {
  try {
    return change ? change(localStorage) : localStorage.getItem(OFF);
  } catch {
    return null; // the browser denies us storage
  }
};
for (const toggle of $$('[data-keys]')) {
  const say = () => toggle.setAttribute('aria-pressed', String(!stored()));
  toggle.hidden = false;
  toggle.addEventListener('click', () => {
    stored((storage) => (stored() ? storage.removeItem(OFF) : storage.setItem(OFF, 'off')));
    say();
  });
  say();
}
const move = (by) => {
  const rows = $$('[data-row]').filter((row) => row.offsetParent);
  const at = rows.indexOf(document.activeElement);
  rows[at < 0 && by < 0 ? rows.length - 1 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
};
const openStep = (name) => {
  const step = $(`.bar .${name}`);
  if (!step) return;
  step.open = true;
  $('summary', step).focus();
};
const choose = (value) => {
  for (const box of $$(`section:focus-within .pick [value=${value}]`)) box.click();
};
const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  n: () => move(1),
  '/': () => $('[type=search]')?.focus(),
  '?': () => $('[data-go=help]')?.click(),
  a: () => openStep('yes'),
  x: () => openStep('no'),
  1: () => choose('site'),
  2: () => choose('feed'),
};
let isGoing = false;
document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (key === 'Escape') {
    for (const fold of $$('.menu[open], .bar details[open]')) {
      fold.open = false;
      $('summary', fold).focus();
    }
    return;
  }
  const types = target.matches('select, textarea, [contenteditable], input:not([type=checkbox], [type=radio])');
  if (event.ctrlKey || event.metaKey || event.altKey || types || stored()) return;
  const act = isGoing ? GO[key] && (() => $(`a[data-go=${GO[key]}]`)?.click()) : KEYS[key];
  isGoing = !isGoing && key === 'g';
  if (!act) return;
  event.preventDefault();
  act();
});

listen();
