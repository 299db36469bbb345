/*
 * A shared state as bytes: its canonical JSON. One state has one text, so that devices compare digests. What came from
 * elsewhere is checked here, before anything of it is used: a member of the circle has sealed it, and that member may
 * be of another version, or in another's hands.
 */
import { fromBase64url, utf8, wipe } from '../../crypto/bytes.ts';
import { CONTACT } from '../annotations/contact.ts';
import { NO_DETAILS } from '../annotations/key-details.ts';
import { KNOWN_BY_MAX_CHARACTERS, SITE_FIELDS } from '../annotations/site-fields.ts';
import { isKnownRecord } from '../backup/backup-contents.ts';
import { isWhole, keySetOf } from '../backup/key-set.ts';
import { KEY_ROOT, KEY_USE, rootIdOf } from '../ring/key-records.ts';
import type { RootSecrets } from '../ring/key-records.ts';
import { USER_KEY_TYPES } from '../ring/kinds.ts';
import { PERSISTENT_KEY } from '../ring/persistent-key.ts';
import type { StoredCollectionKeys } from '../ring/user-key.ts';
import { canonicalText, sameJson } from '../values/json.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';
import { contentsOf, digestOfKey, digestOfSet } from './contents.ts';
import { initialValue, MARK, valuesOf } from './registers.ts';
import { includes, isDeleted, mergeVersions } from './shared-state.ts';
import type { Entry, LiveEntry, SharedState, Version, VersionVector } from './shared-state.ts';
import { recordsOfState } from './state-records.ts';

/** Length of a state in bytes, at most; of one in a file sixteen times as much. */
export const STATE_MAX_BYTES = 2 ** 20;
/** Devices whose changes a state includes, at most: all that there ever were. */
export const STATE_DEVICES_MAX = 256;
/** Versions of one register that have not seen each other, at most. */
const VERSIONS_MAX = 64;

/** The bytes are no shared state, or too long. Says no more, because the text may hold keys. */
export class SharedStateError extends Error {
  override readonly name = 'SharedStateError';

  constructor() {
    super('this is not a shared state, or it is damaged');
  }
}

/** The bytes of a state, which the caller wipes. */
export const encodeState = (state: SharedState): Uint8Array => utf8(canonicalText(state));

/**
 * The inverse of `encodeState`.
 *
 * @param bytes are wiped, but for those that are too long
 * @param maxBytes more are refused before any work
 * @throws SharedStateError for all that `encodeState` does not give
 */
export function parseState(bytes: Uint8Array, maxBytes: number = STATE_MAX_BYTES): SharedState {
  if (bytes.length > maxBytes) throw new SharedStateError();
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (isState(value) && canonicalText(value) === text && isUsable(value)) return value;
  } catch (error) {
    // Of the decoder, of JSON, of base64url, and of a stack that nested values fill.
    const kinds = [TypeError, SyntaxError, RangeError];
    if (!kinds.some((kind) => error instanceof kind)) throw error;
  } finally {
    wipe(bytes);
  }
  throw new SharedStateError();
}

/**
 * Checks a merged state: two states that a vault can hold may name one key with two kinds, where one of them was forged.
 *
 * @throws SharedStateError where a vault cannot hold it
 */
export function requireUsable(state: SharedState): void {
  if (!isUsable(state)) throw new SharedStateError();
}

/**
 * Checks what a medium gives of a state: each entry by itself, because what it names may be missing there. What is merged of it
 * is checked as a whole (`requireUsable`).
 *
 * @throws SharedStateError for entries that no device makes
 */
export function requireParts(state: SharedState): void {
  try {
    if (isState(state) && Object.entries(state.entries).every(isShaped)) return;
  } catch (error) {
    // Of base64url.
    if (!(error instanceof TypeError)) throw error;
  }
  throw new SharedStateError();
}

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function has(value: unknown, checks: Readonly<Record<string, Check>>): value is Fields {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  const isEach = names.every((name) => Object.hasOwn(checks, name) && checks[name]!(value[name]));
  return isEach && names.length === Object.keys(checks).length;
}

const eachIs =
  (isName: (name: string) => boolean, isValue: (value: unknown, name: string) => boolean): Check =>
  (value) =>
    isObject(value) &&
    Object.entries(value).every(([name, it]) => isName(name) && isValue(it, name));

const isTime: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isCount: Check = (value) =>
  isTime(value) && (value as number) >= 1 && (value as number) < 2 ** 32;
const isText: Check = (value) => typeof value === 'string';

function isBytes(value: unknown, lengthBytes: number): value is string {
  return typeof value === 'string' && fromBase64url(value).length === lengthBytes;
}

const isDevice = (id: string): boolean => /^[\w-]{22}$/.test(id) && isBytes(id, 16);

function isVector(value: unknown): value is VersionVector {
  return (
    eachIs(isDevice, isCount)(value) && Object.keys(value as object).length <= STATE_DEVICES_MAX
  );
}

const isVersion: Check = (value) =>
  has(value, { by: isText, version: isVector, value: (it) => it !== undefined });

