/** The names of stored values. All that a name gives away is said in README.md, "In clear". */
export const PREFIX = 'vault/';

/**
 * In clear, from installation to creation: no vault was ever made here, whatever a store that does
 * not answer may hold.
 */
export const FRESH = 'no-vault-yet';

/** The tomb-stone: a vault exists here. */
export const EXISTS = `${PREFIX}exists`;
/** The two head slots: a generation is pointed to by the one of its parity. */
export const HEADS = [`${PREFIX}head/a`, `${PREFIX}head/b`] as const;

/** What a lost vault left behind, when another was made in its place. */
const SET_ASIDE = 'set-aside/';

const SLOT = `${PREFIX}slot/`;
const MANIFEST = `${PREFIX}manifest/`;
const RECORD = `${PREFIX}record/`;

export const headName = (generation: number): string => HEADS[generation % 2]!;
export const slotName = (slotId: string): string => SLOT + slotId;
export const manifestName = (generation: number): string => `${MANIFEST}${generation}`;
export const recordName = (name: string, generation: number): string =>
  `${RECORD}${name}/${generation}`;

/** @param at ms since the epoch */
export const setAsideName = (name: string, at: number): string => `${SET_ASIDE}${at}/${name}`;

export const isSetAside = (name: string): boolean => name.startsWith(SET_ASIDE);
export const isVaultValue = (name: string): boolean => name.startsWith(PREFIX);
export const isSlot = (name: string): boolean => name.startsWith(SLOT);

/** The generation of a manifest's name, or undefined where it is another value's name. */
export function manifestGeneration(name: string): number | undefined {
  if (!name.startsWith(MANIFEST)) return undefined;
  const generation = Number(name.slice(MANIFEST.length));
  return Number.isSafeInteger(generation) && generation > 0 ? generation : undefined;
}

/**
 * How many generations stay readable besides the newest (security.md 2.1: "keep at least 3
 * generations").
 */
export const KEPT_GENERATIONS = 3;
