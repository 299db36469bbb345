import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { expect } from 'chai';
import { ml_kem768 } from '@noble/post-quantum/ml-kem.js';
import { concat, fromHex, toBase64url, toHex } from '../../../src/crypto/bytes.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import {
  generateIdentity,
  identityOf,
  identityText,
  openingWith,
  parseIdentity,
  sealingTo,
} from '../../../src/format/recipients/sharing.ts';
import { keyFileText, parseKeyFile } from '../../../src/format/recipients/key-file.ts';
import { parsePublicKey, publicKeyText } from '../../../src/format/wire/public-key.ts';
import { readPublished } from '../../support/vectors.ts';
import { KEY, KEY_ID, ORIGIN, outcome, thrown } from '../support.ts';

const MESSAGE = new Uint8Array(Buffer.from('to you alone'));
const SIGNING = publicKeyText({ type: 'Ed25519', bytes: KEY });

/**
 * draft-connolly-cfrg-xwing-kem, section 5.2, put together from ML-KEM-768 and from Node's own SHAKE256 and
 * X25519, which src/engine/kem/x-wing.ts does not use.
 */
function publicKeyByDraft(seed: Uint8Array): Uint8Array {
  const expanded = createHash('shake256', { outputLength: 96 }).update(seed).digest();
  const { publicKey } = ml_kem768.keygen(expanded.subarray(0, 64));
  const der = Buffer.concat([
    Buffer.from('302e020100300506032b656e04220420', 'hex'),
    expanded.subarray(64),
  ]);
  const curve = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  const { x } = curve.export({ format: 'jwk' });
  return concat(publicKey, Buffer.from(x!, 'base64url'));
}

describe('identities', () => {
  const { vectors } = readPublished('x-wing.json') as {
    readonly vectors: readonly { readonly seed: string; readonly pk: string }[];
  };

  for (const [at, { seed, pk }] of vectors.entries()) {
    it(`have the public key of the draft, vector ${at + 1}`, async () => {
      const { publicKey, type } = await identityOf('X-Wing', fromHex(seed));
      expect(type).to.equal(2);
      expect(toHex(parsePublicKey(publicKey).bytes)).to.equal(pk);
    });
  }

  it('have the public key that another implementation derives', async () => {
    const { key, publicKey } = await generateIdentity();
    const { type, bytes } = parsePublicKey(publicKey);
    expect(type).to.equal('X-Wing');
    expect(toHex(bytes)).to.equal(toHex(publicKeyByDraft(key)));
  });

  it('are of fresh randomness, and of the named algorithm', async () => {
    const [one, other] = [await generateIdentity(), await generateIdentity()];
    expect(one.key).to.not.deep.equal(other.key);
    expect((await generateIdentity('X25519')).publicKey).to.match(/^swp1\.A[\w-]{43}$/);
    const wrong = generateIdentity('RSA' as 'X25519');
    expect(await outcome(wrong)).to.equal('RangeError: algorithm must be one of X25519, X-Wing');
    expect(await outcome(identityOf('X-Wing', KEY.slice(1)))).to.match(
      /^RangeError: key must have/,
    );
  });

  it('are written as a key file and read back, with the public half derived again', async () => {
    const identity = await generateIdentity();
    const text = identityText(identity);
    expect(JSON.parse(text)).to.deep.equal({
      format: 'sealwright-key/1',
      algorithm: 'X-Wing',
      publicKey: identity.publicKey,
      key: toBase64url(identity.key),
    });
    expect(await parseIdentity(text)).to.deep.equal(identity);
    const other = text.replace(identity.publicKey, SIGNING);
    expect(await parseIdentity(other)).to.deep.equal(identity);
  });
});

describe('key files', () => {
  it('hold a named key with its id, or without', () => {
    for (const keyId of [KEY_ID, undefined]) {
      expect(parseKeyFile(keyFileText({ key: KEY, keyId }))).to.deep.equal({ key: KEY, keyId });
    }
  });

  it('of a named key are not taken for an identity, nor the other way round', async () => {
    const text = keyFileText({ key: KEY, keyId: KEY_ID });
    expect(await outcome(parseIdentity(text))).to.match(/^RangeError: .*no "algorithm"/);
    const { algorithm } = parseKeyFile(identityText(await generateIdentity()));
    expect(algorithm).to.equal('X-Wing');
  });

  it('are refused for an unknown algorithm, which may need the key in another way', () => {
    const text = keyFileText({ key: KEY }).replace('"key"', '"algorithm": "X-Wing-2", "key"');
    expect(thrown(() => parseKeyFile(text))).to.match(/^RangeError: .*"algorithm" is not one of/);
    expect(thrown(() => keyFileText({ key: KEY, algorithm: 'RSA' as 'X25519' }))).to.match(
      /^RangeE/,
    );
  });

  it('refuse keys of other lengths, in writing too', () => {
    expect(thrown(() => keyFileText({ key: KEY.slice(1) }))).to.match(/^RangeError: key must/);
    expect(thrown(() => keyFileText({ key: KEY, keyId: KEY }))).to.match(/^RangeError: keyId must/);
    expect(thrown(() => parseKeyFile(KEY as unknown as string))).to.match(/^TypeError: text must/);
  });
});

