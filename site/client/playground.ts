/* The page that runs the library on what its reader types. */
import { explain, isSealwrightError, watchSealwright } from '../../src/client/library.ts';
import type { Sealwright } from '../../src/client/library.ts';
import { armor, inspect, openMessage, sealMessage, unarmor } from '../../src/library/format.ts';
import { AEADS, createSubtle } from '../../src/library/subtle.ts';
import type { AeadName, SubtleKey } from '../../src/library/subtle.ts';

/** Wherever the algorithm allows it. */
const USUAL_NONCE_BYTES = 12;

const form = (name: string) => document.querySelector<HTMLFormElement>(`#${name}`)!;
const field = (name: string, of: string) =>
  form(name).elements.namedItem(of) as HTMLInputElement | HTMLTextAreaElement;
const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array) =>
  Array.from(bytes, (one) => one.toString(16).padStart(2, '0')).join('');

/** Those of the message format, in the words of a reader. */
const REASONS: Readonly<Record<string, string>> = {
  AUTH_FAILED: 'It does not open: it was changed, or sealed with another key or another context.',
  BAD_ENVELOPE: 'This is not a sealed message. One begins with “sw1.” or “swt1”.',
};

/** Runs the work at each submission, and shows what it returns or why it failed. */
function onSubmit(name: string, outcome: string, work: (button: string) => Promise<string>): void {
  const output = document.querySelector<HTMLOutputElement>(`#${outcome}`)!;
  form(name).addEventListener('submit', (event) => {
    event.preventDefault();
    const button = (event.submitter as HTMLButtonElement | null)?.value ?? '';
    void work(button).then(
      (text) => {
        output.removeAttribute('data-is-error');
        output.textContent = text;
      },
      (error: unknown) => {
        const { code = '', message } = error as Error & { code?: string };
        output.setAttribute('data-is-error', '');
        // The extension's errors have sentences for users, and the code that an app would look at.
        const isOfExtension = isSealwrightError(error);
        output.textContent = isOfExtension
          ? `${code}: ${explain(error)}`
          : (REASONS[code] ?? message);
      },
    );
  });
}

const [key, keyId] = [32, 16].map((bytes) => crypto.getRandomValues(new Uint8Array(bytes)));
const contextOf = (name: string) => utf8(field(name, 'context').value);

onSubmit('seal', 'open-outcome', async () => {
  const options = {
    purpose: 'page',
    key: key!,
    keyId: keyId!,
    associatedData: contextOf('seal'),
  } as const;
  field('open', 'sealed').value = armor(
    await sealMessage(options, utf8(field('seal', 'text').value)),
  );
  return 'Sealed. Open it, or change something first.';
});

onSubmit('open', 'open-outcome', async (button) => {
  const sealed = unarmor(field('open', 'sealed').value.trim());
  if (button === 'inspect') {
    const { version, purpose, suite, plaintextBytes, recipients } = inspect(sealed);
    const length = plaintextBytes === null ? 'unknown' : `${plaintextBytes} bytes`;
    return `Version ${version}, suite ${suite}, purpose ${purpose}, text of ${length}, recipients: ${recipients}.`;
  }
  const options = { purpose: 'page', key: key!, associatedData: contextOf('open') } as const;
  return new TextDecoder().decode(await openMessage(options, sealed));
});

onSubmit('encrypt', 'encrypt-outcome', async () => {
  const [text, name] = [field('encrypt', 'text').value, field('encrypt', 'algorithm').value];
  const subtle = await createSubtle();
  const usages = ['encrypt', 'decrypt'] as const;
  const secret = (await subtle.generateKey({ name, length: 256 }, false, usages)) as SubtleKey;
  const sizes = name === 'AES-SIV' ? undefined : AEADS[name as AeadName].nonceBytes;
  const bytes = sizes ? Math.min(Math.max(USUAL_NONCE_BYTES, sizes.min), sizes.max) : 0;
  const iv = crypto.getRandomValues(new Uint8Array(bytes));
  const params = sizes ? { name, iv } : { name };
  const encrypted = new Uint8Array(await subtle.encrypt(params, secret, utf8(text)));
  const opened = new TextDecoder().decode(await subtle.decrypt(params, secret, encrypted));
  const nonce = sizes ? `nonce ${hex(iv)}` : 'no nonce';
  return `${hex(encrypted)} (${nonce}, ${subtle.engineFor(name, text.length)}; decrypted: ${opened})`;
});

onSubmit('hash', 'hash-outcome', async () => {
  const [text, algorithm] = [field('hash', 'text').value, field('hash', 'algorithm').value];
  const subtle = await createSubtle();
  const digest = new Uint8Array(await subtle.digest(algorithm, utf8(text)));
  return `${hex(digest)} (${subtle.engineFor(algorithm, text.length)})`;
});

const state = document.querySelector('#extension-state')!;
let extension: Sealwright | undefined;
watchSealwright({ capabilities: ['seal', 'open'] }).subscribe((now) => {
  state.textContent = explain(now.name);
  extension = 'sealwright' in now ? now.sealwright : undefined;
  form('page-api').hidden = extension === undefined;
});

onSubmit('page-api', 'page-api-outcome', async (button) => {
  const [text, context] = [field('page-api', 'text'), field('page-api', 'context').value];
  switch (button) {
    case 'connect': {
      const purpose = 'Try Sealwright in the playground.';
      const grants = await extension!.connect({ purpose, capabilities: ['seal', 'open'] });
      return `Connected, with ${grants.length === 1 ? 'one grant' : `${grants.length} grants`}.`;
    }
    case 'seal':
      text.value = await extension!.sealText(text.value, { context });
      return 'Sealed, with a key that this page has never seen.';
    default:
      text.value = await extension!.openText(text.value.trim(), { context });
      return 'Opened.';
  }
});
