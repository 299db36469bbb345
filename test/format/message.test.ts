import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { toHex } from '../../src/crypto/bytes.ts';
import { armor, armorBytes, unarmor } from '../../src/format/wire/armor.ts';
import {
  ASSOCIATED_DATA_BYTES_MAX,
  ONE_SHOT_BYTES_MAX,
  ONE_SHOT_SEALED_BYTES_MAX,
} from '../../src/format/wire/limits.ts';
import { openMessage, sealMessage } from '../../src/format/message.ts';
import type { OpenMessageOptions, SealMessageOptions } from '../../src/format/message.ts';
import { inDepth } from '../support/depth.ts';
import { unaligned } from '../support/edge-lengths.ts';
import { pattern } from './message-vectors.ts';
import { KEY, KEY_ID, MESSAGE_EDGES, ORIGIN, outcome, thrown, watchedCrypto } from './support.ts';

const SEAL: SealMessageOptions = { key: KEY, keyId: KEY_ID, purpose: 'page' };
const OPEN: OpenMessageOptions = { key: KEY, purpose: 'page' };
/** One message for each suite, number of chunks, and padding. */
const SHAPES = { small: 100, twoChunks: 20_000, large: 2_500_000 };

describe('sealMessage and openMessage', () => {
  it('restore any message under any context', async () => {
    const anything = fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }),
      fc.constantFrom(undefined, ORIGIN, 'http://localhost:8080', 'http://[::1]:3000'),
      fc.option(fc.boolean(), { nil: undefined }),
      fc.constantFrom('page', 'field', 'stream', 'vault', 'backup', 'sync'),
      async (message, associatedData, origin, pad, purpose) => {
        const bound = { purpose, origin, associatedData };
        const sealed = await sealMessage({ ...SEAL, ...bound, pad }, message);
        const opened = await openMessage({ ...OPEN, ...bound, keyId: KEY_ID }, sealed);
        expect(opened).to.deep.equal(message);
      },
    );
    await fc.assert(anything, { numRuns: inDepth(150, 50) });
  });

  it('restore messages of every edge length', async () => {
    for (const length of MESSAGE_EDGES) {
      const message = pattern(length);
      const opened = await openMessage(OPEN, await sealMessage(SEAL, message));
      expect(Buffer.compare(opened, message), `${length} bytes`).to.equal(0);
    }
  });

  it('accept views of larger buffers and do not change them', async () => {
    const [key, message] = [unaligned(KEY, 3), unaligned(pattern(50), 5)];
    const sealed = unaligned(await sealMessage({ ...SEAL, key }, message), 1);
    const before = new Uint8Array(sealed);
    expect(await openMessage({ ...OPEN, key }, sealed)).to.deep.equal(pattern(50));
    expect([key, message, sealed]).to.deep.equal([KEY, pattern(50), before]);
  });

  it('accept Node buffers, whose slice method shares memory', async () => {
    const key = Buffer.from(KEY);
    const sealed = await sealMessage(
      { ...SEAL, key, keyId: Buffer.from(KEY_ID) },
      Buffer.from('text'),
    );
    expect(
      Buffer.from(await openMessage({ ...OPEN, key }, Buffer.from(sealed))).toString(),
    ).to.equal('text');
    expect(key).to.deep.equal(Buffer.from(KEY));
  });

  it('seal the same message differently each time', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => sealMessage(SEAL, KEY)));
    expect(one!.subarray(24)).not.to.deep.equal(two!.subarray(24));
  });

  it('pad form fields by default, and nothing else', async () => {
    const flags = async (options: Partial<SealMessageOptions>) =>
      (await sealMessage({ ...SEAL, ...options }, KEY))[6];
    expect(await flags({ purpose: 'field' })).to.equal(4);
    expect(await flags({ purpose: 'field', pad: false })).to.equal(0);
    expect(await flags({ purpose: 'page' })).to.equal(0);
    expect(await flags({ purpose: 'page', pad: true })).to.equal(4);
  });

  it('call a salt source once, with the context and the message', async () => {
    const asked: [Uint8Array, Uint8Array][] = [];
    const salt = {
      salt: (...question: [Uint8Array, Uint8Array]) => (asked.push(question), pattern(24)),
    };
    const sealed = await sealMessage({ ...SEAL, salt, origin: ORIGIN }, KEY);
    expect(sealed.subarray(24, 48)).to.deep.equal(pattern(24));
    expect(asked).to.have.length(1);
    expect(Buffer.from(asked[0]![0]).toString('latin1')).to.contain(ORIGIN);
    expect(asked[0]![1]).to.equal(KEY);
  });

  it('hash long messages by the platform for it, in chunks of 1 MiB where they have suite 02', async () => {
    const hash = (...parts: Uint8Array[]) =>
      createHash('sha256').update(Buffer.concat(parts)).digest();
    const chunks = (message: Uint8Array) =>
      [0, 1, 2].map((i) => hash(message.subarray(i * 2 ** 20, (i + 1) * 2 ** 20)));
    for (const [length, pad] of [
      [65_537],
      [2 ** 20],
      [2 ** 20 + 1],
      [2 ** 20, true],
      [SHAPES.large],
    ] as const) {
      const message = randomBytes(length);
      const hashes: Uint8Array[] = [];
      const salt = {
        salt: () => expect.fail('one hash in JavaScript'),
        saltForHashes: (_context: Uint8Array, of: Uint8Array) => (hashes.push(of), pattern(24)),
      };
      const sealed = await sealMessage({ ...SEAL, pad, salt }, message);
      expect(Buffer.compare(await openMessage(OPEN, sealed), message)).to.equal(0);
      const isWhole = length <= 2 ** 20 && !pad;
      const digests = chunks(message).slice(0, Math.floor(length / 2 ** 20) + 1);
      expect(hashes.map(toHex)).to.deep.equal([toHex(isWhole ? hash(message) : hash(...digests))]);
    }
  });
});

