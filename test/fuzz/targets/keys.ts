/* Keys and files of other programs: DER, JSON Web Keys, age, SJCL, and files of the command line. */
import { deepStrictEqual } from 'node:assert';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { zipSync } from 'fflate';
import { concat, toBase64url } from '../../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { openSjclJson } from '../../../src/crypto/legacy/sjcl-json.ts';
import { inspectCommand } from '../../../src/cli/inspect-command.ts';
import { parseCommandLine } from '../../../src/cli/command-line.ts';
import { CommandError, EXIT } from '../../../src/cli/exit-codes.ts';
import { nameOf, STANDARD } from '../../../src/cli/input.ts';
import type { StandardInput } from '../../../src/cli/input.ts';
import { readKeyFile } from '../../../src/cli/key-source.ts';
import { openSealedFile } from '../../../src/cli/sealed-file.ts';
import { readArchive } from '../../../src/cli/verify/archive.ts';
import { jsEngine } from '../../../src/engine/js/js.ts';
import { nativeEngine } from '../../../src/engine/native/native.ts';
import { Registry } from '../../../src/engine/registry.ts';
import { EnvelopeError } from '../../../src/format/errors.ts';
import { sealMessage } from '../../../src/format/message.ts';
import { armor } from '../../../src/format/wire/armor.ts';
import { ageLines, ageSecretsOf, isAge } from '../../../src/keys/ring/age.ts';
import { VaultError } from '../../../src/keys/values/errors.ts';
import { canonicalJson, manifestPictures } from '../../../src/release/rewritten.ts';
import {
  OID,
  readPkcs8,
  readSpki,
  writePkcs8,
  writeSpki,
} from '../../../src/subtle/algorithms/classical-keys.ts';
import {
  derBitString,
  derInteger,
  derObjectIdentifier,
  derOctetString,
  DerReader,
  derSequence,
} from '../../../src/subtle/der.ts';
import { parseJwk } from '../../../src/subtle/jwk.ts';
import { createSubtle } from '../../../src/subtle/create-subtle.ts';
import type { Subtle } from '../../../src/subtle/subtle.ts';
import type { SubtleAlgorithm } from '../../../src/subtle/params.ts';
import type { SubtleKey, Usage } from '../../../src/subtle/key.ts';
import type { KemName } from '../../../src/crypto/post-quantum.ts';
import { ageFiles } from '../../support/age-files.ts';
import { oddZip } from '../../cli/verify/odd-zips.ts';
import { asRead, asStream, withFflate } from '../../cli/verify/zip-readers.ts';
import {
  accepted,
  acceptedLater,
  bytesIn,
  counting,
  require,
  requireSame,
  textIn,
} from '../target.ts';
import type { FuzzTarget } from '../target.ts';

const P = 2n ** 127n - 1n;
const DSA_KEY = { oid: OID.dsa, params: [P, 65_537n, 4n], value: counting(15, 1) };
const DH_KEY = { oid: OID.pkcs3, params: [P, 3n], value: counting(15, 1) };

function derSeeds(): Uint8Array[] {
  const long = derOctetString(new Uint8Array(300));
  return [
    writeSpki(DSA_KEY),
    writePkcs8(DSA_KEY),
    writeSpki(DH_KEY),
    writePkcs8({ ...DH_KEY, oid: OID.x942, params: [P, 3n, 11n] }),
    derSequence(derInteger(Uint8Array.of(0x80)), derBitString(counting(3)), long),
    derSequence(derObjectIdentifier(counting(5, 42)), derSequence(), derInteger(new Uint8Array(0))),
  ];
}

/** Everything that the reader knows, written again. */
function rewritten(data: Uint8Array, depth = 0): Uint8Array {
  const reader = new DerReader(data);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < data.length && depth < 20;) {
    const part = partOf(reader, data[at]!, data.subarray(at), depth);
    parts.push(part);
    at += part.length;
  }
  reader.end();
  return concat(...parts);
}

function partOf(reader: DerReader, tag: number, rest: Uint8Array, depth: number): Uint8Array {
  switch (tag) {
    case 0x02:
      return derInteger(reader.integer());
    case 0x03:
      return derBitString(reader.bitString());
    case 0x04:
      return derOctetString(reader.octetString());
    case 0x06:
      return derObjectIdentifier(reader.objectIdentifier());
    default: {
      reader.sequence();
      const header = rest[1]! < 0x80 ? 2 : 2 + rest[1]! - 0x80;
      const length = rest.subarray(2, header).reduce((sum, byte) => 256 * sum + byte, 0);
      const content = rest.subarray(header, header + (header === 2 ? rest[1]! : length));
      return derSequence(rewritten(content, depth + 1));
    }
  }
}

