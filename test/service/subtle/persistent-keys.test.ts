import { expect } from 'chai';
import sinon from 'sinon';
import { PERSISTENT_KEY_ARCHIVE_MS } from '../../../src/keys/ring/persistent-key.ts';
import { PERSISTENT_KEY_LIMITS } from '../../../src/service/subtle/persistent-keys.ts';
import { errorName, pageSubtle } from '../../support/page-subtle.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { PASSPHRASE, POPUP, World } from '../../support/service-world.ts';
import { errorOf } from '../../support/outcomes.ts';

const GCM = { name: 'AES-GCM', length: 256 };
const IV = { name: 'AES-GCM', iv: new Uint8Array(12) };
const DATA = new Uint8Array(32).fill(7);
const REF = 'sealwright-ref' as 'raw';
const FROM_REF = 'sealwright' as 'raw';
const BOTH: KeyUsage[] = ['encrypt', 'decrypt'];

interface Wanted {
  readonly usages?: KeyUsage[];
  readonly algorithm?: AlgorithmIdentifier;
  readonly extractable?: boolean;
}

/** Another site, another container, another top-level page. */
const OTHER_PLACES = [
  { origin: 'https://b.example', topOrigin: 'https://b.example' },
  { container: 'work' },
  { topOrigin: 'https://www.a.example' },
];

let world: World;
let subtle: ReturnType<typeof pageSubtle>;
const renew = async () => {
  world = await World.unlocked();
  subtle = pageSubtle(world);
};

/** @returns the id of the grant */
const granted = async (request: object = {}, caller = pageCaller()): Promise<string> =>
  (await world.connect({ capabilities: ['seal'], ...request }, caller)).at(-1)!.id;
const saved = async (key?: CryptoKey) =>
  subtle.exportKey(REF, key ?? (await subtle.generateKey(GCM, false, BOTH)));
/** In another document of the same site, unless the caller is another. */
const found = (
  reference: BufferSource,
  { usages = BOTH, algorithm = GCM, extractable = false }: Wanted = {},
  place: Partial<ReturnType<typeof pageCaller>> = {},
) =>
  pageSubtle(world, pageCaller({ documentId: 'later', tabId: 9, ...place })).importKey(
    FROM_REF,
    reference,
    algorithm,
    extractable,
    usages,
  );

async function persistentKeys(origin = pageCaller().origin): Promise<number> {
  const sites = (await world.surface('ui.sites', {})) as readonly {
    origin: string;
    persistentKeys: number;
  }[];
  return sites.find((site) => site.origin === origin)?.persistentKeys ?? 0;
}