describe('openMessage refuses', () => {
  it('a message with any bit of any byte altered', async () => {
    const sealed = await sealMessage({ ...SEAL, origin: ORIGIN }, pattern(20));
    for (let at = 0; at < sealed.length; at++) {
      const altered = new Uint8Array(sealed);
      altered[at]! ^= 1 << (at % 8);
      const result = await outcome(openMessage({ ...OPEN, origin: ORIGIN }, altered));
      // Magic, version, suite, flags and purpose are public: errors may name an unknown value.
      expect(result, `byte ${at}`).to.match(
        at < 8 ? /^(BAD_ENVELOPE|AUTH_FAILED|TOO_LARGE)$/ : /^AUTH_FAILED$/,
      );
    }
  });

  it('a message cut off at any length', async () => {
    const sealed = await sealMessage(SEAL, pattern(20));
    for (let length = 0; length < sealed.length; length++) {
      const expected = length < 96 ? 'BAD_ENVELOPE' : 'AUTH_FAILED';
      expect(await outcome(openMessage(OPEN, sealed.subarray(0, length)))).to.equal(expected);
    }
  });

  for (const [shape, length] of Object.entries(SHAPES)) {
    it(`anything appended (${shape})`, async () => {
      const sealed = await sealMessage(SEAL, pattern(length));
      for (const extra of [1, 15, 16, 17, 100]) {
        const longer = Buffer.concat([sealed, new Uint8Array(extra)]);
        expect(await outcome(openMessage(OPEN, longer))).to.equal('AUTH_FAILED');
      }
    });

    it(`a message with a damaged last chunk, returning nothing (${shape})`, async () => {
      const sealed = await sealMessage(SEAL, pattern(length));
      sealed[sealed.length - 1]! ^= 1;
      expect(await outcome(openMessage(OPEN, sealed))).to.equal('AUTH_FAILED');
    });
  }

  it('swapped chunks, in both suites', async () => {
    for (const [length, chunk] of [
      [40_000, 16_400],
      [2_500_000, 1_048_592],
    ] as const) {
      const sealed = await sealMessage(SEAL, pattern(length));
      const swapped = Buffer.concat([
        sealed.subarray(0, 80),
        sealed.subarray(80 + chunk, 80 + 2 * chunk),
        sealed.subarray(80, 80 + chunk),
        sealed.subarray(80 + 2 * chunk),
      ]);
      expect(await outcome(openMessage(OPEN, swapped))).to.equal('AUTH_FAILED');
      expect(await outcome(openMessage(OPEN, sealed))).to.equal('resolved');
    }
  });

  it('another key, purpose, origin or context, all with the same error', async () => {
    const bound = { origin: ORIGIN, associatedData: pattern(3) };
    const sealed = await sealMessage({ ...SEAL, ...bound }, KEY);
    const right: OpenMessageOptions = { ...OPEN, ...bound };
    const errors = await Promise.all(
      [
        { key: pattern(32) },
        { keyId: new Uint8Array(16) },
        { purpose: 'stream' as const },
        { origin: 'https://example.com' },
        { origin: undefined },
        { associatedData: pattern(4) },
        { associatedData: undefined },
      ].map((wrong) =>
        openMessage({ ...right, ...wrong }, sealed).catch((error: unknown) => error),
      ),
    );
    const words = errors.map((error) => `${(error as Error).name}: ${(error as Error).message}`);
    expect(new Set(words)).to.deep.equal(new Set(['AuthenticationError: Authentication failed']));
    expect(await outcome(openMessage(right, sealed))).to.equal('resolved');
  });
});