const isVersions: Check = (value) =>
  Array.isArray(value) &&
  value.length >= 1 &&
  value.length <= VERSIONS_MAX &&
  value.every(isVersion);

const isEntry: Check = (value) =>
  isObject(value) && 'deleted' in value
    ? has(value, { incarnation: isCount, deleted: (it) => has(it, { seen: isVector, at: isTime }) })
    : has(value, {
        incarnation: isCount,
        version: isVector,
        facts: isObject,
        registers: eachIs(() => true, isVersions),
      });

/** The form alone. */
function isState(value: unknown): value is SharedState {
  return has(value, { seen: isVector, entries: eachIs(() => true, isEntry) });
}

/** What entries of a type may hold. */
interface Shape {
  /** What follows the type in the name of an entry, after a space. */
  readonly name: RegExp;
  readonly isDeletable: boolean;
  /** Facts by their pattern. */
  readonly facts: readonly (readonly [RegExp, (value: unknown, name: string) => boolean])[];
  /** Registers; those with true are in each entry. */
  readonly registers: Readonly<Record<string, boolean>>;
}

const named = (name: string, place: number): string => name.split(' ')[place]!;
const isGenerationAnd =
  (member: string, check: Check): Check =>
  (value) =>
    has(value, { generation: isCount, [member]: check });
const isSecret = isGenerationAnd('secret', (value) => isBytes(value, 32));
const ORIGIN = /^[^ ]+$/;
const ID = /^[\w-]{22}$/;

const USER_KEY: Shape = {
  name: ID,
  isDeletable: true,
  facts: [
    [/^(algorithm|origin|foreignId)$/, isText],
    [
      /^generation [1-9]\d* [\w-]{22}$/,
      (value, name) =>
        isObject(value) &&
        Object.keys(value).every((it) => ['key', 'created', 'publicKey', 'kept'].includes(it)) &&
        (value['kept'] === undefined || value['kept'] === true) &&
        isText(value['key']) &&
        digestOfKey(value['key'] as string) === named(name, 2),
    ],
    [
      /^set [\w-]{22}$/,
      (value, name) => digestOfSet(value as StoredCollectionKeys) === named(name, 1),
    ],
    [/^use [^ ]+$/, (value) => isBytes(value, 32)],
    [
      /^id [^ ]+ [\w-]{22}$/,
      (value) => isGenerationAnd('digest', isText)(value) || isSecret(value),
    ],
  ],
  registers: {
    label: true,
    standing: true,
    note: false,
    tone: false,
    archived: false,
    newestSet: false,
  },
};

const SHAPES: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(USER_KEY_TYPES.map((type) => [type, USER_KEY])),
  [KEY_ROOT]: {
    name: /^$/,
    isDeletable: false,
    facts: [
      [
        /^root [\w-]{22}$/,
        (value, name) =>
          has(value, { appRoot: isText, pairwiseSecret: isText, created: isTime }) &&
          isBytes(value['appRoot'], 32) &&
          isBytes(value['pairwiseSecret'], 32) &&
          rootIdOf(value as unknown as RootSecrets) === named(name, 1),
      ],
    ],
    registers: { label: false },
  },
  [KEY_USE]: {
    name: ORIGIN,
    isDeletable: false,
    facts: [
      [
        /^derivation [\w-]{22} [\w-]{43} [1-9]\d{0,8}$/,
        (value, name) => value === true && isBytes(named(name, 2), 32),
      ],
      [
        /^id [\w-]{22}$/,
        (value) =>
          has(value, { generation: isCount, root: isText, salt: isText }) || isSecret(value),
      ],
    ],
    registers: {},
  },
  [CONTACT]: {
    name: ID,
    isDeletable: true,
    facts: [[/^(publicKey|created)$/, () => true]],
    registers: { name: true, verified: false },
  },
  [SITE_FIELDS]: { name: ORIGIN, isDeletable: false, facts: [], registers: { ref: false } },
  [PERSISTENT_KEY]: {
    name: /^[\w-]{43}$/,
    isDeletable: true,
    facts: [[/^key$/, () => true]],
    registers: {},
  },
};

const MARK_FORM = /^mark (?:input|textarea) (?:name|id|aria-label|placeholder) [^]+$/;
const MARK_MAX_CHARACTERS = 'mark textarea placeholder '.length + KNOWN_BY_MAX_CHARACTERS;

/** Whether each entry is what a vault can hold, and names nothing that the state lacks. */
function isUsable(state: SharedState): boolean {
  const entries = Object.entries(state.entries);
  if (!entries.every(isShaped)) return false;
  const records = recordsOfState(state);
  if (!areReferencesWhole(state) || !isOnce(records) || !areKnown(records)) return false;
  if (!isWhole(keySetOf(records)) || !areShown(state, records)) return false;
  return hasUsableVersions(state);
}

