/**
 * Messages in the format of `sjcl.encrypt(password, plaintext)` of the Stanford JavaScript Crypto Library: a
 * flat JSON object with the ciphertext and its parameters. Read only.
 *
 * The text is untrusted, and SJCL lets it choose mode, tag and iterations. This file checks everything
 * against fixed lists and limits before the first hash is computed.
 */
import { Ccm } from '../aead/ccm.ts';
import { Gcm } from '../aead/gcm.ts';
import { Aes } from '../aes/block.ts';
import { fromBase64url, utf8, wipe } from '../bytes.ts';
import { AuthenticationError } from '../errors.ts';
import { ocb2Open } from './ocb2.ts';

/** A decrypted message of SJCL's JSON format. */
export interface OpenedSjclJson {
  /** UTF-8 of the text */
  readonly plaintext: Uint8Array<ArrayBuffer>;
  /** False for OCB2, whose tags can be forged (ocb2.ts) */
  readonly authenticated: boolean;
  /** Of PBKDF2, as the message has them: below 1,000, guessing its password costs little */
  readonly iterations: number;
}

/** PBKDF2-HMAC-SHA-256 (RFC 8018, section 5.2). */
export type DeriveSjclKey = (
  password: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
  lengthBytes: number,
) => Promise<Uint8Array>;

/** SJCL neither writes nor reads fewer; more would be a denial of service for the reader. */
const MIN_ITERATIONS = 101;
const MAX_ITERATIONS = 10_000_000;

/** SJCL's defaults for absent members. */
const DEFAULTS: Fields = {
  v: 1,
  iter: 10_000,
  ks: 128,
  ts: 64,
  mode: 'ccm',
  adata: '',
  cipher: 'aes',
};

/**
 * @param password any text without lone surrogates
 * @param text the result of `sjcl.encrypt`
 * @param derive PBKDF2 of the fastest available engine
 * @returns the plaintext; check `authenticated`
 * @throws TypeError if `text` is not such a message; RangeError if its parameters are not allowed;
 * AuthenticationError if it does not verify under `password`
 */
export async function openSjclJson(
  password: string,
  text: string,
  derive: DeriveSjclKey,
): Promise<OpenedSjclJson> {
  if (typeof password !== 'string') throw new TypeError('password must be a string');
  if (typeof text !== 'string') throw new TypeError('text must be a string');
  const secret = utf8(password);
  const message = parse(text);
  const derived = await derive(secret, message.salt, message.iterations, message.keyBytes);
  wipe(secret);
  try {
    const { mode, iterations } = message;
    return { plaintext: open(derived, message), authenticated: mode !== 'ocb2', iterations };
  } finally {
    wipe(derived);
  }
}

type Fields = Readonly<Record<string, unknown>>;

const MODES = ['ccm', 'gcm', 'ocb2'] as const;

interface Message {
  readonly mode: (typeof MODES)[number];
  readonly iterations: number;
  readonly keyBytes: number;
  readonly tagBytes: number;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly iv: Uint8Array;
  /** What it may be: the tag decides. */
  readonly associatedData: readonly Uint8Array[];
  readonly sealed: Uint8Array;
}

/** Checks everything that can be checked without the password. */
function parse(text: string): Message {
  const fields = { ...DEFAULTS, ...fieldsOf(text) };
  oneOf(fields, 'v', [1]);
  oneOf(fields, 'cipher', ['aes']);
  const mode = oneOf(fields, 'mode', MODES);
  const message = {
    mode,
    iterations: iterationsOf(fields),
    keyBytes: oneOf(fields, 'ks', [128, 192, 256]) / 8,
    tagBytes: oneOf(fields, 'ts', [64, 96, 128]) / 8,
    salt: base64(fields, 'salt'),
    iv: base64(fields, 'iv'),
    associatedData: associatedData(fields),
    sealed: base64(fields, 'ct'),
  };
  // SJCL's limits: 5 to 16 bytes, at least 7 in CCM, exactly 16 in OCB2
  const least = { gcm: 5, ccm: 7, ocb2: 16 }[mode];
  if (message.iv.length < least || message.iv.length > 16) {
    throw new RangeError(`iv must have ${least} to 16 bytes, got ${message.iv.length}`);
  }
  if (message.sealed.length < message.tagBytes) throw new AuthenticationError();
  return message;
}

