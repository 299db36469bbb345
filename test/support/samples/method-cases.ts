import type { Message } from '../../../src/rpc/envelope.ts';
import type { Capability } from '../../../src/rpc/key-kinds.ts';
import type {
  Access,
  Method,
  MethodName,
  ParamsOf,
  UiMethod,
} from '../../../src/rpc/methods/methods.ts';
import { headId } from '../../../src/sync/sealwright/head-layout.ts';
import { encryptedRecord, packedOf, plainRecord } from '../packed.ts';

/*
 * A call of each method that a page's frame may send, and an ill-formed message of each kind. Tests of the grants make
 * the calls, and tests of a content script in an attacker's hands send both. What must become of a call follows from
 * its row. A method or kind that is added does not compile without its case here.
 */

/** What is granted to the one site, and sealed for it. Another site must get nothing by naming it. */
export interface Granted {
  readonly sealed: Uint8Array;
  readonly keyId: string;
  readonly grantId: string;
}

type Cases = { readonly [M in Exclude<MethodName, UiMethod>]: (of: Granted) => ParamsOf<M> };

const BYTES = Uint8Array.of(1, 2, 3);
const RECORDS = {
  collection: 'notes',
  records: packedOf(plainRecord({ id: 'a', payload: 1 })),
};
/** Of a record that is not there, which needs no sealed one. */
const ABSENT = {
  collection: 'notes',
  records: packedOf(encryptedRecord({ id: 'a', payload: '', generation: 2 })),
};
/** It does not open. */
const HEADS = packedOf(encryptedRecord({ id: headId('0123456789abcdef'), payload: 'x' }));
const GCM = { name: 'AES-GCM', iv: new Uint8Array(12) };
const KEM = { name: 'ML-KEM-768' };
const MADE = { extractable: false, usages: ['encrypt' as const] };
/** A session key that no document has. */
const NONE = { key: 'none' };

