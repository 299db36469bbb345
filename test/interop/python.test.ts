/*
 * Two independent implementations of docs/format.md: Python opens the messages that TypeScript seals, and
 * both read the vector files.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { fromHex, toHex } from '../../src/crypto/bytes.ts';
import { parseEpochText } from '../../src/format/groups/epoch.ts';
import { parseGroupId } from '../../src/format/groups/group-id.ts';
import { armor } from '../../src/format/wire/armor.ts';
import { parseProof } from '../../src/format/recipients/proof.ts';
import { inspect } from '../../src/format/wire/inspect.ts';
import type { SealedInfo } from '../../src/format/wire/inspect.ts';
import { sealMessage } from '../../src/format/message.ts';
import type { Purpose } from '../../src/format/wire/header.ts';
import { readAttributeVectors, readSignedVectors } from '../format/attribute-vectors.ts';
import { readGroupVectors } from '../format/groups/group-vectors.ts';
import { contentOf, identityKeysOf, readVectors, sealOptions } from '../format/message-vectors.ts';
import type { Knowledge } from '../format/message-vectors.ts';
import { readSharedVectors } from '../format/shared-vectors.ts';
import type { SharedRefusal, SharedVector, TypedKey } from '../format/shared-vectors.ts';
import { sealedInPieces } from '../format/stream-message.ts';
import { MESSAGE_EDGES } from '../format/support.ts';
import { TEST_TYPE } from '../format/test-recipient.ts';
import type { Chunk, Head } from '../../src/sync/sealwright/head-layout.ts';
import { readPairingVectors } from '../keys/pairing/pairing-vectors.ts';
import type { PairingVector } from '../keys/pairing/pairing-vectors.ts';
import { readHeadVectors } from '../sync/sealwright/head-vectors.ts';
import { PYTHON_PROGRAMS } from '../servers/server.ts';

/** With the packages of scripts/setup.mjs. */
const PYTHON = `${PYTHON_PROGRAMS}/python`;
const PURPOSES: readonly Purpose[] = ['page', 'field', 'stream', 'vault', 'backup', 'sync'];

/** One request to the reader; bytes are base64. */
interface Request {
  readonly id: string;
  readonly sealed?: string;
  readonly text?: string;
  readonly key: string;
  readonly purpose: string;
  readonly origin?: string | null;
  readonly context?: string;
  readonly identities?: readonly TypedKey[] | null;
  /** A public key of which the reader tells whether the message is from it. */
  readonly sender?: TypedKey;
}

/** A proof, and the message as base64 unless it is in the proof. */
interface ProofRequest {
  readonly id: string;
  readonly proof: string;
  readonly message?: string;
}

/** Heads and chunks of docs/sync.md, and texts of which the reader gives the digests; keys are hex. */
interface HeadsRequest {
  readonly id: string;
  readonly heads: readonly { readonly id: string; readonly payload: string }[];
  readonly texts: readonly string[];
  readonly keys: readonly string[];
  readonly collection: string;
}

/** What devices that pair exchange, and the private key of the offer; hex. */
interface PairingRequest {
  readonly id: string;
  readonly pairing: Omit<PairingVector, 'read'>;
}

/** A group and its epochs; without `group`, the first epoch is that of any. Keys are hex. */
interface GroupRequest {
  readonly id: string;
  readonly group: string | null;
  readonly epochs: readonly string[];
  readonly trusted: readonly string[];
  readonly identity: string;
}

type Question = Request | HeadsRequest | PairingRequest | ProofRequest | GroupRequest;

interface Answer {
  readonly id: string;
  readonly pairing?: PairingVector['read'];
  readonly error?: string;
  readonly bytes?: number;
  readonly sha256?: string;
  readonly info?: SealedInfo;
  readonly file?: { readonly name: string; readonly type: string } | null;
  readonly from?: boolean;
  readonly signed?: { readonly publicKey: string; readonly valid: boolean } | null;
  readonly publicKey?: string;
  readonly valid?: boolean;
  readonly heads?: readonly (Head | Chunk)[];
  readonly digests?: readonly string[];
  readonly newest?: readonly string[] | null;
  readonly members?: readonly string[];
  readonly keys?: Readonly<Record<string, string>>;
}

