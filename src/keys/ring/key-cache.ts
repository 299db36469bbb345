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
 * The keys that have been used since the vault changed last, so that their next use reads and
 * derives nothing. Copies go in and out; `forget` wipes them.
 */
export class KeyCache {
  readonly #sealing = new Map<string, SealingMaterial>();
  readonly #opening = new Map<string, Opening>();
  readonly #refs = new Map<string, string>();

  keepSealing(ref: string, origin: string, material: SealingMaterial): void {
    this.#sealing.set(useId(ref, origin), copyOf(material));
  }

  sealing(ref: string, origin: string): SealingMaterial | undefined {
    const known = this.#sealing.get(useId(ref, origin));
    return known && copyOf(known);
  }

  keepOpening(headerKeyId: Uint8Array, { ref, origin }: KeyUse, material: OpeningMaterial): void {
    const appOrigin = ref === APP ? origin : undefined;
    const kept = { ...material, key: material.key.slice() };
    this.#opening.set(toBase64url(headerKeyId), { material: kept, appOrigin });
  }

  opening(headerKeyId: Uint8Array, origin: string): OpeningMaterial | undefined {
    const cached = this.#opening.get(toBase64url(headerKeyId));
    if (!cached) return undefined;
    const { material, appOrigin } = cached;
    if (appOrigin !== undefined && appOrigin !== origin) return undefined;
    return { ...material, key: material.key.slice() };
  }

  keepRef(keyId: string, origin: string, ref: string): void {
    this.#refs.set(`${origin} ${keyId}`, ref);
  }

  ref(keyId: string, origin: string): string | undefined {
    return this.#refs.get(`${origin} ${keyId}`);
  }

  forget(): void {
    for (const { key } of this.#sealing.values()) wipe(key);
    for (const { material } of this.#opening.values()) wipe(material.key);
    this.#sealing.clear();
    this.#opening.clear();
    this.#refs.clear();
  }
}