/** Parameters that each method accepts. */
export const CASES: Cases = {
  status: () => ({}),
  random: () => ({ length: 8 }),
  randomUUID: () => ({}),
  randomInt: () => ({ max: 10 }),
  connect: () => ({ purpose: 'Forged', capabilities: ['seal'] }),
  grants: () => ({}),
  revoke: ({ grantId }) => ({ grantIds: [`not ${grantId}`] }),
  keys: () => ({}),
  rotateKey: ({ keyId }) => ({ keyId: `not ${keyId}` }),
  publicKey: ({ keyId }) => ({ keyId }),
  seal: ({ keyId }) => ({ plaintext: BYTES, key: keyId }),
  open: ({ sealed }) => ({ sealed }),
  rewrap: ({ sealed }) => ({ sealed }),
  sealMany: ({ keyId }) => ({ items: packedOf(BYTES), key: keyId }),
  openMany: ({ sealed }) => ({ items: packedOf(sealed) }),
  rewrapMany: ({ sealed }) => ({ items: packedOf(sealed) }),
  sealText: ({ keyId }) => ({ text: BYTES, key: keyId }),
  openText: ({ sealed }) => ({ sealed }),
  mac: ({ keyId }) => ({ data: BYTES, key: keyId }),
  verifyMac: ({ keyId }) => ({ data: BYTES, tag: BYTES, key: keyId }),
  sign: ({ keyId }) => ({ data: BYTES, key: keyId }),
  verify: ({ keyId }) => ({ data: BYTES, signature: BYTES, key: keyId }),
  verifyByPublicKey: () => ({ data: BYTES, signature: BYTES, publicKey: 'swp1.none' }),
  blindIndex: ({ keyId }) => ({ value: BYTES, field: 'name', key: keyId }),
  'sync.encryptRecords': ({ keyId }) => ({ ...RECORDS, key: keyId }),
  'sync.decryptRecords': ({ keyId }) => ({ ...RECORDS, key: keyId }),
  'sync.checkpoint': ({ keyId }) => ({ ...ABSENT, key: keyId }),
  'sync.verify': ({ keyId }) => ({ ...ABSENT, heads: HEADS, key: keyId }),
  'sync.loadCollectionKeys': ({ keyId }) => ({ payload: BYTES, key: keyId }),
  'sync.createCollectionKeys': ({ keyId }) => ({ key: keyId }),
  'subtle.encrypt': () => ({ algorithm: GCM, ...NONE, data: BYTES }),
  'subtle.decrypt': () => ({ algorithm: GCM, ...NONE, data: BYTES }),
  'subtle.sign': () => ({ algorithm: { name: 'HMAC' }, ...NONE, data: BYTES }),
  'subtle.verify': () => ({ algorithm: { name: 'HMAC' }, ...NONE, signature: BYTES, data: BYTES }),
  'subtle.digest': () => ({ algorithm: { name: 'SHA-256' }, data: BYTES }),
  'subtle.generateKey': () => ({ algorithm: { name: 'AES-GCM', length: 256 }, ...MADE }),
  'subtle.importKey': () => ({ format: 'raw', keyData: BYTES, algorithm: GCM, ...MADE }),
  'subtle.importNamedKey': ({ keyId }) => ({ keyId, algorithm: GCM, ...MADE }),
  'subtle.exportReference': () => NONE,
  'subtle.importReference': () => ({
    reference: new Uint8Array(32),
    algorithm: GCM,
    ...MADE,
  }),
  'subtle.deleteKey': () => ({ reference: new Uint8Array(32) }),
  'subtle.exportKey': () => ({ format: 'raw', ...NONE }),
  'subtle.deriveBits': () => ({ algorithm: { name: 'HKDF' }, baseKey: 'none', length: 256 }),
  'subtle.deriveKey': () => ({
    algorithm: { name: 'HKDF' },
    baseKey: 'none',
    derivedKeyType: { name: 'AES-GCM', length: 256 },
    ...MADE,
  }),
  'subtle.wrapKey': () => ({ format: 'raw', ...NONE, wrappingKey: 'none', wrapAlgorithm: GCM }),
  'subtle.unwrapKey': () => ({
    format: 'raw',
    wrappedKey: BYTES,
    unwrappingKey: 'none',
    unwrapAlgorithm: GCM,
    unwrappedKeyAlgorithm: GCM,
    ...MADE,
  }),
  'subtle.encapsulateKey': () => ({ algorithm: KEM, ...NONE, sharedKeyAlgorithm: GCM, ...MADE }),
  'subtle.encapsulateBits': () => ({ algorithm: KEM, ...NONE }),
  'subtle.decapsulateKey': () => ({
    algorithm: KEM,
    ...NONE,
    ciphertext: BYTES,
    sharedKeyAlgorithm: GCM,
    ...MADE,
  }),
  'subtle.decapsulateBits': () => ({ algorithm: KEM, ...NONE, ciphertext: BYTES }),
  'subtle.getPublicKey': () => ({ ...NONE, usages: [] }),
  'subtle.dropKeys': () => ({ keys: ['none'] }),
  releaseSeal: ({ keyId }) => ({ purpose: 'stream', key: keyId }),
  releaseOpen: ({ sealed }) => ({ head: sealed, totalBytes: sealed.length }),
  holdsGrant: ({ keyId }) => ({ keyId, capability: 'seal' }),
  stirMovements: () => ({ digest: new Uint8Array(32) }),
  guardedFields: () => ({}),
  sealGuarded: () => ({ text: BYTES }),
  formStopped: () => ({ reason: 'locked' }),
};

/** What a site has of the user: nothing, or a grant to seal and open; and whether the vault is locked. */
export type Standing = 'nothing' | 'grant' | 'locked';

const GRANTED: readonly Capability[] = ['seal', 'open'];

/** What must become of methods that need no grant, where they do not simply answer. */
const OWN_OUTCOMES: Readonly<Partial<Record<MethodName, Partial<Record<Standing, string>>>>> = {
  grants: { locked: 'LOCKED' },
  revoke: { locked: 'LOCKED' },
  rotateKey: { nothing: 'NOT_GRANTED', grant: 'NOT_GRANTED', locked: 'LOCKED' },
  verifyByPublicKey: {
    nothing: 'INVALID_ARGUMENT',
    grant: 'INVALID_ARGUMENT',
    locked: 'INVALID_ARGUMENT',
  },
  'subtle.importNamedKey': { nothing: 'NOT_GRANTED', locked: 'LOCKED' },
  'subtle.importReference': { nothing: 'NOT_GRANTED', locked: 'LOCKED' },
  'subtle.deleteKey': { nothing: 'NOT_GRANTED', locked: 'LOCKED' },
  guardedFields: { locked: 'LOCKED' },
  sealGuarded: { nothing: 'NOT_GRANTED', grant: 'NOT_GRANTED', locked: 'LOCKED' },
};

const KNOWN_ACCESS: readonly Access[] = ['page', 'surface'];

/**
 * What must become of a call with the parameters above, by the row. Throws for a class of callers that
 * it does not know.
 */
