/*
 * The header of a file of age (age-encryption.org/v1): the file key, 16 bytes, sealed to each recipient, and a MAC over it all.
 *
 *   age-encryption.org/v1
 *   -> TYPE ARGUMENT …
 *   BODY
 *   --- MAC
 */
import { ChaCha20Poly1305 } from '../../crypto/aead/chacha20-poly1305.ts';
import { concat, equal, utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError, isAuthenticationError } from '../../crypto/errors.ts';
import { SHA256 } from '../../crypto/hash/sha256.ts';
import { hkdf } from '../../crypto/kdf/hkdf.ts';
import { hpkeKeys } from '../../crypto/kdf/hpke.ts';
import { scrypt } from '../../crypto/kdf/scrypt.ts';
import { loadX25519 } from '../../engine/kem/x25519.ts';
import { AGE_WORK_FACTOR_MAX, ageHeaderMac, ageScryptSalt, damagedAge } from '../../format/age.ts';
import { EnvelopeError } from '../../format/errors.ts';
import { NATIVE_RANDOM } from '../../format/native-crypto.ts';
import { allKems } from '../../format/recipients/kems.ts';
import type { AgeKey } from '../../format/recipients/age-text.ts';

/** What opens a file: identities, or the passphrase under which it is. */
export type AgeSecret = AgeKey | { readonly passphrase: Uint8Array };

interface Stanza {
  readonly type: string;
  readonly args: readonly string[];
  readonly body: Uint8Array;
}

/** A header as it was read. */
export interface AgeHeader {
  readonly stanzas: readonly Stanza[];
  /** What the MAC covers. */
  readonly signed: Uint8Array;
  readonly mac: Uint8Array;
  /** Its length in bytes: a nonce of 16 bytes follows, then the payload. */
  readonly bytes: number;
}

const MAGIC = 'age-encryption.org/v1\n';
/** No line of a stanza begins with "---". */
const MAC_LINE = /\n--- ([A-Za-z\d+/]{43})\n/;
/** One stanza: printable arguments, and lines of Base64 of which the last one has less than 64 characters. */
const STANZA = /-> ([!-~]+(?: [!-~]+)*)\n((?:[A-Za-z\d+/]{64}\n)*[A-Za-z\d+/]{0,63}\n)/y;
const FILE_KEY_BYTES = 16;
const BODY_BYTES = FILE_KEY_BYTES + 16;
const KEY_BYTES = 32;
const NO_NONCE = new Uint8Array(12);
const HPKE_CHACHA20_POLY1305 = { id: 0x0003, keyBytes: KEY_BYTES, nonceBytes: 12 };
const HYBRID = 'mlkem768x25519';
const { 'X-Wing': HYBRID_KEM } = allKems(loadX25519);

/**
 * Reads a header.
 *
 * @param head the beginning of a binary file
 * @returns undefined where its end is not there
 * @throws EnvelopeError BAD_ENVELOPE for any other text
 */
export function parseAgeHeader(head: Uint8Array): AgeHeader | undefined {
  const text = new TextDecoder('latin1').decode(head);
  const end = MAC_LINE.exec(text);
  if (!end) return undefined;
  if (!text.startsWith(MAGIC)) throw damagedAge();
  const stanzas: Stanza[] = [];
  const linesEnd = end.index + 1;
  for (let at = MAGIC.length; at < linesEnd;) {
    STANZA.lastIndex = at;
    const [whole, words, body] = STANZA.exec(text) ?? [];
    if (whole === undefined) throw damagedAge();
    const [type, ...args] = words!.split(' ');
    stanzas.push({ type: type!, args, body: ageBase64(body!.replaceAll('\n', '')) });
    at += whole.length;
  }
  const isSole = stanzas.length === 1 || !stanzas.some(({ type }) => type === 'scrypt');
  if (stanzas.length === 0 || !isSole) throw damagedAge();
  const signed = utf8(text.slice(0, linesEnd + '---'.length));
  return { stanzas, signed, mac: ageBase64(end[1]!), bytes: end.index + end[0].length };
}

/** Whether the file is under a passphrase. */
export const isUnderPassphrase = ({ stanzas }: AgeHeader): boolean => stanzas[0]!.type === 'scrypt';

/**
 * Opens the file key, and checks the header with it.
 *
 * @returns 16 bytes, which the caller wipes
 * @throws AuthenticationError where no secret opens it; EnvelopeError BAD_ENVELOPE for a header that was changed, TOO_LARGE,
 *   before any work, for a passphrase that costs more than 1 GiB
 */
export async function openFileKey(
  { stanzas, signed, mac }: AgeHeader,
  secrets: readonly AgeSecret[],
): Promise<Uint8Array> {
  for (const stanza of stanzas) {
    for (const secret of secrets) {
      const wrapped = await wrapKeyOf(stanza, secret);
      if (!wrapped) continue;
      const fileKey = openedBody(wrapped, stanza.body);
      if (!fileKey) continue;
      if (equal(ageHeaderMac(fileKey, signed), mac)) return fileKey;
      wipe(fileKey);
      throw damagedAge();
    }
  }
  throw new AuthenticationError();
}

/** A key and a nonce of ChaCha20-Poly1305. */
interface WrapKey {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
}