/** Early versions of SJCL wrote the names without quotes. All ignore white space, which mail adds to lines. */
function fieldsOf(text: string): Fields {
  const quoted = text.replaceAll(/\s/g, '').replaceAll(/([{,])([a-z]+):/g, '$1"$2":');
  let parsed: unknown;
  try {
    parsed = JSON.parse(quoted);
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new TypeError('text is not an SJCL message', { cause: error });
    }
    throw error;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new TypeError('text is not an SJCL message');
  }
  return parsed as Fields;
}

/** SJCL takes the number as text, too. */
function iterationsOf({ iter }: Fields): number {
  const isNumber = typeof iter === 'number' || (typeof iter === 'string' && /^\d+$/.test(iter));
  const iterations = isNumber ? Number(iter) : NaN;
  if (!Number.isSafeInteger(iterations)) throw new TypeError('iter must be an integer');
  if (iterations < MIN_ITERATIONS || iterations > MAX_ITERATIONS) {
    throw new RangeError(`iter must be ${MIN_ITERATIONS} to ${MAX_ITERATIONS}, got ${iterations}`);
  }
  return iterations;
}

function oneOf<const T>(fields: Fields, name: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === fields[name]);
  if (found === undefined) throw new RangeError(`${name} must be one of ${allowed.join(', ')}`);
  return found;
}

/**
 * The standard alphabet of RFC 4648, section 4, with or without padding. SJCL ignores spare bits of the last digit,
 * which are set where somebody has made up the text.
 */
function base64(fields: Fields, name: string): Uint8Array<ArrayBuffer> {
  const text = fields[name];
  try {
    if (typeof text !== 'string' || /[-_]/.test(text)) throw new TypeError('not base64');
    const digits = text
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replace(/={1,2}$/, '');
    const { length } = digits;
    if (length % 4 === 1) throw new TypeError('not base64');
    const bytes = fromBase64url(digits.padEnd(4 * Math.ceil(length / 4), 'A'));
    return bytes.slice(0, Math.floor((3 * length) / 4));
  } catch (error) {
    throw new TypeError(`${name} must be base64`, { cause: error });
  }
}

/** Base64 from 1.0.2 on; before, the text as JavaScript's `escape` writes it, which may look like Base64. */
function associatedData(fields: Fields): Uint8Array[] {
  const { adata } = fields;
  const isEscaped =
    typeof adata === 'string' && /^(?:[\w@*+\-./]|%[\dA-F]{2}|%u[\dA-F]{4})+$/.test(adata);
  if (!isEscaped) return [base64(fields, 'adata')];
  const text = adata.replaceAll(/%u[\dA-F]{4}|%[\dA-F]{2}/g, (code) =>
    String.fromCharCode(Number.parseInt(code.replace(/%u?/, ''), 16)),
  );
  try {
    return [base64(fields, 'adata'), utf8(text)];
  } catch {
    return [utf8(text)];
  }
}

/** @param key of the length that the message names */
function open(key: Uint8Array, message: Message): Uint8Array<ArrayBuffer> {
  const [first, ...others] = message.associatedData;
  try {
    return openWith(key, message, first);
  } catch (error) {
    if (others.length === 0 || !(error instanceof AuthenticationError)) throw error;
    return openWith(key, message, others[0]);
  }
}

function openWith(
  key: Uint8Array,
  message: Message,
  associatedData: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const { mode, tagBytes, iv, sealed } = message;
  if (mode === 'ocb2') {
    return ocb2Open({ key, iv, associatedData, tagLength: 8 * tagBytes }, sealed);
  }
  const Mode = mode === 'ccm' ? Ccm : Gcm;
  const aead = new Mode(new Aes(key), { tagBytes });
  const plaintext = new Uint8Array(sealed.length - tagBytes);
  try {
    aead.open(mode === 'ccm' ? ccmNonce(message) : iv, sealed, associatedData, plaintext);
    return plaintext;
  } finally {
    aead.wipe();
  }
}

/**
 * SJCL cuts the IV to the nonce length that CCM allows for the message, whose length is encoded in L bytes:
 * 2, or as many as the length needs, or the remaining bytes for a short IV. The standard mode refuses such
 * nonces.
 */
function ccmNonce({ iv, sealed, tagBytes }: Message): Uint8Array {
  const length = sealed.length - tagBytes;
  const needed = length < 2 ** 16 ? 2 : length < 2 ** 24 ? 3 : 4;
  return iv.subarray(0, 15 - needed);
}