describe('A key that a page keeps by its reference', function () {
  this.timeout(30_000);
  beforeEach(renew);

  it('is the same key in a later document, after the background and the browser have ended', async () => {
    await granted();
    const key = await subtle.generateKey(GCM, false, BOTH);
    const reference = await saved(key);
    expect(reference.byteLength).to.equal(32);
    const sealed = await subtle.encrypt(IV, key, DATA);
    world.session.values.clear();
    world.restart();
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    const again = await found(reference);
    const { type, extractable, usages } = again;
    expect({ type, extractable, usages }).to.deep.equal({
      type: 'secret',
      extractable: false,
      usages: BOTH,
    });
    expect(again.algorithm).to.deep.equal(GCM);
    const later = pageSubtle(world, pageCaller({ documentId: 'later', tabId: 9 }));
    expect(new Uint8Array(await later.decrypt(IV, again, sealed))).to.deep.equal(DATA);
  });

  it('works for every kind of key: pairs, HMAC, post-quantum, bytes that were imported', async () => {
    await granted();
    const later = pageSubtle(world, pageCaller({ documentId: 'later', tabId: 9 }));
    const ecdsa = { name: 'ECDSA', namedCurve: 'P-256' };
    const pair = await subtle.generateKey(ecdsa, false, ['sign', 'verify']);
    const signing = await found(await saved(pair.privateKey), {
      usages: ['sign'],
      algorithm: ecdsa,
    });
    const params = { name: 'ECDSA', hash: 'SHA-256' };
    const signature = await later.sign(params, signing, DATA);
    expect(await subtle.verify(params, pair.publicKey, signature, DATA)).to.equal(true);

    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    const mac = await subtle.importKey('raw', DATA, hmac, true, ['sign']);
    const sameMac = await found(await saved(mac), {
      usages: ['sign'],
      algorithm: hmac,
      extractable: true,
    });
    expect(new Uint8Array(await later.exportKey('raw', sameMac))).to.deep.equal(DATA);

    const kem = { name: 'ML-KEM-768' } as AlgorithmIdentifier;
    const usages = ['decapsulateBits', 'encapsulateBits'] as unknown as KeyUsage[];
    const kems = (await subtle.generateKey(kem as 'Ed25519', false, usages)) as CryptoKeyPair;
    const decapsulating = await found(await saved(kems.privateKey), {
      usages: usages.slice(0, 1),
      algorithm: kem,
    });
    const own = later as unknown as {
      decapsulateBits(a: unknown, key: unknown, c: unknown): Promise<ArrayBuffer>;
    };
    const other = subtle as unknown as {
      encapsulateBits(a: unknown, k: unknown): Promise<Record<string, ArrayBuffer>>;
    };
    const { sharedKey, ciphertext } = await other.encapsulateBits(kem, kems.publicKey);
    expect(await own.decapsulateBits(kem, decapsulating, ciphertext)).to.deep.equal(sharedKey);
  });

  it('is never wider than it was stored', async () => {
    await granted();
    const reference = await saved(await subtle.generateKey(GCM, false, ['encrypt']));
    const only: { usages: KeyUsage[] } = { usages: ['encrypt'] };
    expect(await errorName(found(reference))).to.equal('SyntaxError');
    expect(await errorName(found(reference, { usages: [] }))).to.equal('SyntaxError');
    expect(await errorName(found(reference, { ...only, extractable: true }))).to.equal(
      'SyntaxError',
    );
    const asCtr = found(reference, { ...only, algorithm: 'AES-CTR' });
    expect(await errorName(asCtr)).to.equal('DataError');
    const narrow = await found(reference, { ...only, algorithm: 'aes-gcm' });
    const later = pageSubtle(world, pageCaller({ documentId: 'later', tabId: 9 }));
    expect(await errorName(later.decrypt(IV, narrow, DATA))).to.equal('InvalidAccessError');
    expect(await errorName(later.exportKey('raw', narrow))).to.equal('InvalidAccessError');
    const mac = await subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, true, ['sign']);
    const other = { algorithm: { name: 'HMAC', hash: 'SHA-512' } };
    const wrongHash = found(await saved(mac), { usages: ['sign'], ...other });
    expect(await errorName(wrongHash)).to.equal('DataError');
  });

  it('has the reference that it came by, and another by each export of a session key', async () => {
    await granted();
    const key = await subtle.generateKey(GCM, false, BOTH);
    const [one, two] = [await saved(key), await saved(key)];
    expect(new Uint8Array(one)).to.not.deep.equal(new Uint8Array(two));
    const again = await found(one);
    const later = pageSubtle(world, pageCaller({ documentId: 'later', tabId: 9 }));
    expect(await later.exportKey(REF, again)).to.deep.equal(one);
  });

  it('is stored once, however often the call is replayed', async () => {
    await granted();
    const made = await world.call('subtle.generateKey', {
      algorithm: GCM,
      extractable: false,
      usages: BOTH,
    });
    const { handle } = (made as { value: { handle: string } }).value;
    const save = () => world.call('subtle.exportReference', { key: handle }, pageCaller(), 'same');
    expect(await save()).to.deep.equal(await save());
    expect(await persistentKeys()).to.equal(1);
  });

  it('is found by no other site, in no other container and under no other top-level page', async () => {
    await granted();
    const reference = await saved();
    const unknown = await errorOf(found(new Uint8Array(32)));
    expect(unknown.name).to.equal('DataError');
    for (const other of OTHER_PLACES) {
      await granted({}, pageCaller({ documentId: 'later', tabId: 9, ...other }));
      const { name, message } = await errorOf(found(reference, {}, other));
      expect({ name, message }).to.deep.equal({ name: unknown.name, message: unknown.message });
    }
    for (const length of [0, 31, 33]) {
      expect(await errorName(found(new Uint8Array(length)))).to.equal('DataError');
    }
    expect(await errorName(found(reference))).to.equal('none');
  });

  it('needs a permission for the app key, to be stored, found and used', async () => {
    const key = await subtle.generateKey(GCM, false, BOTH);
    expect(await errorName(saved(key))).to.equal('InvalidAccessError');
    const { ref } = await world.surface('ui.createKey', { kind: 'sealing', label: 'Mine' });
    const own = { key: { kind: 'sealing' as const }, capabilities: ['seal' as const] };
    await world.connect(own, pageCaller(), { ref });
    expect(await errorName(saved(key))).to.equal('InvalidAccessError');
    await granted();
    const reference = await saved(key);
    const again = await found(reference);
    const later = pageSubtle(world, pageCaller({ documentId: 'later', tabId: 9 }));
    await world.surface('ui.lock', {});
    expect(await errorName(later.encrypt(IV, again, DATA))).to.equal('InvalidAccessError');
    expect(await errorName(found(reference))).to.equal('InvalidAccessError');
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await errorName(later.encrypt(IV, again, DATA))).to.equal('none');
    await world.call('revoke', {});
    expect(await errorName(later.encrypt(IV, again, DATA))).to.equal('InvalidAccessError');
    expect(await errorName(found(reference))).to.equal('InvalidAccessError');
  });

  it('is deleted by the user, who sees how many there are, and the permission stays', async () => {
    await granted();
    const reference = await saved();
    await saved();
    expect(await persistentKeys()).to.equal(2);
    await world.surface('ui.deletePersistentKeys', { origin: pageCaller().origin });
    expect(await persistentKeys()).to.equal(0);
    expect(await errorName(found(reference))).to.equal('DataError');
    expect(await world.call('grants', {})).to.have.length(1);
  });

  it('is deleted by its site, by the reference, and is of no use after that', async () => {
    await granted();
    const [reference, other] = [await saved(), await saved()];
    const again = await found(reference);
    await subtle.deleteKey(reference);
    expect(await persistentKeys()).to.equal(1);
    expect(await errorName(found(reference))).to.equal('DataError');
    expect(await errorName(found(other))).to.equal('none');
    const later = pageSubtle(world, pageCaller({ documentId: 'later', tabId: 9 }));
    expect(await errorName(later.encrypt(IV, again, DATA))).to.equal('DataError');
    // Once more, and what never was a reference: there is nothing to delete.
    for (const unknown of [reference, new Uint8Array(32), new Uint8Array(0)]) {
      expect(await errorName(subtle.deleteKey(unknown))).to.equal('none');
    }
    expect(await persistentKeys()).to.equal(1);
    expect(await errorName(subtle.deleteKey('all' as never))).to.equal('TypeError');
  });

  it('is deleted by no other site, container or top-level page, nor without a permission', async () => {
    await granted();
    const reference = await saved();
    for (const other of OTHER_PLACES) {
      const caller = pageCaller({ documentId: 'later', tabId: 9, ...other });
      const elsewhere = pageSubtle(world, caller);
      expect(await errorName(elsewhere.deleteKey(reference))).to.equal('InvalidAccessError');
      await granted({}, caller);
      expect(await errorName(elsewhere.deleteKey(reference))).to.equal('none');
    }
    await world.surface('ui.lock', {});
    expect(await errorName(subtle.deleteKey(reference))).to.equal('InvalidAccessError');
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await errorName(found(reference))).to.equal('none');
  });

  it('is one of at most 256 of a site, and of a MiB of them', async function () {
    this.timeout(120_000);
    await granted();
    const key = await subtle.generateKey(GCM, false, BOTH);
    let last: ArrayBuffer | undefined;
    for (let i = 0; i < PERSISTENT_KEY_LIMITS.keysPerOrigin; i++) last = await saved(key);
    expect(await errorName(saved(key))).to.equal('QuotaExceededError');
    await subtle.deleteKey(last!);
    expect(await errorName(saved(key))).to.equal('none');
    await world.surface('ui.deletePersistentKeys', { origin: pageCaller().origin });
    const large = new Uint8Array(200_000);
    const hmac = await subtle.importKey('raw', large, { name: 'HMAC', hash: 'SHA-256' }, true, [
      'sign',
    ]);
    const most = Math.floor(PERSISTENT_KEY_LIMITS.bytesPerOrigin / ((large.length * 4) / 3));
    for (let i = 0; i < most; i++) await saved(hmac);
    expect(await errorName(saved(hmac))).to.equal('QuotaExceededError');
    expect(await persistentKeys()).to.equal(most);
  });

  it('is in the log with each use, by the app key', async () => {
    await granted();
    const again = await found(await saved());
    const later = pageSubtle(world, pageCaller({ documentId: 'later', tabId: 9 }));
    await later.encrypt(IV, again, DATA);
    const { entries } = await world.surface('ui.activity', { offset: 0, limit: 100 });
    const uses = entries.filter(({ operation }) => operation.startsWith('subtle.'));
    expect(uses.map(({ operation }) => operation)).to.have.members([
      ...['subtle.exportReference', 'subtle.importReference', 'subtle.encrypt'],
    ]);
    for (const { key, result } of uses) {
      expect({ kind: key?.kind, result }).to.deep.equal({ kind: 'app', result: 'ok' });
    }
  });

  it('is not a key that the user owns: that has its id', async () => {
    const [grant] = await world.connect({ capabilities: ['seal', 'open'] });
    const named = await subtle.importKey(FROM_REF, grant!.keyId as never, GCM, false, BOTH);
    expect(await errorName(subtle.exportKey(REF, named))).to.equal('InvalidAccessError');
  });

  it('is in no store in the clear', async () => {
    await granted();
    const key = await subtle.generateKey(GCM, true, BOTH);
    const raw = Buffer.from(await subtle.exportKey('raw', key));
    const reference = Buffer.from(await saved(key));
    world.session.values.clear();
    const stored = [...world.primary.values, ...world.copy.values]
      .map(([name, value]) => `${name} ${Buffer.from(value).toString('latin1')}`)
      .join('\n');
    for (const secret of [raw, reference]) {
      for (const encoding of ['latin1', 'base64url', 'hex'] as const) {
        expect(stored).to.not.include(secret.toString(encoding));
      }
    }
  });
});