const der: FuzzTarget = {
  name: 'der',
  files: ['src/subtle/der.ts', 'src/subtle/algorithms/classical-keys.ts'],
  seeds: derSeeds,
  fuzz(data) {
    const again = accepted(() => rewritten(data), 'DataError');
    if (again && again.length > 0) requireSame('DER', again, data);
    const spki = accepted(() => readSpki(data), 'DataError');
    if (spki) deepStrictEqual(readSpki(writeSpki(spki)), spki);
    const pkcs8 = accepted(() => readPkcs8(data), 'DataError');
    if (pkcs8) deepStrictEqual(readPkcs8(writePkcs8(pkcs8)), pkcs8);
  },
};

let made: Promise<Subtle> | undefined;
const subtle = (): Promise<Subtle> =>
  (made ??= createSubtle({ registry: new Registry([nativeEngine(), jsEngine()]) }));

/** The refusals of WebCrypto's importKey, and the TypeErrors of Web IDL. */
const IMPORT_REFUSALS = ['DataError', 'SyntaxError', 'NotSupportedError', 'OperationError'];

const IMPORTS: readonly (readonly [SubtleAlgorithm, readonly Usage[], readonly Usage[]])[] = [
  [{ name: 'DSA' }, ['verify'], ['sign']],
  [{ name: 'DH' }, [], ['deriveBits']],
  [{ name: 'ECDSA', namedCurve: 'P-256' }, ['verify'], ['sign']],
  [{ name: 'Ed25519' }, ['verify'], ['sign']],
  [{ name: 'RSA-PSS', hash: 'SHA-256' }, ['verify'], ['sign']],
];

