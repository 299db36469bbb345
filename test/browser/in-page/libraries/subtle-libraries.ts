/*
 * Popular libraries over sealwright.subtle, bundled for a page. Those that ask the page for
 * `crypto.subtle` get ours in its place.
 */
import './reflect-metadata.ts';
import { Aes128Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { X509Certificate, X509CertificateGenerator } from '@peculiar/x509';
import { CompactEncrypt, compactDecrypt, jwtVerify, SignJWT } from 'jose';

declare const sealwright: { readonly subtle: SubtleCrypto };
const { subtle } = sealwright;
let calls = 0;
const counting = new Proxy(subtle, {
  get(target, name) {
    const method = Reflect.get(target, name, target) as unknown;
    if (typeof method !== 'function') return method;
    return (...args: unknown[]) => {
      calls++;
      return Reflect.apply(method, target, args) as unknown;
    };
  },
});
Object.defineProperty(crypto, 'subtle', { value: counting, configurable: true });

async function jose(): Promise<string> {
  const ec = { name: 'ECDSA', namedCurve: 'P-256' };
  const { privateKey, publicKey } = await subtle.generateKey(ec, false, ['sign', 'verify']);
  const token = new SignJWT({ scope: 'notes' }).setProtectedHeader({ alg: 'ES256' });
  const { payload } = await jwtVerify(await token.sign(privateKey), publicKey);
  const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  const text = new TextEncoder().encode('hello');
  const header = { alg: 'dir', enc: 'A256GCM' };
  const sealed = await new CompactEncrypt(text).setProtectedHeader(header).encrypt(key);
  const opened = await compactDecrypt(sealed, key);
  return `${String(payload.scope)} ${new TextDecoder().decode(opened.plaintext)}`;
}

async function hpke(): Promise<string> {
  const suite = new CipherSuite({
    kem: new DhkemP256HkdfSha256(),
    kdf: new HkdfSha256(),
    aead: new Aes128Gcm(),
  });
  const { privateKey, publicKey } = await suite.kem.generateKeyPair();
  const sender = await suite.createSenderContext({ recipientPublicKey: publicKey });
  const sealed = await sender.seal(new TextEncoder().encode('hello'));
  const parts = { recipientKey: privateKey, enc: sender.enc };
  const recipient = await suite.createRecipientContext(parts);
  return new TextDecoder().decode(await recipient.open(sealed));
}

async function x509(): Promise<string> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await subtle.generateKey(signingAlgorithm, false, ['sign', 'verify']);
  const made = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: '01',
      name: 'CN=Sealwright',
      notBefore: new Date('2026-01-01'),
      notAfter: new Date('2027-01-01'),
      signingAlgorithm,
      keys,
    },
    crypto,
  );
  const read = new X509Certificate(made.rawData);
  const isValid = await read.verify({ date: new Date('2026-06-01') }, crypto);
  return `${read.subject} ${isValid}`;
}

type Outcome = { readonly result: string; readonly calls: number };
async function outcome(work: () => Promise<string>): Promise<Outcome> {
  calls = 0;
  const result = await work().catch((error: unknown) => String(error));
  return { result, calls };
}

Object.assign(globalThis, {
  libraries: async () => ({
    jose: await outcome(jose),
    hpke: await outcome(hpke),
    x509: await outcome(x509),
  }),
});
