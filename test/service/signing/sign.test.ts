import { expect } from 'chai';
import fc from 'fast-check';
import { createPublicKey, generateKeyPairSync, verify as nodeVerify } from 'node:crypto';
import type { KeyObject, VerifyKeyObjectInput } from 'node:crypto';
import { toBigint } from '../../../src/crypto/bigint/integers.ts';
import { toBase64url } from '../../../src/crypto/bytes.ts';
import { parsePublicKey, publicKeyText } from '../../../src/format/wire/public-key.ts';
import { KeyRing } from '../../../src/keys/ring/key-ring.ts';
import { MAX_SUBTLE_BYTES } from '../../../src/rpc/limits.ts';
import { Signatures } from '../../../src/service/signing/signatures.ts';
import { inThread } from '../../../src/workshop/in-thread.ts';
import { OID, writePkcs8, writeSpki } from '../../../src/subtle/algorithms/classical-keys.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { hex, readPublished } from '../../support/vectors.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const DATA = new TextEncoder().encode('challenge 7');
const requested = {
  key: { kind: 'signing' as const },
  capabilities: ['sign' as const, 'publicKey' as const],
};

/** docs/keys.md, "Signatures", by hand. */
function signedBy(origin: string, data: Uint8Array): Buffer {
  const name = Buffer.from(origin);
  const protocol = Buffer.from('sealwright.org/signature@v1\0', 'latin1');
  return Buffer.concat([protocol, Buffer.of(0, name.length), name, data]);
}

/** A public key's text as node:crypto takes it. */
function nodeKey(text: string): KeyObject {
  const { type, bytes } = parsePublicKey(text);
  if (type !== 'Ed25519') {
    return createPublicKey({ key: Buffer.from(bytes), format: 'der', type: 'spki' });
  }
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: toBase64url(bytes) },
    format: 'jwk',
  });
}

interface Rfc6979 {
  readonly keys: readonly Record<'p' | 'q' | 'g' | 'x' | 'y', string>[];
}

interface KeyPair {
  readonly algorithm: 'DSA' | 'RSA-PSS' | 'RSASSA-PKCS1-v1_5';
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
}

function dsaKey(of = 1): KeyPair {
  const members = (readPublished('rfc6979-dsa.json') as Rfc6979).keys[of]!;
  const params = (['p', 'q', 'g'] as const).map((name) => toBigint(hex(members, name)));
  const [x, y] = [hex(members, 'x'), hex(members, 'y')];
  const privateKey = writePkcs8({ oid: OID.dsa, params, value: x });
  return { algorithm: 'DSA', privateKey, publicKey: writeSpki({ oid: OID.dsa, params, value: y }) };
}

function rsaKey(algorithm: 'RSA-PSS' | 'RSASSA-PKCS1-v1_5', modulusLength = 2048): KeyPair {
  const pair = generateKeyPairSync('rsa', { modulusLength });
  const privateKey = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' });
  return { algorithm, privateKey, publicKey };
}

const NODE_OPTIONS: Record<string, Omit<VerifyKeyObjectInput, 'key'>> = {
  Ed25519: {},
  DSA: { dsaEncoding: 'ieee-p1363' },
  'RSASSA-PKCS1-v1_5': {},
  // RSA_PKCS1_PSS_PADDING
  'RSA-PSS': { padding: 6, saltLength: 32 },
};

