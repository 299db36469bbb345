import { concat, equal, toBase64url, u64be, utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import type { RandomSource } from '../../random/contract.ts';
import { decodeJson } from '../cleartext.ts';
import { parseJwe, writeJwe } from '../key-sources/compact-jwe.ts';
import { OtherKeyError, SyncError } from '../errors.ts';
import type { RecordAlgorithms } from '../record-cipher.ts';
import { textOf } from '../codec.ts';
import type { OpenedRecord, RecordCodec } from '../codec.ts';

/*
 * Records of Firefox Notes on Kinto: `content` is a compact JWE with alg A256KW and enc A128CBC-HS256
 * (RFC 7518, sections 4.4 and 5.2.3), as node-jose writes it for a key of 32 bytes. Neither id nor
 * collection is authenticated.
 */

const CONTENT_KEY_BYTES = 32;
const HALF_BYTES = 16;

/** The scoped key and its id. Every record names the id. */
export interface NotesKey {
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly kid: string;
}

/** Seals and opens records under one key. It holds the key: call `wipe` after use. */
export interface NotesCipher {
  /** @param payload any JSON @param json the same in UTF-8 @returns a compact JWE in ASCII */
  seal(payload: unknown, json?: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * @throws SyncError BAD_RECORD if the text is not such a JWE; OtherKeyError; AuthenticationError
   */
  open(jwe: string): Promise<OpenedRecord>;
  wipe(): void;
}

/** Sets up the key in an engine. @param random for content keys and IVs */
export async function notesCipher(
  algorithms: RecordAlgorithms,
  { key, kid }: NotesKey,
  random: RandomSource,
): Promise<NotesCipher> {
  const wrapping = await algorithms['AES-KW'].withKey(key);
  const header = JSON.stringify({ alg: 'A256KW', kid, enc: 'A128CBC-HS256' });
  const protectedText = toBase64url(utf8(header));
  return {
    async seal(payload, json) {
      const contentKey = random.bytes(CONTENT_KEY_BYTES);
      const iv = random.bytes(HALF_BYTES);
      const cleartext = json ?? new TextEncoder().encode(JSON.stringify(payload));
      const ciphertext = await crypted(algorithms, contentKey, 'encrypt', iv, cleartext);
      const tag = await tagOf(algorithms, contentKey, protectedText, iv, ciphertext);
      const wrapped = await wrapping.encrypt({}, contentKey);
      wipe(contentKey);
      return utf8(writeJwe(protectedText, wrapped, iv, ciphertext, tag));
    },
    async open(text) {
      const jwe = parseJwe(text);
      requireOurs(jwe.header, kid);
      const contentKey = await wrapping.decrypt({}, jwe.encryptedKey);
      try {
        if (contentKey.length !== CONTENT_KEY_BYTES) throw new AuthenticationError();
        const tag = await tagOf(algorithms, contentKey, jwe.protectedText, jwe.iv, jwe.ciphertext);
        const isGenuine = equal(tag, jwe.tag) && jwe.iv.length === HALF_BYTES;
        if (!isGenuine) throw new AuthenticationError();
        const json = await crypted(algorithms, contentKey, 'decrypt', jwe.iv, jwe.ciphertext);
        return { payload: decodeJson(json), json };
      } finally {
        wipe(contentKey);
      }
    },
    wipe: () => wrapping.wipe(),
  };
}

/** Refuses compression and critical extensions: a reader that ignored them would misread the text. */
function requireOurs(header: Readonly<Record<string, unknown>>, kid: string): void {
  const isNotes = header['alg'] === 'A256KW' && header['enc'] === 'A128CBC-HS256';
  if (!isNotes || 'zip' in header || 'crit' in header) {
    throw new SyncError('BAD_RECORD', 'payload: expected A256KW with A128CBC-HS256');
  }
  const other = header['kid'];
  if (typeof other === 'string' && other !== kid) throw new OtherKeyError(other);
}

/** AES-128-CBC under the second half of the content key. */
async function crypted(
  algorithms: RecordAlgorithms,
  contentKey: Uint8Array,
  way: 'encrypt' | 'decrypt',
  iv: Uint8Array,
  data: Uint8Array,
): Promise<Uint8Array> {
  const cipher = await algorithms['AES-CBC'].withKey(contentKey.subarray(HALF_BYTES));
  try {
    return await cipher[way]({ iv }, data);
  } finally {
    cipher.wipe();
  }
}

/** HMAC under the first half, of header, IV, ciphertext and the header's length in bits. */
async function tagOf(
  { HMAC }: RecordAlgorithms,
  contentKey: Uint8Array,
  protectedText: string,
  iv: Uint8Array,
  ciphertext: Uint8Array,
): Promise<Uint8Array> {
  const mac = await HMAC.withKey(contentKey.subarray(0, HALF_BYTES), 'SHA-256');
  const header = utf8(protectedText);
  const tag = await mac.sign(concat(header, iv, ciphertext, u64be(8 * header.length)));
  mac.wipe();
  return tag.slice(0, HALF_BYTES);
}

/** The codec of Notes records: each is sealed and opened separately. */
export async function notesCodec(
  key: NotesKey,
  algorithms: RecordAlgorithms,
  random: RandomSource,
): Promise<RecordCodec> {
  const cipher = await notesCipher(algorithms, key, random);
  return {
    kid: key.kid,
    encrypt: (records) =>
      Promise.allSettled(records.map(({ payload, json }) => cipher.seal(payload, json))),
    decrypt: (records) =>
      Promise.allSettled(records.map(({ payload }) => cipher.open(textOf(payload)))),
    wipe: () => cipher.wipe(),
  };
}
