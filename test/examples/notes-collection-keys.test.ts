import { expect } from 'chai';
// @ts-expect-error The example is plain JavaScript, as its readers will copy it.
import { CollectionKeys as Untyped } from '../../examples/notes/collection-keys.js';
import type { EncryptedRecord } from '../../src/client/page-api.ts';
import { SealwrightError } from '../../src/rpc/errors.ts';

/* Keys of collections as examples/notes keeps them: on a server that several devices write to. */
interface CollectionKeys {
  load(server: KeysServer | null | object): Promise<boolean>;
  renew(server: KeysServer | null): Promise<void>;
}
type KeysRecord = EncryptedRecord & { readonly modified: number };

const Class = Untyped as new (sync: Device, options: object) => CollectionKeys;

class KeysServer {
  record: KeysRecord | null = null;
  /** What another device does just before the next record arrives. */
  meanwhile: (() => void) | undefined;

  cryptoKeys = () => Promise.resolve(this.record);

  storeCryptoKeys = ({ id, payload }: EncryptedRecord, modified: number) => {
    this.meanwhile?.();
    this.meanwhile = undefined;
    const current = this.record?.modified ?? 0;
    return Promise.resolve(current > modified ? null : this.put(payload, id));
  };

  put(payload: string, id = 'keys'): KeysRecord {
    this.record = { id, payload, modified: (this.record?.modified ?? 0) + 1 };
    return this.record;
  }
}

/** `sealwright.sync` of one device: the sets that it has, the newest first. */
class Device {
  readonly sets: string[] = [];
  calls = 0;
  readonly #name: string;
  #made = 0;

  constructor(name: string) {
    this.#name = name;
  }

  loadCollectionKeys = ({ payload }: EncryptedRecord): Promise<void> => {
    this.calls += 1;
    this.sets.unshift(payload);
    return Promise.resolve();
  };

  createCollectionKeys = (): Promise<EncryptedRecord> => {
    this.calls += 1;
    this.sets.unshift(`${this.#name} ${(this.#made += 1)}`);
    return Promise.resolve({ id: 'keys', payload: this.sets[0]! });
  };
}

describe('examples/notes: keys of collections', () => {
  let server: KeysServer;
  let one: Device;
  let two: Device;
  let ones: CollectionKeys;
  let twos: CollectionKeys;

  beforeEach(() => {
    server = new KeysServer();
    [one, two] = [new Device('one'), new Device('two')];
    [ones, twos] = [new Class(one, {}), new Class(two, {})];
  });

  it('makes them where the server has none, and finds them where it has some', async () => {
    expect(await ones.load(server)).to.equal(true);
    expect(await twos.load(server)).to.equal(true);
    expect(two.sets).to.deep.equal(['one 1']);
  });

  it('hands them to the extension once, until another device has made new ones', async () => {
    await ones.load(server);
    for (const isNew of [true, false, false]) expect(await twos.load(server)).to.equal(isNew);
    expect(two.calls).to.equal(1);
    await ones.renew(server);
    expect(await ones.load(server), 'its own are no news').to.equal(false);
    for (const isNew of [true, false]) expect(await twos.load(server)).to.equal(isNew);
    expect(two.sets).to.deep.equal(['one 2', 'one 1']);
  });

  it('takes those of a device that was faster, and makes new ones only after them', async () => {
    server.meanwhile = () => server.put('of a third');
    expect(await ones.load(server)).to.equal(true);
    expect(one.sets[0]).to.equal('of a third');
    server.meanwhile = () => server.put('of a fourth');
    await ones.renew(server);
    expect(one.sets.slice(0, 3)).to.deep.equal(['one 3', 'of a fourth', 'one 2']);
    expect(server.record!.payload).to.equal('one 3');
  });

  it('keeps the newest where a sync looks for keys while new ones are made', async () => {
    await ones.load(server);
    const before = server.record;
    let answer!: (record: KeysRecord | null) => void;
    const answered = new Promise<KeysRecord | null>((resolve) => (answer = resolve));
    const looking = ones.load({ cryptoKeys: () => answered });
    const renewed = ones.renew(server);
    answer(before);
    await Promise.all([looking, renewed]);
    expect(one.sets).to.deep.equal(['one 2', 'one 1']);
  });

  it('leaves keys alone that have none, after one refusal', async () => {
    const { loadCollectionKeys } = one;
    one.loadCollectionKeys = (record) => {
      void loadCollectionKeys(record);
      return Promise.reject(new SealwrightError('UNSUPPORTED', 'No keys of collections'));
    };
    server.put('of an account of Firefox Sync');
    for (let i = 0; i < 3; i++) expect(await ones.load(server)).to.equal(false);
    expect(one.calls).to.equal(1);
  });

  it('needs a server that keeps them, and says so', async () => {
    for (const other of [null, {}]) expect(await ones.load(other)).to.equal(false);
    const error = await ones.renew(null).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error).with.property('message').that.includes('Weave server');
    expect(one.calls).to.equal(0);
  });

  it('asks again after a failure', async () => {
    server.put('first');
    const { loadCollectionKeys } = one;
    one.loadCollectionKeys = () => Promise.reject(new SealwrightError('LOCKED', 'Locked'));
    const error = await ones.load(server).catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'LOCKED');
    one.loadCollectionKeys = loadCollectionKeys;
    expect(await ones.load(server)).to.equal(true);
  });
});
