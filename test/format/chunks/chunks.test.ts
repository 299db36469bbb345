import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { ChunkOpener, ChunkSealer } from '../../../src/format/chunks/chunks.ts';
import { chunkNonce, deriveChunkKeys, wipeChunkKeys } from '../../../src/format/keys/chunk-keys.ts';
import {
  COBBLESTONE_128,
  COBBLESTONE_256,
  SEALWRIGHT_1MIB,
} from '../../../src/format/wire/suites.ts';
import { openChunks } from '../../../src/format/chunks/pipeline.ts';
import { deriveInputKey } from '../../../src/format/keys/input-key.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { pattern } from '../message-vectors.ts';
import { KEY, outcome, thrown } from '../support.ts';

const CHUNK = 16_384;
const NONCE = pattern(12);

async function pair(): Promise<{ sealer: ChunkSealer; opener: ChunkOpener }> {
  const aead = await NATIVE_CRYPTO.aesGcm(KEY);
  return {
    sealer: new ChunkSealer(aead, NONCE, CHUNK),
    opener: new ChunkOpener(aead, NONCE, CHUNK),
  };
}

describe('chunkNonce', () => {
  it('is the base nonce XOR the chunk number as a big-endian integer of 12 bytes', () => {
    const base = BigInt(`0x${Buffer.from(NONCE).toString('hex')}`);
    for (const number of [0, 1, 255, 256, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 38 - 1]) {
      const expected = (base ^ BigInt(number)).toString(16).padStart(24, '0');
      expect(Buffer.from(chunkNonce(NONCE, number)).toString('hex')).to.equal(expected);
    }
    expect(NONCE).to.deep.equal(pattern(12));
  });

  it('ends at chunk 2^38', () => {
    expect(thrown(() => chunkNonce(NONCE, 2 ** 38))).to.match(/^RangeError/);
  });
});

describe('deriveChunkKeys', () => {
  it('is HKDF-Expand-SHA-512 as in RFC 5869, split into key, base nonce, commitment', async () => {
    const [salt, context] = [pattern(24), pattern(200)];
    for (const suite of [COBBLESTONE_128, COBBLESTONE_256, SEALWRIGHT_1MIB]) {
      const inputKey = KEY.subarray(0, suite.keyBytes);
      const keys = await deriveChunkKeys(NATIVE_CRYPTO, suite, inputKey, salt, context);
      const name = suite.keyBytes === 16 ? 'AEAD_AES_128_GCM' : 'AEAD_AES_256_GCM';
      const info = [suite.prefix, name, Buffer.of(0), salt, context];
      const t1 = hmac(inputKey, ...info, Buffer.of(1));
      const t2 = hmac(inputKey, t1, ...info, Buffer.of(2));
      const all = Buffer.concat([t1, t2]).subarray(0, suite.keyBytes + 44);
      expect(Buffer.concat([keys.key, keys.baseNonce, keys.commitment])).to.deep.equal(all);
      expect([keys.baseNonce.length, keys.commitment.length]).to.deep.equal([12, 32]);
      wipeChunkKeys(keys);
      expect(Buffer.concat([keys.key, keys.baseNonce, keys.commitment])).to.deep.equal(
        Buffer.alloc(all.length),
      );
    }
  });
});

describe('deriveInputKey', () => {
  it('is HKDF-Expand of "SWM1 use" ‖ purpose ‖ suite', async () => {
    const purposes = ['page', 'field', 'stream', 'vault', 'backup', 'sync'] as const;
    for (const [index, purpose] of purposes.entries()) {
      for (const suite of [1, 2] as const) {
        const expected = hmac(KEY, 'SWM1 use', Buffer.of(index + 1, suite), Buffer.of(1));
        const inputKey = await deriveInputKey(NATIVE_CRYPTO, KEY, purpose, suite);
        expect(Buffer.from(inputKey)).to.deep.equal(expected.subarray(0, 32));
      }
    }
  });
});