describe('the independent reader in Python', function () {
  this.timeout(60_000);
  let reader: Reader | undefined;

  before(function () {
    if (existsSync(PYTHON)) {
      reader = new Reader();
      return;
    }
    const reason = `${PYTHON} is missing, which \`npm test\` installs: nothing was compared`;
    if (process.env['CI']) throw new Error(reason);
    console.warn(`    ${reason}`);
    this.skip();
  });
  after(() => reader?.close());

  async function ask(question: Question): Promise<Answer> {
    if (!reader) throw new Error('the reader was not started');
    return reader.ask(question);
  }

  it('opens and inspects messages of TypeScript, at every edge length', async () => {
    for (const [index, length] of MESSAGE_EDGES.entries()) {
      const message = randomBytes(length);
      const key = randomBytes(32);
      const purpose = PURPOSES[index % PURPOSES.length]!;
      const origin = index % 2 ? 'https://example.org' : undefined;
      const associatedData = randomBytes(randomInt(100));
      const pad = index % 3 === 0;
      const keyId = randomBytes(16);
      const sealed = await sealMessage(
        { key, keyId, purpose, origin, associatedData, pad },
        message,
      );
      const answer = await ask({
        id: `${length} bytes`,
        ...(index % 5 ? { sealed: base64(sealed) } : { text: armor(sealed) }),
        key: base64(key),
        purpose,
        origin: origin ?? null,
        context: base64(associatedData),
      });
      const expected = { bytes: length, sha256: sha256(message), info: inspect(sealed) };
      expect(answer).to.deep.equal({ id: `${length} bytes`, ...expected });
    }
  });

  it('opens every message vector', async () => {
    for (const vector of readVectors('messages.json')) {
      const message = contentOf(vector.message);
      const sealed = await sealMessage(sealOptions(vector), message);
      expect(sha256(sealed)).to.equal(vector.sealedSha256);
      const identities = identityKeysOf(vector);
      const answer = await ask(request(vector, vector.id, base64(sealed), identities));
      const expected = { bytes: message.length, sha256: sha256(message), info: vector.info };
      expect(answer).to.deep.equal({ id: vector.id, ...expected });
    }
  });

  it('opens every stream vector', async () => {
    for (const vector of readVectors('streams.json')) {
      const message = contentOf(vector.message);
      const { salt, ...options } = sealOptions(vector);
      const sealed = await sealedInPieces(options, salt as Uint8Array, message, 77_777);
      const answer = await ask(request(vector, vector.id, base64(sealed), null));
      const expected = { bytes: message.length, sha256: sha256(message), info: vector.info };
      expect(answer).to.deep.equal({ id: vector.id, ...expected });
    }
  });

  it('refuses every vector of refused messages, with the same error', async () => {
    for (const vector of readVectors('refused.json')) {
      const sealed = base64(fromHex(vector.sealed));
      const answer = await ask(request(vector, vector.id, sealed, vector.identityKeys));
      expect(answer, vector.comment).to.deep.equal({ id: vector.id, error: vector.error });
    }
  });

  it('opens every shared vector with each identity, and refuses those of refused messages', async () => {
    const [{ opened, refused }, words] = [readSharedVectors(), readSharedVectors('passphrase')];
    for (const vector of [...opened, ...words.opened]) {
      for (const identity of vector.identities) {
        const answer = await ask(sharedRequest(vector, [identity]));
        const message = fromHex(vector.message);
        const expected = { bytes: message.length, sha256: sha256(message), info: vector.info };
        expect(answer, vector.comment).to.deep.equal({ id: vector.id, ...expected });
      }
    }
    for (const vector of [...refused, ...words.refused]) {
      const answer = await ask(sharedRequest(vector, vector.identities));
      expect(answer, vector.comment).to.deep.equal({ id: vector.id, error: vector.error });
    }
  });

  it('reads every vector of attributes as each identity, and tells whom the message is from', async () => {
    for (const vector of [...readAttributeVectors(), ...readSignedVectors()]) {
      for (const [place, identity] of vector.identities.entries()) {
        for (const { key, proven } of vector.from) {
          const asked = { ...sharedRequest(vector, [identity]), sender: base64Key(key) };
          const { file, from, info, signed } = await ask(asked);
          expect(from, `${vector.id} ${place}`).to.equal(proven[place]);
          expect({ file, info, signed }).to.deep.equal({
            file: vector.file,
            info: vector.info,
            signed: 'signed' in vector ? vector.signed : null,
          });
        }
      }
    }
  });

  it('verifies every proof with its message, and none with another', async () => {
    for (const { id, proof, message } of readSignedVectors()) {
      if (proof === null) continue;
      const { publicKey } = parseProof(proof);
      const bytes = fromHex(message);
      const asked = { id, proof, message: base64(bytes) };
      expect(await ask(asked)).to.deep.equal({ id, publicKey, valid: true });
      const other = { ...asked, message: base64(bytes.with(0, bytes[0]! ^ 1)) };
      expect(await ask(other)).to.deep.equal({ id, publicKey, valid: false });
      const { text } = parseProof(proof);
      if (text === undefined) continue;
      expect(await ask({ id, proof })).to.deep.equal({ id, publicKey, valid: true });
      const altered = { id, proof: proof.replace(text, 'Another text') };
      expect(await ask(altered)).to.deep.equal({ id, publicKey, valid: false });
    }
  });

  it('reads every vector of heads and chunks, and finds the digests that they list', async () => {
    const { collection, keys, records, checkpoints } = readHeadVectors();
    for (const [i, { head, chunks }] of checkpoints.entries()) {
      const items = [head, ...chunks];
      const texts = [...items.map(({ payload }) => payload), ...records[i]!.map(({ id }) => id)];
      const asked = { id: `${i}`, heads: items, texts, keys, collection };
      const { heads, digests } = await ask(asked);
      expect(heads).to.deep.equal(items.map(({ content }) => content));
      expect(head.content.chunks).to.deep.equal(digests!.slice(1, items.length));
      const listed = chunks.flatMap(({ content }) => content.entries.map((entry) => entry.id));
      expect(listed).to.include.members(digests!.slice(items.length));
      const before = checkpoints[i - 1]?.head.payload ?? [];
      const earlier = await ask({ ...asked, heads: [], texts: [before].flat() });
      expect(head.content.before).to.deep.equal(earlier.digests);
    }
  });

  it('opens every vector of devices that pair, and no altered one', async () => {
    for (const { read, ...vector } of readPairingVectors()) {
      expect((await ask({ id: read.to, pairing: vector })).pairing).to.deep.equal(read);
      const { offer, parcel } = vector;
      const flipped = (hex: string, at: number) =>
        `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}`;
      for (const altered of [
        { ...vector, parcel: flipped(parcel, parcel.length - 1) },
        { ...vector, parcel: flipped(parcel, 2 * 6 + 1) },
        { ...vector, parcel: flipped(parcel, 2 * (6 + 32 + 7) + 1) },
        { ...vector, offer: flipped(offer, 2 * (6 + 7) + 1) },
      ]) {
        expect((await ask({ id: 'altered', pairing: altered })).error).to.be.a('string');
      }
    }
  });

  it('checks every vector of groups, and tells whom a sender seals to', async () => {
    const { epochs: texts, groups, refused, messages } = readGroupVectors();
    const digests = new Map<string, string>();
    for (const [name, text] of Object.entries(texts)) {
      digests.set(name, toHex((await parseEpochText(text)).digest));
    }
    for (const { id, group, epochs, trusted, identity, ...expected } of groups) {
      const asked = { id, group, epochs: epochs.map((name) => texts[name]!), trusted, identity };
      const { newest, members, keys, ...answer } = await ask(asked);
      expect(answer, id).to.deep.equal(expected.error ? { id, error: expected.error } : { id });
      const named = (name: string) => digests.get(name)!;
      expect(newest?.toSorted(), id).to.deep.equal(expected.newest?.map(named).sort());
      expect(members, id).to.deep.equal(expected.members);
      const opened = expected.keys?.map(({ epoch, key }) => [named(epoch), key]);
      expect(keys && Object.entries(keys).sort(), id).to.deep.equal(opened?.sort());
    }
    const unknown = { group: null, trusted: [], identity: '00'.repeat(32) };
    for (const { comment: id, epoch } of refused) {
      const answer = await ask({ id, epochs: [epoch], ...unknown });
      expect(answer).to.deep.equal({ id, error: 'BAD_ENVELOPE' });
    }
    const group = toHex(parseGroupId(groups[0]!.group));
    for (const { id, epoch, key, message, sealed } of messages) {
      const asked = { id, sealed: base64(fromHex(sealed)), key: '', purpose: 'page' };
      const known = (digest: string) => [base64Key({ type: 5, key: group + digest + key })];
      const { bytes } = await ask({ ...asked, identities: known(digests.get(epoch)!) });
      expect(bytes).to.equal(message.length / 2);
      const other = await ask({ ...asked, identities: known('00'.repeat(32)) });
      expect(other).to.deep.equal({ id, error: 'NEEDS_KEY' });
      expect(await ask({ ...asked, identities: [] })).to.deep.equal({ id, error: 'AUTH_FAILED' });
    }
  });

  it('reads every armor vector', async () => {
    const [line, web] = [readVectors('armor.json'), readVectors('web-armor.json')];
    const refused = [...line.refused, ...web.refused];
    const unknown = { key: base64(new Uint8Array(32)), purpose: 'page' };
    for (const { text } of [...line.valid, ...web.valid, ...web.read]) {
      const answer = await ask({ id: text, text, ...unknown });
      expect(answer.error).to.equal('AUTH_FAILED'); // the text was read, but the key is another one
    }
    for (const { text, comment } of refused) {
      const answer = await ask({ id: comment, text, ...unknown });
      expect(answer).to.deep.equal({ id: comment, error: 'BAD_ENVELOPE' });
    }
  });
});

