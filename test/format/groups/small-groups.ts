/* Groups whose members' keys and wraps are random bytes: who may make which epoch does not depend on them. */
import { toHex } from '../../../src/crypto/bytes.ts';
import { ed25519PublicKey, signEd25519 } from '../../../src/engine/native/ed25519.ts';
import { signEpoch, type Epoch, type GroupMember } from '../../../src/format/groups/epoch.ts';
import { GroupHistory, type EpochBasis } from '../../../src/format/groups/history.ts';
import type { MessageSigner } from '../../../src/format/recipients/signature.ts';
import { randomBytes } from '../../support/random-bytes.ts';

/** A member who may be an admin. */
export interface Person {
  readonly member: GroupMember;
  readonly admin: GroupMember;
  readonly signer: MessageSigner;
}

export async function person(): Promise<Person> {
  const key = randomBytes(32);
  const publicKey = await ed25519PublicKey(key);
  const member = { publicKey: randomBytes(1_216) };
  return {
    member,
    admin: { ...member, adminKey: publicKey },
    signer: { publicKey, sign: (bytes) => signEd25519(key, bytes) },
  };
}

export const people = (count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, person));

/** An epoch with wraps that no key opens. */
export function epochOf(
  members: readonly GroupMember[],
  { signer }: Pick<Person, 'signer'>,
  {
    group = new Uint8Array(32),
    parents = [],
    number = 0,
  }: Partial<Omit<EpochBasis, 'members'>> & { readonly group?: Uint8Array } = {},
): Promise<Epoch> {
  const wrapped = members.map((member) => ({ ...member, wrap: randomBytes(1_168) }));
  const commitment = randomBytes(32);
  return signEpoch({ group, parents, number, commitment, oldKeys: [], members: wrapped }, signer);
}

/** Numbers that a test can repeat: mulberry32. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

export const nameOf = ({ publicKey }: GroupMember) => toHex(publicKey.subarray(0, 16));
export const namesOf = (members: readonly GroupMember[]) => members.map(nameOf).sort();
/** Names, each with the key by which the member is an admin. */
export const rolesOf = (members: readonly GroupMember[]) =>
  members.map((each) => `${nameOf(each)} ${each.adminKey ? toHex(each.adminKey) : ''}`).sort();

/** A group that its admins change at the same time: what each of them has got, and what all of them made. */
export class World {
  readonly #people: readonly Person[];
  readonly #below: (below: number) => number;
  readonly #known: Epoch[][];
  readonly first: Epoch;
  readonly all: Epoch[];
  readonly trust: { readonly group: Uint8Array };

  constructor(
    persons: readonly Person[],
    admins: number,
    first: Epoch,
    below: (n: number) => number,
  ) {
    this.#people = persons;
    this.#below = below;
    this.#known = Array.from({ length: admins }, () => [first]);
    this.first = first;
    this.all = [first];
    this.trust = { group: first.digest };
  }

  history(epochs: readonly Epoch[]): Promise<GroupHistory> {
    return GroupHistory.check(this.#shuffled(epochs), this.trust);
  }

  /** One admin changes the group as they know it, or gets an epoch that another one made. */
  async step(): Promise<void> {
    const who = this.#below(this.#known.length);
    const known = this.#known[who]!;
    if (this.#below(2) === 0) {
      const missing = this.all.filter((epoch) => !known.includes(epoch));
      const come = missing.find(({ parents }) =>
        parents.every((parent) => known.some(({ digest }) => toHex(digest) === toHex(parent))),
      );
      if (come) known.push(come);
      return;
    }
    const made = await this.#change(this.#people[who]!, await this.history(known));
    if (!made) return;
    known.push(made);
    this.all.push(made);
  }

  async #change(who: Person, history: GroupHistory): Promise<Epoch | undefined> {
    const { members, ...place } = history.basis();
    const { group } = history;
    if (
      !members.some(({ adminKey }) => adminKey && toHex(adminKey) === toHex(who.signer.publicKey))
    ) {
      return undefined;
    }
    const other = this.#people[this.#below(this.#people.length)]!;
    const staying = members.filter((each) => nameOf(each) !== nameOf(other.member));
    const isMember = staying.length < members.length;
    const role = this.#below(3) === 0 ? other.admin : other.member;
    const joins = place.parents.length > 1;
    // A member leaves, or stays in a role that may be another one.
    const leaves = isMember && this.#below(3) > 0;
    const changed = leaves ? staying : [...staying, role];
    if (changed.length === 0) return undefined;
    return epochOf(joins ? members : changed, who, { ...place, group });
  }

  /** An admin who is left joins until one epoch has all members and admins. */
  async joined(history: GroupHistory): Promise<GroupHistory | undefined> {
    if (history.settled) return history;
    const { members, ...place } = history.basis();
    const who = this.#people.find(({ signer }) =>
      members.some(({ adminKey }) => adminKey && toHex(adminKey) === toHex(signer.publicKey)),
    );
    if (!who || members.length === 0) return undefined;
    const made = await epochOf(members, who, { ...place, group: history.group });
    return this.joined(await this.history([...history.epochs, made]));
  }

  #shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    return items.map(() => left.splice(this.#below(left.length), 1)[0]!);
  }
}
