/* Sealed messages: binary, as text, on pages, in pieces; texts of public keys. */
import { isDeepStrictEqual } from 'node:util';
import { utf8, u16be, concat } from '../../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { Aes } from '../../../src/crypto/aes/block.ts';
import { Gcm } from '../../../src/crypto/aead/gcm.ts';
import { SHA512 } from '../../../src/crypto/hash/sha512.ts';
import { sha256 } from '../../../src/crypto/hash/sha256.ts';
import { hkdfExpand } from '../../../src/crypto/kdf/hkdf.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { ChunkOpener, ChunkSealer } from '../../../src/format/chunks/chunks.ts';
import { StreamOpener, StreamSealer } from '../../../src/format/chunks/stream.ts';
import { EnvelopeError } from '../../../src/format/errors.ts';
import type { ChunkAead, FormatCrypto, ThreadAead } from '../../../src/format/format-crypto.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { safeFileName } from '../../../src/format/file-name.ts';
import { proofText } from '../../../src/format/recipients/proof-text.ts';
import { parseProof, verifyProof } from '../../../src/format/recipients/proof.ts';
import { openAttributes, sealingAttributes } from '../../../src/format/recipients/attributes.ts';
import { ATTRIBUTES_ENTRY, NAMED_KEY_RECIPIENT } from '../../../src/format/wire/recipient-table.ts';
import { armor, unarmor } from '../../../src/format/wire/armor.ts';
import {
  isWebArmor,
  webArmor,
  webArmorDamage,
  webUnarmor,
} from '../../../src/format/wire/web-armor.ts';
import { parseEnvelope } from '../../../src/format/wire/envelope.ts';
import { armorCandidates } from '../../../src/format/wire/find-armor.ts';
import { encodeHeader } from '../../../src/format/wire/header.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { parsePublicKey, publicKeyText } from '../../../src/format/wire/public-key.ts';
import { encodeRecipients } from '../../../src/format/wire/recipients.ts';
import type { Part } from '../../../src/format/wire/padding-filter.ts';
import { isContactKey } from '../../../src/keys/annotations/contact.ts';
import { ageUnarmored } from '../../../extension/manager/files/age-file.ts';
import { ageHeader } from '../../../open-page/age-file.ts';
import { sealedRuns } from '../../../extension/fields/find/sealed-runs.ts';
import {
  accepted,
  acceptedLater,
  bytesIn,
  counting,
  Finding,
  latin1,
  require,
  requireSame,
  textIn,
} from '../target.ts';
import type { FuzzTarget } from '../target.ts';

const KEY = counting(32, 1);
const KEY_ID = counting(16, 100);
const ORIGIN = 'https://a.example';
const BINDING = { origin: ORIGIN, associatedData: utf8('context') };
const IDENTITY = { type: NAMED_KEY_RECIPIENT, key: KEY };

/** On this thread, as short messages are opened in the background: far more inputs per second. */
const CRYPTO: FormatCrypto = {
  ...NATIVE_CRYPTO,
  onThread: {
    expand: (key, info, lengthBytes) => hkdfExpand(SHA512, key, info, lengthBytes),
    aesGcm(key): ThreadAead {
      const aead = new Gcm(new Aes(key));
      return {
        seal: (nonce, data) => aead.seal(nonce, data),
        open: (nonce, data) => aead.open(nonce, data),
        wipe: () => aead.wipe(),
      };
    },
    sha256: (data) => sha256(data),
  },
};

async function sealedSeeds(): Promise<Uint8Array[]> {
  const how = { key: KEY, keyId: KEY_ID, purpose: 'page', salt: counting(24), ...BINDING } as const;
  const shared = { purpose: 'page', recipients: [IDENTITY], salt: counting(24) } as const;
  const seeds = [
    await sealMessage(how, utf8('hello')),
    await sealMessage({ ...how, pad: true }, utf8('padded')),
    await sealMessage({ ...how, purpose: 'field' }, new Uint8Array(0)),
    await sealMessage({ key: KEY, keyId: KEY_ID, purpose: 'page' }, new Uint8Array(700)),
    await sealMessage({ ...shared }, utf8('shared')),
    await sealMessage({ ...shared, recipients: [IDENTITY, IDENTITY], pad: true }, utf8('two')),
  ];
  return seeds;
}

