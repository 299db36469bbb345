/**
 * One of the six ciphers of `sealwright/classical`, in the code of an engine: published values, our own
 * vectors in every mode, lengths, views, counters that wrap, wrong arguments and changed messages.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type {
  CipherDefinition,
  ModeName,
  ModeParams,
  ModesOfCipher,
} from '../../src/crypto/ciphers/block-cipher.ts';
import { modesOfCipher } from '../../src/crypto/ciphers/block-cipher.ts';
import { concat } from '../../src/crypto/bytes.ts';
import type { BlockBytes, BlockCipher } from '../../src/crypto/contracts.ts';
import { AuthenticationError } from '../../src/crypto/errors.ts';
import { sha256 } from '../../src/crypto/hash/sha256.ts';
import { unaligned } from '../support/edge-lengths.ts';
import { plainCipher } from '../support/plain-cipher.ts';
import { randomBytes } from '../support/random-bytes.ts';
import { describeSample } from '../support/depth.ts';
import type { Fields, Wycheproof } from '../support/vectors.ts';
import { checkAll, hex, parseRsp, parseWycheproof, readPublished } from '../support/vectors.ts';

/** Of lengths: all in Node, each fourth in pages, so that `npm test` stays short. */
const NTH = process.version.startsWith('v') ? 1 : 4;
const PUBLISHED = readPublished('block-ciphers.json') as { blocks: Fields[]; modes: Fields[] };

/** A parameter's type is narrowed by its mode; the suites build both at run time. */
type AnyParams = ModeParams[ModeName];

/** @param name as in `blockCipher` */
export function describeBlockCipher(
  name: string,
  engine: string,
  definition: CipherDefinition,
): void {
  describe(`${name}, engine ${engine}`, () => {
    const cipher = modesOfCipher(definition);
    describePublished(name, cipher);
    describeModes(name.toLowerCase(), cipher, definition);
    describeMessages(cipher, definition);
    describeRefusals(cipher);
    describeKeys(definition);
  });
}

function describePublished(name: string, cipher: ModesOfCipher): void {
  const own = (vectors: Fields[]) => vectors.filter((vector) => vector['cipher'] === name);

  it('gives published values, for each length of key', async () => {
    const vectors = own(PUBLISHED.blocks);
    const lengths = new Set(vectors.map((vector) => hex(vector, 'key').length));
    expect([...lengths]).to.have.members([...cipher.keyBytes]);
    await checkAll('block-ciphers.json', vectors, async (vector) => {
      const [key, plaintext] = [hex(vector, 'key'), hex(vector, 'plaintext')];
      const bare = { padding: 'none' } as const;
      const encrypted = await cipher.encrypt('ECB', key, bare, plaintext);
      expect(encrypted).to.deep.equal(hex(vector, 'ciphertext'));
      expect(await cipher.decrypt('ECB', key, bare, encrypted)).to.deep.equal(plaintext);
    });
  });

  it('gives the values of each mode that the project has in its own folder', async () => {
    const vectors = own(PUBLISHED.modes);
    const modes = new Set(vectors.map(({ mode }) => mode));
    expect([...modes]).to.have.members(['CBC', 'CTR', 'CBC-MAC', 'OCB']);
    await checkAll('block-ciphers.json', vectors, async (vector) => {
      const [key, message, result] = [
        hex(vector, 'key'),
        hex(vector, 'message'),
        hex(vector, 'result'),
      ];
      const padding = vector['padding'];
      if (vector['mode'] === 'CBC-MAC') {
        const params = { padding: padding as 'zeros' | 'bit' };
        expect(await cipher.cbcMac(key, message, params)).to.deep.equal(result);
        return;
      }
      const mode = vector['mode'] as ModeName;
      const params = {
        iv: hex(vector, 'iv'),
        ...(padding !== undefined && { padding }),
        ...('additionalData' in vector && { additionalData: hex(vector, 'additionalData') }),
      } as AnyParams;
      expect(await cipher.encrypt(mode, key, params, message)).to.deep.equal(result);
      expect(await cipher.decrypt(mode, key, params, result)).to.deep.equal(message);
    });
  });
}

