import { fromBase64url, toBase64url, wipe } from '../../../crypto/bytes.ts';
import type { Vault } from '../../../keys/vault/vault.ts';
import { WorkshopFailed, type Workshop } from '../../../rpc/workshop.ts';

/*
 * Private keys of P-256. A page has them used at its own rate, so that nothing here may depend on their bits but
 * the making of the public point, which happens once for each key.
 */

/** The order of P-256 minus 1 (SEC 2, 2.4.2), in 16 limbs of 16 bits and a limb of zero; the lowest is first. */
const ORDER_MINUS_1 = Uint16Array.of(
  ...[0x2550, 0xfc63, 0xcac2, 0xf3b9, 0x9e84, 0xa717, 0xfaad, 0xbce6],
  ...[0xffff, 0xffff, 0xffff, 0xffff, 0, 0, 0xffff, 0xffff, 0],
);
const LIMBS = ORDER_MINUS_1.length;

/**
 * (secret mod (n − 1)) + 1 (FIPS 186-5, A.2.1), bit by bit: no branch and no index depends on the secret.
 *
 * @param secret big-endian; 16 bytes more than the key has, so that the remainder is as good as uniform
 * @returns 32 bytes, which the caller wipes
 */
export function p256PrivateKey(secret: Uint8Array): Uint8Array<ArrayBuffer> {
  const rest = new Uint16Array(LIMBS);
  const less = new Uint16Array(LIMBS);
  for (let place = 0; place < 8 * secret.length; place++) {
    let carry = (secret[place >> 3]! >> (7 - (place & 7))) & 1;
    let borrow = 0;
    for (let i = 0; i < LIMBS; i++) {
      const doubled = (rest[i]! << 1) | carry;
      carry = doubled >>> 16;
      rest[i] = doubled;
      const difference = (doubled & 0xffff) - ORDER_MINUS_1[i]! - borrow;
      borrow = difference >>> 31;
      less[i] = difference;
    }
    // All ones where the rest is below n − 1.
    const isBelow = -borrow;
    for (let i = 0; i < LIMBS; i++) rest[i] = (rest[i]! & isBelow) | (less[i]! & ~isBelow);
  }
  const privateKey = new Uint8Array(32);
  let carry = 1;
  for (let i = 0; i < 16; i++) {
    const sum = rest[i]! + carry;
    carry = sum >>> 16;
    privateKey[31 - 2 * i] = sum;
    privateKey[30 - 2 * i] = sum >>> 8;
  }
  wipe(rest, less);
  return privateKey;
}

/** Gives the public point of a private key, 04 ‖ x ‖ y (SEC 1, 2.3.3). @param id of the key */
export type PointOf = (privateKey: Uint8Array, id: string) => Promise<Uint8Array>;

/** Bytes of a point. */
const POINT_BYTES = 65;

/** Has it computed in the workshop, with tables that are looked up by the key: not for a page's rate. */
export function workshopPoint(workshop: Workshop): PointOf {
  return async (privateKey) => {
    const input = { secrets: { privateKey }, params: {} };
    const point = await workshop.call('vault', 'signature.p256Point', input);
    if (point.length !== POINT_BYTES) throw new WorkshopFailed('Wrong point');
    return point;
  };
}

/** The type of the vault's records, one for each key. */
const JOSE_POINT = 'jose-point';

/**
 * The points of the user's keys, each computed once and kept in the vault. Its id is derived from the key
 * (`deriveJosePointId`), so that the point of another key is never taken for it.
 */
export class P256Points {
  readonly #vault: Pick<Vault, 'read' | 'commit'>;
  readonly #compute: PointOf;
  readonly #points = new Map<string, Promise<Uint8Array>>();

  constructor(vault: Pick<Vault, 'read' | 'commit'>, compute: PointOf) {
    this.#vault = vault;
    this.#compute = compute;
  }

  readonly of: PointOf = async (privateKey, id) => {
    const known = this.#points.get(id);
    if (known) return known;
    const point = this.#found(privateKey, id);
    this.#points.set(id, point);
    point.catch(() => this.#points.delete(id));
    return point;
  };

  async #found(privateKey: Uint8Array, id: string): Promise<Uint8Array> {
    const recordId = `${JOSE_POINT} ${id}`;
    const stored = await this.#vault.read(recordId);
    if (stored) return fromBase64url(stored.value as string);
    const point = await this.#compute(privateKey, id);
    const value = toBase64url(point);
    // Where it cannot be saved, the next start of the background computes it again.
    await this.#vault
      .commit((draft) => draft.put({ id: recordId, type: JOSE_POINT, value }))
      .catch(() => undefined);
    return point;
  }
}
