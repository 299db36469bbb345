import { expect } from 'chai';
import fc from 'fast-check';
import { ERROR_CODES } from '../../src/rpc/errors.ts';
import { METHODS, type MethodName } from '../../src/rpc/methods/methods.ts';
import { pageCaller } from '../support/service-fakes.ts';
import { POPUP, World } from '../support/service-world.ts';
import { codeOf } from '../support/outcomes.ts';

/*
 * Over the whole table: a wrong value in any argument of any method gives its typed error, and
 * changes nothing that is stored.
 */

const MIB = 2 ** 20;
const bytes = new Uint8Array(8);
const packed = { bytes, lengths: new Uint8Array([0, 0, 0, 3, 0, 0, 0, 5]) };
const sealing = { key: 'id', context: bytes, pad: true, portable: false };
const group = `swg1.${'A'.repeat(44)}`;
const by = { passphrase: 'a good passphrase' };
const code = `SWD1:${'0'.repeat(64)}`;
const backup = { file: bytes, passphrase: 'another' };
const answer = {
  promptId: 'p',
  allow: true,
  ref: 'r',
  newKeyLabel: 'l',
  expiresInMs: 1,
  maxUses: 1,
};

const algorithm = { name: 'AES-GCM' };
const newKey = { extractable: true, usages: ['encrypt'] };

const fieldName = { tag: 'input', by: 'name', value: 'v' };

