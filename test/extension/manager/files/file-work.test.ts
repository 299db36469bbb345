import { expect } from 'chai';
import { openSealed, sealFile } from '../../../../extension/manager/files/file-work.ts';
import { sealedSource } from '../../../../extension/manager/files/sealed-source.ts';
import type { UiClient } from '../../../../extension/ui/environment/ui-client.ts';
import { AuthenticationError } from '../../../../src/crypto/errors.ts';
import { sealingAttributes } from '../../../../src/format/recipients/attributes.ts';
import { parseProof, verifyProof } from '../../../../src/format/recipients/proof.ts';
import { sealingTo } from '../../../../src/format/recipients/sharing.ts';
import { sealStream } from '../../../../src/format/streams.ts';
import { parsePublicKey } from '../../../../src/format/wire/public-key.ts';
import { safeFileName } from '../../../../src/format/file-name.ts';
import type { MessageSender } from '../../../../src/rpc/methods/ui-contacts.ts';
import { randomBytes } from '../../../support/random-bytes.ts';
import { pageCaller } from '../../../support/service-fakes.ts';
import { PASSPHRASE, World } from '../../../support/service-world.ts';

/** Names and media types as browsers give them for files of forty kinds. */
const KINDS: readonly (readonly [string, string])[] = [
  ['notes.txt', 'text/plain'],
  ['README', ''],
  ['letter.odt', 'application/vnd.oasis.opendocument.text'],
  ['letter.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['budget.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['slides.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['contract.pdf', 'application/pdf'],
  ['book.epub', 'application/epub+zip'],
  ['holiday (2).png', 'image/png'],
  ['IMG_0042.JPG', 'image/jpeg'],
  ['scan.tiff', 'image/tiff'],
  ['drawing.svg', 'image/svg+xml'],
  ['loop.gif', 'image/gif'],
  ['photo.webp', 'image/webp'],
  ['photo.avif', 'image/avif'],
  ['photo.heic', 'image/heic'],
  ['song.mp3', 'audio/mpeg'],
  ['voice.ogg', 'audio/ogg'],
  ['take 1.flac', 'audio/flac'],
  ['film.mp4', 'video/mp4'],
  ['clip.webm', 'video/webm'],
  ['film.mkv', 'video/x-matroska'],
  ['archive.zip', 'application/zip'],
  ['backup.tar.gz', 'application/gzip'],
  ['data.7z', 'application/x-7z-compressed'],
  ['page.html', 'text/html'],
  ['style.css', 'text/css'],
  ['script.js', 'text/javascript'],
  ['data.json', 'application/json'],
  ['table.csv', 'text/csv'],
  ['mail.eml', 'message/rfc822'],
  ['card.vcf', 'text/vcard'],
  ['calendar.ics', 'text/calendar'],
  ['font.woff2', 'font/woff2'],
  ['disk.iso', 'application/x-cd-image'],
  ['setup.exe', 'application/x-msdos-program'],
  ['data.sqlite3', 'application/vnd.sqlite3'],
  ['写真・夏.png', 'image/png'],
  ['ملف مهم.pdf', 'application/pdf'],
  ['Überraschung für Zoë 🎁.tar.xz', 'application/x-xz'],
];

const work = { signal: new AbortController().signal, progress: () => undefined };
/** The methods of the background, as the manager calls them. */
const uiOf = (world: World) =>
  ({
    call: (method: 'ui.contacts', params: object) => world.surface(method, params),
  }) as unknown as UiClient;

interface Person {
  readonly world: World;
  readonly ui: UiClient;
  readonly publicKey: string;
}

async function person(): Promise<Person> {
  const world = await World.unlocked();
  await world.surface('ui.createKey', { kind: 'sharing', label: 'Messages to me' });
  const [own] = await world.surface('ui.ownSharingKeys', {});
  return { world, ui: uiOf(world), publicKey: own!.publicKey };
}

/** @returns the id of the contact */
async function add(to: Person, name: string, who: Person, verified = true): Promise<string> {
  const { id } = await to.world.surface('ui.addContact', { name, publicKey: who.publicKey });
  if (verified) await to.world.surface('ui.changeContact', { id, verified });
  return id;
}

describe('files of two people', function () {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let bobId: string;

  const sealed = async (
    from: Person,
    to: { ref?: string; contacts?: string[]; signer?: string },
    named: { name: string; type: string } | undefined = { name: 'a.txt', type: 'text/plain' },
    contents: Uint8Array = randomBytes(900),
  ): Promise<Blob> => {
    const file = new Blob([new Uint8Array(contents)]);
    return (await sealFile(file, named, to, from.ui, work)).blob;
  };
  const open = async (who: Person, file: Blob) => {
    const source = (await sealedSource(file))!;
    const { file: finished, ...known } = await openSealed(source, {}, who.ui, work);
    return { ...known, contents: new Uint8Array(await finished.blob.arrayBuffer()) };
  };
  const senderFor = async (who: Person, file: Blob): Promise<MessageSender | null> =>
    (await open(who, file)).sender;

  beforeEach(async () => {
    [alice, bob] = await Promise.all([person(), person()]);
    bobId = await add(alice, 'Bob', bob);
  });

  it('keep name, type and bytes, all of forty kinds', async () => {
    await add(bob, 'Alice', alice);
    expect(new Set(KINDS.map(([name]) => name)).size).to.equal(40);
    const kept: string[] = [];
    for (const [name, type] of KINDS) {
      const contents = randomBytes(kept.length);
      const file = await sealed(alice, { contacts: [bobId] }, { name, type }, contents);
      const opened = await open(bob, file);
      expect(opened.named).to.deep.equal({ name, type });
      expect(opened.contents).to.deep.equal(Uint8Array.from(contents));
      expect(opened.sender?.name).to.equal('Alice');
      if (safeFileName(opened.named!.name) === name.normalize('NFC')) kept.push(name);
    }
    expect(kept).to.have.length(40);
  });

  it('keep them across chunks of the contents', async () => {
    const contents = new Uint8Array(2 * 2 ** 20 + 5).map((_, i) => i * 7);
    const file = await sealed(alice, { contacts: [bobId] }, undefined, contents);
    const opened = await open(bob, file);
    expect(opened.contents).to.deep.equal(contents);
  });

  it('have a name inside for their owner alone, too, who is known', async () => {
    const { ref } = await alice.world.surface('ui.createKey', { label: 'Files' });
    const opened = await open(alice, await sealed(alice, { ref }));
    expect(opened.named).to.deep.equal({ name: 'a.txt', type: 'text/plain' });
    expect(opened.sender).to.deep.equal({ name: null, verified: null });
    expect(opened.openedBy?.label).to.equal('Files');
  });

  it('say who sealed them, as far as the recipient knows the sender', async () => {
    const file = await sealed(alice, { contacts: [bobId] });
    expect(await senderFor(bob, file)).to.equal(null);
    const id = await add(bob, 'Alice', alice, false);
    expect(await senderFor(bob, file)).to.deep.equal({ name: 'Alice', verified: null });
    await bob.world.surface('ui.changeContact', { id, verified: true });
    const sender = await senderFor(bob, file);
    expect(sender).to.deep.equal({ name: 'Alice', verified: bob.world.now });
    await bob.world.surface('ui.removeContact', { id });
    expect(await senderFor(bob, file)).to.equal(null);
  });

  it('are signed for others to check where the sender chose it, and then alone', async () => {
    await add(bob, 'Alice', alice);
    const { ref: signer } = await alice.world.surface('ui.createKey', {
      kind: 'signing',
      label: 'My signature',
    });
    const { text: publicKey } = await alice.world.surface('ui.publicKey', { ref: signer });
    const contents = randomBytes(900);
    const unsigned = await sealed(alice, { contacts: [bobId] }, undefined, contents);
    expect((await open(bob, unsigned)).signed).to.equal(null);
    const file = await sealed(alice, { contacts: [bobId], signer }, undefined, contents);
    const { sender, signed } = await open(bob, file);
    expect(sender?.name).to.equal('Alice');
    expect(signed?.publicKey).to.equal(publicKey);
    const proof = parseProof(new TextDecoder().decode(signed!.proof));
    expect(proof.publicKey).to.equal(publicKey);
    expect(proof.content).to.include({ purpose: 'stream', name: 'a.txt', type: 'text/plain' });
    await verifyProof(proof, contents);
    const other = await verifyProof(proof, randomBytes(900)).catch((error: unknown) => error);
    expect(other).to.be.instanceOf(AuthenticationError);
    const { entries } = await alice.world.surface('ui.activity', { offset: 0, limit: 100 });
    expect(entries.map(({ operation }) => operation)).to.include('sign');
  });

  it('name no signer where a recipient sealed them on to somebody else', async () => {
    const carol = await person();
    await add(bob, 'Alice', alice);
    await add(carol, 'Alice', alice);
    const { ref: signer } = await alice.world.surface('ui.createKey', {
      kind: 'signing',
      label: 'My signature',
    });
    const contents = randomBytes(900);
    const file = await sealed(alice, { contacts: [bobId], signer }, undefined, contents);
    const { signed } = await open(bob, file);
    const { content, publicKey, signature } = parseProof(new TextDecoder().decode(signed!.proof));
    const resigned = {
      publicKey: parsePublicKey(publicKey).bytes,
      sign: () => Promise.resolve(signature),
    };
    const { name, type, digest } = content;
    const attributes = sealingAttributes({
      file: { name, type },
      statics: [],
      digest,
      signer: resigned,
    });
    const to = sealingTo([carol.publicKey]);
    // Suite 02, as streams are sealed.
    const passedOn: Uint8Array[] = [];
    const sealing = new Blob([contents]).stream().pipeThrough(sealStream({ attributes, ...to }));
    for await (const part of sealing) passedOn.push(part);
    const opened = await open(carol, new Blob(passedOn as BlobPart[]));
    expect(opened.contents).to.deep.equal(contents);
    expect(opened.sender).to.equal(null);
    expect(opened.signed?.publicKey).to.equal(publicKey);
  });

  it('are signed by no key that is not of Ed25519, and for no one but contacts', async () => {
    const { ref } = await alice.world.surface('ui.createKey', { label: 'Letters' });
    const { ref: signer } = await alice.world.surface('ui.createKey', {
      kind: 'signing',
      label: 'My signature',
    });
    for (const to of [
      { contacts: [bobId], signer: ref },
      { contacts: [bobId], signer: 'none' },
      { ref, signer },
    ]) {
      const error = await sealed(alice, to).catch((caught: unknown) => caught);
      expect(error).to.have.property('code', 'INVALID_ARGUMENT');
    }
  });

  it('say so to each of several recipients, and to the sender', async () => {
    const carol = await person();
    const carolId = await add(alice, 'Carol', carol);
    await Promise.all([add(bob, 'Alice', alice), add(carol, 'A.', alice)]);
    const { ref } = await alice.world.surface('ui.createKey', { label: 'Files' });
    const file = await sealed(alice, { ref, contacts: [bobId, carolId] });
    expect((await senderFor(bob, file))?.name).to.equal('Alice');
    expect((await senderFor(carol, file))?.name).to.equal('A.');
    expect(await senderFor(alice, file)).to.deep.equal({ name: null, verified: null });
    const [own] = await alice.world.surface('ui.ownSharingKeys', {});
    const toSelf = await sealed(alice, { ref: own!.ref, contacts: [bobId] });
    expect(await senderFor(alice, toSelf)).to.deep.equal({ name: null, verified: null });
  });

  it('say nothing of who sealed them without a key, or where a page sealed them', async () => {
    await add(bob, 'Alice', alice);
    const stranger = { world: await World.unlocked() };
    const dave: Person = { ...stranger, ui: uiOf(stranger.world), publicKey: '' };
    const bobOfDave = await add(dave, 'Bob', bob);
    expect(await senderFor(bob, await sealed(dave, { contacts: [bobOfDave] }))).to.equal(null);
    await alice.world.connect();
    const to = [bob.publicKey];
    const message = await alice.world.call('seal', { plaintext: randomBytes(9), to });
    const source = (await sealedSource(new Blob([new Uint8Array(message)])))!;
    const { origin } = pageCaller();
    const { sender, named } = await openSealed(source, { origin }, bob.ui, work);
    expect({ sender, named }).to.deep.equal({ sender: null, named: null });
  });

  it('prove no sender to a key that came with the backup of somebody, who has it as well', async () => {
    // Mallory's own key can make every tag that Alice would make for it.
    const mallory = await person();
    const file = await sealed(alice, { contacts: [await add(alice, 'Mallory', mallory)] });
    const under = { passphrase: 'a passphrase of its own' };
    const by = { passphrase: PASSPHRASE };
    const backup = await mallory.world.surface('ui.makeBackup', { by, under });
    await bob.world.surface('ui.restoreBackup', { file: backup.file, ...under });
    await add(bob, 'Alice', alice);
    const opened = await open(bob, file);
    expect(opened.openedBy?.guest).to.equal(true);
    expect(opened.sender).to.equal(null);
    expect((await senderFor(bob, await sealed(alice, { contacts: [bobId] })))?.name).to.equal(
      'Alice',
    );
  });

  it('are not opened where a byte of them was changed, or an attribute', async () => {
    const file = new Uint8Array(await (await sealed(alice, { contacts: [bobId] })).arrayBuffer());
    for (const at of [60, 1_250, 1_400, file.length - 1]) {
      const failure = await open(bob, new Blob([file.with(at, file[at]! ^ 1)])).catch(
        (error: unknown) => error,
      );
      expect(failure, String(at)).to.be.instanceOf(Error);
    }
  });

  it('have names of any length that a file system has, and no longer ones', async () => {
    const name = '写'.repeat(255);
    const opened = await open(bob, await sealed(alice, { contacts: [bobId] }, { name, type: '' }));
    expect(opened.named!.name).to.equal(name);
    const failure = await sealed(
      alice,
      { contacts: [bobId] },
      { name: 'a'.repeat(766), type: '' },
    ).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
  });
});