describe('ChunkSealer', () => {
  it('numbers chunks when seal is called, so that several may be in progress', async () => {
    const chunks = [pattern(CHUNK), pattern(CHUNK).fill(1), pattern(7)];
    const [one, two] = [await pair(), await pair()];
    const together = await Promise.all(chunks.map((chunk) => one.sealer.seal(chunk)));
    const inTurn: Uint8Array[] = [];
    for (const chunk of chunks) inTurn.push(await two.sealer.seal(chunk));
    expect(Buffer.compare(Buffer.concat(together), Buffer.concat(inTurn))).to.equal(0);
  });

  it('ends with the first chunk that is not full, and seals nothing after it', async () => {
    const { sealer } = await pair();
    await sealer.seal(new Uint8Array(CHUNK));
    expect(sealer.ended).to.equal(false);
    await sealer.seal(new Uint8Array(0));
    expect(sealer.ended).to.equal(true);
    expect(await outcome(sealer.seal(new Uint8Array(1)))).to.match(/^Error: The message has ended/);
  });

  it('refuses a chunk that is too long, and can continue', async () => {
    const { sealer, opener } = await pair();
    expect(await outcome(sealer.seal(new Uint8Array(CHUNK + 1)))).to.match(/^RangeError: chunk/);
    expect(await opener.open(await sealer.seal(KEY))).to.deep.equal(KEY);
  });

  it('copies the base nonce', async () => {
    const aead = await NATIVE_CRYPTO.aesGcm(KEY);
    const nonce = pattern(12);
    const sealer = new ChunkSealer(aead, nonce, CHUNK);
    nonce.fill(0);
    const expected = await (await pair()).sealer.seal(KEY);
    expect(await sealer.seal(KEY)).to.deep.equal(expected);
  });
});

describe('ChunkOpener', () => {
  it('finishes only after the short chunk', async () => {
    const { sealer, opener } = await pair();
    await opener.open(await sealer.seal(new Uint8Array(CHUNK)));
    const early = await pair();
    expect(thrown(() => early.opener.finish())).to.equal('AUTH_FAILED');
    await opener.open(await sealer.seal(KEY));
    expect(thrown(() => opener.finish())).to.equal('returned');
  });

  it('fails to finish while a chunk is in progress', async () => {
    const { sealer, opener } = await pair();
    const sealed = await sealer.seal(KEY);
    const opening = opener.open(sealed);
    expect(thrown(() => opener.finish())).to.equal('AUTH_FAILED');
    await opening;
  });

  it('opens nothing more after one failure', async () => {
    const { sealer, opener } = await pair();
    const [first, second] = [pattern(CHUNK), pattern(CHUNK)].map((chunk) => sealer.seal(chunk));
    const altered = await first!;
    altered[0]! ^= 1;
    expect(await outcome(opener.open(altered))).to.equal('AUTH_FAILED');
    expect(await outcome(opener.open(await second!))).to.equal('AUTH_FAILED');
    expect(thrown(() => opener.finish())).to.equal('AUTH_FAILED');
  });

  it('opens nothing after the last chunk, and nothing of an impossible length', async () => {
    const { sealer, opener } = await pair();
    await opener.open(await sealer.seal(KEY));
    expect(await outcome(opener.open(new Uint8Array(48)))).to.equal('AUTH_FAILED');
    for (const length of [0, 15, CHUNK + 17]) {
      const fresh = (await pair()).opener;
      expect(await outcome(fresh.open(new Uint8Array(length)))).to.equal('AUTH_FAILED');
    }
  });

  it('lets an engine\u2019s own error through unchanged', async () => {
    const broken = new Error('engine lost');
    const aead = { seal: () => Promise.reject(broken), open: () => Promise.reject(broken) };
    const opener = new ChunkOpener(aead, NONCE, CHUNK);
    expect(await outcome(opener.open(KEY))).to.equal('Error: engine lost');
    expect(await outcome(opener.open(KEY))).to.equal('AUTH_FAILED');
  });
});

describe('openChunks', () => {
  it('leaves zeros after a failure, also for chunks that had verified', async () => {
    const { sealer, opener } = await pair();
    const message = pattern(20 * CHUNK + 5);
    const sealed: Uint8Array[] = [];
    for (let at = 0; at < message.length; at += CHUNK) {
      sealed.push(await sealer.seal(message.subarray(at, at + CHUNK)));
    }
    sealed.at(-1)![0]! ^= 1;
    const into = new Uint8Array(message.length);
    const size = { bodyBytes: message.length, chunkBytes: CHUNK };
    expect(await outcome(openChunks(opener, Buffer.concat(sealed), size, into))).to.equal(
      'AUTH_FAILED',
    );
    expect(into.every((byte) => byte === 0)).to.equal(true);
  });
});

function hmac(key: Uint8Array, ...parts: (Uint8Array | string)[]): Buffer {
  const mac = createHmac('sha512', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}