/** Every argument that a method has, with a value of the right shape. */
const VALID: Record<MethodName, Record<string, unknown>> = {
  status: {},
  random: { length: 1 },
  randomUUID: {},
  randomInt: { max: 6 },
  connect: {
    purpose: 'p',
    key: 'app',
    capabilities: ['seal'],
    expiresInMs: 1,
    maxUses: 1,
  },
  grants: {},
  revoke: { grantIds: ['g'] },
  keys: {},
  seal: { plaintext: bytes, ...sealing },
  open: { sealed: bytes, context: bytes },
  sealMany: { items: packed, ...sealing },
  openMany: { items: packed, context: bytes },
  rewrapMany: { items: packed, ...sealing },
  sealText: { text: bytes, ...sealing },
  openText: { sealed: bytes, context: bytes },
  rotateKey: { keyId: 'id' },
  publicKey: { keyId: 'id' },
  rewrap: { sealed: bytes, ...sealing },
  mac: { data: bytes, key: 'id' },
  verifyMac: { data: bytes, tag: bytes, key: 'id' },
  sign: { data: bytes, key: 'id' },
  verify: { data: bytes, signature: bytes, key: 'id' },
  verifyByPublicKey: { data: bytes, signature: bytes, publicKey: 'swp1.AA' },
  blindIndex: { value: bytes, field: 'f', generation: 1, key: 'id' },
  'sync.encryptRecords': { collection: 'c', records: packed, key: 'id' },
  'sync.decryptRecords': { collection: 'c', records: packed, key: 'id' },
  'sync.checkpoint': { collection: 'c', records: packed, key: 'id' },
  'sync.verify': { collection: 'c', records: packed, heads: packed, key: 'id' },
  'sync.loadCollectionKeys': { payload: bytes, key: 'id' },
  'sync.createCollectionKeys': { collections: ['c'], key: 'id' },
  'subtle.encrypt': { algorithm, key: 'k', data: bytes },
  'subtle.decrypt': { algorithm, key: 'k', data: bytes },
  'subtle.sign': { algorithm, key: 'k', data: bytes },
  'subtle.verify': { algorithm, key: 'k', signature: bytes, data: bytes },
  'subtle.digest': { algorithm, data: bytes },
  'subtle.generateKey': { algorithm, ...newKey },
  'subtle.importKey': { format: 'raw', keyData: bytes, algorithm, ...newKey },
  'subtle.importNamedKey': { keyId: 'id', algorithm, ...newKey },
  'subtle.exportReference': { key: 'k' },
  'subtle.importReference': { reference: bytes, algorithm, ...newKey },
  'subtle.deleteKey': { reference: bytes },
  'subtle.exportKey': { format: 'raw', key: 'k' },
  'subtle.deriveBits': { algorithm, baseKey: 'k', length: 8 },
  'subtle.deriveKey': { algorithm, baseKey: 'k', derivedKeyType: algorithm, ...newKey },
  'subtle.wrapKey': { format: 'raw', key: 'k', wrappingKey: 'k', wrapAlgorithm: algorithm },
  'subtle.unwrapKey': {
    format: 'raw',
    wrappedKey: bytes,
    unwrappingKey: 'k',
    unwrapAlgorithm: algorithm,
    unwrappedKeyAlgorithm: algorithm,
    ...newKey,
  },
  'subtle.encapsulateKey': { algorithm, key: 'k', sharedKeyAlgorithm: algorithm, ...newKey },
  'subtle.encapsulateBits': { algorithm, key: 'k' },
  'subtle.decapsulateKey': {
    algorithm,
    key: 'k',
    ciphertext: bytes,
    sharedKeyAlgorithm: algorithm,
    ...newKey,
  },
  'subtle.decapsulateBits': { algorithm, key: 'k', ciphertext: bytes },
  'subtle.getPublicKey': { key: 'k', usages: [] },
  'subtle.dropKeys': { keys: ['k'] },
  releaseSeal: { purpose: 'page', totalBytes: 8, ...sealing },
  releaseOpen: { head: bytes, totalBytes: 8, context: bytes },
  holdsGrant: { keyId: 'id', capability: 'seal' },
  stirMovements: { digest: bytes },
  guardedFields: {},
  sealGuarded: { text: bytes },
  formStopped: { reason: 'locked' },
  'ui.state': {},
  'ui.createVault': { passphrase: 'a good passphrase' },
  'ui.unlock': { passphrase: 'a good passphrase' },
  'ui.unlockBy': { by },
  'ui.lock': {},
  'ui.activity': {
    by: 'site',
    origin: 'https://a.example',
    ref: 'app',
    operations: ['seal'],
    outcome: 'ok',
    from: 1,
    until: 2,
    text: { words: 'seal', operations: ['seal'] },
    offset: 0,
    limit: 10,
  },
  'ui.activityUsage': { days: 7 },
  'ui.exportActivity': {
    by: 'site',
    origin: 'https://a.example',
    ref: 'app',
    operations: ['seal'],
    outcome: 'ok',
    from: 1,
    until: 2,
    text: { words: 'seal', operations: ['seal'] },
  },
  'ui.clearActivity': {},
  'ui.slots': {},
  'ui.checkSecret': { by },
  'ui.changePassphrase': { by, passphrase: 'another' },
  'ui.addRecoveryCode': { by },
  'ui.addFirstRecoveryCode': {},
  'ui.confirmRecoveryCode': { code: 'ABCD' },
  'ui.passkeys': {},
  'ui.addPasskey': { by, credentialId: bytes, prfSalt: bytes, output: bytes },
  'ui.removeSlot': { by, id: 'slot' },
  'ui.backupTimes': {},
  'ui.makeBackup': { by, under: { passphrase: 'another' } },
  'ui.checkBackup': backup,
  'ui.restoreBackup': backup,
  'ui.replaceVault': { by, ...backup },
  'ui.restoreLost': { ...backup, newPassphrase: 'a third one' },
  'ui.ownOffer': {},
  'ui.makeOffer': { name: 'n' },
  'ui.endOffer': {},
  'ui.readOffer': { offer: bytes, code },
  'ui.giveToDevice': { by, offer: bytes, shown: { code }, name: 'n' },
  'ui.checkParcel': { parcel: bytes, digits: '000000' },
  'ui.takeParcel': { parcel: bytes, digits: '000000' },
  'ui.members': {},
  'ui.removeMember': { by, id: '0'.repeat(32) },
  'ui.leaveCircle': { by },
  'ui.medium': {},
  'ui.useMedium': {},
  'ui.leaveMedium': { removeItems: true },
  'ui.readJoined': {},
  'ui.deviceFiles': {},
  'ui.makeDeviceFile': {},
  'ui.takeDeviceFiles': { files: [bytes] },
  'ui.chooseByFiles': { by, files: [bytes], other: '0'.repeat(64), holds: 'own' },
  'ui.readCopies': {},
  'ui.lookAtMedium': { by: { recoveryCode: 'ABCD' }, files: [bytes] },
  'ui.restoreFromMedium': {
    by: { recoveryCode: 'ABCD' },
    files: [bytes],
    passphrase: 'a good passphrase',
    name: 'n',
  },
  'ui.memberHasJoined': { id: '0'.repeat(32) },
  'ui.removedDevices': {},
  'ui.rotateKeys': {},
  'ui.dismissRemovedDevices': {},
  'ui.chooseEpoch': { by, other: '0'.repeat(64), holds: 'own' },
  'ui.setAutoLock': { autoLockMs: 60_000 },
  'ui.site': { tabId: 1 },
  'ui.sites': {},
  'ui.enableSite': { pattern: 'https://a.example/*' },
  'ui.disableSite': { pattern: 'https://a.example/*' },
  'ui.revoke': { grantIds: ['g'] },
  'ui.letGoOn': { grantId: 'g', forAnHour: true },
  'ui.readUnusual': { grantId: 'g' },
  'ui.forgetDecoys': { origin: 'https://a.example' },
  'ui.moves': {},
  'ui.moveData': { from: 'https://a.example', to: 'https://b.example', on: true },
  'ui.deletePersistentKeys': { origin: 'https://a.example' },
  'ui.keys': {},
  'ui.createKey': { kind: 'signing', label: 'l' },
  'ui.importKey': { label: 'l', text: '{}', scheme: 'RSA-PSS' },
  'ui.importSyncKey': { label: 'l', format: 'weave-5', source: { accountKey: '00' } },
  'ui.syncKey': { ref: 'r' },
  'ui.importAgeKey': { label: 'l', file: bytes, passphrase: 'p' },
  'ui.openFile': { file: bytes, passphrase: 'p' },
  'ui.releaseAgeOpen': { head: bytes, passphrase: 'p', totalBytes: 100 },
  'ui.releaseAgeSeal': { recipients: ['age1'], totalBytes: 100 },
  'ui.releaseOpen': {
    head: bytes,
    totalBytes: 100,
    context: bytes,
    origin: 'https://a.example',
    passphrase: 'p',
  },
  'ui.senderOf': { head: bytes, context: bytes, origin: 'https://a.example', digest: bytes },
  'ui.releaseSeal': {
    ref: 'r',
    contacts: ['c'],
    passphrase: 'p',
    digest: bytes,
    file: { name: 'n', type: '' },
    totalBytes: 100,
  },
  'ui.sealText': { text: bytes, ref: 'r' },
  'ui.publicKey': { ref: 'r' },
  'ui.contacts': {},
  'ui.ownSharingKeys': {},
  'ui.addContact': { name: 'n', publicKey: 'swp1.AQ' },
  'ui.changeContact': { id: 'c', name: 'n', verified: true },
  'ui.removeContact': { id: 'c' },
  'ui.groups': {},
  'ui.sealableGroups': {},
  'ui.makeGroup': { name: 'n', contacts: ['c'], own: 'k', signer: 's' },
  'ui.changeGroup': {
    ...{ id: group, signer: 's', add: ['c'], remove: [], giveOldKeys: false },
    roles: [{ member: 'swp1.m', adminKey: null }],
  },
  'ui.takeEpochs': { id: group, epochs: ['swge1.'], name: 'n' },
  'ui.renameGroup': { id: group, name: 'n' },
  'ui.removeGroup': { id: group },
  'ui.friends': {},
  'ui.dealRecovery': { by, contacts: ['c', 'd'], threshold: 2 },
  'ui.drillFriends': { file: bytes },
  'ui.askFriends': { file: bytes, name: 'n' },
  'ui.endRecovery': {},
  'ui.readRequest': { request: 'swr1.' },
  'ui.answerRequest': { by, request: 'swr1.' },
  'ui.takeAnswer': { answer: 'swa1.' },
  'ui.editKey': { ref: 'r', label: 'l', note: '', tone: '' },
  'ui.archiveKey': { ref: 'r', archived: true },
  'ui.takeOverKey': { ref: 'r' },
  'ui.deleteKey': { by, ref: 'r' },
  'ui.beginVisit': { tabId: 1, kind: 'write' },
  'ui.visit': { sessionId: 'v' },
  'ui.reachFrame': { sessionId: 'v' },
  'ui.keepDraft': { sessionId: 'v', text: bytes, edited: 'id', detached: true },
  'ui.sealField': { sessionId: 'v', text: bytes, ref: 'r', contacts: ['c'] },
  'ui.insertSealed': { sessionId: 'v', armored: bytes },
  'ui.openField': { sessionId: 'v', found: bytes, candidates: [], passphrase: 'p' },
  'ui.showInField': { sessionId: 'v', found: bytes, candidates: [] },
  'ui.fieldSettings': { origin: 'https://a.example', pattern: 'https://a.example/*' },
  'ui.alwaysSeal': { origin: 'https://a.example', field: fieldName, on: true },
  'ui.offerKey': { origin: 'https://a.example', ref: 'r' },
  'ui.setMarks': { pattern: 'https://a.example/*', on: false },
  'ui.prompt': { promptId: 'p' },
  'ui.answerPrompt': answer,
  'ui.entropy': {},
  'ui.addEntropy': { source: 'pointer', digest: bytes, events: 1 },
  'ui.siteMovements': {},
  'ui.setSiteMovements': { on: true },
  'ui.graphicsCard': {},
  'ui.setGraphicsCard': { on: true },
  'ui.pageValue': { name: 'picture' },
  'ui.setPageValue': { name: 'picture', json: '{}' },
  'ui.selfTest': {},
  'ui.keepThresholds': { thresholds: [{ algorithm: 'a', engine: 'e', fromBytes: 1 }] },
};

