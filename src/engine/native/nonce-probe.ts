import type { AeadParams } from '../contract.ts';
import { attempt, source } from './platform.ts';

/** SP 800-38D, section 5.2.1.1: the nonce length that every implementation has. */
const USUAL_NONCE_BYTES = 12;
const USUAL_TAG_BYTES = 16;

/** Results for longer nonces are not kept, so that a caller cannot fill the memory with them. */
const REMEMBERED_NONCE_BYTES = 128;

/**
 * The nonce and tag lengths that the platform's AES-GCM supports. Each is tried at its first request with an
 * empty message under a zero key. (Node 20, for example, supports nonces of 12 … 128 bytes.)
 */
export class NonceProbe {
  private readonly subtle: SubtleCrypto;
  private readonly answers = new Map<string, Promise<boolean>>();

  constructor(subtle: SubtleCrypto) {
    this.subtle = subtle;
  }

  /** @returns why the platform does not support this nonce and tag; without a promise for 12 and 16 bytes */
  gap(keyBytes: number, params: AeadParams): Promise<string | undefined> | undefined {
    const { nonce, tagBytes } = params;
    if (nonce.length === USUAL_NONCE_BYTES && tagBytes === USUAL_TAG_BYTES) return undefined;
    return this.describe(keyBytes, nonce.length, tagBytes);
  }

  private async describe(keyBytes: number, nonceBytes: number, tagBytes: number) {
    return (await this.takes(keyBytes, nonceBytes, tagBytes))
      ? undefined
      : `the platform's AES-GCM refuses nonces of ${nonceBytes} with tags of ${tagBytes} bytes`;
  }

  private takes(keyBytes: number, nonceBytes: number, tagBytes: number): Promise<boolean> {
    const shape = `${keyBytes} ${nonceBytes} ${tagBytes}`;
    const known = this.answers.get(shape);
    if (known !== undefined) return known;
    const answer = this.try(keyBytes, nonceBytes, tagBytes);
    if (nonceBytes <= REMEMBERED_NONCE_BYTES) this.answers.set(shape, answer);
    return answer;
  }

  private async try(keyBytes: number, nonceBytes: number, tagBytes: number): Promise<boolean> {
    const empty = new Uint8Array(0);
    const sealed = await attempt(async () => {
      const zeros = source(new Uint8Array(keyBytes));
      const key = await this.subtle.importKey('raw', zeros, 'AES-GCM', false, ['encrypt']);
      const iv = new Uint8Array(nonceBytes);
      const params = { name: 'AES-GCM', iv, tagLength: 8 * tagBytes };
      return this.subtle.encrypt(params, key, empty);
    });
    return sealed?.byteLength === tagBytes;
  }
}
