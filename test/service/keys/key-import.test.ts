import { expect } from 'chai';
import fc from 'fast-check';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { parsePublicKey } from '../../../src/format/wire/public-key.ts';
import { OID, writePkcs8 } from '../../../src/subtle/algorithms/classical-keys.ts';
import { dsaPem, largeDsaKey, pem, smallDsaKey } from '../../support/samples/dsa-key.ts';
import { hex } from '../../support/vectors.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

describe('Importing a signing key', function () {
  this.timeout(120_000);
  let world: World;
  const imported = (text: string, scheme: 'RSA-PSS' | 'RSASSA-PKCS1-v1_5' = 'RSA-PSS') =>
    world.surface('ui.importKey', { label: 'Old', text, scheme });

  before(async () => {
    world = await World.unlocked();
  });

  it('takes DSA of 2,048 bits, and finds its public key', async () => {
    const { ref, ...key } = await imported(dsaPem(largeDsaKey));
    expect(key).to.include({ kind: 'signing', algorithm: 'DSA', label: 'Old', generation: 1 });
    const { type, bytes } = parsePublicKey((await world.surface('ui.publicKey', { ref })).text);
    expect(type).to.equal('DSA');
    const expected = createPublicKey(createPrivateKey(dsaPem(largeDsaKey)));
    const spki = expected.export({ format: 'der', type: 'spki' });
    expect(Buffer.from(bytes).equals(spki)).to.equal(true);
  });

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const spki = rsa.publicKey.export({ format: 'der', type: 'spki' });
  for (const scheme of ['RSA-PSS', 'RSASSA-PKCS1-v1_5'] as const) {
    it(`takes RSA for ${scheme}, in PEM and as a JSON Web Key`, async () => {
      const jwk = { ...rsa.privateKey.export({ format: 'jwk' }), alg: 'RS512', use: 'enc' };
      const pkcs8 = rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
      for (const text of [pkcs8, `\r\n${pkcs8.replaceAll('\n', '\r\n')}`, JSON.stringify(jwk)]) {
        const { ref, algorithm } = await imported(text, scheme);
        expect(algorithm).to.equal(scheme);
        const { bytes } = parsePublicKey((await world.surface('ui.publicKey', { ref })).text);
        expect(Buffer.from(bytes).equals(spki)).to.equal(true);
      }
    });
  }

  const ed25519 = generateKeyPairSync('ed25519').privateKey;
  const secret = { cipher: 'aes-256-cbc', passphrase: 'p' };
  const WRONG: Record<string, string> = {
    'DSA of 1,024 bits': dsaPem(smallDsaKey),
    'a private key of 0': dsaPem(largeDsaKey, { x: '00' }),
    'a private key beyond the order': dsaPem(largeDsaKey, { x: largeDsaKey.q }),
    'a generator of another order': dsaPem(largeDsaKey, { g: '02' }),
    'an order that is even': dsaPem(largeDsaKey, { q: `${largeDsaKey.q.slice(0, -1)}2` }),
    'a modulus that is changed': dsaPem(largeDsaKey, { p: `${largeDsaKey.p.slice(0, -1)}9` }),
    'RSA of 1,024 bits': generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
      format: 'pem',
      type: 'pkcs8',
    }) as string,
    Ed25519: ed25519.export({ format: 'pem', type: 'pkcs8' }) as string,
    'Ed25519 as a JSON Web Key': JSON.stringify(ed25519.export({ format: 'jwk' })),
    'a public key': rsa.publicKey.export({ format: 'pem', type: 'spki' }) as string,
    'a public JSON Web Key': JSON.stringify(rsa.publicKey.export({ format: 'jwk' })),
    'a key under a passphrase': rsa.privateKey.export({
      format: 'pem',
      type: 'pkcs8',
      ...secret,
    } as never) as unknown as string,
    'PKCS #1': rsa.privateKey.export({ format: 'pem', type: 'pkcs1' }) as string,
    "OpenSSH's own": pem(new Uint8Array(100), 'OPENSSH PRIVATE KEY'),
    'PEM that is cut off': dsaPem(largeDsaKey).slice(0, 400),
    'DER that is cut off': pem(
      writePkcs8({ oid: OID.dsa, params: [], value: hex(largeDsaKey, 'x') }),
    ),
    'an empty object': '{}',
    'JSON that is none': '{"kty":',
    'a null': 'null',
    words: 'my private key',
  };
  for (const [title, text] of Object.entries(WRONG)) {
    it(`refuses ${title}, and changes nothing`, async () => {
      const before = (await world.surface('ui.keys', {})).length;
      expect(await codeOf(imported(text))).to.equal('INVALID_ARGUMENT');
      expect(await world.surface('ui.keys', {})).to.have.length(before);
    });
  }

  it('of anything at all is refused with the same words, which quote nothing of it', async () => {
    const near = fc
      .uint8Array({ maxLength: 200 })
      .map((bytes) => pem(bytes.length > 0 ? bytes : Uint8Array.of(0)));
    const any = fc.oneof(near, fc.json(), fc.string({ minLength: 1 }));
    await fc.assert(
      fc.asyncProperty(any, async (text) => {
        const error = await imported(text).then(
          () => undefined,
          (reason: unknown) => reason as { code: string; message: string },
        );
        expect(error?.code).to.equal('INVALID_ARGUMENT');
        expect(error?.message).to.match(/^text: expected /);
      }),
      { numRuns: 100 },
    );
  });
});
