/*
 * What a device keeps of its circle: its own pairs, and the epochs that it has followed, by which it tells a later one from a
 * forged one. The record is in no backup, and leaves the vault in no other way: who has the pairs is this member.
 */
import { fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import { CIRCLE } from '../annotations/deletions.ts';
import type { Json } from '../values/json.ts';
import type { VaultRecord } from '../values/record.ts';
import { encodeEpoch, parseLink, withKeys } from './epoch.ts';
import type { Epoch, EpochLink } from './epoch.ts';
import type { MemberPair } from './members.ts';

/** A device's place in a circle. */
export interface Circle {
  readonly pair: MemberPair;
  /** The epochs before the newest one, the oldest first. */
  readonly links: readonly EpochLink[];
  /** The newest one that this device has followed. */
  readonly epoch: Epoch;
}

/** Epochs before the newest one that a device keeps, at most: 1.1 kB each. */
export const FOLLOWED_MAX = 16;

/** The circle after the next epoch. */
export const followedBy = ({ pair, links, epoch }: Circle, next: Epoch): Circle => ({
  pair,
  links: [...links, epoch].slice(-FOLLOWED_MAX),
  epoch: next,
});

/** The record of a circle. Of more than FOLLOWED_MAX epochs before the newest one the oldest are left out. */
export function circleRecord({ pair, links, epoch }: Circle): VaultRecord {
  const { id, xWing, ed25519 } = pair;
  const followed = [...links.slice(-FOLLOWED_MAX), epoch];
  const value: Json = {
    ...{ id: toBase64url(id), xWing: toBase64url(xWing), ed25519: toBase64url(ed25519) },
    links: followed.map(({ bytes }) => toBase64url(bytes)),
    keys: toBase64url(encodeEpoch(epoch).subarray(epoch.bytes.length)),
  };
  return { id: CIRCLE, type: CIRCLE, value };
}

/** The circle in its record. The caller wipes the pair. */
export function circleOf({ value }: VaultRecord): Circle {
  const { id, xWing, ed25519, links, keys } = value as unknown as {
    readonly [name in 'id' | 'xWing' | 'ed25519' | 'keys']: string;
  } & { readonly links: readonly string[] };
  const [idBytes, agreement, signing] = [id, xWing, ed25519].map(fromBase64url);
  const followed = links.map((link) => parseLink(fromBase64url(link)));
  return {
    pair: { kind: 'device', id: idBytes!, xWing: agreement!, ed25519: signing! },
    links: followed.slice(0, -1),
    epoch: withKeys(followed.at(-1)!, fromBase64url(keys)),
  };
}