function isShaped([name, entry]: readonly [string, Entry]): boolean {
  const [type] = name.split(' ', 1) as [string];
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type]! : undefined;
  if (shape === undefined || !shape.name.test(name.slice(type.length + 1))) return false;
  if (isDeleted(entry)) return shape.isDeletable;
  const isFact = ([fact, value]: readonly [string, unknown]): boolean =>
    shape.facts.some(([pattern, check]) => pattern.test(fact) && check(value, fact));
  const isRegister = ([register, versions]: readonly [string, readonly Version[]]): boolean =>
    (Object.hasOwn(shape.registers, register) ||
      (type === SITE_FIELDS && isMark(register, versions))) &&
    areVersions(versions, entry);
  const needed = Object.keys(shape.registers).filter((register) => shape.registers[register]);
  return (
    Object.entries(entry.facts).every(isFact) &&
    Object.entries(entry.registers).every(isRegister) &&
    needed.every((register) => Object.hasOwn(entry.registers, register))
  );
}

function isMark(register: string, versions: readonly Version[]): boolean {
  const isForm = MARK_FORM.test(register) && register.length <= MARK_MAX_CHARACTERS;
  return isForm && versions.every(({ value }) => typeof value === 'boolean');
}

/** Whether none of them has seen another, in the order of `mergeVersions`. */
function areVersions(versions: readonly Version[], { version: all }: LiveEntry): boolean {
  const isOwn = ({ by, version }: Version): boolean =>
    Object.hasOwn(version, by) && includes(all, version);
  return versions.every(isOwn) && sameJson(mergeVersions(versions, []), versions);
}

/** Whether each derivation and use has its root, and each header key id its derivation or its generation. */
function areReferencesWhole({ entries }: SharedState): boolean {
  const roots = entries[KEY_ROOT];
  const known = new Set(roots && !isDeleted(roots) ? Object.keys(roots.facts) : []);
  return Object.entries(entries).every(([name, entry]) => {
    if (isDeleted(entry)) return true;
    const facts = Object.keys(entry.facts);
    const isSite = name.startsWith(`${KEY_USE} `);
    const derivations = new Set(
      facts.filter((fact) => fact.startsWith('derivation ')).map(derivationOf),
    );
    if (
      isSite &&
      (derivations.size === 0 ||
        ![...derivations].every((derivation) => known.has(`root ${named(derivation, 0)}`)))
    ) {
      return false;
    }
    return facts.every((fact) => {
      // A site sees the root in the ids of every key.
      if (fact.startsWith('use ')) return known.size > 0;
      if (!fact.startsWith('id ')) return true;
      const value = entry.facts[fact] as Readonly<Record<string, string | number>>;
      if ('root' in value) return derivations.has(`${value['root']} ${value['salt']}`);
      if (!isSite && !Object.hasOwn(entry.facts, `use ${named(fact, 1)}`)) return false;
      const generation = `generation ${value['generation']} ${value['digest']}`;
      return !('digest' in value) || Object.hasOwn(entry.facts, generation);
    });
  });
}

const derivationOf = (fact: string): string => `${named(fact, 1)} ${named(fact, 2)}`;

const isOnce = (records: readonly VaultRecord[]): boolean =>
  new Set(records.map(({ id }) => id)).size === records.length;

/** As records of a backup are checked. */
const areKnown = (records: readonly VaultRecord[]): boolean => records.every(isKnownRecord);

/** Whether the records say what the registers do. */
function areShown(state: SharedState, records: readonly VaultRecord[]): boolean {
  const contents = contentsOf(records);
  return Object.entries(state.entries).every(([name, entry]) => {
    if (isDeleted(entry)) return true;
    const { values = {} } = contents.get(name) ?? {};
    const shown = valuesOf(name, entry);
    const isGuest = (shown['standing'] as { readonly guest?: Json } | undefined)?.guest === true;
    return Object.entries(shown).every(([register, value]) => {
      if (register.startsWith(`${MARK} `)) return true; // a record has some of them only
      const read = values[register] ?? initialValue(name, register);
      if (register === 'archived' && isGuest) return value === NO_DETAILS.archived || isTime(value);
      return sameJson(read, value);
    });
  });
}

/** Each version of a register may be the one that is shown after a merge. */
function hasUsableVersions({ seen, entries }: SharedState): boolean {
  const divided = Object.entries(entries).flatMap(([name, entry]) => {
    if (isDeleted(entry)) return [];
    const count = Math.max(0, ...Object.values(entry.registers).map(({ length }) => length));
    return count > 1 ? [{ name, entry, count }] : [];
  });
  const most = Math.max(0, ...divided.map(({ count }) => count));
  for (let place = 0; place < most; place++) {
    const some = divided.filter(({ count }) => place < count);
    const alone = some.map(({ name, entry }) => [name, withVersion(entry, place)] as const);
    const state = { seen, entries: Object.fromEntries(alone) };
    const records = recordsOfState(state);
    if (!areKnown(records) || !areShown(state, records)) return false;
  }
  return true;
}

function withVersion(entry: LiveEntry, place: number): LiveEntry {
  const registers = Object.entries(entry.registers).map(([register, versions]) => {
    return [register, [versions[Math.min(place, versions.length - 1)]!]] as const;
  });
  return { ...entry, registers: Object.fromEntries(registers) };
}