describe('a message that was opened or refused', () => {
  it('leaves no derived key behind, and the caller\u2019s key untouched', async () => {
    const crypto = watchedCrypto();
    const sealed = await sealMessage({ ...SEAL, crypto }, pattern(40_000));
    await openMessage({ ...OPEN, crypto }, sealed);
    expect(
      await outcome(openMessage({ ...OPEN, crypto, origin: ORIGIN }, sealed.subarray(0, -1))),
    ).to.equal('AUTH_FAILED');
    expect(await outcome(openMessage({ ...OPEN, crypto, associatedData: KEY }, sealed))).to.equal(
      'AUTH_FAILED',
    );
    expect(crypto.derived).to.have.length(8);
    for (const bytes of crypto.derived) expect(bytes.every((byte) => byte === 0)).to.equal(true);
    expect(KEY[5]).to.equal(36);
  });

  it('is not decrypted if the commitment does not verify', async () => {
    const crypto = watchedCrypto();
    const sealed = await sealMessage(SEAL, KEY);
    expect(await outcome(openMessage({ ...OPEN, crypto, key: pattern(32) }, sealed))).to.equal(
      'AUTH_FAILED',
    );
    expect(crypto.calls).to.equal(0);
  });
});

describe('limits of the one-shot calls', function () {
  this.timeout(60_000);

  it('allow 64 MiB, padded or not; one byte more is TOO_LARGE', async () => {
    const longest = new Uint8Array(ONE_SHOT_BYTES_MAX);
    for (const pad of inDepth([false, true], [true])) {
      const sealed = await sealMessage({ ...SEAL, pad }, longest);
      expect((await openMessage(OPEN, sealed)).length).to.equal(ONE_SHOT_BYTES_MAX);
    }
    const longer = new Uint8Array(ONE_SHOT_BYTES_MAX + 1);
    expect(await outcome(sealMessage(SEAL, longer))).to.equal('TOO_LARGE');
    expect(ONE_SHOT_SEALED_BYTES_MAX).to.equal(69_231_746); // docs/format.md section 10
    const tooLong = new Uint8Array(ONE_SHOT_SEALED_BYTES_MAX + 1);
    expect(await outcome(openMessage(OPEN, tooLong))).to.equal('TOO_LARGE');
  });

  it('allow 64 KiB of associated data; one byte more is TOO_LARGE', async () => {
    const associatedData = new Uint8Array(ASSOCIATED_DATA_BYTES_MAX);
    const sealed = await sealMessage({ ...SEAL, associatedData }, KEY);
    expect(await openMessage({ ...OPEN, associatedData }, sealed)).to.deep.equal(KEY);
    const longer = { associatedData: new Uint8Array(ASSOCIATED_DATA_BYTES_MAX + 1) };
    expect(await outcome(sealMessage({ ...SEAL, ...longer }, KEY))).to.equal('TOO_LARGE');
    expect(await outcome(openMessage({ ...OPEN, ...longer }, sealed))).to.equal('TOO_LARGE');
  });
});

describe('wrong arguments', () => {
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ['a key of 31 bytes', { key: new Uint8Array(31) }, /^RangeError: key .*32 bytes, got 31/],
    ['a key that is text', { key: 'secret' }, /^TypeError: key/],
    ['no key', { key: undefined }, /^TypeError: key/],
    [
      'a key id of 15 bytes',
      { keyId: new Uint8Array(15) },
      /^RangeError: keyId .*16 bytes, got 15/,
    ],
    ['an unknown purpose', { purpose: 'mail' }, /^TypeError: purpose/],
    ['a URL for an origin', { origin: `${ORIGIN}/` }, /^TypeError: origin/],
    ['the opaque origin', { origin: 'null' }, /^TypeError: origin/],
    ['an empty origin', { origin: '' }, /^TypeError: origin/],
    ['an origin in capitals', { origin: 'HTTPS://EXAMPLE.ORG' }, /^TypeError: origin/],
    ['an origin not in ASCII', { origin: 'https://exämple.org' }, /^TypeError: origin/],
    ['text for associated data', { associatedData: 'text' }, /^TypeError: associatedData/],
    // The page API's word: if it were ignored, the message would be bound to nothing.
    ['an unknown option', { context: KEY }, /^TypeError: options\.context.*associatedData/],
  ];
  for (const [name, wrong, expected] of cases) {
    it(`${name} are named`, async () => {
      const sealed = await sealMessage(SEAL, KEY);
      expect(await outcome(sealMessage({ ...SEAL, ...wrong }, KEY))).to.match(expected);
      expect(await outcome(openMessage({ ...OPEN, ...wrong }, sealed))).to.match(expected);
    });
  }

  it('options may serve both directions, and have to be there', async () => {
    const both = { ...SEAL, pad: true, accept: 'own' } as const;
    expect(await openMessage(both, await sealMessage(both, KEY))).to.deep.equal(KEY);
    for (const options of [undefined, null, 'page'] as unknown as (typeof SEAL)[]) {
      expect(await outcome(sealMessage(options, KEY))).to.match(/^TypeError: options must/);
      expect(await outcome(openMessage(options, KEY))).to.match(/^TypeError: options must/);
    }
  });

  it('a salt of 23 bytes is named', async () => {
    const salted = sealMessage({ ...SEAL, salt: new Uint8Array(23) }, KEY);
    expect(await outcome(salted)).to.match(/^RangeError: salt .*24 bytes, got 23/);
  });

  it('a message that is not a Uint8Array, or detached, is named', async () => {
    const detached = new Uint8Array(8);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    for (const message of ['text', new ArrayBuffer(8), null, undefined, [1, 2], detached]) {
      const wrong = message as unknown as Uint8Array;
      expect(await outcome(sealMessage(SEAL, wrong))).to.match(/^TypeError: message/);
      expect(await outcome(openMessage(OPEN, wrong))).to.match(/^TypeError: sealed/);
    }
  });
});