/** The project's own vectors of each mode and the published blocks, which the README beside them describes. */
function describeModes(file: string, cipher: ModesOfCipher, definition: CipherDefinition): void {
  const blockHolds = (vector: Wycheproof): Promise<void> | void =>
    vector['type'] === 'BlockCipherTest'
      ? modeHolds('ECB', { padding: 'none' })(vector)
      : chainHolds(definition, vector);
  const modeHolds = (mode: ModeName, fixed: object = {}) => {
    return async (vector: Wycheproof): Promise<void> => {
      const key = hex(vector, 'key');
      const isAead = mode === 'OCB';
      const padding = isAead ? undefined : vector['padding'];
      const params = {
        ...('iv' in vector && mode !== 'ECB' && { iv: hex(vector, 'iv') }),
        ...(padding !== undefined && mode !== 'CTR' && { padding }),
        ...(isAead && { additionalData: hex(vector, 'aad'), tagLength: vector['tagSize'] }),
        ...fixed,
      } as AnyParams;
      const tag = isAead ? hex(vector, 'tag') : new Uint8Array(0);
      if (vector.result === 'invalid') {
        // A tag that was cut has its own length.
        const own = isAead ? { ...params, tagLength: 8 * tag.length } : params;
        const sealed = concat(hex(vector, 'ct'), tag);
        expect(await refusal(cipher.decrypt(mode, key, own, sealed))).to.equal(AuthenticationError);
        return;
      }
      const message = messageOf(vector);
      const result = await cipher.encrypt(mode, key, params, message);
      const end = result.length - tag.length;
      if ('ctSha256' in vector) {
        expect(sha256(result.subarray(0, end))).to.deep.equal(hex(vector, 'ctSha256'));
      } else {
        expect(result.subarray(0, end)).to.deep.equal(hex(vector, 'ct'));
      }
      expect(result.subarray(end)).to.deep.equal(tag);
      expect(await cipher.decrypt(mode, key, params, result)).to.deep.equal(message);
    };
  };
  const macHolds = async (vector: Wycheproof): Promise<void> => {
    const params = { padding: vector['padding'] as 'zeros' | 'bit' };
    const tag = await cipher.cbcMac(hex(vector, 'key'), messageOf(vector), params);
    const isSame = Buffer.compare(tag, hex(vector, 'tag')) === 0;
    expect(isSame).to.equal(vector.result !== 'invalid');
  };
  const checks: Record<string, (vector: Wycheproof) => unknown> = {
    block: blockHolds,
    ecb: modeHolds('ECB'),
    cbc: modeHolds('CBC'),
    ctr: modeHolds('CTR'),
    ocb3: modeHolds('OCB'),
    cbcmac: macHolds,
  };
  describeSample(`vectors/own/${file}.json`, parseWycheproof, (vector) =>
    checks[vector['mode'] as string]!(vector),
  );
  if (file !== 'idea') return;
  for (const mode of ['ECB', 'CBC'] as const) {
    describeSample(
      `cryptography_vectors/ciphers/IDEA/idea-${mode.toLowerCase()}.txt`,
      (text) => parseRsp(text).filter((v) => 'plaintext' in v),
      (v) => modeHolds(mode, { padding: 'none' })(renamed(v)),
      NTH,
    );
  }
}

/** A vector of NIST's format with the names of Wycheproof. */
function renamed(v: Fields): Wycheproof {
  const names = { msg: v['plaintext'], ct: v['ciphertext'] };
  return { ...v, ...names, tcId: 0, comment: '', result: 'valid', flags: [] };
}

/** msg, or the long message that a seed stands for. */
function messageOf(vector: Wycheproof): Uint8Array {
  if (!('msgSeed' in vector)) return hex(vector, 'msg');
  const length = vector['msgLength'] as number;
  const parts = Array.from({ length: length / 32 }, (_, i) => {
    const index = Buffer.alloc(4);
    index.writeUInt32BE(i);
    return sha256(concat(hex(vector, 'msgSeed'), index));
  });
  return concat(...parts);
}

/** Chains of single blocks, in place. */
function chainHolds({ withKey }: CipherDefinition, vector: Wycheproof): void {
  const key = hex(vector, 'key');
  const block = hex(vector, 'msg');
  for (let i = 0; i < (vector['iterations'] as number); i++) {
    const cipher = withKey(key);
    const before = Uint8Array.from(block);
    if (vector['chain'] === 'decrypt') cipher.decryptBlocks(block, block);
    else cipher.encryptBlocks(block, block);
    if (vector['chain'] === 'keyFeedback') {
      const feedback = concat(block, before);
      for (let j = 0; j < key.length; j++) key[j]! ^= feedback[j]!;
    }
    cipher.wipe();
  }
  expect(block).to.deep.equal(hex(vector, 'out'));
  if ('outKey' in vector) expect(key).to.deep.equal(hex(vector, 'outKey'));
}