const message: FuzzTarget = {
  name: 'message',
  files: [
    'src/format/message.ts',
    'src/format/plans/open-plan.ts',
    'src/format/keys/data-key.ts',
    'src/format/short/opener.ts',
    'src/format/wire/envelope.ts',
    'src/format/wire/header.ts',
    'src/format/wire/inspect.ts',
    'src/format/wire/recipients.ts',
  ],
  sample: 800,
  seeds: sealedSeeds,
  async fuzz(data) {
    const info = accepted(() => inspect(data), EnvelopeError);
    const envelope = accepted(() => parseEnvelope(data, data.length), EnvelopeError);
    require('inspect and parseEnvelope agree', (info === undefined) === (envelope === undefined));
    if (envelope) {
      const { header, recipients, chunksOffset } = envelope;
      const entries = encodeRecipients(recipients.entries);
      const section = header.flags.recipients ? [u16be(entries.length), entries] : [];
      const prefix = concat(encodeHeader(header), ...section);
      requireSame('what stands before salt and chunks', prefix, data.subarray(0, prefix.length));
      require('the offset of the chunks', chunksOffset === prefix.length + 24 + 32);
    }
    const how = { key: KEY, purpose: 'page', accept: 'shared', ...BINDING } as const;
    const opened = await acceptedLater(
      () => openMessage({ ...how, identities: [IDENTITY], crypto: CRYPTO }, data),
      EnvelopeError,
      AuthenticationError,
    );
    if (opened) require('an opened message can be inspected', info !== undefined);
  },
};

const texts: FuzzTarget = {
  name: 'armor',
  files: [
    'src/format/wire/armor.ts',
    'src/format/wire/find-armor.ts',
    'extension/fields/find/gaps.ts',
    'extension/fields/find/sealed-runs.ts',
    'src/crypto/bytes.ts',
  ],
  sample: 1_000,
  words: ['sw1.', '\n> ', '\u200b', '\u00ad', '\r\n', '—', '&ndash;', '</em>', '=20'],
  async seeds() {
    const lines = (await sealedSeeds()).map(armor);
    return [
      ...lines,
      `before ${lines[0]!.slice(0, 40)}\n> ${lines[0]!.slice(40)} after`,
      `${lines[1]!.slice(0, 9)}\u200b${lines[1]!.slice(9)}\n\n${lines[2]!}`,
    ].map(bytesIn);
  },
  fuzz(data) {
    const text = textIn(data);
    const sealed = accepted(() => unarmor(text), EnvelopeError);
    if (sealed) require('armor gives the same text', armor(sealed) === text);
    accepted(() => inspect(text), EnvelopeError);
    for (const { start, end, pieces } of sealedRuns(text)) {
      require('a run lies in the text', start >= 0 && end > start && end <= text.length);
      const candidates = armorCandidates(pieces).map((candidate) => candidate.text);
      for (const candidate of candidates) {
        require('a candidate is a message by its public part', inspect(candidate).version === 1);
      }
      for (let count = 1; count <= pieces.length && pieces.length <= 16; count++) {
        const whole = pieces.slice(0, count).join('');
        const found = accepted(() => inspect(whole), EnvelopeError);
        const isMissing = found && !found.padded && !candidates.includes(whole);
        require('each message of these pieces is a candidate', !isMissing);
      }
    }
  },
};

