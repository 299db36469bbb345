import { expect } from 'chai';
import { fromHex, toHex } from '../../../src/crypto/bytes.ts';
import {
  DHKEM_X25519_ID,
  dhkemX25519Secret,
  hpkeExport,
  hpkeKeys,
} from '../../../src/crypto/kdf/hpke.ts';
import { x25519 } from '@noble/curves/ed25519.js';
import { createCipheriv } from 'node:crypto';
import { readPublished } from '../../support/vectors.ts';

/** RFC 9180, table 5: the cipher of appendix A.1. */
const AES_128_GCM = { id: 0x0001, keyBytes: 16, nonceBytes: 12 };

describe('HPKE’s key derivation', () => {
  it('gives the keys of RFC 9180, appendix A.1.1', () => {
    const vector = readPublished('rfc9180.json') as Record<string, string>;
    const bytes = (name: string) => fromHex(vector[name]!);
    const dh = x25519.getSharedSecret(bytes('skEm'), bytes('pkRm'));
    const secret = dhkemX25519Secret(dh, bytes('pkEm'), bytes('pkRm'));
    expect(toHex(secret)).to.equal(vector['sharedSecret']);
    const { key, nonce } = hpkeKeys(DHKEM_X25519_ID, AES_128_GCM, secret, bytes('info'));
    expect(toHex(key)).to.equal(vector['key']);
    expect(toHex(nonce)).to.equal(vector['baseNonce']);
    const cipher = createCipheriv('aes-128-gcm', key, nonce).setAAD(bytes('aad'));
    const parts = [cipher.update(bytes('pt')), cipher.final(), cipher.getAuthTag()];
    expect(toHex(Buffer.concat(parts))).to.equal(vector['ct']);
  });

  it('exports the secrets of RFC 9180, appendix A.1.1.2', () => {
    const { exports, ...vector } = readPublished('rfc9180.json') as Record<string, string> & {
      exports: { context: string; value: string }[];
    };
    const [secret, info] = ['sharedSecret', 'info'].map((name) => fromHex(vector[name]!));
    expect(exports).to.have.length(3);
    for (const { context, value } of exports) {
      const asked = [DHKEM_X25519_ID, AES_128_GCM, secret!, info!, fromHex(context)] as const;
      expect(toHex(hpkeExport(...asked, 32))).to.equal(value);
      expect(toHex(hpkeExport(...asked, 8))).not.to.equal(value.slice(0, 16));
    }
  });

  it('gives other keys for another KEM, cipher, secret or info', () => {
    const aes = { id: 0x0002, keyBytes: 32, nonceBytes: 12 };
    const secret = new Uint8Array(32).fill(1);
    const info = Uint8Array.of(1, 2);
    const keyOf = (...how: Parameters<typeof hpkeKeys>) => toHex(hpkeKeys(...how).key);
    const keys = [
      keyOf(0x0020, aes, secret, info),
      keyOf(0x647a, aes, secret, info),
      keyOf(0x0020, { ...aes, id: 0x0003 }, secret, info),
      keyOf(0x0020, aes, new Uint8Array(32), info),
      keyOf(0x0020, aes, secret, Uint8Array.of(1)),
    ];
    expect(new Set(keys).size).to.equal(keys.length);
  });
});
