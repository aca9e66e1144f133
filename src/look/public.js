// The whole site works without this file. It copies, shares, shows when the visitor is offline, prevents double
// submits, and counts.
const all = (what, then) => document.querySelectorAll(what).forEach(then);

// Copies a field or a text. The messages are in the page, so this file is the same in every language.
all('button[data-copy], button[data-copy-text]', (button) => {
  const { copy, copyText, done, byHand } = button.dataset;
  const field = document.getElementById(copy);
  const status = document.getElementById(`${copy}-status`) ?? button.lastChild;
  const before = status.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    field?.select();
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(field?.value ?? copyText);
    } catch {
      isCopied = document.execCommand('copy');
    }
    status.textContent = isCopied ? done : byHand;
    setTimeout(() => (status.textContent = before), 5000);
  });
});

if (navigator.share)
  all('button[data-share]', (button) => {
    button.hidden = false;
    button.addEventListener('click', () =>
      navigator.share({ title: document.title, url: location.href }).catch(() => undefined),
    );
  });

const banner = document.getElementById('offline');
for (const type of ['online', 'offline']) addEventListener(type, () => (banner.hidden = navigator.onLine));

// A double click submits a form twice, and only the second answer is seen.
const DOUBLE_CLICK_MS = 1000;
const sent = new WeakMap();
document.addEventListener('submit', (event) => {
  const { target, timeStamp } = event;
  if (target.method !== 'post') return;
  if (timeStamp - sent.get(target) < DOUBLE_CLICK_MS) event.preventDefault();
  else sent.set(target, timeStamp);
});

// Choices of the list apply immediately when clicked or touched; some are outside the form. With the keyboard, a date
// is valid from the first digit of its year and a menu changes with every arrow, so the button applies the choice.
const filter = document.getElementById('filter');
if (filter) {
  let isPointed = false;
  for (const type of ['pointerdown', 'keydown'])
    document.addEventListener(type, () => (isPointed = type === 'pointerdown'), true);
  document.addEventListener('change', ({ target }) => {
    if (isPointed && target.form === filter && target.name && target.type !== 'search') filter.requestSubmit();
  });
}

// The builder requests only the number, a few hundred octets.
const live = document.querySelector('[data-live]');
const builder = document.getElementById('build');
let timer;
if (live && builder)
  builder.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      // Without an answer, the button still shows it.
      const chosen = [...new FormData(builder)].filter(([, value]) => value !== '');
      const query = new URLSearchParams(chosen);
      const address = document.getElementById('live-address');
      if (address) address.value = address.value.replace(/\?.*|$/, `?${query}`).replace(/\?$/, '');
      const answer = await fetch(`${live.dataset.live}&${query}`).catch(() => undefined);
      if (answer?.ok) live.querySelector('.count').textContent = (await answer.text()).trim();
    }, 300);
  });
