/*
 * Who belongs to a group after changes that admins made without knowing of each other (docs/design/groups.md): a set in
 * which removals win, from which the changes are left out whose signer had been removed at the same time. The result
 * depends on the epochs alone, not on the order in which they came.
 */

/** What one epoch changes, and when. */
export interface Change {
  /** Those before it, directly or not. Two changes of which neither is before the other were made at the same time. */
  readonly ancestors: ReadonlySet<Change>;
  /** The admin key that signed it. */
  readonly signer: string;
  /** Who is a member or an admin since then, and who is no longer. */
  readonly added: readonly Entry[];
  readonly removed: readonly Entry[];
}

/** A member; with `admin`, that this member is an admin with this key. */
export interface Entry {
  readonly member: string;
  readonly admin?: string;
}

/** Whether a change counts: 'undecided' where admins removed each other at the same time. */
export type Standing = 'counts' | 'void' | 'undecided';

/**
 * Who is a member and an admin after these changes, of which the first has all others after it.
 *
 * @param changes with all their ancestors
 */
export function membersAfter(changes: readonly Change[]): Entry[] {
  const standing = standingsOf(changes);
  const removals = new Map<string, Change[]>();
  for (const change of changes) {
    for (const entry of countedRemovals(change, standing)) {
      const name = nameOf(entry);
      removals.set(name, [...(removals.get(name) ?? []), change]);
    }
  }
  const present = new Map<string, Entry>();
  for (const change of changes) {
    if (standing.get(change) !== 'counts') continue;
    for (const entry of change.added) {
      const name = nameOf(entry);
      const isLast = (removals.get(name) ?? []).every((each) => change.ancestors.has(each));
      if (isLast) present.set(name, entry);
    }
  }
  return [...present.values()].filter(({ member }) => present.has(nameOf({ member })));
}

/** Entries of equal names are one. */
export const nameOf = ({ member, admin }: Entry): string =>
  admin === undefined ? `m${member}` : `a${admin}${member}`;

/**
 * Which changes count. A change is void if one that counts removed its signer at the same time, or if nothing that counts made its signer an
 * admin. It counts if all that removed its signer is void. This is the grounded labelling of an argumentation framework
 * (Dung 1995): it is unique, and a removed admin cannot void others by an epoch with an old parent.
 */
export function standingsOf<C extends Change>(changes: readonly C[]): ReadonlyMap<C, Standing> {
  const standing = new Map<C, Standing>();
  const open = new Set<C>(changes);
  const decide = (change: C): Standing | undefined => {
    const attackers = attackersOf(change, changes);
    const makers = changes.filter(
      (each) => change.ancestors.has(each) && makesAdmin(each, change.signer),
    );
    const is = (wanted: Standing) => (each: C) => standing.get(each) === wanted;
    const isFirst = change.ancestors.size === 0;
    if (attackers.some(is('counts')) || (!isFirst && makers.every(is('void')))) return 'void';
    const isSupported = isFirst || makers.some(is('counts'));
    return isSupported && attackers.every(is('void')) ? 'counts' : undefined;
  };
  for (let before = -1; before !== open.size;) {
    before = open.size;
    for (const change of open) {
      const decided = decide(change);
      if (decided === undefined) continue;
      standing.set(change, decided);
      open.delete(change);
    }
  }
  for (const change of open) standing.set(change, 'undecided');
  return standing;
}

/** Those that removed the signer of this one at the same time. */
function attackersOf<C extends Change>(change: C, changes: readonly C[]): C[] {
  return changes.filter(
    (each) =>
      each !== change &&
      removesAdmin(each, change.signer) &&
      !each.ancestors.has(change) &&
      !change.ancestors.has(each),
  );
}

/** Of a change that is undecided only the removals of those count who removed its signer, or whose changes are undecided. */
function countedRemovals(
  change: Change,
  standing: ReadonlyMap<Change, Standing>,
): readonly Entry[] {
  if (standing.get(change) === 'void') return [];
  if (standing.get(change) === 'counts') return change.removed;
  const signers = [...standing].flatMap(([each, how]) => (how === 'undecided' ? each.signer : []));
  const rivals = change.removed.filter(
    ({ admin }) => admin !== undefined && signers.includes(admin),
  );
  return change.removed.filter(({ member }) => rivals.some((rival) => rival.member === member));
}

const makesAdmin = ({ added }: Change, key: string) => added.some(({ admin }) => admin === key);
const removesAdmin = ({ removed }: Change, key: string) =>
  removed.some(({ admin }) => admin === key);
