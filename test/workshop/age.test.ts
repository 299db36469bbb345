import { expect } from 'chai';
import {
  Decrypter,
  Encrypter,
  generateHybridIdentity,
  generateX25519Identity,
  identityToRecipient,
} from 'age-encryption';
import { sha256 } from '../../src/crypto/hash/sha256.ts';
import { toHex, utf8 } from '../../src/crypto/bytes.ts';
import { ageFiles } from '../support/age-files.ts';
import { ageLines, ageSecretsOf, isAge } from '../../src/keys/ring/age.ts';
import { errorOf } from '../support/outcomes.ts';
import { readPublished } from '../support/vectors.ts';

/*
 * C2SP/CCTV, age/testdata/armor (the testkit that age implementations share; BSD-1-Clause, CC0 or
 * Unlicense): the payload is known by its SHA-256.
 */
const IDENTITY = 'AGE-SECRET-KEY-1XMWWC06LY3EE5RYTXM9MFLAZ2U56JJJ36S0MYPDRWSVLUL66MV4QX3S7F6';
const PAYLOAD_SHA256 = '013f54400c82da08037759ada907a8b864e97de81c088a182062c4b5622fd2ab';
const ARMORED = `-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBURWlGMHlwcXIrYnB2Y3FY
TnlDVkpwTDdPdXdQZFZ3UEw3S1FFYkZET0NjCkVtRUNBRWNLTituL1ZzOVNiV2lW
K0h1MHIrRThSNzdEZFdZeWQ4M253N1UKLS0tIFZuKzU0anFpaVVDRStXWmNFVlkz
ZjFzcUhqbHUvejFMQ1EvVDdYbTdxSTAK7s9ix86RtDMnTmjU8vkTTLdMW/73vqpS
yPC8DpksHoMx+2Y=
-----END AGE ENCRYPTED FILE-----
`;
const CONTENTS = utf8('all keys');
/** Made by released versions of age. */
const OLD_TOOLS = readPublished('libraries/old-tools.json') as {
  readonly age: {
    readonly identity: string;
    readonly plaintext: string;
    readonly files: readonly {
      readonly tool: string;
      readonly file: string;
      readonly passphrase?: string;
    }[];
  };
};

