import { openSjclJson, type DeriveSjclKey } from '../crypto/legacy/sjcl-json.ts';
import { nativePbkdf2 } from '../engine/native/kdfs.ts';
import type { Group } from './contract.ts';

const derive: DeriveSjclKey = (password, salt, iterations, lengthBytes) =>
  nativePbkdf2(password, { hash: 'SHA-256', salt, iterations }, lengthBytes);

/** A message of SJCL may demand ten million rounds of PBKDF2 or megabytes of CCM. */
export const operations = (): Group<'sjcl'> => ({
  'sjcl.open': ({ secrets, params }) => openSjclJson(secrets.password, params.text, derive),
});