describe('progress and abort', () => {
  it('progress rises to the length of the message', async () => {
    const steps: [number, number][] = [];
    const onProgress = (done: number, total: number) => steps.push([done, total]);
    const sealed = await sealMessage({ ...SEAL, onProgress }, pattern(9_000_000));
    const chunks = Array.from({ length: 9 }, (_, i) => Math.min((i + 1) * 2 ** 20, 9_000_000));
    expect(steps).to.deep.equal(chunks.map((done) => [done, 9_000_000]));
    steps.length = 0;
    await openMessage({ ...OPEN, onProgress }, sealed);
    expect(steps.at(-1)).to.deep.equal([9_000_000, 9_000_000]);
  });

  it('an aborted call rejects with the reason of its signal and stops working', async () => {
    const message = pattern(9_000_000);
    const sealed = await sealMessage(SEAL, message);
    for (const call of [
      (work: object) => sealMessage({ ...SEAL, ...work }, message),
      (work: object) => openMessage({ ...OPEN, ...work }, sealed),
    ]) {
      const crypto = watchedCrypto();
      const abort = new AbortController();
      const onProgress = () => abort.abort();
      const error: unknown = await call({ crypto, signal: abort.signal, onProgress }).catch(
        (e: unknown) => e,
      );
      expect(error).to.equal(abort.signal.reason);
      expect(crypto.calls).to.equal(4);
      expect(crypto.derived.every((bytes) => bytes.every((byte) => byte === 0))).to.equal(true);
    }
  });

  it('with an aborted signal no work begins', async () => {
    const crypto = watchedCrypto();
    const signal = AbortSignal.abort();
    const error: unknown = await sealMessage({ ...SEAL, crypto, signal }, KEY).catch(
      (e: unknown) => e,
    );
    expect(error).to.equal(signal.reason);
    expect(crypto.calls).to.equal(0);
  });
});

describe('armor', () => {
  it('unarmor is the inverse of armor', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40_000 }), (bytes) => {
        expect(unarmor(armor(bytes))).to.deep.equal(bytes);
      }),
      { numRuns: inDepth(50, 8) },
    );
  });

  it('joins its pieces to the text of the whole', () => {
    for (const length of [12_287, 12_288, 12_289, 24_575, 24_576, 24_577, 100_000]) {
      const bytes = randomBytes(length);
      expect(armor(bytes)).to.equal(`sw1.${bytes.toString('base64url')}`);
      expect(Buffer.from(armorBytes(bytes)).toString()).to.equal(armor(bytes));
    }
  });

  it('text with a changed, missing or added character is refused or does not open', async () => {
    const text = armor(await sealMessage(SEAL, Buffer.from('1234')));
    const open = async (line: string) => outcome((async () => openMessage(OPEN, unarmor(line)))());
    for (let at = 0; at < text.length; at++) {
      const [before, after] = [text.slice(0, at), text.slice(at + 1)];
      const other = text[at] === 'A' ? 'B' : 'A';
      for (const line of [before + other + after, before + after, `${before} ${text.slice(at)}`]) {
        expect(await open(line), line).to.match(/^(BAD_ENVELOPE|AUTH_FAILED)$/);
      }
    }
    expect(await open(text)).to.equal('resolved');
  });

  it('names an argument of the wrong type', () => {
    expect(thrown(() => unarmor(5 as unknown as string))).to.match(/^TypeError: text/);
    for (const write of [armor, armorBytes]) {
      expect(thrown(() => write('x' as unknown as Uint8Array))).to.match(/^TypeError: sealed/);
    }
  });
});
