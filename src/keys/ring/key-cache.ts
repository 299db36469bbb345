import { toBase64url, wipe } from '../../crypto/bytes.ts';
import { copyOf } from './key-material.ts';
import type { OpeningMaterial, SealingMaterial } from './key-material.ts';
import { APP, useId } from './key-records.ts';
import type { KeyUse } from './key-records.ts';

interface Opening {
  readonly material: OpeningMaterial;
  /** Of an app key: the only origin that it opens for. */
  readonly appOrigin: string | undefined;
}

/**
 * Caches the keys that were used since the vault changed last, so that their next use reads and
 * derives nothing. It stores copies and returns copies; `forget` wipes its own.
 */
export class KeyCache {
  readonly #sealing = new Map<string, SealingMaterial>();
  readonly #opening = new Map<string, Opening>();
  readonly #refs = new Map<string, string>();
  readonly #pairwiseIds = new Map<string, string>();

  /** Caches a copy of what seals under `ref` for `origin`. */
  putSealing(ref: string, origin: string, material: SealingMaterial): void {
    this.#sealing.set(useId(ref, origin), copyOf(material));
  }

  /** A copy, which the caller wipes; undefined where nothing is cached. */
  sealing(ref: string, origin: string): SealingMaterial | undefined {
    const cached = this.#sealing.get(useId(ref, origin));
    return cached && copyOf(cached);
  }

  /** Caches a copy of what opens messages with this header key id. */
  putOpening(headerKeyId: Uint8Array, { ref, origin }: KeyUse, material: OpeningMaterial): void {
    const appOrigin = ref === APP ? origin : undefined;
    const copy = { ...material, key: material.key.slice() };
    this.#opening.set(toBase64url(headerKeyId), { material: copy, appOrigin });
  }

  /** A copy, which the caller wipes; undefined where nothing is cached for this origin. */
  opening(headerKeyId: Uint8Array, origin: string): OpeningMaterial | undefined {
    const cached = this.#opening.get(toBase64url(headerKeyId));
    if (!cached) return undefined;
    const { material, appOrigin } = cached;
    if (appOrigin !== undefined && appOrigin !== origin) return undefined;
    return { ...material, key: material.key.slice() };
  }

  /** Caches which key this origin calls `keyId`. */
  putRef(keyId: string, origin: string, ref: string): void {
    this.#refs.set(`${origin} ${keyId}`, ref);
    this.#pairwiseIds.set(useId(ref, origin), keyId);
  }

  /** The key that this origin calls `keyId`; undefined where it is not cached. */
  ref(keyId: string, origin: string): string | undefined {
    return this.#refs.get(`${origin} ${keyId}`);
  }

  /** What this origin calls the key; undefined where it is not cached. */
  pairwiseId(ref: string, origin: string): string | undefined {
    return this.#pairwiseIds.get(useId(ref, origin));
  }

  /** Wipes and drops everything. */
  forget(): void {
    for (const { key } of this.#sealing.values()) wipe(key);
    for (const { material } of this.#opening.values()) wipe(material.key);
    this.#sealing.clear();
    this.#opening.clear();
    this.#refs.clear();
    this.#pairwiseIds.clear();
  }
}
