import type { World } from './client-samples.ts';

/* What each sample of docs/reference.md is given and what has to become true, in their order: see client-samples.ts. */

const APP = `const [grant] = await sealwright.connect({
  purpose: 'Try it.', capabilities: ['seal', 'open', 'mac', 'blindIndex'],
}); Object.assign(globalThis, { grant });`;
const NAMED = `const [grant] = await sealwright.connect({
  purpose: 'Try it.', key: { kind: 'sealing', label: 'Letters' }, capabilities: ['seal', 'open'],
}); Object.assign(globalThis, { grant });`;
const SYNC = `await sealwright.connect({
  purpose: 'Try it.', key: { kind: 'sync', collections: ['notes'] }, capabilities: ['sync'],
});`;
const LETTER = `Object.assign(globalThis, { file: new File(['Dear …'], 'letter.txt'), bar: {} });`;
/** What a server gives: the letter, sealed. */
const SEALED_LETTER = `const sealed = await sealwright.sealBlob(new Blob(['Dear …']), { context: 'letter.txt' });
  globalThis.fetch = async () => new Response(sealed);`;
const KEPT = `const kept = [];
  const writable = new WritableStream({ write: (piece) => void kept.push(piece) });
  Object.assign(globalThis, { kept, writable });`;
/**
 * Keys of Firefox Sync are imported by the user, which the extension in memory has no window for: these two samples reach
 * no further than their call. test/browser/api/sync.test.ts has the methods.
 */
const FIREFOX_SYNC = `uninstall();
  const record = { id: 'keys', payload: '{}' };
  const said = (name) => async (...words) => (note(name, ...words), record);
  Object.assign(globalThis, {
    sealwright: { sync: { loadCollectionKeys: said('load'), createCollectionKeys: said('create') } },
    fetch: async (...words) => (note('fetch', ...words), Response.json(record)),
  });`;

