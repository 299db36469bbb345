/* The names of stored values. docs/design/vault.md, "In clear", says what a name reveals. */

/** What the names of all values of the vault begin with. */
export const PREFIX = 'vault/';

/**
 * Stored in clear from installation until a vault is made. It says that no vault was ever made here,
 * even if a store does not answer.
 */
export const FRESH = 'no-vault-yet';

/** The vault marker: a vault was made here. */
export const EXISTS = `${PREFIX}exists`;
/** The two head slots; even generations use the first, odd ones the second. */
export const HEADS = [`${PREFIX}head/a`, `${PREFIX}head/b`] as const;

/** What a lost vault left, renamed when another vault was made in its place. */
const SET_ASIDE = 'set-aside/';

const SLOT = `${PREFIX}slot/`;
const MANIFEST = `${PREFIX}manifest/`;
const RECORD = `${PREFIX}record/`;

/** The head slot of a generation. */
export const headName = (generation: number): string => HEADS[generation % 2]!;
/** @param slotId 32 hex digits */
export const slotName = (slotId: string): string => SLOT + slotId;
/** The name of a generation's manifest. */
export const manifestName = (generation: number): string => `${MANIFEST}${generation}`;
/** @param name 32 hex digits (contents.ts) @param generation the one that wrote it */
export const recordName = (name: string, generation: number): string =>
  `${RECORD}${name}/${generation}`;

/** The new name of a value that is set aside. @param at ms since the epoch */
export const setAsideName = (name: string, at: number): string => `${SET_ASIDE}${at}/${name}`;

/** Whether the value was set aside. */
export const isSetAside = (name: string): boolean => name.startsWith(SET_ASIDE);
/** Whether the value belongs to a vault. */
export const isVaultValue = (name: string): boolean => name.startsWith(PREFIX);
/** Whether the value is a slot. */
export const isSlot = (name: string): boolean => name.startsWith(SLOT);

/** The generation in a manifest's name; undefined for other names. */
export function manifestGeneration(name: string): number | undefined {
  if (!name.startsWith(MANIFEST)) return undefined;
  const generation = Number(name.slice(MANIFEST.length));
  return Number.isSafeInteger(generation) && generation > 0 ? generation : undefined;
}

/** How many generations stay readable besides the newest (docs/design/vault.md). */
export const KEPT_GENERATIONS = 3;
