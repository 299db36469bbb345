import { expect } from 'chai';
import fc from 'fast-check';
import {
  openCollectionKeys,
  newCollectionKeys,
  sealCollectionKeys,
} from '../../../src/sync/weave/collection-keys.ts';
import { openKintoRecord, sealKintoRecord } from '../../../src/sync/weave/kinto-record.ts';
import { recordCipher } from '../../../src/sync/record-cipher.ts';
import type { RecordCipher } from '../../../src/sync/record-cipher.ts';
import { openWeaveRecord, sealWeaveRecord } from '../../../src/sync/weave/weave-record.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { algorithmsOf, ENGINES } from '../engines.ts';
import { nodeOpen, nodeSeal } from '../node-weave.ts';
import { errorNameOf } from '../../support/outcomes.ts';

const BUNDLE = {
  encryptionKey: Uint8Array.from({ length: 32 }, (_, i) => 3 * i),
  hmacKey: Uint8Array.from({ length: 32 }, (_, i) => 255 - i),
};
const IV = Uint8Array.from({ length: 16 }, (_, i) => 200 + i);
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** Payloads as in applications: objects of JSON. */
const payloads = fc.dictionary(
  fc.string().filter((name) => name !== 'id'),
  fc.jsonValue({ maxDepth: 2 }),
);
const ids = fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' });

for (const engine of ENGINES) {
  describe(`sync/records of Weave and Kinto, ${engine}`, () => {
    let cipher: RecordCipher;
    before(async () => {
      cipher = await recordCipher(await algorithmsOf(engine), BUNDLE);
    });

    it('are written in the canonical spelling', async () => {
      const payload = text(await sealWeaveRecord(cipher, IV, 'abc', { title: 'x' }));
      expect(payload).to.equal(nodeSeal(BUNDLE, IV, '{"id":"abc","title":"x"}'));
      expect(payload).to.match(
        /^\{"ciphertext":"[A-Za-z0-9+/]+={0,2}","IV":"[A-Za-z0-9+/]{22}==","hmac":"[0-9a-f]{64}"\}$/,
      );
    });

    it('round-trip at every length around blocks and groups of Base64', async () => {
      for (let length = 0; length <= 70; length++) {
        const payload = { x: 'y'.repeat(length) };
        const sealed = text(await sealWeaveRecord(cipher, IV, 'i', payload));
        expect(sealed).to.equal(nodeSeal(BUNDLE, IV, JSON.stringify({ id: 'i', ...payload })));
        expect(await openWeaveRecord(cipher, 'i', sealed)).to.deep.equal({ id: 'i', ...payload });
      }
    });

    it('are compatible with node:crypto, in both directions', async () => {
      await fc.assert(
        fc.asyncProperty(ids, payloads, async (id, payload) => {
          const cleartext = JSON.parse(JSON.stringify({ id, ...payload })) as object;
          const weave = text(await sealWeaveRecord(cipher, systemRandom.bytes(16), id, payload));
          expect(JSON.parse(nodeOpen(BUNDLE, weave))).to.deep.equal(cleartext);
          const theirs = nodeSeal(BUNDLE, systemRandom.bytes(16), JSON.stringify(cleartext));
          expect(await openWeaveRecord(cipher, id, theirs)).to.deep.equal(cleartext);
          const bound = (iv: string): string => id + iv;
          const kinto = text(await sealKintoRecord(cipher, systemRandom.bytes(16), id, payload));
          expect(JSON.parse(nodeOpen(BUNDLE, kinto, bound))).to.deep.equal(cleartext);
          const kintos = nodeSeal(BUNDLE, systemRandom.bytes(16), JSON.stringify(cleartext), bound);
          expect(await openKintoRecord(cipher, id, kintos)).to.deep.equal(cleartext);
        }),
        { numRuns: 60 },
      );
    });

    it('a deletion is a record like any other', async () => {
      const sealed = text(await sealWeaveRecord(cipher, IV, 'gone', { deleted: true }));
      expect(nodeOpen(BUNDLE, sealed)).to.equal('{"id":"gone","deleted":true}');
    });

    it('crypto/keys holds default and named bundles, and can grow without losing any', async () => {
      const first = newCollectionKeys(systemRandom, ['notes']);
      const second = newCollectionKeys(systemRandom, ['tabs', 'notes'], first);
      expect(second.default).to.equal(first.default);
      expect(second.collections.get('notes')).to.not.deep.equal(first.collections.get('notes'));
      const sealed = text(await sealCollectionKeys(cipher, IV, second));
      const cleartext = JSON.parse(nodeOpen(BUNDLE, sealed)) as Record<string, unknown>;
      expect(Object.keys(cleartext)).to.deep.equal(['id', 'collection', 'default', 'collections']);
      expect(cleartext).to.include({ id: 'keys', collection: 'crypto' });
      const opened = await openCollectionKeys(cipher, sealed);
      expect(opened.default).to.deep.equal(second.default);
      expect([...opened.collections]).to.deep.equal([...second.collections]);
    });

    it('crypto/keys with anything but pairs of 32 bytes is refused', async () => {
      const key = Buffer.alloc(32).toString('base64');
      const short = Buffer.alloc(16).toString('base64');
      const collections = {};
      for (const keys of [
        {},
        { default: [key] },
        { default: [key, short] },
        { default: [key, key, key] },
        { default: key },
        { default: [key, 5] },
        { default: [key, key], collections: null },
        { default: [key, key], collections: { notes: [key] } },
        { default: [key, key], collections: 'notes' },
      ]) {
        const cleartext = JSON.stringify({ id: 'keys', collections, ...keys });
        const sealed = nodeSeal(BUNDLE, IV, cleartext);
        expect(await errorNameOf(openCollectionKeys(cipher, sealed)), cleartext).to.equal(
          'AuthenticationError',
        );
      }
      const good = JSON.stringify({ id: 'keys', default: [key, key] });
      expect(await errorNameOf(openCollectionKeys(cipher, nodeSeal(BUNDLE, IV, good)))).to.equal(
        'none',
      );
      const other = good.replace('keys', 'abcd');
      expect(await errorNameOf(openCollectionKeys(cipher, nodeSeal(BUNDLE, IV, other)))).to.equal(
        'AuthenticationError',
      );
    });

    it('payloads that are not objects, or have another id, are refused', async () => {
      for (const payload of [null, 'text', 5, [], undefined]) {
        expect(await errorNameOf(sealWeaveRecord(cipher, IV, 'a', payload))).to.equal('SyncError');
        expect(await errorNameOf(sealKintoRecord(cipher, IV, 'a', payload))).to.equal('SyncError');
      }
      expect(await errorNameOf(sealWeaveRecord(cipher, IV, 'a', { id: 'b' }))).to.equal(
        'SyncError',
      );
      expect(await errorNameOf(sealWeaveRecord(cipher, IV, 'a', { id: 'a' }))).to.equal('none');
    });
  });
}