describe('age files', () => {
  it('open as the published test vector says, armored and not', async () => {
    const armored = utf8(ARMORED);
    const base64 = ARMORED.split('\n').slice(1, -2).join('');
    for (const file of [armored, new Uint8Array(Buffer.from(base64, 'base64'))]) {
      expect(isAge(file)).to.equal(true);
      const payload = await ageFiles.open(file, { identities: [IDENTITY] });
      expect(toHex(sha256(payload!))).to.equal(PAYLOAD_SHA256);
    }
  });

  it('open as Debian’s age and releases of typage wrote them', async () => {
    const { identity, plaintext, files } = OLD_TOOLS.age;
    for (const { tool, file, passphrase } of files) {
      const bytes = new Uint8Array(Buffer.from(file, 'base64'));
      expect(isAge(bytes), tool).to.equal(true);
      const secrets =
        passphrase === undefined ? { identities: [identity] } : { identities: [], passphrase };
      expect(await ageFiles.open(bytes, secrets), tool).to.deep.equal(utf8(plaintext));
    }
  }).timeout(60_000);

  for (const [kind, generate] of [
    ['X25519', generateX25519Identity],
    ['hybrid', generateHybridIdentity],
  ] as const) {
    it(`of ${kind} recipients go to and come from any age`, async () => {
      const [identity, other] = [await generate(), await generateX25519Identity()];
      const recipients = await Promise.all([identity, other].map(identityToRecipient));
      // A hybrid recipient must stand with its kind alone (age-encryption.org/v1).
      const list = kind === 'hybrid' ? recipients.slice(0, 1) : recipients;
      const file = await ageFiles.seal(CONTENTS, list);
      const theirs = new Decrypter();
      theirs.addIdentity(identity);
      expect(await theirs.decrypt(file)).to.deep.equal(CONTENTS);
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipients[0]!);
      const made = await encrypter.encrypt(CONTENTS);
      expect(isAge(made)).to.equal(true);
      expect(await ageFiles.open(made, { identities: [other, identity] })).to.deep.equal(CONTENTS);
      expect(await ageFiles.open(made, { identities: [other] })).to.equal(undefined);
      expect(await ageFiles.open(made, { identities: [] })).to.equal(undefined);
    });
  }

  it('open with a passphrase, where they stand under one, and with no other', async () => {
    const encrypter = new Encrypter();
    encrypter.setPassphrase('of the file');
    encrypter.setScryptWorkFactor(10);
    const file = await encrypter.encrypt(CONTENTS);
    const open = (passphrase: string) => ageFiles.open(file, { identities: [], passphrase });
    expect(await open('of the file')).to.deep.equal(CONTENTS);
    expect(await open('another')).to.equal(undefined);
    const identity = await generateX25519Identity();
    expect(await ageFiles.open(file, { identities: [identity] })).to.equal(undefined);
  });

  it('name the recipient of an identity, and quote none that they refuse', async () => {
    const [one, two] = [await generateX25519Identity(), await generateHybridIdentity()];
    const recipients = await Promise.all([one, two].map(identityToRecipient));
    expect(await ageFiles.recipientsOf([one, two])).to.deep.equal(recipients);
    const secret = `${IDENTITY.slice(0, -1)}X`;
    const error = await errorOf(ageFiles.recipientsOf([one, secret]));
    expect(error).to.be.instanceOf(RangeError);
    expect((error as RangeError).message).to.not.include(secret.slice(15, 40));
  });

  it('have secrets that are identities, or else a passphrase', () => {
    const identities = [IDENTITY, 'AGE-SECRET-KEY-PQ-1X'];
    expect(ageSecretsOf(`# mine\n${identities.join('\n')}`)).to.deep.equal({ identities });
    for (const passphrase of ['correct horse', '# no', '', `${IDENTITY}\nand more`]) {
      expect(ageSecretsOf(passphrase)).to.deep.equal({ identities: [], passphrase });
    }
  });

  it('of a damaged kind are told from those for others', async () => {
    const identity = await generateX25519Identity();
    const file = await ageFiles.seal(CONTENTS, [await identityToRecipient(identity)]);
    for (const at of [file.length - 1, file.length >> 1, 30]) {
      const bad = file.slice();
      bad[at]! ^= 1;
      const outcome = await ageFiles
        .open(bad, { identities: [identity] })
        .catch((error: unknown) => error);
      if (outcome !== undefined) expect(outcome).to.include({ code: 'BAD_BACKUP' });
    }
    expect(
      await errorOf(ageFiles.open(file.subarray(0, -1), { identities: [identity] })),
    ).to.include({
      code: 'BAD_BACKUP',
    });
  });

  it('refuse what is no recipient or identity, and never quote it', async () => {
    const secret = `${IDENTITY.slice(0, -1)}X`;
    for (const wrong of [
      errorOf(ageFiles.seal(CONTENTS, ['age1nothing'])),
      errorOf(ageFiles.seal(CONTENTS, [])),
      errorOf(ageFiles.seal(CONTENTS, [IDENTITY])),
      errorOf(ageFiles.open(utf8(ARMORED), { identities: [secret] })),
    ]) {
      const error = await wrong;
      expect(error).to.be.instanceOf(RangeError);
      expect((error as RangeError).message).to.not.include(secret.slice(15, 40));
      expect((error as RangeError).message).to.not.include('nothing');
    }
  });

  it('have identities one a line, with comments, as age-keygen writes them', () => {
    const text = `# created: 2026-01-01\n# public key: age1x\n${IDENTITY}\r\n\n AGE-SECRET-KEY-2 \n`;
    expect(ageLines(text)).to.deep.equal([IDENTITY, 'AGE-SECRET-KEY-2']);
  });

  it('are recognised and opened with white space or a byte order mark before the armor', async () => {
    for (const before of ['\n', '\r\n\t  \n', '\ufeff', '\ufeff\n']) {
      const file = utf8(`${before}${ARMORED}`);
      expect(isAge(file)).to.equal(true);
      const payload = await ageFiles.open(file, { identities: [IDENTITY] });
      expect(toHex(sha256(payload!))).to.equal(PAYLOAD_SHA256);
    }
    expect(isAge(utf8(`\n${ARMORED.slice(1)}`))).to.equal(false);
    expect(isAge(utf8('\nage-encryption.org/v1\n'))).to.equal(false);
    expect(isAge(utf8(' \n'))).to.equal(false);
  });

  it('are told from files of other formats and versions', () => {
    expect(isAge(utf8('SWBK'))).to.equal(false);
    expect(isAge(utf8('age-encryption.org/v2\n'))).to.equal(false);
    expect(isAge(new Uint8Array(0))).to.equal(false);
  });
});
