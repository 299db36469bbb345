import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { fromBase64url, toBase64url } from '../../../src/crypto/bytes.ts';
import { fastestArgon2id } from '../../../src/engine/fastest-argon2id.ts';
import { ageFiles } from '../../support/age-files.ts';
import { FORMATS } from '../../../src/keys/backup/backup-contents.ts';
import { Backups } from '../../../src/keys/backup/backups.ts';
import { allKeyDetails } from '../../../src/keys/annotations/key-details.ts';
import { SITE_FIELDS } from '../../../src/keys/annotations/site-fields.ts';
import { identitiesOf, recipientOf } from '../../../src/keys/ring/age-key.ts';
import { PERSISTENT_KEY } from '../../../src/keys/ring/persistent-key.ts';
import { generationKeys } from '../../../src/keys/ring/user-key.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { loadWasm } from '../../support/wasm.ts';
import { keptKey, PASSPHRASE, TestBrowser } from '../world.ts';

interface Fixture {
  readonly format: string;
  readonly file: string;
  readonly sealed: readonly { origin: string; headerKeyId: string; key: string }[];
  readonly labels: readonly string[];
}

const { passphrase, files } = JSON.parse(
  readFileSync('test/keys/vectors/backup-files.json', 'utf8'),
) as { passphrase: string; files: readonly Fixture[] };

/** Of age's testkit and of its specification, the newest first, then its recipient. */
const AGE_IDENTITIES = [
  'AGE-SECRET-KEY-1XMWWC06LY3EE5RYTXM9MFLAZ2U56JJJ36S0MYPDRWSVLUL66MV4QX3S7F6',
  'AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX',
  'age1w3tyke4gev25vaxxsvcgqu4484rf6ejpmavs57p6yz6lhy2sfs5swrvwyn',
];

const SETTLED = {
  origin: 'https://a.example',
  ref: null,
  alwaysSealed: [{ tag: 'textarea', by: 'name', value: 'message' }],
};

/* Files as they lie in people's drawers: whatever has been written once is read for ever. */
describe('a backup file of', () => {
  const derive = fastestArgon2id(loadWasm);

  for (const { format, file, sealed, labels } of files) {
    it(`${format} comes back into a new vault, whole`, async () => {
      const world = new TestBrowser();
      const vault = world.vault();
      await vault.create(PASSPHRASE);
      const now = () => world.time;
      const backups = new Backups({ vault, random: systemRandom, derive, age: ageFiles, now });
      await backups.restore(fromBase64url(file), passphrase);
      const ring = world.keyRing(vault);
      const named = (await ring.list()).filter(({ kind }) => kind !== 'app');
      expect(named.map(({ kind, label }) => `${kind} ${label}`)).to.have.members(labels);
      for (const { origin, headerKeyId, key } of sealed) {
        const found = await ring.openingMaterial(fromBase64url(headerKeyId), origin);
        expect(found && toBase64url(found.key)).to.equal(key);
      }
      const isAnnotation = /[3-9]$/.test(format);
      const guests = named.filter(({ guest }) => guest).map(({ label }) => label);
      expect(guests).to.deep.equal(/[7-9]$/.test(format) ? ['Of Ada'] : []);
      const details = [...(await allKeyDetails(vault)).values()];
      const notes = details.map(({ note }) => note).filter((note) => note !== '');
      expect(notes).to.deep.equal(isAnnotation ? ['Written to Ada.'] : []);
      const names = (await vault.list('contact')).map(
        ({ value }) => (value as { name: string }).name,
      );
      expect(names).to.deep.equal(isAnnotation ? ['Ada'] : []);
      const sites = (await vault.list(SITE_FIELDS)).map(({ value }) => value);
      expect(sites).to.deep.equal(/[5-9]$/.test(format) ? [SETTLED] : []);
      const ages = (await ring.userKeyValues('age')).map(({ value }) => [
        ...identitiesOf(value),
        recipientOf(generationKeys(value)[0]!),
      ]);
      const kept = (await vault.list(PERSISTENT_KEY)).map(({ value }) => value);
      expect(kept).to.deep.equal(/[89]$/.test(format) ? [keptKey('https://a.example')] : []);
      expect(ages).to.deep.equal(/[4-9]$/.test(format) ? [AGE_IDENTITIES] : []);
    });
  }

  it('every format is among the fixtures', () => {
    expect(files.map(({ format }) => format)).to.deep.equal(FORMATS);
  });
});
