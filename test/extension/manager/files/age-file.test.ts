import {
  armor,
  Decrypter,
  Encrypter,
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from 'age-encryption';
import { expect } from 'chai';
import {
  ageArmored,
  ageFileIn,
  openedAgeParts,
  sealedAgeParts,
} from '../../../../extension/manager/files/age-file.ts';
import { openAge, sealAge } from '../../../../extension/manager/files/file-work.ts';
import type { UiClient } from '../../../../extension/ui/environment/ui-client.ts';
import { concat, utf8 } from '../../../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../../../src/crypto/errors.ts';
import { EnvelopeError } from '../../../../src/format/errors.ts';
import { MAX_FILE_BYTES } from '../../../../src/rpc/limits.ts';
import { ageFiles, IDLE_WORK, openedAgeFile } from '../../../support/age-files.ts';
import { inDepth } from '../../../support/depth.ts';
import { IS_NIGHTLY } from '../../../support/nightly.ts';
import { errorOf } from '../../../support/outcomes.ts';
import { randomBytes } from '../../../support/random-bytes.ts';
import { World } from '../../../support/service-world.ts';

const CHUNK_BYTES = 65_536;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + 16;
/** Files each way, for each kind of recipient. */
const FILES = IS_NIGHTLY ? 1000 : inDepth(40, 10);
const LENGTHS = [0, 1, 63, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 3 * CHUNK_BYTES];

const blobOf = (bytes: Uint8Array) => new Blob([bytes as BlobPart]);
const KINDS = { X25519: generateX25519Identity, hybrid: generateHybridIdentity };

async function joined(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return concat(...all);
}

async function sealed(contents: Uint8Array, recipient: string): Promise<Uint8Array> {
  const { head, key } = await ageFiles.sealHead([recipient]);
  return joined(sealedAgeParts(blobOf(contents), head, key, IDLE_WORK));
}

async function opened(file: Uint8Array, identity: string): Promise<Uint8Array> {
  const age = (await ageFileIn(blobOf(file)))!;
  const key = await ageFiles.openHead(age.head, { identities: [identity] });
  return joined(openedAgeParts(age, key!, IDLE_WORK));
}

/** By the library of age's author. */
async function theirs(contents: Uint8Array, recipient: string): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(contents);
}

