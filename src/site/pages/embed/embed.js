// Loaded by other sites. Inserts a frame with the calendar where it is placed, if data-query says what to show, and
// makes all of the page's frames with this calendar as high as their contents. Nothing else: no cookies, no requests
// but the frame's own.
(() => {
  const script = document.currentScript;
  if (!script?.src) return;
  const calendar = new URL('embed/', script.src);
  const { query, title } = script.dataset;
  if (query !== undefined) {
    const frame = document.createElement('iframe');
    const address = new URL(calendar);
    address.search = query;
    frame.src = address.href;
    frame.title = title ?? 'Calendar';
    frame.loading = 'lazy';
    frame.style.cssText = 'width:100%;height:600px;border:0';
    script.after(frame);
  }
  const frames = () => [...document.querySelectorAll('iframe')].filter(({ src }) => src.startsWith(calendar.href));
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== calendar.origin || data?.type !== 'calsyncd:size') return;
    const { height } = data;
    if (!Number.isInteger(height) || height < 1 || height > 50_000) return;
    const frame = frames().find(({ contentWindow }) => contentWindow === source);
    if (frame) frame.style.height = `${height}px`;
  });
  // Frames that loaded earlier reported their size before this listened.
  const ask = () => {
    for (const { contentWindow } of frames()) contentWindow?.postMessage({ type: 'calsyncd:ask' }, calendar.origin);
  };
  ask();
  addEventListener('load', ask);
})();
