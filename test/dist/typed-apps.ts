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