describe('A key by reference, the archive and backups', function () {
  this.timeout(30_000);
  beforeEach(renew);

  it('goes to the archive with the last permission for the app key, and comes back with a new one', async () => {
    const first = await granted({ capabilities: ['seal'] });
    const second = await granted({ capabilities: ['mac'] });
    const reference = await saved();
    await world.call('revoke', { grantIds: [first] });
    expect(await errorName(found(reference))).to.equal('none');
    await world.call('revoke', { grantIds: [second] });
    expect(await errorName(found(reference))).to.equal('InvalidAccessError');
    expect(await persistentKeys()).to.equal(1);
    world.now += PERSISTENT_KEY_ARCHIVE_MS - 1;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    await granted();
    expect(await errorName(found(reference))).to.equal('none');
    world.now += 2; // the time in the archive began at the revocation, and has ended
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await errorName(found(reference))).to.equal('none');
  });

  it('is deleted 30 days after the last permission went, and those of other sites stay', async () => {
    await granted();
    const other = pageCaller({ origin: 'https://b.example', topOrigin: 'https://b.example' });
    await granted({}, other);
    const elsewhere = pageSubtle(world, other);
    await elsewhere.exportKey(REF, await elsewhere.generateKey(GCM, false, BOTH));
    const reference = await saved();
    await world.call('revoke', {});
    world.now += PERSISTENT_KEY_ARCHIVE_MS;
    await world.surface('ui.unlock', { passphrase: PASSPHRASE });
    expect(await persistentKeys()).to.equal(0);
    await granted();
    expect(await errorName(found(reference))).to.equal('DataError');
    expect(await persistentKeys('https://b.example')).to.equal(1);
  });

  it('is counted with the permission that takes it', async () => {
    const first = await granted({ capabilities: ['seal'] });
    await granted({}, pageCaller({ container: 'work' }));
    await saved();
    await saved();
    const taken = async () => {
      const [site] = await world.surface('ui.sites', {});
      return new Map(site!.grants.map(({ id, persistentKeys: count }) => [id, count]));
    };
    expect((await taken()).get(first)).to.equal(2);
    expect([...(await taken()).values()].toSorted()).to.deep.equal([0, 2]);
    await granted({ capabilities: ['mac'] });
    expect([...(await taken()).values()]).to.deep.equal([0, 0, 0]);
  });

  it('comes back from a backup with its scope, and waits until the site is allowed there', async () => {
    const place = pageCaller({ container: 'work' });
    await granted({}, place);
    const own = pageSubtle(world, place);
    const key = await own.generateKey(GCM, false, BOTH);
    const reference = await own.exportKey(REF, key);
    const sealed = await own.encrypt(IV, key, DATA);
    const under = { passphrase: 'a passphrase of its own' };
    const by = { passphrase: PASSPHRASE };
    const { file } = await world.surface('ui.makeBackup', { by, under });
    world = await World.unlocked();
    const report = await world.surface('ui.restoreBackup', { file, ...under });
    expect(report.brings.persistentKeys).to.equal(1);
    world.now += 2 * PERSISTENT_KEY_ARCHIVE_MS;
    await world.surface('ui.unlock', by);
    expect(await persistentKeys()).to.equal(1);
    expect(await errorName(found(reference, {}, place))).to.equal('InvalidAccessError');
    await granted();
    expect(await errorName(found(reference))).to.equal('DataError');
    await granted({}, place);
    const again = await found(reference, {}, place);
    const later = pageSubtle(world, place);
    expect(new Uint8Array(await later.decrypt(IV, again, sealed))).to.deep.equal(DATA);
    const next = await world.surface('ui.checkBackup', { file, ...under });
    expect(next.brings.persistentKeys).to.equal(0);
  });

  it('comes from no backup of someone else, and goes where the vault is replaced', async () => {
    await granted();
    await saved();
    const under = { passphrase: 'a passphrase of its own' };
    const by = { passphrase: PASSPHRASE };
    const { file } = await world.surface('ui.makeBackup', { by, under });
    world = await World.unlocked();
    subtle = pageSubtle(world);
    await granted();
    const reference = await saved();
    await world.surface('ui.createKey', { label: 'Made here' });
    await world.surface('ui.makeBackup', { by, under });
    const report = await world.surface('ui.restoreBackup', { file, ...under });
    expect(report.relation).to.equal('foreign');
    expect(report.brings.persistentKeys).to.equal(0);
    expect(report.present.persistentKeys).to.equal(1);
    expect(await persistentKeys()).to.equal(1);
    await world.call('ui.replaceVault', { by, file, ...under }, POPUP, 'replace');
    expect(await persistentKeys()).to.equal(1);
    await granted();
    expect(await errorName(found(reference))).to.equal('DataError');
  });
});

