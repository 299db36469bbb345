/* Apps that compile against the types of the package. */

/** A page. */
export const PAGE_APP = `
import { connectSealwright, kintoTransformer, sealedCollection, watchSealwright } from 'sealwright';
import type { Sealwright, SealwrightState } from 'sealwright';
import { openMessage, openRange, openStream, sealMessage, unarmor } from 'sealwright/format';

export async function save(secret: Uint8Array, file: Blob): Promise<Blob> {
  const parts = [
    await sealMessage({ key: secret, keyId: secret, purpose: 'page' }, secret),
    await openMessage({ key: secret, purpose: 'page' }, unarmor('sw1.')),
    await openRange({ key: secret }, file, 0, 9),
  ];
  await fetch('/notes', { method: 'PUT', body: file.stream().pipeThrough(openStream({ key: secret })) });
  return new Blob(parts);
}
export async function start(): Promise<Sealwright> {
  const { sealwright, key } = await connectSealwright({
    purpose: 'Keep your notes private',
    key: { kind: 'sync', collections: ['notes'] },
    capabilities: ['sync'],
  });
  const notes = sealedCollection(sealwright, 'notes', { key });
  const { payload } = await notes.seal({ id: 'n1', payload: { text: 'Meet me' } });
  console.log(payload.length, [kintoTransformer(notes)]);
  const sealed = await sealwright.seal('Hello', { context: 'note 1' });
  window.sealwright?.openBlob(new Blob([sealed]));
  await fetch('/notes', { method: 'PUT', body: await sealwright.seal('Hello') });
  const platform: SubtleCrypto = sealwright.subtle;
  const key2 = await sealwright.subtle.importKey('sealwright', key, 'AES-OCB', false, ['encrypt']);
  const ecb = { name: 'AES-ECB', hazardous: true };
  console.log(platform, await sealwright.subtle.encrypt(ecb, key2, new Uint8Array(16)));
  addEventListener('sealwright:announce', ({ detail }) => console.log(detail.info.rdns));
  return sealwright;
}
watchSealwright({ capabilities: ['seal'] }).subscribe((state: SealwrightState) => {
  if (state.name === 'ready') console.log(state.grants.length);
});
`;

/** Values that may be undefined, as options: with \`exactOptionalPropertyTypes\`; and what is thrown. */
export const EXACT_APP = `
import { connectSealwright, explain, isSealwrightError, watchSealwright } from 'sealwright';
import { createTestSealwright } from 'sealwright/testing';

export interface Wish { signal?: AbortSignal; label?: string; context?: string; maxUses?: number; waitMs?: number }
export async function save({ signal, label, context, maxUses, waitMs }: Wish): Promise<string> {
  const capabilities = ['seal', 'open'] as const;
  const key = { kind: 'sealing', label: label === '' ? undefined : label } as const;
  try {
    const request = { purpose: 'Keep your notes private', capabilities, key, maxUses };
    const { sealwright } = await connectSealwright(request, { signal, waitMs });
    const results = await sealwright.sealMany(['a', 'b'], { signal, context });
    const rows = results.flatMap((one) => (one.ok ? [one.value] : []));
    await sealwright.open(rows[0]!, { context, timeoutMs: maxUses, signal });
    watchSealwright({ capabilities, waitMs });
    await createTestSealwright({ origin: label });
    return await sealwright.sealText('text', { context, pad: maxUses === undefined ? undefined : true });
  } catch (error) {
    if (isSealwrightError(error, 'NOT_GRANTED')) return error.data.capability;
    if (isSealwrightError(error, 'QUOTA')) return String(error.data.retryAfterMs + 1);
    if (isSealwrightError(error, 'NEEDS_KEY')) return error.data.headerKeyId;
    if (isSealwrightError(error, 'ABSENT', 'LOCKED')) return error.code;
    return explain(error);
  }
}
`;

/** With `@types/pouchdb-core`, which does not know the plugin. */
export const POUCH_APP = `
import { pouchTransform, sealedCollection } from 'sealwright';

export function start(remote: PouchDB.Database<{ text: string }>): void {
  pouchTransform(remote, sealedCollection(window.sealwright!, 'notes'));
}
`;

/** As projects for Node have it: without "dom", and with all types checked. */
export const NODE_APP = `
import { sealedCollection } from 'sealwright';
import { createSubtle } from 'sealwright/subtle';
import * as algorithms from 'sealwright/algorithms';
import { openMessage } from 'sealwright/format';
import * as random from 'sealwright/random';
import * as bigint from 'sealwright/bigint';
import * as classical from 'sealwright/classical';
import * as legacy from 'sealwright/legacy';
import * as sharing from 'sealwright/sharing';
import * as errors from 'sealwright/errors';
import * as sync from 'sealwright/sync';
import * as react from 'sealwright/react';
import * as testing from 'sealwright/testing';
import * as adapters from 'sealwright/adapters';

console.log(sealedCollection, createSubtle, algorithms.aesGcm, openMessage, random, bigint);
console.log(classical, legacy, sharing, errors, sync, react, testing, adapters);
`;