describe('Signatures for a page', function () {
  this.timeout(120_000);
  let world: World;
  let key: string;
  let ref: string;

  beforeEach(async () => {
    world = await World.unlocked();
    const [grant] = await world.connect(requested, A, { newKeyLabel: 'Mine' });
    key = grant!.keyId;
    ({ ref } = (await world.surface('ui.keys', {})).at(-1)!);
  });

  it('are of Ed25519 over protocol, origin and data, says node:crypto', async () => {
    const signature = await world.call('sign', { data: DATA, key });
    expect(signature).to.have.length(64);
    const publicKey = nodeKey(await world.call('publicKey', { keyId: key }));
    const isRight = (bytes: Uint8Array) => nodeVerify(null, bytes, publicKey, signature);
    expect(isRight(signedBy('https://a.example', DATA))).to.equal(true);
    expect(isRight(DATA)).to.equal(false);
    expect(isRight(signedBy('https://b.example', DATA))).to.equal(false);
    world.restart();
    expect(await world.call('sign', { data: DATA, key })).to.deep.equal(signature);
  });

  it('verify by key and by public key, for this data and nothing else', async () => {
    const signature = await world.call('sign', { data: DATA, key });
    const publicKey = await world.call('publicKey', { keyId: key });
    for (const [data, is] of [
      [DATA, true],
      [DATA.subarray(1), false],
      [new Uint8Array(0), false],
    ] as const) {
      expect(await world.call('verify', { data, signature, key })).to.equal(is);
      expect(await world.call('verifyByPublicKey', { data, signature, publicKey })).to.equal(is);
    }
  });

  it('count on the origin that asked alone, although two may use one key', async () => {
    const [there] = await world.connect(requested, B, { ref });
    const signature = await world.call('sign', { data: DATA, key });
    const publicKey = await world.call('publicKey', { keyId: key });
    expect(await world.call('verify', { data: DATA, signature, key: there!.keyId }, B)).to.equal(
      false,
    );
    const check = { data: DATA, signature, publicKey };
    expect(await world.call('verifyByPublicKey', check, B)).to.equal(false);
    // Nor can an origin's data be chosen so that the bytes are another's.
    const other = await world.call('sign', { data: DATA, key: there!.keyId }, B);
    expect(other).to.not.deep.equal(signature);
  });

  it('are by the one signing key here, where the page names none', async () => {
    const signature = await world.call('sign', { data: DATA });
    expect(signature).to.deep.equal(await world.call('sign', { data: DATA, key }));
    expect(await world.call('verify', { data: DATA, signature })).to.equal(true);
    expect(await codeOf(world.call('sign', { data: DATA }, B))).to.equal('NOT_GRANTED');
    const second = { ...requested, key: { kind: 'signing' as const, label: 'Second' } };
    await world.connect(second, A, { newKeyLabel: 'Second' });
    expect(await codeOf(world.call('sign', { data: DATA }))).to.equal('INVALID_ARGUMENT');
  });

  it('of an older generation still verify; new ones are by the newest', async () => {
    const old = await world.call('sign', { data: DATA, key });
    const oldPublicKey = await world.call('publicKey', { keyId: key });
    await rotated(world, key);
    const publicKey = await world.call('publicKey', { keyId: key });
    expect(publicKey).to.not.equal(oldPublicKey);
    const renewed = await world.call('sign', { data: DATA, key });
    for (const signature of [old, renewed]) {
      expect(await world.call('verify', { data: DATA, signature, key })).to.equal(true);
    }
    const by = (signature: Uint8Array, text: string) =>
      world.call('verifyByPublicKey', { data: DATA, signature, publicKey: text });
    expect(await by(old, oldPublicKey)).to.equal(true);
    expect(await by(old, publicKey)).to.equal(false);
    expect(await by(renewed, publicKey)).to.equal(true);
  });

  it('take one use each, need their permission, and are in the log', async () => {
    await world.connect({ ...requested, capabilities: ['sign'], maxUses: 2 }, A, { ref });
    const signature = await world.call('sign', { data: DATA, key });
    await world.call('verify', { data: DATA, signature, key });
    expect(await codeOf(world.call('sign', { data: DATA, key }))).to.equal('EXPIRED');
    expect(await codeOf(world.call('sign', { data: DATA }))).to.equal('EXPIRED');
    await world.call('revoke', {});
    expect(await codeOf(world.call('sign', { data: DATA, key }))).to.equal('NOT_GRANTED');
    const { entries } = await world.surface('ui.activity', { by: 'site', offset: 0, limit: 50 });
    const shown = entries.map(({ operation, result }) => `${operation} ${result}`);
    expect(shown).to.include.members(['sign ok', 'verify ok', 'sign EXPIRED', 'sign NOT_GRANTED']);
  });

  it('by a public key need no grant and no vault', async () => {
    const signature = await world.call('sign', { data: DATA, key });
    const publicKey = await world.call('publicKey', { keyId: key });
    await world.call('revoke', {});
    const check = { data: DATA, signature, publicKey };
    expect(await world.call('verifyByPublicKey', check)).to.equal(true);
    await world.surface('ui.lock', {});
    expect(await world.call('verifyByPublicKey', check)).to.equal(true);
    expect(await codeOf(world.call('verify', { data: DATA, signature, key }))).to.equal('LOCKED');
  });

  it('that are garbage of any length are false, whatever the key', async () => {
    const keys = [
      await world.call('publicKey', { keyId: key }),
      ...[dsaKey(), rsaKey('RSA-PSS'), rsaKey('RSASSA-PKCS1-v1_5')].map(textOf),
    ];
    const garbage = fc.oneof(
      fc.uint8Array({ maxLength: 1024 }),
      fc.constantFrom(0, 63, 64, 65, 255, 256, 257, 1024).map((length) => new Uint8Array(length)),
    );
    await fc.assert(
      fc.asyncProperty(garbage, fc.constantFrom(...keys), async (signature, publicKey) => {
        const check = { data: DATA, signature, publicKey };
        expect(await world.call('verifyByPublicKey', check)).to.equal(false);
      }),
      { numRuns: 60 },
    );
    for (const length of [0, 1, 64, 1024]) {
      const signature = new Uint8Array(length);
      expect(await world.call('verify', { data: DATA, signature, key })).to.equal(false);
    }
  });

  it('by what is no public key for signatures are INVALID_ARGUMENT', async () => {
    const text = (type: 'DSA' | 'RSA-PSS' | 'X25519', bytes: Uint8Array) =>
      publicKeyText({ type, bytes });
    const { publicKey: spki } = dsaKey();
    const bogus = spki.slice();
    bogus[40]! ^= 1; // within p
    const wrong = [
      'swp1.',
      'swp1.AAAA',
      text('X25519', new Uint8Array(32)),
      text('DSA', new Uint8Array(100)),
      text('DSA', bogus),
      text('DSA', rsaKey('RSA-PSS').publicKey),
      text('RSA-PSS', spki),
      text('RSA-PSS', spki.subarray(0, 100)),
      // Too small to mean anything.
      textOf(rsaKey('RSA-PSS', 1024)),
      textOf(dsaKey(0)),
    ];
    for (const publicKey of wrong) {
      const check = { data: DATA, signature: new Uint8Array(64), publicKey };
      const code = await codeOf(world.call('verifyByPublicKey', check));
      expect(code, publicKey.slice(0, 30)).to.equal('INVALID_ARGUMENT');
    }
  });

  it('by keys that a page brings are verified in the workshop of its origin, at a price', async () => {
    const owners = new Set<string>();
    let lasting = 0;
    world.workshop = {
      call: (owner) => {
        owners.add(owner);
        lasting++;
        return Promise.resolve(true as never);
      },
    };
    const publicKey = publicKeyText({ type: 'RSA-PSS', bytes: new Uint8Array(1_060) }); // as of 8,192 bits
    const check = { data: DATA, signature: new Uint8Array(64), publicKey };
    expect(await world.call('verifyByPublicKey', check)).to.equal(true);
    expect([...owners]).to.deep.equal(['origin https://a.example']);
    let ended = 'ok';
    while (ended === 'ok' && lasting < 5_000) {
      ended = await codeOf(world.call('verifyByPublicKey', check));
    }
    expect(ended, `after ${lasting}`).to.equal('QUOTA');
    expect(await codeOf(world.call('verifyByPublicKey', check, B)), 'another site').to.equal('ok');
  });

  it('of long data are made and verified in the workshop', async () => {
    const data = new Uint8Array(MAX_SUBTLE_BYTES);
    world.operations.length = 0;
    const signature = await world.call('sign', { data, key });
    const publicKey = await world.call('publicKey', { keyId: key });
    expect(await world.call('verify', { data, signature, key })).to.equal(true);
    expect(await world.call('verifyByPublicKey', { data, signature, publicKey })).to.equal(true);
    data[7] = 1;
    expect(await world.call('verifyByPublicKey', { data, signature, publicKey })).to.equal(false);
    const operations = ['signature.sign', ...Array<string>(3).fill('signature.verify')];
    expect(world.operations).to.deep.equal(operations);
  });

  for (const pair of [dsaKey(), rsaKey('RSA-PSS'), rsaKey('RSASSA-PKCS1-v1_5')]) {
    const { algorithm, privateKey: key, publicKey: spki } = pair;
    it(`are made by an imported key of ${algorithm}, says node:crypto`, async () => {
      const ring = new KeyRing({ vault: world.vault, random: systemRandom, now: () => 1 });
      const imported = { kind: 'signing', algorithm, keys: [{ key, publicKey: spki }] } as const;
      const added = await world.vault.commit((draft) =>
        ring.addImportedKey(draft, imported, 'Old'),
      );
      const old = { ...requested, key: { kind: 'signing' as const, label: 'Old' } };
      const [grant] = await world.connect(old, A, { ref: added.ref });
      const { keyId } = grant!;
      const publicKey = await world.call('publicKey', { keyId });
      expect(publicKey).to.equal(textOf(pair));
      const signature = await world.call('sign', { data: DATA, key: keyId });
      const by = { key: nodeKey(publicKey), ...NODE_OPTIONS[algorithm] };
      const bytes = signedBy('https://a.example', DATA);
      expect(nodeVerify('sha256', bytes, by, signature)).to.equal(true);
      expect(await world.call('verify', { data: DATA, signature, key: keyId })).to.equal(true);
      expect(await codeOf(world.call('rotateKey', { keyId }))).to.equal('UNSUPPORTED');
    });
  }

  it('are UNSUPPORTED where the browser has no Ed25519', async () => {
    const lacking = { importKey: () => Promise.reject(new DOMException('', 'NotSupportedError')) };
    const signatures = new Signatures({
      workshop: inThread({}),
      random: systemRandom,
      platform: lacking as never,
    });
    const signing = { algorithm: 'Ed25519', key: new Uint8Array(32) } as const;
    const publicKey = { type: 'Ed25519', bytes: new Uint8Array(32) } as const;
    const none = new Uint8Array(0);
    for (const call of [
      signatures.sign(signing, none),
      signatures.publicKeyOf(signing),
      signatures.verify(publicKey, none, none),
    ]) {
      expect(await codeOf(call)).to.equal('UNSUPPORTED');
    }
  });
});

const textOf = ({ algorithm: type, publicKey: bytes }: KeyPair): string =>
  publicKeyText({ type, bytes: new Uint8Array(bytes) });

/** The page asks, and the user says yes. */
async function rotated(world: World, keyId: string): Promise<void> {
  const shown = world.prompter.shown.length;
  const asking = world.call('rotateKey', { keyId });
  while (world.prompter.shown.length === shown) await new Promise(setImmediate);
  await world.surface('ui.answerPrompt', { promptId: world.prompter.shown[shown]!, allow: true });
  expect((await asking).generation).to.equal(2);
}
