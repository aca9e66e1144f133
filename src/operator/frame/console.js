// The console works without this file. It adds: keys, counts in the foot bar, live parts, honest silence.
const $ = (q, of = document) => of.querySelector(q);
const $$ = (q, of = document) => [...of.querySelectorAll(q)];
const root = document.documentElement;

// 1. The daemon's last word. Without one for 90 s the page says so and turns grey.
const live = document.body.dataset.live;
const pulse = $('[data-last]');
let last = Date.now() - 1000 * Number(pulse?.dataset.ago ?? 0);
function ago(s) {
  if (s < 60) return `${s} s`;
  return s < 3600 ? `${Math.round(s / 60)} min` : `${Math.round(s / 3600)} h`;
}
function beat() {
  if (!pulse || !live) return;
  const s = Math.max(0, Math.round((Date.now() - last) / 1000));
  pulse.textContent = pulse.dataset.last.replace('%', ago(s));
  const silent = s > 90;
  if (silent !== root.classList.contains('silent')) {
    root.classList.toggle('silent', silent);
    const say = $('[data-silence]');
    if (say) say.hidden = !silent; // role=alert: told once, when it changes
    for (const button of $$('form[method=post] button:not([data-off])')) button.disabled = silent;
  }
}
setInterval(beat, 1000);
beat();

// 2. Live parts: the server sends finished HTML for an id, never instructions.
if (live && window.EventSource) {
  const events = new EventSource(live);
  events.addEventListener('beat', () => {
    last = Date.now();
    beat();
  });
  events.addEventListener('part', ({ data }) => {
    last = Date.now();
    const next = new DOMParser().parseFromString(data, 'text/html').body.firstElementChild;
    const old = next && document.getElementById(next.id);
    if (old && !old.contains(document.activeElement)) old.replaceWith(document.adoptNode(next));
  });
  events.addEventListener('superseded', () => {
    $('[data-superseded]')?.removeAttribute('hidden');
    $$('[data-decide] button').forEach((button) => {
      button.disabled = true;
      button.dataset.off = '';
    });
  });
}

// 3. A review counts what is ticked, by kind.
const review = $('[data-review]');
function count() {
  for (const at of $$('[data-n]', review)) {
    const boxes = $$(`input[name="${at.dataset.n}"]`, review);
    const on = boxes.filter((box) => box.checked).length;
    at.textContent = at.dataset.of === undefined || on === boxes.length ? String(on) : `${on} of ${boxes.length}`;
  }
  for (const all of $$('[data-all]', review)) {
    const boxes = $$(`input[name="${all.dataset.all}"]`, review);
    const on = boxes.filter((box) => box.checked).length;
    all.checked = on > 0;
    all.indeterminate = on > 0 && on < boxes.length;
  }
  for (const box of $$('.ev input[type=checkbox]', review)) box.closest('.ev').classList.toggle('out', !box.checked);
}
review?.addEventListener('change', ({ target }) => {
  if (target.dataset.all)
    for (const box of $$(`input[name="${target.dataset.all}"]`, review)) box.checked = target.checked;
  count();
});
if (review) count();

// 4. Filter as you type; the form's GET does the same without script.
$('[data-filter]')?.addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\s+/);
  for (const row of $$(target.dataset.filter))
    row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
});

// 5. Copy, and close menus by Escape or by a click elsewhere.
document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copy]');
  if (button) {
    await navigator.clipboard.writeText($(button.dataset.copy).textContent);
    button.textContent = button.dataset.done;
  }
  for (const menu of $$('.menu[open]')) if (!menu.contains(target)) menu.open = false;
});

// 6. Keys. Never a decision without its own confirm step.
const GO = { t: 'todo', s: 'sources', e: 'events', r: 'runs' };
let waitsFor = '';
const rows = () => $$('[data-row]').filter((row) => row.offsetParent);
function move(by) {
  const all = rows();
  all[Math.min(all.length - 1, Math.max(0, all.indexOf(document.activeElement) + by))]?.focus();
}
function decide(name) {
  const step = $(`.bar .${name}`);
  if (!step) return;
  step.open = true;
  $('summary', step).focus();
}
function choose(side) {
  for (const box of $$(`section:has(:focus) [value=${side}]`)) box.checked = true;
}
const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  '/': (event) => {
    event.preventDefault();
    $('[type=search]')?.focus();
  },
  '?': () => $('a[data-go="help"]')?.click(),
  1: () => choose('site'),
  2: () => choose('feed'),
  a: () => decide('yes'),
  x: () => decide('no'),
};
const isTyping = ({ target }) =>
  /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== 'checkbox' && target.type !== 'radio';
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape')
    for (const open of $$('.menu[open],.bar details[open]')) {
      open.open = false;
      $('summary', open).focus();
    }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  if (waitsFor === 'g') $(`a[data-go="${GO[event.key]}"]`)?.click();
  else KEYS[event.key]?.(event);
  waitsFor = event.key;
});