/** Parameters with random contents for a mode. */
function paramsOf({ blockBytes }: ModesOfCipher): [ModeName, AnyParams][] {
  const iv = randomBytes(blockBytes);
  return [
    ['ECB', {}],
    ['CBC', { iv, padding: 'pkcs7' }],
    ['CTR', { iv }],
    ['OCB', { iv: randomBytes(blockBytes - 1), additionalData: randomBytes(21) }],
  ];
}

function describeMessages(cipher: ModesOfCipher, definition: CipherDefinition): void {
  const { blockBytes } = cipher;
  const keyOf = () => randomBytes(cipher.keyBytes.at(-1)!);
  const simple = modesOfCipher({
    ...definition,
    withKey: (key) => plainCipher(definition.withKey(key)),
  });

  it('decrypts what it encrypted, at every length from 0 to 129 and around the chunks', async () => {
    const key = keyOf();
    const lengths = Array.from({ length: 130 }, (_, length) => length).filter(
      (length) => length % NTH === 0 || length % blockBytes < 2 || (length + 1) % blockBytes === 0,
    );
    for (const length of [...lengths, 4095, 4096, 4097, 8192, 12_289]) {
      const data = randomBytes(length);
      for (const [mode, params] of paramsOf(cipher)) {
        const result = await cipher.encrypt(mode, key, params, data);
        // A mode's portable loop gives the same bytes as the cipher's own.
        const expected = await simple.encrypt(mode, key, params, data);
        expect(result, `${mode}, ${length}`).to.deep.equal(expected);
        expect(await cipher.decrypt(mode, key, params, result)).to.deep.equal(data);
        expect(await simple.decrypt(mode, key, params, result)).to.deep.equal(data);
      }
      const mac = await cipher.cbcMac(key, data, { padding: 'bit' });
      expect(mac).to.deep.equal(await simple.cbcMac(key, data, { padding: 'bit' }));
    }
  });

  it('decrypts what it encrypted, for any key, message and mode', async () => {
    const bytes = (lengths: object) => fc.uint8Array(lengths);
    const keys = fc.oneof(
      ...cipher.keyBytes.map((length) => bytes({ minLength: length, maxLength: length })),
    );
    const data = bytes({ maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(keys, data, fc.integer({ min: 0, max: 3 }), async (key, message, index) => {
        const [mode, params] = paramsOf(cipher)[index]!;
        const result = await cipher.encrypt(mode, key, params, message);
        expect(await cipher.decrypt(mode, key, params, result)).to.deep.equal(message);
      }),
      { numRuns: 200 },
    );
  });

  it('reads views at any offset and changes no input', async () => {
    const [key, data] = [keyOf(), randomBytes(77)];
    for (const [mode, params] of paramsOf(cipher)) {
      const expected = await cipher.encrypt(mode, key, params, data);
      for (let shift = 1; shift < 8; shift++) {
        const shifted = Object.fromEntries(
          Object.entries(params).map(([name, value]) => [
            name,
            value instanceof Uint8Array ? unaligned(value, shift) : value,
          ]),
        ) as AnyParams;
        const inputs = [unaligned(key, shift), unaligned(data, shift)] as const;
        const result = await cipher.encrypt(mode, inputs[0], shifted, inputs[1]);
        expect(result, `${mode}, ${shift}`).to.deep.equal(expected);
        const sealed = unaligned(result, shift);
        expect(await cipher.decrypt(mode, inputs[0], shifted, sealed)).to.deep.equal(data);
        expect(inputs).to.deep.equal([key, data]);
        expect(shifted).to.deep.equal(params);
        expect(sealed).to.deep.equal(result);
      }
    }
  });

  it('encrypts runs of blocks in place', () => {
    const keyed = definition.withKey(keyOf());
    const data = randomBytes(4096 + 3 * blockBytes);
    const expected = new Uint8Array(data.length);
    keyed.encryptBlocks(data, expected);
    const room = unaligned(data, 3);
    keyed.encryptBlocks(room, room);
    expect(room).to.deep.equal(expected);
    keyed.decryptBlocks(room, room);
    expect(room).to.deep.equal(data);
  });

  it('CTR counts in the whole block and wraps at its end', async () => {
    const key = keyOf();
    // Each border of bytes and of 32 bits, and the end of the block.
    for (let zeros = 0; zeros < blockBytes; zeros++) {
      const iv = new Uint8Array(blockBytes).fill(0xff);
      iv.fill(0x5a, 0, zeros);
      const stream = await cipher.encrypt('CTR', key, { iv }, new Uint8Array(3 * blockBytes));
      for (let i = 0; i < 3; i++) {
        const bare = { padding: 'none' } as const;
        const alone = await cipher.encrypt('ECB', key, bare, added(iv, i));
        const part = stream.subarray(i * blockBytes, (i + 1) * blockBytes);
        expect(part, `${zeros}, block ${i}`).to.deep.equal(alone);
      }
    }
  });

  it('CBC-MAC of the empty message: one block of zeros, or of the padding', async () => {
    const [key, bare] = [keyOf(), { padding: 'none' } as const];
    for (const [padding, first] of [
      ['zeros', 0],
      ['bit', 0x80],
    ] as const) {
      const block = new Uint8Array(blockBytes);
      block[0] = first;
      const expected = await cipher.encrypt('ECB', key, bare, block);
      const empty = new Uint8Array(0);
      expect(await cipher.cbcMac(key, empty, { padding })).to.deep.equal(expected);
    }
  });
}

function added(block: Uint8Array, by: number): Uint8Array {
  const digits = 2 * block.length;
  const sum = BigInt(`0x${Buffer.from(block).toString('hex')}`) + BigInt(by);
  const wrapped = BigInt.asUintN(4 * digits, sum)
    .toString(16)
    .padStart(digits, '0');
  return Uint8Array.from(Buffer.from(wrapped, 'hex'));
}

function describeRefusals(cipher: ModesOfCipher): void {
  const { blockBytes } = cipher;
  const key = randomBytes(16);
  const block = new Uint8Array(blockBytes);

  it('OCB refuses a message with any bit changed, cut or made longer', async () => {
    const params = { iv: randomBytes(blockBytes - 1), additionalData: randomBytes(5) };
    const sealed = await cipher.encrypt('OCB', key, params, randomBytes(blockBytes + 3));
    const refused = async (changed: Uint8Array, other: ModeParams['OCB'] = params) =>
      expect(await refusal(cipher.decrypt('OCB', key, other, changed))).to.equal(
        AuthenticationError,
      );
    for (let bit = 0; bit < 8 * sealed.length; bit++) {
      const changed = Uint8Array.from(sealed);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      await refused(changed);
    }
    await refused(sealed.subarray(1));
    await refused(sealed.subarray(0, -1));
    await refused(sealed.subarray(0, blockBytes - 1));
    await refused(concat(sealed, Uint8Array.of(0)));
    await refused(sealed, { ...params, additionalData: randomBytes(6) });
    await refused(sealed, { ...params, iv: randomBytes(blockBytes - 2) });
  });

  it('ECB and CBC refuse every wrong padding and length with the same error', async () => {
    for (const mode of ['ECB', 'CBC'] as const) {
      const iv = mode === 'CBC' ? { iv: block } : {};
      const none = { ...iv, padding: 'none' } as ModeParams['CBC'];
      const pkcs7 = { ...iv, padding: 'pkcs7' } as ModeParams['CBC'];
      for (let last = 0; last < 256; last++) {
        const padded = new Uint8Array(2 * blockBytes).fill(last);
        const encrypted = await cipher.encrypt(mode, key, none, padded);
        const result = await refusal(cipher.decrypt(mode, key, pkcs7, encrypted));
        const isValid = last > 0 && last <= blockBytes;
        expect(result, `${last}`).to.equal(isValid ? undefined : AuthenticationError);
        if (!isValid || last === 1) continue;
        padded[2 * blockBytes - last]! ^= 0x10;
        const wrong = await cipher.encrypt(mode, key, none, padded);
        expect(await refusal(cipher.decrypt(mode, key, pkcs7, wrong))).to.equal(
          AuthenticationError,
        );
      }
      for (const params of [none, pkcs7]) {
        for (const length of [1, blockBytes - 1, blockBytes + 1]) {
          const ragged = cipher.decrypt(mode, key, params, new Uint8Array(length));
          expect(await refusal(ragged)).to.equal(AuthenticationError);
        }
      }
      const empty = cipher.decrypt(mode, key, pkcs7, new Uint8Array(0));
      expect(await refusal(empty)).to.equal(AuthenticationError);
      const ragged = cipher.encrypt(mode, key, none, new Uint8Array(blockBytes + 1));
      expect(await refusal(ragged)).to.equal(RangeError);
    }
  });

  it('refuses keys, IVs, nonces and tags of other lengths', async () => {
    for (const length of [0, 8, 15, 17, 20, 33, 64]) {
      const wrong = cipher.encrypt('ECB', randomBytes(length), {}, block);
      expect(await refusal(wrong), `key of ${length}`).to.equal(RangeError);
    }
    for (const mode of ['CBC', 'CTR'] as const) {
      for (const length of [0, blockBytes - 1, blockBytes + 1]) {
        const wrong = cipher.encrypt(mode, key, { iv: randomBytes(length) }, block);
        expect(await refusal(wrong), `${mode}, IV of ${length}`).to.equal(RangeError);
      }
    }
    for (const length of [0, blockBytes]) {
      const wrong = cipher.encrypt('OCB', key, { iv: randomBytes(length) }, block);
      expect(await refusal(wrong), `nonce of ${length}`).to.equal(RangeError);
    }
    for (const tagLength of [0, 8, 8 * blockBytes + 8, 63]) {
      const wrong = cipher.encrypt('OCB', key, { iv: Uint8Array.of(1), tagLength }, block);
      expect(await refusal(wrong), `tag of ${tagLength} bits`).to.equal(RangeError);
    }
  });

  it('refuses unknown modes, paddings and options, and values of other types', async () => {
    const iv = block;
    const calls: readonly [string, unknown, unknown, unknown][] = [
      ['CFB', key, { iv }, block],
      ['toString', key, { iv }, block],
      ['ECB', key, { iv }, block],
      ['ECB', key, { padding: 'zeros' }, block],
      ['CBC', key, { iv, padding: 'iso' }, block],
      ['CBC', key, {}, block],
      ['CBC', key, { iv, mode: 'CBC' }, block],
      ['CTR', key, { iv, padding: 'none' }, block],
      ['CTR', key, { iv: [...iv] }, block],
      ['OCB', key, { iv: iv.subarray(1), tagBytes: 8 }, block],
      ['OCB', key, { iv: iv.subarray(1), tagLength: '64' }, block],
      ['OCB', key, { iv: iv.subarray(1), additionalData: 'data' }, block],
      ['CTR', 'key', { iv }, block],
      ['CTR', key, { iv }, 'data'],
      ['CTR', key, undefined, block],
      ['ECB', key, null, block],
    ];
    for (const call of calls) {
      for (const operation of ['encrypt', 'decrypt'] as const) {
        const args = call as unknown as Parameters<ModesOfCipher['encrypt']>;
        const title = `${operation} ${call[0]}, ${JSON.stringify(call[2])}`;
        expect(await refusal(cipher[operation](...args)), title).to.equal(TypeError);
      }
    }
    for (const params of [undefined, {}, { padding: 'pkcs7' }, { padding: 'bit', iv }]) {
      expect(await refusal(cipher.cbcMac(key, block, params as never))).to.equal(TypeError);
    }
  });
}

/** The class of the error, or undefined if there was none. */
async function refusal(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return (error as Error).constructor;
  }
}

