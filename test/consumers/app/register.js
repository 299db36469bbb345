/* A page whose service worker checks. `?type=module` and `?wasm` say which, and where its modules are. */
const { searchParams } = new URL(location.href);
const wasm = searchParams.get('wasm');

async function inServiceWorker() {
  const { serviceWorker } = navigator;
  const answer = new Promise((resolve) => {
    serviceWorker.addEventListener('message', ({ data }) => resolve(data), { once: true });
  });
  const script = `service-worker.js${wasm ? `?wasm=${wasm}` : ''}`;
  await serviceWorker.register(script, { type: searchParams.get('type') ?? 'classic' });
  const { active } = await serviceWorker.ready;
  serviceWorker.startMessages();
  active.postMessage('check');
  return { 'service worker': await answer };
}

inServiceWorker().then(
  (found) => (globalThis.report = found),
  (error) => (globalThis.report = { error: String(error) }),
);
