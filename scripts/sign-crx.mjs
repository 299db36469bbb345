/*
 * node scripts/sign-crx.mjs KEY.pem PACKAGE.zip OUT.crx: signs a package for the Chrome Web Store, which then takes no
 * update that another key has signed ("verified uploads"). The zip in the CRX is that of the release, byte for byte.
 */
import { Buffer } from 'node:buffer';
import { createHash, createPublicKey, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { giveUp } from './run.mjs';

const VERSION = 3;
/** What a signature of a CRX 3 begins with, and the fields of its header (Chromium's crx3.proto). */
const SIGNED = Buffer.from('CRX3 SignedData\0');
const FIELD = { proofOfRsa: 2, publicKey: 1, signature: 2, signedHeader: 10_000, crxId: 1 };
const ID_BYTES = 16;

/** The CRX of a zip. @param key an RSA key as PEM */
export function signedCrx(zip, key) {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const id = createHash('sha256').update(publicKey).digest().subarray(0, ID_BYTES);
  const signedHeader = bytesField(FIELD.crxId, id);
  const signature = sign(
    'sha256',
    Buffer.concat([SIGNED, u32le(signedHeader.length), signedHeader, zip]),
    key,
  );
  const proof = Buffer.concat([
    bytesField(FIELD.publicKey, publicKey),
    bytesField(FIELD.signature, signature),
  ]);
  const header = Buffer.concat([
    bytesField(FIELD.proofOfRsa, proof),
    bytesField(FIELD.signedHeader, signedHeader),
  ]);
  return Buffer.concat([Buffer.from('Cr24'), u32le(VERSION), u32le(header.length), header, zip]);
}

function u32le(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A field of bytes in the encoding of Protocol Buffers: its number and kind, its length, its bytes. */
function bytesField(number, bytes) {
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest >>= 7) {
    bytes.push((rest & 127) | (rest > 127 ? 128 : 0));
    if (rest <= 127) return Buffer.from(bytes);
  }
}

if (import.meta.filename === process.argv[1]) {
  const [key, zip, out] = process.argv.slice(2);
  if (out === undefined) giveUp('Give KEY.pem PACKAGE.zip OUT.crx');
  writeFileSync(out, signedCrx(readFileSync(zip), readFileSync(key, 'utf8')));
}
