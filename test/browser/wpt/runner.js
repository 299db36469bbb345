/*
 * Runs one file of the web-platform-tests in this page, with the browser's `crypto.subtle` or, if
 * the address says `?sealwright`, with ours in its place. Served as /runner.js.
 */
/* global add_completion_callback, document, Event, location, sealwright, setup, URLSearchParams */

/** These derive for longer than one site may at a stretch. */
const CHARGED = ['deriveBits', 'deriveKey', 'generateKey'];

/** Calls again while a site's effort is spent (docs/subtle.md, "Bounds"). */
async function patiently(call) {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!String(error.message).startsWith('QUOTA:')) throw error;
      await new Promise((resume) => setTimeout(resume, 500));
    }
  }
}

function patientSubtle(subtle) {
  return new Proxy(subtle, {
    get(target, name) {
      const method = target[name];
      if (typeof method !== 'function') return method;
      const call = (...args) => method.apply(target, args);
      return CHARGED.includes(name) ? (...args) => patiently(() => call(...args)) : call;
    },
  });
}

async function replaceSubtle() {
  const subtle = patientSubtle(sealwright.subtle);
  const key = await subtle.importKey('raw', new Uint8Array(1), 'HKDF', false, ['deriveBits']);
  Object.defineProperty(globalThis, 'CryptoKey', { value: key.constructor });
  Object.defineProperty(globalThis.crypto, 'subtle', { value: subtle });
  // The draft's static method is one of ours of the object.
  const SubtleCrypto = { supports: (...args) => subtle.supports(...args) };
  Object.defineProperty(globalThis, 'SubtleCrypto', { value: SubtleCrypto });
}

function load(src) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${src} did not load`));
    document.head.append(script);
  });
}

function report(tests, { status, message }) {
  globalThis.wptReport = {
    status,
    message,
    tests: tests.map(({ name, status: outcome, message: why }) => [name, outcome, why]),
  };
}

async function main() {
  const { scripts } = document.documentElement.dataset;
  if (new URLSearchParams(location.search).has('sealwright')) await replaceSubtle();
  await load('/resources/testharness.js');
  // The browser's test decides how long a file may take.
  setup({ explicit_timeout: true, output: false });
  add_completion_callback(report);
  for (const src of scripts.split(' ')) await load(src);
  // The harness begins to finish at the load event, which this page has had already.
  globalThis.dispatchEvent(new Event('load'));
}

globalThis.addEventListener(
  'load',
  () =>
    main().catch((error) => {
      globalThis.wptReport = { status: 1, message: String(error), tests: [] };
    }),
  { once: true },
);