describe('sealing to public keys', () => {
  const SEAL = { purpose: 'page', origin: ORIGIN } as const;
  const OPEN = { ...SEAL, accept: 'shared' } as const;

  it('opens with each of the identities, and with no other', async () => {
    const people = [await generateIdentity(), await generateIdentity('X25519')];
    const stranger = await generateIdentity();
    const to = sealingTo(people.map(({ publicKey }) => publicKey));
    const sealed = await sealMessage({ ...SEAL, ...to }, MESSAGE);
    for (const person of people) {
      const options = { ...OPEN, ...openingWith([stranger, person]) };
      expect(await openMessage(options, sealed)).to.deep.equal(MESSAGE);
    }
    const opening = openMessage({ ...OPEN, ...openingWith([stranger]) }, sealed);
    expect(await outcome(opening)).to.equal('AUTH_FAILED');
  });

  it('goes on after an identity that fails with the error of another script of the library', async () => {
    const [one, other] = [await generateIdentity('X25519'), await generateIdentity('X25519')];
    const sealed = await sealMessage({ ...SEAL, ...sealingTo([other.publicKey]) }, MESSAGE);
    const foreign = Object.assign(new Error('x'), { name: 'AuthenticationError' });
    const { identities, recipientTypes } = openingWith([one, other]);
    const type = recipientTypes.get(1)!;
    const unwrap: typeof type.unwrap = (key, ...rest) =>
      key === one.key ? Promise.reject(foreign) : type.unwrap(key, ...rest);
    const types = new Map([...recipientTypes, [1, { ...type, unwrap }]]);
    const options = { ...OPEN, identities, recipientTypes: types };
    expect(await openMessage(options, sealed)).to.deep.equal(MESSAGE);
  });

  it('says which text is not a public key to seal to', async () => {
    const { publicKey } = await generateIdentity();
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [[publicKey, publicKey.slice(0, -1)], /^RangeError: publicKeys\[1\]: not "swp1\."/],
      [['age1abc'], /^RangeError: publicKeys\[0\]: not "swp1\."/],
      [[SIGNING], /^RangeError: publicKeys\[0\]: this public key checks signatures \(Ed25519\)/],
      [[KEY], /^TypeError: publicKeys\[0\] must be a string/],
      [publicKey, /^TypeError: publicKeys must be an array/],
    ];
    for (const [given, words] of cases) {
      expect(thrown(() => sealingTo(given as string[]))).to.match(words);
    }
    const none = sealMessage({ ...SEAL, ...sealingTo([]) }, MESSAGE);
    expect(await outcome(none)).to.match(/^RangeError: recipients must name at least one/);
  });

  it('needs the recipient types of all algorithms, and the errors say where they are', async () => {
    const identity = await generateIdentity();
    const { recipients } = sealingTo([identity.publicKey]);
    const words = /recipientTypes: sealwright\/sharing/;
    const sealing = sealMessage({ ...SEAL, recipients }, MESSAGE).catch((error: unknown) => error);
    expect(await sealing).to.include({ name: 'EnvelopeError', code: 'UNSUPPORTED' });
    expect(String(await sealing)).to.match(words);
    const sealed = await sealMessage({ ...SEAL, ...sealingTo([identity.publicKey]) }, MESSAGE);
    const opening = openMessage({ ...OPEN, identities: [identity] }, sealed);
    expect(String(await opening.catch((error: unknown) => error))).to.match(words);
  });

  it('opens only for a caller who asks for shared messages, and says so', async () => {
    const identity = await generateIdentity();
    const sealed = await sealMessage({ ...SEAL, ...sealingTo([identity.publicKey]) }, MESSAGE);
    const words = /^TypeError: .*give accept: 'shared'/;
    expect(await outcome(openMessage({ ...SEAL, ...openingWith([identity]) }, sealed))).to.match(
      words,
    );
    expect(await outcome(openMessage({ ...SEAL, dataKey: KEY }, sealed))).to.match(words);
    expect(await outcome(openMessage(SEAL, sealed))).to.equal(
      'TypeError: key must be a Uint8Array',
    );
    expect(await outcome(openMessage(OPEN, 'sw1.' as unknown as Uint8Array))).to.match(/unarmor/);
  });
});