const derImport: FuzzTarget = {
  name: 'der-import',
  files: [
    'src/subtle/algorithms/dsa.ts',
    'src/subtle/algorithms/dh.ts',
    'src/subtle/algorithms/classical-keys.ts',
    'src/subtle/algorithms/platform-keys.ts',
    'src/subtle/der.ts',
  ],
  maxBytes: 1024,
  sample: 400,
  async seeds() {
    const pairs = await Promise.all(
      [{ name: 'ECDSA', namedCurve: 'P-256' }, { name: 'Ed25519' }].map(
        async (algorithm) =>
          (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair,
      ),
    );
    const exported = pairs.flatMap(({ publicKey, privateKey }) => [
      crypto.subtle.exportKey('spki', publicKey),
      crypto.subtle.exportKey('pkcs8', privateKey),
    ]);
    const platform = (await Promise.all(exported)).map((bytes) => new Uint8Array(bytes));
    const classical = [writeSpki(DSA_KEY), writePkcs8(DSA_KEY), writeSpki(DH_KEY)];
    const selectors = [2, 2, 3, 3, 0, 0, 1, 1];
    return [...platform, ...classical, writePkcs8(DH_KEY)].map((bytes, i) =>
      concat(Uint8Array.of(selectors[i]!), bytes),
    );
  },
  async fuzz(data) {
    const [algorithm, ofPublic, ofPrivate] = IMPORTS[(data[0] ?? 0) % IMPORTS.length]!;
    const bytes = data.slice(1);
    for (const [format, usages] of [
      ['spki', ofPublic],
      ['pkcs8', ofPrivate],
    ] as const) {
      const key = await acceptedLater(
        async () => (await subtle()).importKey(format, bytes, algorithm, true, usages),
        ...IMPORT_REFUSALS,
      );
      if (!key) continue;
      const again = new Uint8Array(await (await subtle()).exportKey(format, key));
      const same = await (await subtle()).importKey(format, again, algorithm, true, usages);
      const twice = new Uint8Array(await (await subtle()).exportKey(format, same));
      requireSame('a key, exported twice', twice, again);
    }
  },
};

const JWK_ALGORITHMS: readonly (readonly [SubtleAlgorithm, readonly Usage[]])[] = [
  [{ name: 'AES-GCM' }, ['encrypt']],
  [{ name: 'AES-OCB' }, ['encrypt']],
  [{ name: 'ChaCha20-Poly1305' }, ['encrypt', 'decrypt']],
  [{ name: 'HMAC', hash: 'SHA-256' }, ['sign']],
  [{ name: 'AES-KW' }, ['wrapKey']],
  [{ name: 'PBKDF2' }, ['deriveBits']],
];

const jwk: FuzzTarget = {
  name: 'jwk',
  files: [
    'src/subtle/jwk.ts',
    'src/subtle/algorithms/symmetric-keys.ts',
    'src/subtle/algorithms/hmac.ts',
    'src/subtle/webidl/web-idl.ts',
  ],
  maxBytes: 1024,
  sample: 1_000,
  words: ['{"', '":', '"oct"', 'A256GCM', 'HS256', 'key_ops', '["encrypt"]', 'ext', 'false', 'k'],
  seeds() {
    const k = toBase64url(counting(32));
    const keys = [
      [0, { kty: 'oct', k, alg: 'A256GCM', key_ops: ['encrypt', 'decrypt'], ext: true }],
      [1, { kty: 'oct', k: toBase64url(counting(16)), use: 'enc' }],
      [2, { kty: 'oct', k, key_ops: ['encrypt', 'decrypt'] }],
      [3, { kty: 'oct', k, alg: 'HS256', use: 'sig', key_ops: ['sign'] }],
      [4, { kty: 'oct', k, alg: 'A256KW', ext: false }],
    ] as const;
    return keys.map(([selector, key]) => {
      return concat(Uint8Array.of(selector), bytesIn(JSON.stringify(key)));
    });
  },
  async fuzz(data) {
    const [algorithm, usages] = JWK_ALGORITHMS[(data[0] ?? 0) % JWK_ALGORITHMS.length]!;
    const parsed = accepted(() => parseJwk(data.subarray(1)), 'DataError');
    if (!parsed) return;
    const key = await acceptedLater(
      async () => (await subtle()).importKey('jwk', parsed, algorithm, true, usages),
      ...IMPORT_REFUSALS,
      TypeError,
    );
    if (!key) return;
    const exported = await (await subtle()).exportKey('jwk', key);
    require('the same key bytes', exported.k === parsed.k);
    const again = await (await subtle()).importKey('jwk', exported, algorithm, true, usages);
    deepStrictEqual(await (await subtle()).exportKey('jwk', again), exported);
  },
};

type ByteKeyName = KemName | 'ML-DSA-44' | 'X448' | 'Ed448';
type ByteKeyRow = readonly [ByteKeyName, readonly Usage[], readonly Usage[]];

/** Those whose keys are bytes; the rules are one, and SLH-DSA's would take a second for each private JWK. */
const BYTE_KEY_ALGORITHMS: readonly ByteKeyRow[] = [
  ['ML-KEM-512', ['encapsulateBits'], ['decapsulateBits']],
  ['ML-DSA-44', ['verify'], ['sign']],
  ['MLKEM768-X25519', ['encapsulateBits'], ['decapsulateBits']],
  ['X448', [], ['deriveBits']],
  ['Ed448', ['verify'], ['sign']],
];
const BYTE_KEY_FORMATS = ['raw-public', 'raw-seed', 'spki', 'pkcs8', 'jwk'] as const;

const byteKeys: FuzzTarget = {
  name: 'byte-keys',
  files: [
    'src/subtle/algorithms/post-quantum/keys.ts',
    'src/subtle/algorithms/post-quantum/kems.ts',
    'src/subtle/algorithms/post-quantum/signatures.ts',
    'src/subtle/jwk.ts',
    'src/subtle/der.ts',
  ],
  sample: 300,
  words: ['"AKP"', '"OKP"', '"pub":', '"priv":', '"crv":', '"ML-DSA-44"', 'MLKEM512', '+A256KW'],
  async seeds() {
    const own = await subtle();
    const seeds: Uint8Array[] = [];
    for (const [index, [name, ofPublic, ofPrivate]] of BYTE_KEY_ALGORITHMS.entries()) {
      const usages = [...ofPublic, ...ofPrivate];
      const made = await own.generateKey<{ name: ByteKeyName }>({ name }, true, usages);
      for (const key of [made.publicKey, made.privateKey]) {
        for (const [place, format] of BYTE_KEY_FORMATS.entries()) {
          const exported = await own.exportKey(format, key).catch(() => undefined);
          if (exported === undefined) continue; // of the other kind, or none of its formats
          const isBytes = exported instanceof ArrayBuffer;
          const text = bytesIn(JSON.stringify(exported));
          const head = Uint8Array.of(index, place);
          seeds.push(concat(head, isBytes ? new Uint8Array(exported) : text));
        }
      }
    }
    return seeds;
  },
  maxBytes: 4096,
  async fuzz(data) {
    const own = await subtle();
    const [name, ofPublic, ofPrivate] =
      BYTE_KEY_ALGORITHMS[(data[0] ?? 0) % BYTE_KEY_ALGORITHMS.length]!;
    const format = BYTE_KEY_FORMATS[(data[1] ?? 0) % BYTE_KEY_FORMATS.length]!;
    const bytes = data.slice(2);
    const given = format === 'jwk' ? accepted(() => parseJwk(bytes), 'DataError') : bytes;
    if (!given) return;
    for (const usages of [ofPublic, ofPrivate]) {
      const key: SubtleKey | undefined = await acceptedLater(
        (): Promise<SubtleKey> => own.importKey(format, given, { name }, true, usages),
        ...IMPORT_REFUSALS,
        TypeError,
      );
      if (!key) continue;
      const again: ArrayBuffer | JsonWebKey = await own.exportKey(format, key);
      if (again instanceof ArrayBuffer) {
        const exported = new Uint8Array(again);
        // PrivateKeyInfo may have attributes, which are not kept (RFC 5208, section 5).
        const hasAttributes = format === 'pkcs8' && bytes.length > exported.length;
        if (!hasAttributes) requireSame('a key', exported, bytes);
        const same = await own.importKey(format, exported.slice(), { name }, true, usages);
        const twice = (await own.exportKey(format, same)) as ArrayBuffer;
        requireSame('a key without attributes', new Uint8Array(twice), exported);
      } else {
        const same = await own.importKey('jwk', again, { name }, true, usages);
        deepStrictEqual(await own.exportKey('jwk', same), again);
      }
    }
  },
};

/** Both were made for this test and have never been used for anything else; the file is for the first one. */
const AGE_IDENTITY = 'AGE-SECRET-KEY-1QTESRR6A8Z5YX8LKV7MTZ360R5Z3FMPZ2HXPFGDAH5WKS9KLYLESU7YHXV';
const AGE_STRANGER = 'AGE-SECRET-KEY-188DZSVTE0GYAS6V6N8KHQAX5Z6Z5JT05R9D6K35MJDJX2APTET5Q8QFDMN';
const AGE_FILE = `YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBkS0VLdXBxZVJjMVJHTmlI
MnZKaDNpWGV3OHpYYTZ6LzU4a1YrYjArUnhBCmR5OGNuUHZLL2NoVTREQVpwRGN5
QVJDQmVITzIrUlZ0cGpkRzg4eThkRkEKLS0tIG8zUXFtaHovbEM4NDYraktSV2ph
RHlvem1kT0pCb0ZYNWZvMkR0aC84YTgKXLQ87GTWFzCxM6VcIYdccL7263Ox7g1T
dg+Ubnv7uIjQ+MeLmQ==
`;

const age: FuzzTarget = {
  name: 'age',
  files: ['src/keys/ring/age.ts', 'src/workshop/age.ts'],
  sample: 300,
  words: ['age-encryption.org/v1\n', '-> X25519 ', '\n---', '-----BEGIN AGE ENCRYPTED FILE-----'],
  seeds: () => [
    new Uint8Array(Buffer.from(AGE_FILE, 'base64')),
    bytesIn(`-----BEGIN AGE ENCRYPTED FILE-----\n${AGE_FILE}-----END AGE ENCRYPTED FILE-----\n`),
    bytesIn(`# a comment\n${AGE_IDENTITY}\n`),
    bytesIn(`${AGE_IDENTITY}, ${AGE_IDENTITY}`),
  ],
  async fuzz(data) {
    const text = textIn(data);
    const lines = ageLines(text);
    require('lines are not empty', lines.every((line) => line !== ''));
    const { identities } = ageSecretsOf(text);
    await acceptedLater(() => ageFiles.recipientsOf(identities), RangeError);
    await acceptedLater(() => ageFiles.recipientsOf(lines.slice(0, 3)), RangeError);
    if (!isAge(data)) return;
    for (const identity of [AGE_IDENTITY, AGE_STRANGER]) {
      const opened = await acceptedLater(
        () => ageFiles.open(data, { identities: [identity] }),
        VaultError,
      );
      require('a file opens for its recipient', !opened || identity === AGE_IDENTITY);
    }
  },
};

const sjcl: FuzzTarget = {
  name: 'sjcl',
  files: ['src/crypto/legacy/sjcl-json.ts', 'src/crypto/legacy/ocb2.ts', 'src/crypto/aead/ccm.ts'],
  words: ['"ocb2"', '"ccm"', '"gcm"', '"iter":', '"__proto__":', 'adata', '10000000'],
  seeds: () =>
    ['ccm', 'gcm', 'ocb2'].flatMap((mode) => {
      const [iv, salt] = ['AAECAwQFBgcICQoLDA0ODw==', 'drq8Ji8jdAY='];
      const ct = 'HmSntSrKhRxGTBsBoiM=';
      const fields = {
        iv,
        v: 1,
        iter: 1000,
        ks: 128,
        ts: 64,
        mode,
        adata: '',
        cipher: 'aes',
        salt,
      };
      const text = JSON.stringify({ ...fields, ct });
      return [text, text.replaceAll(/"(\w+)":/g, '$1:')].map(bytesIn);
    }),
  async fuzz(data) {
    const derive = (_: Uint8Array, __: Uint8Array, iterations: number, length: number) => {
      require('the work is bounded', iterations >= 101 && iterations <= 10_000_000);
      require('the key is one of AES', [16, 24, 32].includes(length));
      return Promise.resolve(counting(length));
    };
    await acceptedLater(
      () => openSjclJson('password', textIn(data), derive),
      TypeError,
      RangeError,
      AuthenticationError,
    );
  },
};

const PIECE_BYTES = 61;
let folder: string | undefined;

/** What the command line reads: a path and where `-` is read from. */
type Input = readonly [path: string, standardInput: StandardInput];

/** As pieces of standard input. */
function inPieces(data: Uint8Array, pieceBytes: number): Input {
  return [
    STANDARD,
    async function* () {
      for (let at = 0; at < data.length; at += pieceBytes) {
        yield await Promise.resolve(data.slice(at, at + pieceBytes));
      }
    },
  ];
}

/** A file takes ten times as long: one input of 64 is one. */
const isOnDisk = (data: Uint8Array): boolean => ((data.at(-1) ?? 0) ^ data.length) % 64 === 0;

function onDisk(data: Uint8Array): Input {
  folder ??= mkdtempSync(join(tmpdir(), 'sealwright-fuzz-'));
  const path = join(folder, 'input');
  writeFileSync(path, data);
  return [path, () => Readable.from([])];
}

/** The whole sealed message; undefined for other input. */
async function sealedIn(...input: Input): Promise<Uint8Array | undefined> {
  const file = await acceptedLater(() => openSealedFile(...input), EnvelopeError);
  if (!file) return undefined;
  const bytes = await acceptedLater(async () => {
    const pieces: Uint8Array[] = [];
    for await (const piece of file.from(0)) pieces.push(piece);
    return concat(...pieces);
  }, EnvelopeError);
  await file.close();
  const { totalBytes = bytes?.length } = file;
  require('as long as it says', bytes === undefined || bytes.length === totalBytes);
  return bytes;
}

const cliFiles: FuzzTarget = {
  name: 'cli-files',
  files: [
    ...['src/cli/sealed-file.ts', 'src/cli/key-source.ts', 'src/cli/inspect-command.ts'],
    'src/format/recipients/key-file.ts',
  ],
  sample: 300,
  async seeds() {
    const [key, keyId] = [counting(32), counting(16)];
    const sealed = await sealMessage({ key, keyId, purpose: 'page' }, bytesIn('hello'));
    const file = { format: 'sealwright-key/1', keyId: toBase64url(keyId), key: toBase64url(key) };
    const quoted = armor(sealed).replaceAll(/.{60}/g, '$&\r\n> ');
    const texts = [`${armor(sealed)}\r\n`, ` > ${quoted}`, JSON.stringify(file)];
    return [sealed, ...texts.map(bytesIn)];
  },
  async fuzz(data) {
    const whole = isOnDisk(data) ? onDisk(data) : inPieces(data, Math.max(1, data.length));
    const bytes = await sealedIn(...whole);
    const again = await sealedIn(...inPieces(data, PIECE_BYTES));
    require('pieces do not matter', (bytes === undefined) === (again === undefined));
    if (bytes && again) requireSame('in pieces and as a whole', again, bytes);
    const [path, standardInput] = whole;
    await acceptedLater(() => inspectCommand(path, true, standardInput), EnvelopeError);
    const key = await acceptedLater(() => readKeyFile(path, standardInput), CommandError);
    if (key) require('a key of 32 bytes', key.key.length === 32);
  },
};

/** The words of a command line, one a line, and the names in them, which may come from a shell's `*`. */
const commandLine: FuzzTarget = {
  name: 'command-line',
  files: ['src/cli/command-line.ts', 'src/cli/commands.ts', 'src/cli/input.ts'],
  words: ['--key-file', '--context-hex', '--origin', '--', '-', '\u001b[31m', '\u202e'],
  seeds() {
    return [
      ['open', '--key-file', 'k.json', '--origin', 'https://a.example', '-o', 'out', 'a.sealed'],
      [
        'seal',
        '--to',
        'swp1.x',
        '--to',
        'swp1.y',
        '--pad',
        '--armor',
        '--context-hex',
        '00ff',
        'a',
      ],
      ['backup', '--passphrase-file', '-', 'b.swbk'],
      ['verify', '--release', 'd.txt', 'x.zip'],
      ['completion', 'bash'],
      ['inspect', '--json', '--', '-\u001b]0;x\u0007'],
      ['help', 'open'],
    ].map((words) => bytesIn(words.join('\n')));
  },
  fuzz(data) {
    const words = textIn(data).split('\n');
    const parsed = outcomeOf(words);
    deepStrictEqual(outcomeOf(words), parsed);
    for (const shown of [parsed, ...words.map(nameOf)]) {
      const isPrintable = typeof shown !== 'string' || !/\p{C}/u.test(shown);
      require('what is printed moves no cursor', isPrintable);
    }
  },
};

/** The command, or the words of the refusal. */
function outcomeOf(given: readonly string[]): unknown {
  try {
    return parseCommandLine(given);
  } catch (error) {
    if (!(error instanceof CommandError && error.exitCode === EXIT.usage)) throw error;
    const [words, help, ...more] = error.message.split('\n');
    require('one line, and where help is', help !== undefined && more.length === 0);
    return words;
  }
}

const packages: FuzzTarget = {
  name: 'package',
  files: ['src/cli/verify/archive.ts', 'src/release/rewritten.ts'],
  sample: 1000,
  words: ['_locales/en/messages.json', 'update_url', '../'],
  seeds() {
    const manifest = { 'manifest.json': bytesIn('{"version":"1","icons":{"16":"a.png"}}') };
    const files = { ...manifest, 'a/b.js': bytesIn('run();') };
    const zip = zipSync(files, { level: 9, mtime: new Date(2000, 0) });
    const crx = concat(bytesIn('Cr24\x03\0\0\0\x02\0\0\0{}'), zip);
    return [zip, crx, ...Object.values(manifest)];
  },
  fuzz(data) {
    const files = accepted(() => readArchive(Buffer.from(data), 'a'), CommandError);
    for (const path of files?.keys() ?? []) {
      require('a path inside of the package', join('/package', path) === `/package/${path}`);
    }
    const path = 'manifest.json';
    const canonical = canonicalJson(path, files?.get(path) ?? data);
    requireSame('in one form', canonicalJson(path, canonical), canonical);
    manifestPictures(data);
  },
};

/** An input chooses the structure: changed bytes alone add no entry, no record and no gap to a zip. */
const packageStructures: FuzzTarget = {
  name: 'package-structure',
  files: ['src/cli/verify/archive.ts'],
  sample: 1000,
  seeds: () => [counting(0), counting(64), new Uint8Array(64).fill(2), counting(200, 3)],
  fuzz(data) {
    let at = 0;
    const zip = oddZip((count) => (data[at++] ?? 0) % count);
    const files = accepted(() => readArchive(zip, 'a'), CommandError);
    if (!files) return;
    const read = asRead(files);
    for (const other of [withFflate(zip), asStream(zip)]) {
      require('read as others read it', isDeepStrictEqual(other, read));
    }
  },
};

export const KEY_TARGETS: readonly FuzzTarget[] = [
  ...[der, derImport, jwk, byteKeys, age, sjcl, cliFiles, commandLine],
  ...[packages, packageStructures],
];