export function outcomeFor(name: MethodName, row: Method, standing: Standing): string {
  const { access, needs, capability = [] } = row;
  const isKnown = (KNOWN_ACCESS as readonly string[]).includes(access);
  if (!isKnown) throw new Error(`${name} is for ${access}: say what must become of it`);
  if (access === 'surface') return 'UNSUPPORTED';
  if (needs !== 'grant') return OWN_OUTCOMES[name]?.[standing] ?? 'answered';
  if (standing === 'locked') return 'LOCKED';
  const wanted = typeof capability === 'string' ? [capability] : capability;
  const covers = standing === 'grant' && wanted.every((one) => GRANTED.includes(one));
  return covers ? 'answered' : 'NOT_GRANTED';
}

/** Fields by which a message might name its caller. A message with one of them is refused or dropped. */
export const FORGED_CALLERS = (origin: string): Readonly<Record<string, unknown>> => ({
  origin,
  topOrigin: origin,
  tabId: 1,
  frameId: 0,
  documentId: 'forged',
  incognito: false,
  container: null,
  caller: { kind: 'surface', page: 'manager' },
  peer: { kind: 'surface', page: 'popup' },
  sender: { id: 'forged', origin },
  access: 'surface',
  page: 'manager',
});

const ask = (id: unknown, method: unknown, more: object = {}) => ({
  v: 1,
  kind: 'request',
  id,
  method,
  params: {},
  ...more,
});

/** Ill-formed and unexpected messages of each kind. The background answers none of them, and none has an effect. */
export const NOISE: { readonly [K in Message['kind']]: readonly unknown[] } = {
  request: [
    ask('a', 'ui.lock', { v: 2 }),
    ask('a', 'ui.lock', { v: '1' }),
    ask(7, 'ui.lock'),
    ask('', 'ui.lock'),
    ask('a'.repeat(65), 'ui.lock'),
    ask('a', ['ui.lock']),
    ask('a', 'ui.lock'.padEnd(65)),
    ask('a', 'ui.lock', { follow: false }),
    [ask('a', 'ui.lock')],
    { kind: { toString: 'request' } },
  ],
  response: [
    { v: 1, kind: 'response', id: 'a', ok: true, result: { locked: false } },
    { v: 1, kind: 'response', id: 'a', ok: false, error: { code: 'LOCKED', message: '' } },
  ],
  progress: [{ v: 1, kind: 'progress', id: 'a', bytes: 2 ** 40 }],
  abort: [
    { v: 1, kind: 'abort', id: 'a' },
    { v: 1, kind: 'abort', id: '__proto__' },
    { v: 1, kind: 'abort', id: null },
  ],
  event: ['lock', 'unlock', 'grantchange', 'disconnect', 'other'].flatMap((name) => [
    { v: 1, kind: 'event', name },
    { v: 1, kind: 'event', name, origin: 'null' },
  ]),
  ping: [
    { v: 2, kind: 'ping' },
    { v: 1, kind: 'ping', method: 'ui.lock' },
  ],
  pong: [{ v: 1, kind: 'pong' }],
  parcel: [
    {
      v: 1,
      kind: 'parcel',
      parcel: 1,
      body: ask('a', 'ui.lock'),
      paths: [['params']],
      lengths: [],
    },
    { v: 1, kind: 'parcel', parcel: 1, body: {}, paths: [['a']], lengths: [2 ** 40] },
    { v: 1, kind: 'parcel', parcel: 1, body: {}, paths: [['__proto__', 'a']], lengths: [0] },
    { v: 1, kind: 'parcel', parcel: -1, body: {}, paths: [['a']], lengths: [1] },
  ],
  piece: [
    { v: 1, kind: 'piece', parcel: 1, bytes: { $bytes: [1] } },
    { v: 1, kind: 'piece', parcel: 1, bytes: 'AQ==' },
  ],
  drop: [{ v: 1, kind: 'drop', parcel: 1 }],
  many: [
    { v: 1, kind: 'many', messages: [] },
    {
      v: 1,
      kind: 'many',
      messages: [null, 7, { v: 1, kind: 'many', messages: [ask('a', 'ui.lock')] }],
    },
    { v: 1, kind: 'many', messages: Array<number>(257).fill(1) },
  ],
  ack: [
    { v: 1, kind: 'ack', parcel: 1, received: 2 ** 53 - 1 },
    { v: 1, kind: 'ack', parcel: 1, received: -1 },
  ],
};
