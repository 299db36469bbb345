/*
 * Which root and which salt the app key of a site is derived from, where devices had drawn their own. A site sees the
 * root in the ids of all keys, and the salt in what its app key computes.
 */
import { KEY_ROOT, KEY_USE } from '../ring/key-records.ts';
import type { Roots, RootSecrets } from '../ring/key-records.ts';
import { liveEntry } from './shared-state.ts';
import type { LiveEntry, SharedState } from './shared-state.ts';

/** One derivation of a site's app key. */
export interface Derivation {
  /** `rootIdOf` its root. */
  readonly root: string;
  /** 32 bytes, base64url. */
  readonly salt: string;
  /** The newest. */
  readonly generation: number;
}

/**
 * What a header key id names: a generation of a derivation, or a key that was restored from elsewhere. Of the two forms
 * of one id the merge takes the first, whose text is less.
 */
export type NamedInSite =
  | { readonly generation: number; readonly root: string; readonly salt: string }
  | { readonly generation: number; readonly secret: string };

/** The names of the facts, each in front of what it names. */
export const FACT = { root: 'root', derivation: 'derivation', id: 'id' } as const;

/** The name of the entry with the app key of an origin. */
export const siteName = (origin: string): string => `${KEY_USE} ${origin}`;

/** All roots of a state: the oldest first, which is the one of new sites; of two as old, the one with the lesser id. */
export function rootsIn(state: SharedState): Roots {
  const facts = Object.entries(liveEntry(state, KEY_ROOT)?.facts ?? {});
  const roots = facts.map(([name, root]) => {
    return [name.slice(FACT.root.length + 1), root as unknown as RootSecrets] as const;
  });
  return new Map(roots.sort(([a, x], [b, y]) => x.created - y.created || (a < b ? -1 : 1)));
}

/** The header key ids of a site's app key, each with what it names, in the order of generation and id. */
export function idsIn({ facts }: LiveEntry): readonly (readonly [string, NamedInSite])[] {
  const ids = Object.entries(facts).flatMap(([name, value]) => {
    const [fact, id] = name.split(' ') as [string, string];
    return fact === FACT.id ? [[id, value as unknown as NamedInSite] as const] : [];
  });
  return ids.sort(([a, x], [b, y]) => x.generation - y.generation || (a < b ? -1 : 1));
}

/**
 * The derivations of a site, the one that counts first: those that have sealed, in the order of their roots, then of
 * their salts. One that has sealed nothing gives way, because the site knows no key of it.
 */
export function derivationsIn(entry: LiveEntry, roots: Roots): readonly Derivation[] {
  const derivations = new Map<string, Derivation>();
  for (const name of Object.keys(entry.facts)) {
    const [fact, root, salt, generation] = name.split(' ') as [string, string, string, string];
    if (fact !== FACT.derivation) continue;
    const reached = Math.max(
      derivations.get(`${root} ${salt}`)?.generation ?? 1,
      Number(generation),
    );
    derivations.set(`${root} ${salt}`, { root, salt, generation: reached });
  }
  const used = usedDerivations(entry);
  const places = new Map([...roots.keys()].map((id, place) => [id, place]));
  const placeOf = ({ root }: Derivation): number => places.get(root) ?? places.size;
  return [...derivations]
    .sort(
      ([a, x], [b, y]) =>
        Number(used.has(b)) - Number(used.has(a)) || placeOf(x) - placeOf(y) || (a < b ? -1 : 1),
    )
    .map(([, derivation]) => derivation);
}

function usedDerivations(entry: LiveEntry): ReadonlySet<string> {
  return new Set(
    idsIn(entry).flatMap(([, named]) => ('root' in named ? [`${named.root} ${named.salt}`] : [])),
  );
}

/** What a site has seen: the root of its ids, and of its app key the salt; null where it has sealed nothing. */
export interface SiteView {
  readonly root: string;
  readonly salt: string | null;
}

/** Every site of a state by its origin. */
export function sitesIn(state: SharedState): ReadonlyMap<string, SiteView> {
  const roots = rootsIn(state);
  const sites = new Map<string, SiteView>();
  for (const name of Object.keys(state.entries)) {
    const [type, origin] = name.split(' ') as [string, string];
    const entry = type === KEY_USE ? liveEntry(state, name) : undefined;
    const derivation = entry && derivationsIn(entry, roots)[0];
    if (derivation === undefined) continue;
    const isUsed = usedDerivations(entry!).has(`${derivation.root} ${derivation.salt}`);
    sites.set(origin, { root: derivation.root, salt: isUsed ? derivation.salt : null });
  }
  return sites;
}