const webArmorOnPages: FuzzTarget = {
  name: 'web-armor',
  files: [
    'src/format/wire/web-armor.ts',
    'extension/fields/find/gaps.ts',
    'extension/fields/find/sealed-runs.ts',
  ],
  sample: 1_000,
  words: ['swt1', '0', '\n> ', '\u200b', '&shy;', '<wbr>', '=\r\n', '=E2=80=8B', '\\n', 'SWT1'],
  async seeds() {
    const texts = (await sealedSeeds()).map(webArmor);
    return [
      ...texts,
      `start${texts[0]!}end`,
      `> ${texts[0]!.slice(0, 40)}\n> ${texts[0]!.slice(40)} after`,
      `${texts[1]!.slice(0, 60)}<br>\n&nbsp;${texts[1]!.slice(60)} ${texts[2]!.toUpperCase()}`,
    ].map(bytesIn);
  },
  fuzz(data) {
    const text = textIn(data);
    const sealed = accepted(() => webUnarmor(text), EnvelopeError);
    const word = text.replace(/[ \t\r\n]/g, '').toLowerCase();
    if (sealed) require('a text has one canonical form', webArmor(sealed) === word);
    let end = 0;
    for (const run of sealedRuns(text)) {
      require('runs lie one after the other', run.start >= end && run.end <= text.length);
      end = run.end;
      if (!isWebArmor(run.pieces[0]!)) continue;
      const isWhole = webArmorDamage(run.pieces.join('')) === undefined;
      const candidates = armorCandidates(run.pieces);
      require('a whole text is the one candidate', candidates.length === (isWhole ? 1 : 0));
      if (isWhole) require('a candidate is read', webUnarmor(candidates[0]!.text).length >= 0);
    }
  },
};

/** Authenticates nothing but the place of a chunk, so that changed inputs come past it. */
const TOY_AEAD: ChunkAead = {
  seal: (nonce, data) => Promise.resolve(concat(data, nonce, new Uint8Array(4))),
  open(nonce, data) {
    const end = data.length - 16;
    const isGenuine = nonce.every((byte, i) => data[end + i] === byte);
    return isGenuine
      ? Promise.resolve(data.slice(0, end))
      : Promise.reject(new AuthenticationError());
  },
};
const TOY_CHUNK = 32;
const NONCE = new Uint8Array(12);

function join(parts: readonly Part[]): Uint8Array {
  return concat(...parts.map((part) => (typeof part === 'number' ? new Uint8Array(part) : part)));
}

async function openedInPieces(pieces: readonly Uint8Array[], padded: boolean) {
  const opener = new ChunkOpener(TOY_AEAD, NONCE, TOY_CHUNK);
  const stream = new StreamOpener(opener, { chunkBytes: TOY_CHUNK, padded });
  const parts: Part[] = [];
  for (const piece of pieces) parts.push(...(await stream.add(piece)));
  return join([...parts, ...(await stream.end())]);
}

async function sealedInPieces(content: Uint8Array, padded: boolean): Promise<Uint8Array> {
  const sealer = new ChunkSealer(TOY_AEAD, NONCE, TOY_CHUNK);
  const stream = new StreamSealer(sealer, { chunkBytes: TOY_CHUNK, padded });
  const parts = [await stream.add(content)];
  for await (const part of stream.end()) parts.push(part);
  return concat(...parts);
}