/** The key under which a stanza has the file key; undefined for a stanza of another type. */
async function wrapKeyOf(
  { type, args, body }: Stanza,
  secret: AgeSecret,
): Promise<WrapKey | undefined> {
  const wanted = 'passphrase' in secret ? 'scrypt' : STANZA_TYPES[secret.type];
  if (type !== wanted) return undefined;
  if (args.length !== ('passphrase' in secret ? 2 : 1) || body.length !== BODY_BYTES) {
    throw damagedAge();
  }
  const first = ageBase64(args[0]!);
  if ('passphrase' in secret) return scryptKey(secret.passphrase, first, args[1]!);
  if (secret.type === 'X25519') return x25519Key(secret.key, first);
  if (first.length !== HYBRID_KEM.encapsulatedBytes) throw damagedAge();
  return hybridKey(await HYBRID_KEM.decapsulate(secret.key, first));
}

const STANZA_TYPES = { X25519: 'X25519', 'X-Wing': HYBRID } as const;

function scryptKey(passphrase: Uint8Array, salt: Uint8Array, workFactor: string): WrapKey {
  if (salt.length !== 16 || !/^[1-9]\d?$/.test(workFactor)) throw damagedAge();
  if (Number(workFactor) > AGE_WORK_FACTOR_MAX) {
    throw new EnvelopeError('TOO_LARGE', `Work factor ${workFactor}: more than is accepted`);
  }
  const cost = { N: 2 ** Number(workFactor), r: 8, p: 1 };
  return { key: scrypt(passphrase, ageScryptSalt(salt), cost, KEY_BYTES), nonce: NO_NONCE };
}

async function x25519Key(privateKey: Uint8Array, share: Uint8Array): Promise<WrapKey | undefined> {
  if (share.length !== KEY_BYTES) throw damagedAge();
  const curve = await loadX25519();
  const secret = await curve.agree(privateKey, share);
  if (!secret) throw damagedAge();
  return fromX25519(secret, share, await curve.publicKey(privateKey));
}

function fromX25519(secret: Uint8Array, share: Uint8Array, publicKey: Uint8Array): WrapKey {
  const label = utf8('age-encryption.org/v1/X25519');
  const key = hkdf(SHA256, secret, concat(share, publicKey), label, KEY_BYTES);
  wipe(secret);
  return { key, nonce: NO_NONCE };
}

function hybridKey(sharedSecret: Uint8Array): WrapKey {
  const info = utf8(`age-encryption.org/${HYBRID}`);
  const keys = hpkeKeys(HYBRID_KEM.id, HPKE_CHACHA20_POLY1305, sharedSecret, info);
  wipe(sharedSecret);
  return keys;
}

function openedBody({ key, nonce }: WrapKey, body: Uint8Array): Uint8Array | undefined {
  const aead = new ChaCha20Poly1305(key);
  try {
    return aead.open(nonce, body);
  } catch (error) {
    if (isAuthenticationError(error)) return undefined;
    throw error;
  } finally {
    aead.wipe();
    wipe(key);
  }
}

/**
 * Makes a header.
 *
 * @returns it, and a fresh file key, 16 bytes, which the caller wipes
 * @throws RangeError for a public key of the right length that is not one
 */
export async function makeAgeHeader(
  recipients: readonly AgeKey[],
): Promise<{ readonly header: Uint8Array; readonly fileKey: Uint8Array }> {
  const fileKey = NATIVE_RANDOM.bytes(FILE_KEY_BYTES);
  try {
    let text = MAGIC;
    for (const recipient of recipients) text += await stanzaFor(recipient, fileKey);
    const signed = utf8(`${text}---`);
    const mac = toAgeBase64(ageHeaderMac(fileKey, signed));
    return { header: concat(signed, utf8(` ${mac}\n`)), fileKey };
  } catch (error) {
    wipe(fileKey);
    throw error;
  }
}

async function stanzaFor({ type, key: publicKey }: AgeKey, fileKey: Uint8Array): Promise<string> {
  const { share, wrapped } = await (type === 'X25519' ? toX25519 : toHybrid)(publicKey);
  const aead = new ChaCha20Poly1305(wrapped.key);
  const body = aead.seal(wrapped.nonce, fileKey);
  aead.wipe();
  wipe(wrapped.key);
  return `-> ${STANZA_TYPES[type]} ${toAgeBase64(share)}\n${toAgeBase64(body)}\n`;
}

interface Encapsulated {
  readonly share: Uint8Array;
  readonly wrapped: WrapKey;
}

async function toX25519(publicKey: Uint8Array): Promise<Encapsulated> {
  const curve = await loadX25519();
  const ephemeral = NATIVE_RANDOM.bytes(KEY_BYTES);
  try {
    const secret = await curve.agree(ephemeral, publicKey);
    if (!secret) throw new RangeError('publicKey: a point of low order');
    const share = await curve.publicKey(ephemeral);
    return { share, wrapped: fromX25519(secret, share, publicKey) };
  } finally {
    wipe(ephemeral);
  }
}

async function toHybrid(publicKey: Uint8Array): Promise<Encapsulated> {
  const randomness = NATIVE_RANDOM.bytes(HYBRID_KEM.randomnessBytes);
  try {
    const { sharedSecret, encapsulated } = await HYBRID_KEM.encapsulate(publicKey, randomness);
    return { share: encapsulated, wrapped: hybridKey(sharedSecret) };
  } finally {
    wipe(randomness);
  }
}

/** Base64 without padding (RFC 4648, section 4). */
const toAgeBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('=', '');

/** The bytes of canonical Base64 without padding. @throws EnvelopeError BAD_ENVELOPE */
export function ageBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  if (toAgeBase64(bytes) !== text) throw damagedAge();
  return bytes;
}