/** Longer than any name, and shorter than texts that people send to each other. */
const LONG = 'x'.repeat(5000);
/** Arguments whose length is right then: such a text is damaged. */
const SENT_TEXTS = ['request', 'answer'];

/** Wrong for an argument whose right value has this shape. */
function wrongFor(value: unknown): unknown[] {
  const always = [Symbol.iterator, () => 1, new Date(), new Map(), 10n];
  if (value instanceof Uint8Array) return [...always, null, 'text', 7, [], {}, new ArrayBuffer(8)];
  if (typeof value === 'string') {
    return [...always, '', 7, true, [], bytes, LONG, '\ud800'];
  }
  if (typeof value === 'number') return [...always, '1', -1, 0.5, NaN, Infinity, 2 ** 60, bytes];
  if (typeof value === 'boolean') return [...always, null, 0, 1, 'true', {}];
  return [...always, null, 'seal', 7, {}, [7], [''], [null], Array(20_000).fill('x')];
}

/** Arguments too large for their limit, and the code that says so. */
const OVERSIZED: readonly [MethodName, Record<string, unknown>, string][] = [
  ['random', { length: MIB + 1 }, 'INVALID_ARGUMENT'],
  ['seal', { plaintext: new Uint8Array(64 * MIB + 1) }, 'TOO_LARGE'],
  ['releaseSeal', { purpose: 'page', totalBytes: 64 * MIB + 1 }, 'TOO_LARGE'],
  ['releaseSeal', { purpose: 'stream', totalBytes: 2 ** 35 + 1 }, 'INVALID_ARGUMENT'],
  ['releaseOpen', { head: new Uint8Array(24_659) }, 'TOO_LARGE'],
  ['seal', { plaintext: bytes, context: new Uint8Array(64 * 1024 + 1) }, 'TOO_LARGE'],
  ['sealText', { text: new Uint8Array(64 * MIB + 1) }, 'TOO_LARGE'],
  ['open', { sealed: new Uint8Array(67 * MIB) }, 'TOO_LARGE'],
  ['open', { sealed: bytes, context: new Uint8Array(64 * 1024 + 1) }, 'TOO_LARGE'],
  ['mac', { data: new Uint8Array(64 * MIB + 1) }, 'TOO_LARGE'],
  ['sign', { data: new Uint8Array(64 * MIB + 1) }, 'TOO_LARGE'],
  ['verify', { data: bytes, signature: new Uint8Array(1025) }, 'TOO_LARGE'],
  ['verifyMac', { data: bytes, tag: new Uint8Array(1025) }, 'TOO_LARGE'],
  ['blindIndex', { field: 'f', value: new Uint8Array(64 * 1024 + 1) }, 'TOO_LARGE'],
  ['rewrap', { sealed: new Uint8Array(67 * MIB) }, 'TOO_LARGE'],
  ['openText', { sealed: new Uint8Array(67 * MIB) }, 'TOO_LARGE'],
];