const stream: FuzzTarget = {
  name: 'stream',
  files: [
    'src/format/chunks/stream.ts',
    'src/format/chunks/chunks.ts',
    'src/format/wire/padding.ts',
  ],
  async seeds() {
    const script = Uint8Array.of(0, 3, 1, 40, 7);
    const padded = Uint8Array.of(1, 2, 60, 3);
    return [
      concat(script, await sealedInPieces(counting(100), false)),
      concat(script, await sealedInPieces(new Uint8Array(32), false)),
      concat(padded, await sealedInPieces(counting(100), true)),
      concat(padded, await sealedInPieces(new Uint8Array(70), true)),
      concat(padded, await sealedInPieces(new Uint8Array(70).fill(0x80), true)),
      concat(padded, await sealedInPieces(new Uint8Array(0), true)),
    ];
  },
  async fuzz(data) {
    const padded = (data[0] ?? 0) % 2 === 1;
    const count = (data[1] ?? 0) % 16;
    const body = data.subarray(2 + count);
    const pieces: Uint8Array[] = [];
    let at = 0;
    for (const length of data.subarray(2, 2 + count)) {
      pieces.push(body.subarray(at, (at += length)));
    }
    pieces.push(body.subarray(at));
    const whole = await acceptedLater(() => openedInPieces([body], padded), AuthenticationError);
    const cut = await acceptedLater(() => openedInPieces(pieces, padded), AuthenticationError);
    require('pieces do not matter', (whole === undefined) === (cut === undefined));
    if (!whole || !cut) return;
    requireSame('in pieces and as a whole', whole, cut);
    const again = await openedInPieces([await sealedInPieces(whole, padded)], padded);
    requireSame('sealed and opened again', whole, again);
    require('no more than there was', whole.length <= body.length);
  },
};

const publicKey: FuzzTarget = {
  name: 'public-key',
  files: ['src/format/wire/public-key.ts', 'src/keys/annotations/contact.ts'],
  seeds() {
    const keys = [
      { type: 'X25519', bytes: counting(32) },
      { type: 'X-Wing', bytes: new Uint8Array(1216).fill(7) },
      { type: 'Ed25519', bytes: counting(32) },
      { type: 'DSA', bytes: counting(90) },
      { type: 'RSA-PSS', bytes: counting(200) },
    ] as const;
    return keys.map((key) => bytesIn(publicKeyText(key)));
  },
  fuzz(data) {
    const text = latin1(data);
    const key = accepted(() => parsePublicKey(text), RangeError);
    const isKey = isContactKey(text);
    if (!key) {
      if (isKey) throw new Finding('a contact key that cannot be parsed');
      return;
    }
    require('each key has one text', publicKeyText(key) === text);
  },
};

/** Passes bytes through, so that the input is what a sender sealed as attributes. */
const OPEN_CRYPTO: FormatCrypto = {
  expand: (_key, _info, lengthBytes) => Promise.resolve(new Uint8Array(lengthBytes)),
  aesGcm: () =>
    Promise.resolve({
      seal: (_nonce, data) => Promise.resolve(data.slice()),
      open: (_nonce, data) => Promise.resolve(data.slice()),
    }),
};

const SIGNED_HEADER = encodeHeader({
  suite: 1,
  flags: { recipients: true, originBound: false, padded: false },
  purpose: 'page',
  headerKeyId: KEY_ID,
});

const attributes: FuzzTarget = {
  name: 'attributes',
  files: [
    'src/format/recipients/attributes.ts',
    'src/format/recipients/signature.ts',
    'src/format/file-name.ts',
  ],
  words: ['CON', '.lnk', '\u202e', '../', '\u3164'],
  seeds: async () => {
    const bound = { origin: '', associatedData: new Uint8Array(0), context: KEY };
    const facts = {
      dataKey: KEY,
      header: SIGNED_HEADER,
      id: KEY_ID,
      crypto: OPEN_CRYPTO,
      ...bound,
    };
    const statics = [{ secret: KEY, from: KEY, to: KEY }];
    const files = [
      undefined,
      { name: 'a/b.tar.gz', type: '' },
      { name: '写真.png', type: 'image/png' },
    ];
    const sign = () => Promise.resolve(counting(64));
    const signer = { publicKey: KEY, sign };
    const entries = files.flatMap((file) => [
      sealingAttributes({ file, statics, digest: KEY })(facts),
      sealingAttributes({ file, statics, digest: KEY, signer })(facts),
    ]);
    return (await Promise.all(entries)).map(({ body }) => body);
  },
  async fuzz(data) {
    const entry = { type: ATTRIBUTES_ENTRY, id: KEY_ID, body: data };
    const read = await openAttributes([entry], KEY, KEY_ID, OPEN_CRYPTO);
    if (!read) return;
    require('tags of 32 bytes', read.tags.every(({ length }) => length === 32));
    if (read.signature) {
      const { publicKey, signature } = read.signature;
      require('a key of 32 bytes', publicKey.length === 32);
      require('a signature of 64 bytes', signature.length === 64);
    }
    if (!read.file) return;
    const name = safeFileName(read.file.name);
    require('a name without a path or a line end', !/[\p{Cc}/\\:]|^\.|[. ]$/u.test(name));
    require('a name of at most 240 bytes', new TextEncoder().encode(name).length <= 240);
    require('a safe name stays as it is', safeFileName(name) === name);
  },
};