/** One process, and one line of JSON for each question and each answer. */
class Reader {
  readonly #child;
  readonly #lines;

  constructor() {
    const script = fileURLToPath(new URL('sealwright_reader.py', import.meta.url));
    this.#child = spawn(PYTHON, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async ask(question: Question): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify(question)}\n`);
    const line = await this.#lines.next();
    if (line.done) throw new Error(`the reader ended at ${question.id}`);
    return JSON.parse(line.value) as Answer;
  }

  close(): void {
    this.#child.stdin.end();
  }
}

function request(
  known: Knowledge,
  id: string,
  sealed: string,
  identityKeys: readonly string[] | null,
): Request {
  return {
    id,
    sealed,
    key: base64(fromHex(known.key)),
    purpose: known.purpose,
    origin: known.origin,
    context: base64(fromHex(known.associatedData)),
    identities: identityKeys?.map((key) => base64Key({ type: TEST_TYPE, key })) ?? null,
  };
}

function sharedRequest(
  vector: SharedVector | SharedRefusal,
  identities: readonly TypedKey[],
): Request {
  return {
    id: vector.id,
    sealed: base64(fromHex(vector.sealed)),
    key: '',
    purpose: vector.purpose,
    origin: vector.origin,
    context: base64(fromHex(vector.associatedData)),
    identities: identities.map(base64Key),
  };
}

function base64Key({ type, key }: TypedKey): TypedKey {
  return { type, key: base64(fromHex(key)) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
