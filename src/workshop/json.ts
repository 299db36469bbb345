import { openSjclJson, type DeriveSjclKey } from '../crypto/legacy/sjcl-json.ts';
import { nativePbkdf2 } from '../engine/native/kdfs.ts';
import type { LoadWasm } from '../engine/wasm/loader.ts';
import { isLegacyAccount } from '../sync/legacy/account.ts';
import type { Group } from './contract.ts';

const derive: DeriveSjclKey = (password, salt, iterations, lengthBytes) =>
  nativePbkdf2(password, { hash: 'SHA-256', salt, iterations }, lengthBytes);

/** Of PBKDF2 (RFC 2898, section 4.2). */
const RECOMMENDED_ITERATIONS = 1000;

/** Files of other tools that are JSON. One of SJCL may demand ten million rounds of PBKDF2 or megabytes of CCM. */
export const operations = (loadWasm: LoadWasm): Group<'json'> => ({
  async 'json.open'({ secrets: { passphrase, seed }, params: { text } }) {
    if (isLegacyAccount(text)) {
      const { openAccount } = await import(/* webpackChunkName: 'workshop-weave' */ './weave.ts');
      const contents = await openAccount(text, { passphrase, seed }, loadWasm);
      // Version 1 authenticates nothing, version 3 not the IV.
      return { format: 'weave', contents, trust: 'forgeable' };
    }
    const opened = await openSjclJson(passphrase, text, derive);
    const isWeak = opened.iterations < RECOMMENDED_ITERATIONS;
    const trust = !opened.authenticated ? 'forgeable' : isWeak ? 'weak' : 'whole';
    return { format: 'sjcl', contents: opened.plaintext, trust };
  },
});