describe('The room for keys by reference', () => {
  beforeEach(renew);

  it('has a share for each site, although others have taken what is common', async function () {
    this.timeout(120_000);
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    const kept = async (site: number, bytes: number) => {
      const origin = `https://site-${site}.example`;
      const caller = pageCaller({
        origin,
        topOrigin: origin,
        documentId: `d${site} ${bytes}`,
        tabId: site,
      });
      await world.connect({ capabilities: ['seal'] }, caller);
      const own = pageSubtle(world, caller);
      const key = await own.importKey('raw', new Uint8Array(bytes), hmac, true, ['sign']);
      const outcome = await errorName(own.exportKey(REF, key));
      world.documents.gone.add(caller.documentId); // its session keys take no room any more
      return outcome;
    };
    // 1,000 KiB each in base64url.
    for (let site = 0; site < 4; site++) expect(await kept(site, 750 * 1024)).to.equal('none');
    expect(await kept(4, 750 * 1024)).to.equal('QuotaExceededError');
    expect(await kept(4, 40 * 1024)).to.equal('none');
  });

  it('is known without reading those that are there, of whichever sites', async () => {
    const get = sinon.spy(world.primary, 'get');
    /** In a background that has made none of those before. */
    const readsOf = async (site: number) => {
      world.restart();
      const origin = `https://site-${site}.example`;
      const caller = pageCaller({ origin, topOrigin: origin, documentId: `d${site}` });
      await world.connect({ capabilities: ['seal'] }, caller);
      const own = pageSubtle(world, caller);
      const counts: number[] = [];
      for (let kept = 0; kept < 12; kept++) {
        const key = await own.generateKey(GCM, false, BOTH);
        get.resetHistory();
        await own.exportKey(REF, key);
        counts.push(get.callCount);
      }
      return counts;
    };
    const [first, ...others] = [...(await readsOf(0)), ...(await readsOf(1))];
    expect(first).to.be.above(0);
    expect(new Set(others)).to.deep.equal(new Set([first]));
  });

  it('is refused with QuotaExceededError where the disk is full', async () => {
    await world.connect({ capabilities: ['seal'] });
    const key = await subtle.generateKey(GCM, false, BOTH);
    const saving = () => errorName(subtle.exportKey(REF, key));
    const write = sinon.stub(world.primary, 'write');
    write.rejects(new DOMException('full', 'QuotaExceededError'));
    expect(await saving()).to.equal('QuotaExceededError');
    write.restore();
    expect(await saving()).to.equal('none');
  });
});
