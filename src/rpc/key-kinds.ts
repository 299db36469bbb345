/*
 * The kinds of key, as pages and the extension's own pages name them. How their keys are stored is in
 * src/keys/ring/kinds.ts, what users read about them in extension/ui/text/key-words.ts.
 */

/** Properties of a kind that calls depend on. Each is absent where it does not hold. */
interface KindFlags {
  /** Sites cannot request it. */
  readonly isWithheld?: true;
  /** The user can make one before a site asks for it (`ui.createKey`). */
  readonly isMadeByUser?: true;
  /** A request names the collections that the key is for. */
  readonly hasCollections?: true;
  /** `subtle` uses its keys: its capabilities are not in the table of methods, whose rows serve keys of all kinds. */
  readonly isForSubtle?: true;
  /** The user's own fields and files are sealed with such keys. */
  readonly isForFields?: true;
}

interface KindRow extends KindFlags {
  /** What a grant of such a key can allow. */
  readonly capabilities: readonly string[];
}

const SECRET_KEY = ['seal', 'open', 'mac', 'blindIndex'] as const;

/** The kinds. A key of kind `app` belongs to its origin; the others are the user's. */
export const KEY_KINDS = {
  app: { capabilities: SECRET_KEY },
  sealing: { capabilities: SECRET_KEY, isMadeByUser: true, isForFields: true },
  sync: { capabilities: ['sync'], isMadeByUser: true, hasCollections: true },
  signing: { capabilities: ['sign', 'publicKey'], isMadeByUser: true },
  sharing: { capabilities: ['seal', 'open', 'publicKey'], isMadeByUser: true },
  jose: { capabilities: ['signToken', 'openToken'], isForSubtle: true },
  age: { capabilities: [], isWithheld: true },
} as const satisfies Readonly<Record<string, KindRow>>;

type Kinds = typeof KEY_KINDS;
/** The name of a kind. */
export type KeyKind = keyof Kinds;
/** The kinds that have a property. */
export type KindsWith<F extends keyof KindFlags> = {
  [K in KeyKind]: Kinds[K] extends Readonly<Record<F, true>> ? K : never;
}[KeyKind];
/** The kinds that sites can request. */
export type SiteKeyKind = Exclude<KeyKind, KindsWith<'isWithheld'>>;
/** Those among whose keys the user picks. */
export type PickedKind = Exclude<SiteKeyKind, 'app'>;
/** One of the things that a grant can allow. */
export type Capability = Kinds[KeyKind]['capabilities'][number];
/** Those that the rows of methods name. */
export type MethodCapability = Kinds[Exclude<
  KeyKind,
  KindsWith<'isForSubtle'>
>]['capabilities'][number];

const ROWS: Readonly<
  Record<KeyKind, KindFlags & { readonly capabilities: readonly Capability[] }>
> = KEY_KINDS;

/** The names of all kinds. */
export const KEY_KIND_NAMES = Object.keys(ROWS) as readonly KeyKind[];

/** Whether a kind has a property. */
export const kindHas = <F extends keyof KindFlags>(kind: KeyKind, flag: F): kind is KindsWith<F> =>
  ROWS[kind][flag] === true;

/** Whether sites can request a kind. */
export const isSiteKind = (kind: KeyKind): kind is SiteKeyKind => !kindHas(kind, 'isWithheld');

/** The kinds that sites can request. */
export const SITE_KEY_KINDS = KEY_KIND_NAMES.filter(isSiteKind);

/** What a grant of a key of this kind can allow. */
export const capabilitiesOf = (kind: KeyKind): readonly Capability[] => ROWS[kind].capabilities;

/** Those whose uses open something; of sync keys, those that decrypt. */
export const OPENING_CAPABILITIES: readonly Capability[] = ['open', 'openToken', 'sync'];

/** What a grant can allow. */
export const CAPABILITIES: readonly Capability[] = [
  ...new Set(KEY_KIND_NAMES.flatMap(capabilitiesOf)),
];