/** Of `age -p`, as the page open.html reads it. */
const AGE_HEADER = `age-encryption.org/v1
-> scrypt AQgPFh0kKzI5QEdOVVxjag 18
AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o
--- AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o
`;

const ageOnPage: FuzzTarget = {
  name: 'age-on-page',
  files: ['open-page/age-file.ts'],
  words: ['-> scrypt ', '\n--- ', '-> X25519 ', '-----BEGIN AGE ENCRYPTED FILE-----\n'],
  seeds: () => {
    const armored = Buffer.from(AGE_HEADER).toString('base64');
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} AGE ENCRYPTED FILE-----\n`);
    return [utf8(AGE_HEADER), utf8(`${begin}${armored}\n${end}`)];
  },
  fuzz(data) {
    const file = accepted(() => ageUnarmored(latin1(data)), EnvelopeError) ?? data;
    const header = accepted(() => ageHeader(file), EnvelopeError);
    if (!header) return;
    const { salt, workFactor, body, mac, signed } = header;
    require('a salt of 16 bytes', salt.length === 16);
    require('a body and a MAC of 32 bytes', body.length === 32 && mac.length === 32);
    require('bounded work', workFactor >= 1 && workFactor <= 20);
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
    const lines = [
      'age-encryption.org/v1',
      `-> scrypt ${base64(salt)} ${workFactor}`,
      base64(body),
    ];
    const again = utf8(`${lines.join('\n')}\n--- ${base64(mac)}\n`);
    requireSame('the header', again, file.subarray(0, header.bytes));
    requireSame('what the MAC covers', signed, again.subarray(0, signed.length));
  },
};

const proof: FuzzTarget = {
  name: 'proof',
  files: ['src/format/recipients/proof.ts'],
  sample: 800,
  words: ['"suite": 2', '"text": ', '"origin": ', '"context": ', 'swp1.E'],
  seeds() {
    const signature = { publicKey: KEY, signature: counting(64) };
    const content = { suite: 1, purpose: 'stream', digest: KEY, ...BINDING } as const;
    return [
      proofText({ content: { ...content, name: 'a.png', type: 'image/png' }, signature }),
      proofText({ content: { ...content, origin: '', name: '', type: '' }, signature }, KEY),
    ].map(bytesIn);
  },
  async fuzz(data) {
    const read = accepted(() => parseProof(textIn(data)), RangeError);
    if (!read) return;
    const { content, publicKey, signature, text } = read;
    require('a digest and a signature', content.digest.length === 32 && signature.length === 64);
    const key = parsePublicKey(publicKey).bytes;
    const again = proofText({ content, signature: { publicKey: key, signature } });
    const said = { ...parseProof(again), text };
    require('a proof that was read is written the same', isDeepStrictEqual(said, read));
    // No seed is signed by its key, so that whatever is changed in it, no proof is valid.
    const isValid = await verifyProof(read, KEY).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AuthenticationError) return false;
        throw error;
      },
    );
    require('a proof that no key signed is not valid', !isValid);
  },
};

export const MESSAGE_TARGETS: readonly FuzzTarget[] = [
  message,
  texts,
  webArmorOnPages,
  stream,
  publicKey,
  attributes,
  ageOnPage,
  proof,
];