describe('sync/adversary', () => {
  let cipher: RecordCipher;
  let sealed: { weave: string; kinto: string };
  before(async () => {
    cipher = await recordCipher(await algorithmsOf('wasm-simd'), BUNDLE);
    const payload = { title: 'pay 10', note: 'to Alice' };
    sealed = {
      weave: text(await sealWeaveRecord(cipher, IV, 'first', payload)),
      kinto: text(await sealKintoRecord(cipher, IV, 'first', payload)),
    };
  });

  it('one flipped character anywhere in ciphertext or hmac is detected, in both formats', async () => {
    for (const [name, open] of [
      ['weave', openWeaveRecord],
      ['kinto', openKintoRecord],
    ] as const) {
      const members = JSON.parse(sealed[name]) as Record<string, string>;
      for (const member of ['ciphertext', 'hmac']) {
        for (let i = 0; i < members[member]!.length; i++) {
          const old = members[member]!;
          const other = old[i] === 'a' ? 'b' : 'a';
          const altered = { ...members, [member]: old.slice(0, i) + other + old.slice(i + 1) };
          const outcome = await errorNameOf(open(cipher, 'first', JSON.stringify(altered)));
          expect(outcome, `${name} ${member} ${i}`).to.equal('AuthenticationError');
        }
      }
    }
  });

  it('records swapped between ids are detected, in both formats', async () => {
    expect(await errorNameOf(openWeaveRecord(cipher, 'second', sealed.weave))).to.equal(
      'AuthenticationError',
    );
    expect(await errorNameOf(openKintoRecord(cipher, 'second', sealed.kinto))).to.equal(
      'AuthenticationError',
    );
  });

  it('a changed IV is detected by Kinto; Weave reads the attacker’s text, except for the id', async () => {
    const flipped = (payload: string, at: number, mask: number): string => {
      const members = JSON.parse(payload) as Record<string, string>;
      const iv = Buffer.from(members['IV']!, 'base64');
      iv[at]! ^= mask;
      return JSON.stringify({ ...members, IV: iv.toString('base64') });
    };
    for (let at = 0; at < 16; at++) {
      const kinto = flipped(sealed.kinto, at, 1);
      expect(await errorNameOf(openKintoRecord(cipher, 'first', kinto))).to.equal(
        'AuthenticationError',
      );
    }
    // {"id":"first","t…: bytes 7 to 11 of the first block are the id. Version 5 has this weakness. It is why
    // the id is required, and why generated keys do not use this format.
    const renamed = flipped(sealed.weave, 7, 'f'.charCodeAt(0) ^ 'F'.charCodeAt(0));
    expect(await errorNameOf(openWeaveRecord(cipher, 'first', renamed))).to.equal(
      'AuthenticationError',
    );
    expect(await openWeaveRecord(cipher, 'First', renamed)).to.include({ title: 'pay 10' });
  });

  it('every failure after a right HMAC gives the same error: no oracle for changed IVs', async () => {
    const members = JSON.parse(sealed.weave) as Record<string, string>;
    const messages = new Set<string>();
    for (let at = 0; at < 16; at++) {
      for (const mask of [1, 2, 0x20, 0x80]) {
        const iv = Buffer.from(members['IV']!, 'base64');
        iv[at]! ^= mask;
        const altered = JSON.stringify({ ...members, IV: iv.toString('base64') });
        const error = await openWeaveRecord(cipher, 'first', altered).catch(
          (reason: unknown) => reason,
        );
        if (error instanceof Error) messages.add(`${error.name} ${error.message}`);
      }
    }
    expect([...messages]).to.deep.equal(['AuthenticationError Authentication failed']);
  });
});
