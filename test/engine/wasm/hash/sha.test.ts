import { createHash, createHmac } from 'node:crypto';
import { expect } from 'chai';
import { toHex } from '../../../../src/crypto/bytes.ts';
import type { ShaName } from '../../../../src/crypto/contracts.ts';
import { SECRETS } from '../../../../src/engine/wasm/generator/hash/sha-layout.ts';
import { loadSha } from '../../../../src/engine/wasm/hash/sha.ts';
import { keyedStates } from '../../../../src/engine/wasm/hash/keyed-states.ts';
import { hmacSha256Base64Many, sha256Many } from '../../../../src/engine/wasm/hash/sha256-many.ts';
import { describeVectors, hex, parseRsp } from '../../../support/vectors.ts';
import { loadWasm } from '../../../support/wasm.ts';
import { describeFastHash, once, pattern } from './hash-suite.ts';

const node = (name: string, data: Uint8Array): string =>
  createHash(name.replace('-', '').toLowerCase()).update(data).digest('hex');

/** One module for all tests that do not need a new one. */
const sha = once(() => loadSha(loadWasm));

describe('SHA in WebAssembly', () => {
  for (const name of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] as const) {
    describeFastHash(
      name,
      async () => (await loadSha(loadWasm)).hashes[name],
      (data) => node(name, data),
    );
  }

  for (const [folder, name] of [
    ['SHA1', 'SHA-1'],
    ['SHA2', 'SHA-256'],
    ['SHA2', 'SHA-384'],
    ['SHA2', 'SHA-512'],
  ] as const) {
    for (const file of ['ShortMsg', 'LongMsg']) {
      const path = `cryptography_vectors/hashes/${folder}/${name.replace('-', '')}${file}.rsp`;
      describeVectors(path, parseRsp, async (vector) => {
        const message = hex(vector, 'msg').subarray(0, Number(vector['len']) / 8);
        const { hashes } = await sha();
        expect(toHex(hashes[name].digest(message))).to.equal(vector['md']);
        expect(toHex(hashes[name].create().update(message).digest())).to.equal(vector['md']);
      });
    }
  }

  it('shares the module between different hashes', async () => {
    const { hashes } = await sha();
    const names: readonly ShaName[] = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];
    const open = names.map((name) => hashes[name].create());
    const data = pattern(2000);
    for (let i = 0; i < data.length; i += 129) {
      for (const hash of open) hash.update(data.subarray(i, i + 129));
    }
    open.forEach((hash, i) => expect(toHex(hash.digest())).to.equal(node(names[i]!, data)));
  });

  it('leaves nothing of a message in its memory', async () => {
    const { hashes, memory } = await sha();
    for (const hash of Object.values(hashes)) {
      for (const length of [3, 200, 65536, 200_000]) {
        hash.digest(pattern(length).fill(0x5a));
        hash.create().update(pattern(length)).update(pattern(33)).digest();
        hash.create().update(pattern(length)).wipe();
        expect(memory.subarray(SECRETS).every((byte) => byte === 0)).to.equal(true);
      }
    }
  });
});

describe('SHA-256 of many messages at once', () => {
  const check = async (messages: readonly Uint8Array[]): Promise<void> => {
    const digests = sha256Many(await sha(), messages);
    expect(digests.map(toHex)).to.deep.equal(messages.map((message) => node('sha256', message)));
  };

  it('agrees with node:crypto at every length around the blocks, in any mixture', async () => {
    await check(Array.from({ length: 300 }, (_, length) => pattern(length)));
    await check(Array.from({ length: 301 }, (_, i) => pattern((i * 97) % 1500)));
  });

  it('crosses the end of a lane of 16 KiB, where padding does not fit', async () => {
    const lane = 16384;
    await check([-65, -64, -63, -9, -8, -1, 0, 1, 55, 56, 64].map((d) => pattern(lane + d)));
    await check([100_000, 3, 50_000, 16_384, 0, 200_000, 64].map(pattern));
  });

  it('accepts any number of messages, also none', async () => {
    for (let count = 0; count < 10; count++) {
      await check(Array.from({ length: count }, (_, i) => pattern(1000 * i + 5)));
    }
  });

  it('does not affect a hash in progress, and leaves no data', async () => {
    const module = await sha();
    const hash = module.hashes['SHA-512'].create().update(pattern(1000));
    sha256Many(module, [1, 2, 3, 4, 40_000].map(pattern));
    expect(module.memory.subarray(SECRETS).every((byte) => byte === 0)).to.equal(true);
    expect(toHex(hash.digest())).to.equal(node('sha512', pattern(1000)));
  });

  it('names the message that is not a Uint8Array, before any work', async () => {
    const wrong = [pattern(3), 'text' as unknown as Uint8Array];
    const module = await sha();
    expect(() => sha256Many(module, wrong)).to.throw(TypeError, 'messages[1]');
  });
});

describe('HMAC-SHA-256 of the Base64 of many messages', () => {
  const KEY = pattern(32);
  const check = async (all: readonly Uint8Array[]): Promise<void> => {
    const module = await sha();
    const states = keyedStates(module, module.members['SHA-256'], KEY);
    const messages = all.map((data) => ({
      data,
      text: new Uint8Array(4 * Math.ceil(data.length / 3)),
    }));
    const tags = hmacSha256Base64Many(module, states, messages);
    for (const [i, data] of all.entries()) {
      const text = Buffer.from(data).toString('base64');
      expect(Buffer.from(messages[i]!.text).toString()).to.equal(text);
      const expected = createHmac('sha256', KEY).update(text).digest('hex');
      expect(toHex(tags[i]!)).to.equal(expected);
    }
    expect(module.memory.subarray(SECRETS).every((byte) => byte === 0)).to.equal(true);
  };

  it('agrees with node, at every length and with every digit', async () => {
    await check(Array.from({ length: 200 }, (_, length) => pattern(length)));
    const digits = Array.from({ length: 64 }, (_, i) => [
      i << 2,
      i >> 4,
      i << 4,
      i >> 2,
      i << 6,
      i,
    ]);
    await check(digits.map((bytes) => Uint8Array.from(bytes)));
    await check([Uint8Array.from({ length: 256 }, (_, i) => i)]);
  });

  it('where the text crosses the end of a lane of 16 KiB, and where its padding does not fit', async () => {
    const lane = 12_288;
    await check(
      [-50, -49, -48, -8, -7, -6, -3, -2, -1, 0, 1, 2, 3, 48].map((d) => pattern(lane + d)),
    );
    await check([100_000, 3, 50_000, 12_288, 0, 200_001, 64].map(pattern));
  });

  it('of views at any place, and none', async () => {
    await check([]);
    await check([1, 2, 3, 5].map((at) => pattern(100).subarray(at)));
  });

  it('refuses a place of another length', async () => {
    const module = await sha();
    const states = keyedStates(module, module.members['SHA-256'], KEY);
    for (const length of [3, 5, 8]) {
      const messages = [{ data: pattern(3), text: new Uint8Array(length) }];
      expect(() => hmacSha256Base64Many(module, states, messages)).to.throw(RangeError, 'text');
    }
  });
});