describe('An age file of the manager', () => {
  for (const [kind, generate] of Object.entries(KINDS)) {
    it(`for a recipient of ${kind} goes to and comes from any age, ${FILES} each way`, async () => {
      for (let i = 0; i < FILES; i++) {
        const identity = await generate();
        const recipient = await identityToRecipient(identity);
        const contents = randomBytes(LENGTHS[i] ?? i * 37);
        const decrypter = new Decrypter();
        decrypter.addIdentity(identity);
        const file = await sealed(contents, recipient);
        expect(await decrypter.decrypt(file), `sealed ${i}`).to.deep.equal(contents);
        const made = await theirs(contents, recipient);
        expect(await opened(made, identity), `opened ${i}`).to.deep.equal(contents);
      }
    }).timeout(FILES * 1000 + 10_000);
  }

  it('is one that no byte can be changed, cut or added in', async () => {
    const identity = await generateX25519Identity();
    const recipient = await identityToRecipient(identity);
    const file = await sealed(randomBytes(2 * CHUNK_BYTES + 5), recipient);
    const payload = file.length - 2 * SEALED_CHUNK_BYTES - 21;
    const refused = async (bytes: Uint8Array, title: string) => {
      const error = await errorOf(opened(bytes, identity));
      expect(error, title).to.be.instanceOf(AuthenticationError);
    };
    for (const at of [payload - 1, payload, payload + SEALED_CHUNK_BYTES, file.length - 1]) {
      await refused(file.with(at, file[at]! ^ 1), `byte ${at}`);
    }
    for (const end of [payload, payload + SEALED_CHUNK_BYTES, file.length - 21, file.length - 1]) {
      await refused(file.subarray(0, end), `cut at ${end}`);
    }
    await refused(concat(file, Uint8Array.of(0)), 'one byte more');
    await refused(concat(file, file.subarray(payload)), 'another payload');
    const [one, two] = [0, 1].map((i) =>
      file.subarray(payload + i * SEALED_CHUNK_BYTES, payload + (i + 1) * SEALED_CHUNK_BYTES),
    );
    const end = file.subarray(payload + 2 * SEALED_CHUNK_BYTES);
    await refused(concat(file.subarray(0, payload), two!, one!, end), 'exchanged chunks');
  });

  it('is found armored and binary, by its whole header', async () => {
    const identity = await generateX25519Identity();
    const file = await theirs(utf8('hello'), await identityToRecipient(identity));
    expect(ageArmored(file)).to.equal(`${armor.encode(file).trimEnd()}\n`);
    for (const text of [ageArmored(file), `\ufeff\n${ageArmored(file).replaceAll('\n', '\r\n')}`]) {
      expect(await opened(utf8(text), identity)).to.deep.equal(utf8('hello'));
    }
    const { head, isUnderPassphrase } = (await ageFileIn(blobOf(file)))!;
    expect(head).to.deep.equal(file.subarray(0, -(5 + 16)));
    expect(isUnderPassphrase).to.equal(false);
    expect(await ageFileIn(blobOf(utf8('age-encryption.org/v2\n')))).to.equal(undefined);
    const tooLong = new Blob([ageArmored(file), ' '.repeat(MAX_FILE_BYTES)]);
    for (const bad of [blobOf(file.subarray(0, head.length - 1)), tooLong]) {
      expect(await errorOf(ageFileIn(bad))).to.be.instanceOf(EnvelopeError);
    }
  });

  it('is refused where its header has no end within its limit', async () => {
    const start = 'age-encryption.org/v1\n-> X25519 AAAA\n';
    const bad = new Blob([start, `${'A'.repeat(64)}\n`.repeat(20_000)]);
    expect(await errorOf(ageFileIn(bad))).to.be.instanceOf(EnvelopeError);
  });
});

describe('An age file and the vault', () => {
  it('is sealed and opened in parts, and its key is wiped', async () => {
    const world = await World.unlocked();
    const keys: Uint8Array[] = [];
    const ui = {
      call: async (method: 'ui.releaseAgeSeal', params: object) => {
        const released = (await world.surface(method, params as never)) as { key: Uint8Array };
        keys.push(released.key);
        return released;
      },
    } as unknown as UiClient;
    const identity = await generateX25519Identity();
    await world.surface('ui.importAgeKey', { label: 'Laptop', file: utf8(identity) });
    const contents = randomBytes(40 * CHUNK_BYTES + 7);
    const progress: number[] = [];
    const work = { ...IDLE_WORK, progress: (done: number) => void progress.push(done) };
    const recipients = [await identityToRecipient(identity)];
    const file = await sealAge(blobOf(contents), recipients, ui, work);
    expect(progress).to.deep.equal(
      [16, 32, 40].map((n) => Math.min(n * CHUNK_BYTES + (n === 40 ? 7 : 0))),
    );
    const bytes = new Uint8Array(await file.blob.arrayBuffer());
    expect((await openedAgeFile(bytes, world)).contents).to.deep.equal(contents);
    const opening = await openAge((await ageFileIn(file.blob))!, undefined, ui, work);
    expect(new Uint8Array(await opening.file.blob.arrayBuffer())).to.deep.equal(contents);
    expect(opening.openedBy?.label).to.equal('Laptop');
    expect(keys).to.deep.equal([new Uint8Array(32), new Uint8Array(32)]);
    const cut = (await ageFileIn(blobOf(bytes.subarray(0, -1))))!;
    expect(await errorOf(openAge(cut, undefined, ui, work))).to.be.instanceOf(AuthenticationError);
  });
});
