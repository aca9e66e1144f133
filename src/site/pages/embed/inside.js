// In the frame: tells the page around it how high the list is, at each change and when asked. The height is no secret,
// and the page around may be anybody's.
const tell = () => {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
  parent.postMessage({ type: 'calsyncd:size', height }, '*');
};
if (parent !== window) {
  new ResizeObserver(tell).observe(document.documentElement);
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data?.type === 'calsyncd:ask') tell();
  });
}