/** Methods that change what is stored when they are called without arguments, as they should. */
const ACTING = [
  'revoke',
  'ui.lock',
  'ui.addFirstRecoveryCode',
  // These read the audit log, and what waits is saved first.
  'ui.activity',
  'ui.activityUsage',
  'ui.keys',
  'ui.exportActivity',
  'ui.clearActivity',
];

describe('Bad input', function () {
  this.timeout(60_000);
  let world: World;
  let stored: string;

  const attempt = (method: string, params: unknown): Promise<string> => {
    const isPage =
      Object.hasOwn(METHODS, method) && METHODS[method as MethodName].access === 'page';
    return codeOf(world.begin(method, params, isPage ? pageCaller() : POPUP).answer);
  };

  before(async () => {
    world = await World.unlocked();
    await world.connect();
    await world.call('seal', { plaintext: bytes });
    stored = world.stored();
  });

  afterEach(() => expect(world.stored()).to.equal(stored));

  for (const [method, valid] of Object.entries(VALID)) {
    it(`${method}: each wrong argument is INVALID_ARGUMENT and changes nothing`, async () => {
      expect(() => METHODS[method as MethodName].params(valid, ''), 'VALID').to.not.throw();
      for (const [name, value] of Object.entries(valid)) {
        for (const wrong of wrongFor(value)) {
          const code = await attempt(method, { ...valid, [name]: wrong });
          const isDamaged = SENT_TEXTS.includes(name) && wrong === LONG;
          const expected = isDamaged ? 'BAD_ENVELOPE' : 'INVALID_ARGUMENT';
          expect(code, `${name}: ${String(wrong).slice(0, 40)}`).to.equal(expected);
        }
      }
      for (const params of [null, 7, 'text', [], undefined, { ...valid, unknown: 1 }]) {
        expect(await attempt(method, params)).to.equal('INVALID_ARGUMENT');
      }
    });
  }

  for (const [method, params, code] of OVERSIZED) {
    const [name] = Object.entries(params).at(-1)!;
    it(`${method}: an oversized ${name} is ${code}`, async () => {
      expect(await attempt(method, params)).to.equal(code);
    });
  }

  it('a method that does not exist, or is not for this caller, is UNSUPPORTED', async () => {
    for (const name of ['', 'ui.', 'toString', '__proto__', 'sealAll', 'vault.read', 'ui.export']) {
      expect(await attempt(name, {})).to.equal('UNSUPPORTED');
    }
    for (const [name, { access }] of Object.entries(METHODS)) {
      const wrongCaller = access === 'page' ? POPUP : pageCaller();
      const { answer: rejected } = world.begin(name, VALID[name as MethodName], wrongCaller);
      expect(await codeOf(rejected)).to.equal('UNSUPPORTED');
    }
  });

  it('anything at all as parameters: a code of the contract, never an unknown error', async () => {
    const names = Object.keys(METHODS).filter((name) => !ACTING.includes(name));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.anything(), async (method, params) => {
        const code = await attempt(method, params);
        expect([...ERROR_CODES, 'ok']).to.include(code);
        expect(code).to.not.equal('INTERNAL');
      }),
      { numRuns: 500 },
    );
  });
});