export const REFERENCE_WORLDS: readonly World[] = [
  { given: `globalThis.start = note;`, holds: `calls[0][0] === extension.sealwright` },
  { given: ``, holds: `grant.maxPerHour === 200 && grant.capabilities.join() === 'seal,open'` },
  { given: ``, holds: `(await sealwright.grants())[0].maxPerHour === 200` },
  {
    given: APP,
    holds: `await sealwright.open(decoy, { context: 'note 0' }).catch(({ code }) => code) === 'FROZEN'`,
  },
  { given: APP, holds: `canSeal === true` },
  { given: APP, holds: `(await sealwright.grants()).length === 0` },
  { given: APP, holds: `locked === false && grants[0].id === grant.id` },
  {
    given: `${NAMED} globalThis.show = note;`,
    holds: `calls[0][0] === 'Letters, generation 1' && calls[0][1] === grant.keyId`,
  },
  { given: NAMED, holds: `generation === 2` },
  { given: ``, holds: `publicKey.startsWith('swp1.')` },
  {
    given: `${APP} globalThis.id = 7;`,
    holds: `new TextDecoder().decode(await sealwright.open(sealed, { context: 'note 7' })) === 'Meet me at nine'`,
  },
  {
    given: `${APP} const sealed = await sealwright.seal('Bring the letters', { context: 'note 7' });
      Object.assign(globalThis, { id: 7, sealed });`,
    holds: `opened === 'Bring the letters'`,
  },
  { given: APP, holds: `/^sw1\\.[\\w-]+$/.test(line)` },
  {
    given: `${APP} globalThis.line = (await sealwright.sealText('Bring the letters')) + '\\n';`,
    holds: `text === 'Bring the letters'`,
  },
  {
    given: `${APP} ${LETTER}`,
    holds: `bar.value > 0 && (await (await sealwright.openBlob(sealed, { context: 'letter.txt' })).text()) === 'Dear …'`,
  },
  { given: `${APP} ${SEALED_LETTER}`, holds: `(await opened.text()) === 'Dear …'` },
  {
    given: APP,
    holds: `rows.length === 2 && (await sealwright.open(rows[1], { context: 'note 2' })).length === 17`,
  },
  {
    given: `${APP} const rows = [await sealwright.seal('one', { context: 'note 1' }), new Uint8Array(9)];
      Object.assign(globalThis, { contexts: ['note 1', 'note 2'], rows });`,
    holds: `texts.join() === 'one,BAD_ENVELOPE'`,
  },
  {
    given: `${APP} ${LETTER} ${KEPT}`,
    holds: `(await (await sealwright.openBlob(new Blob(kept), { context: 'letter.txt' })).text()) === 'Dear …'`,
  },
  {
    given: `${APP} ${SEALED_LETTER} ${KEPT}`,
    holds: `(await new Blob(kept).text()) === 'Dear …'`,
  },
  {
    given: `${APP} globalThis.sealed = await sealwright.seal('one', { context: 'note 7' });`,
    holds: `new TextDecoder().decode(await sealwright.open(renewed, { context: 'note 7' })) === 'one'
      && renewed.join() !== sealed.join()`,
  },
  {
    given: `${APP} const rows = [await sealwright.seal('one', { context: 'note 1' }), new Uint8Array(9)];
      Object.assign(globalThis, { contexts: ['note 1', 'note 2'], rows });`,
    holds: `stored[1] === rows[1] && stored[0].join() !== rows[0].join()
      && (await sealwright.open(stored[0], { context: 'note 1' })).length === 3`,
  },
  {
    given: `${APP} globalThis.sealed = await sealwright.seal('one');`,
    holds: `purpose === 'page' && plaintextBytes === 3`,
  },
  {
    given: `${APP} ${LETTER}`,
    holds: `sealedBytes === (await sealwright.seal(new Uint8Array(file.size))).length`,
  },
  { given: ``, holds: `iv.length === 12` },
  { given: ``, holds: `/^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(id)` },
  { given: ``, holds: `dice >= 1 && dice <= 6 && Number.isInteger(dice)` },
  { given: `${APP} globalThis.bytes = new Uint8Array(5);`, holds: `tag.length === 32` },
  {
    given: `${APP} const bytes = new Uint8Array(5);
      Object.assign(globalThis, { bytes, tag: await sealwright.mac(bytes) });`,
    holds: `isUnchanged === true && !(await sealwright.verifyMac(new Uint8Array(6), tag))`,
  },
  { given: APP, holds: `column.length === 32` },
  {
    given: `globalThis.challenge = new Uint8Array(32);`,
    holds: `await sealwright.verify(challenge, signature, { key: keyId })`,
  },
  {
    given: `const challenge = new Uint8Array(32);
      const [{ keyId }] = await sealwright.connect({
        purpose: 'Try it.', key: { kind: 'signing' }, capabilities: ['sign', 'publicKey'],
      });
      const signature = await sealwright.sign(challenge);
      Object.assign(globalThis, { challenge, signature, publicKey: await sealwright.publicKey(keyId) });`,
    holds: `isValid === true && !(await sealwright.verify(new Uint8Array(1), signature, { publicKey }))`,
  },
  { given: `${SYNC} globalThis.upload = note;`, holds: `calls[0][0].id === 'n1'` },
  {
    given: `${SYNC}
      const [{ value }] = await sealwright.sync.encryptRecords('notes', [{ id: 'n1', payload: { text: 'x' } }]);
      Object.assign(globalThis, { records: [value, { ...value, id: 'n2' }], markUnreadable: note });`,
    holds: `results[0].value.payload.text === 'x' && calls.join() === 'n2,AUTH_FAILED'`,
  },
  {
    given: `${SYNC}
      const [{ value }] = await sealwright.sync.encryptRecords('notes', [{ id: 'n1', payload: 1 }]);
      Object.assign(globalThis, { stored: value, upload: note });`,
    holds: `calls.length === 2 && calls[1][0].id === head.id && calls[0][0].id.startsWith(head.id)`,
  },
  {
    given: `${SYNC}
      const [{ value }] = await sealwright.sync.encryptRecords('notes', [{ id: 'n1', payload: 1 }]);
      const { head, chunks } = await sealwright.sync.checkpoint('notes', [value]);
      Object.assign(globalThis, { records: [], heads: [head, ...chunks], warn: note });`,
    holds: `calls[0][0].join() === 'n1'`,
  },
  { given: FIREFOX_SYNC, holds: `calls[1][0] === 'load' && calls[1][1].id === 'keys'` },
  {
    given: FIREFOX_SYNC,
    holds: `calls[0].join() === 'create,bookmarks' && calls[1][2].method === 'PUT'`,
  },
  {
    given: `${APP} globalThis.show = note;`,
    holds: `(await extension.user.revoke()) === undefined && calls.length > 0 && calls[0][0].length === 0`,
  },
  { given: `globalThis.offerToConnect = note;`, holds: `calls[0][0] === 'seal'` },
];
