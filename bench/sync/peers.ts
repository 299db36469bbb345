import { createRequire } from 'node:module';
import { cbc } from '@noble/ciphers/aes.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Contender, Prepared } from '../contender.ts';
import { FIREFOX_SYNC, NOBLE, type RecordsTask } from './task.ts';

/** npm firefox-sync, `bso.js`: CommonJS, over Node's own crypto. */
interface Bso {
  encryptBSO(bundle: RecordsTask['bundle'], payload: object): { readonly payload: string };
  decryptBSO(bundle: RecordsTask['bundle'], bso: { id: string; payload: string }): object;
}
// Not bundled: the bench puts nothing in the place of `crypto`, which this library needs.
export const firefoxSyncBso = createRequire(import.meta.url)('firefox-sync/bso') as Bso;

export const firefoxSync: Contender<RecordsTask> = {
  name: FIREFOX_SYNC,
  kind: 'native',
  prepare: (task) =>
    onEach(
      task,
      ({ bundle }, { payload }) => firefoxSyncBso.encryptBSO(bundle, payload).payload,
      ({ bundle }, { id, encrypted }) =>
        firefoxSyncBso.decryptBSO(bundle, { id, payload: encrypted }),
    ),
};

/** The same steps over two pure libraries, as an application without node:crypto would take them. */
export const noble: Contender<RecordsTask> = {
  name: NOBLE,
  kind: 'pure js',
  prepare: (task) => onEach(task, encrypted, decrypted),
};

type TaskRecord = RecordsTask['records'][number];

/** One record after the other. */
function onEach(
  task: RecordsTask,
  encrypt: (task: RecordsTask, record: TaskRecord) => string,
  decrypt: (task: RecordsTask, record: TaskRecord) => object,
): Prepared {
  const { operation, bundle, records } = task;
  return operation === 'encrypt'
    ? {
        run: () => records.map((record) => encrypt(task, record)),
        bytes: (results) => cleartextOf(bundle, records, results as string[]),
      }
    : { run: () => records.map((record) => decrypt(task, record)), bytes: jsonBytes };
}

function encrypted({ bundle }: RecordsTask, { payload }: TaskRecord): string {
  const iv = crypto.getRandomValues(new Uint8Array(16));
  const clear = new TextEncoder().encode(JSON.stringify(payload));
  const ciphertext = base64(cbc(bundle.encryptionKey, iv).encrypt(clear));
  const tag = hmac(sha256, bundle.hmacKey, new TextEncoder().encode(ciphertext));
  return JSON.stringify({ ciphertext, IV: base64(iv), hmac: hexOf(tag) });
}

function decrypted({ bundle }: RecordsTask, record: TaskRecord): object {
  const members = JSON.parse(record.encrypted) as Record<'ciphertext' | 'IV' | 'hmac', string>;
  const tag = hmac(sha256, bundle.hmacKey, new TextEncoder().encode(members.ciphertext));
  if (hexOf(tag) !== members.hmac) throw new Error('another HMAC');
  const iv = fromBase64(members.IV);
  const clear = cbc(bundle.encryptionKey, iv).decrypt(fromBase64(members.ciphertext));
  const payload = JSON.parse(new TextDecoder().decode(clear)) as { id: string };
  if (payload.id !== record.id) throw new Error('another id');
  return payload;
}

/** What anybody encrypted, as the peer reads it. */
export function cleartextOf(
  bundle: RecordsTask['bundle'],
  records: readonly { readonly id: string }[],
  payloads: readonly string[],
): Uint8Array {
  return jsonBytes(
    payloads.map((payload, i) =>
      firefoxSyncBso.decryptBSO(bundle, { id: records[i]!.id, payload }),
    ),
  );
}

export function jsonBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Node's own Base64 and hexadecimal: what is compared is the cryptography. */
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