function describeKeys({ keyBytes, blockBytes, withKey }: CipherDefinition): void {
  it('copies the key', () => {
    for (const length of keyBytes) {
      const key = randomBytes(length);
      const cipher = withKey(key);
      const expected = oneBlock(withKey(Uint8Array.from(key)), blockBytes);
      key.fill(0);
      expect(oneBlock(cipher, blockBytes)).to.deep.equal(expected);
    }
  });

  it('has other bytes under another key, for a change of any of its bits', () => {
    const key = randomBytes(keyBytes.at(-1)!);
    const results = new Set([oneBlock(withKey(key), blockBytes).toString()]);
    for (let bit = 0; bit < 8 * key.length; bit++) {
      const other = Uint8Array.from(key);
      other[bit >> 3]! ^= 1 << (bit & 7);
      results.add(oneBlock(withKey(other), blockBytes).toString());
    }
    expect(results.size).to.equal(8 * key.length + 1);
  });

  it('keeps two keys apart when their messages take turns', () => {
    const keys = [randomBytes(16), randomBytes(16)];
    const expected = keys.map((key) => oneBlock(withKey(key), blockBytes));
    const ciphers = keys.map((key) => withKey(key));
    for (let i = 0; i < 6; i++) {
      expect(oneBlock(ciphers[i % 2]!, blockBytes)).to.deep.equal(expected[i % 2]);
    }
  });
}

function oneBlock(cipher: BlockCipher<BlockBytes>, blockBytes: BlockBytes): Uint8Array {
  const block = new Uint8Array(blockBytes);
  cipher.encryptBlocks(block, block);
  return block;
}
