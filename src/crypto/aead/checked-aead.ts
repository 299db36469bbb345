/**
 * Checks the arguments of an AEAD once; the methods of the modes trust them. Modes, and engines that have
 * whole modes, extend this class, so that all refuse the same arguments with the same errors.
 */
import type { Aead } from '../contracts.ts';
import { apartFrom, inPlaceOrApart } from '../bytes.ts';
import { AuthenticationError, checkBytes } from '../errors.ts';
import { room } from './buffers.ts';

const EMPTY = /* @__PURE__ */ new Uint8Array(0);

/**
 * Base class of the AEADs: checks nonces and lengths, copies what the result would overwrite before it is read, and calls the
 * mode's methods.
 */
export abstract class CheckedAead implements Aead {
  abstract readonly nonceBytes: { readonly min: number; readonly max: number };
  abstract readonly tagBytes: number;

  seal(
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData: Uint8Array = EMPTY,
    into?: Uint8Array,
  ): Uint8Array {
    checkBytes('nonce', nonce, this.nonceBytes);
    checkBytes('plaintext', plaintext);
    this.checkAssociatedData(associatedData);
    const max = this.maxBytes(nonce);
    if (plaintext.length > max) checkBytes('plaintext', plaintext, { min: 0, max });
    const sealed = room(into, plaintext.length + this.tagBytes);
    // A new array overlaps nothing, and to ask a short one for its buffer costs as much as a block.
    const over = into && sealed;
    this.sealInto(
      sealed,
      apartFrom(over, nonce),
      inPlaceOrApart(over, plaintext),
      apartFrom(over, associatedData),
    );
    return sealed;
  }

  open(
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array = EMPTY,
    into?: Uint8Array,
  ): Uint8Array {
    checkBytes('nonce', nonce, this.nonceBytes);
    checkBytes('sealed', sealed);
    this.checkAssociatedData(associatedData);
    const length = sealed.length - this.tagBytes;
    // A message too short for its tag, or too long for its nonce, cannot have been sealed.
    if (length < 0 || length > this.maxBytes(nonce)) throw new AuthenticationError();
    const plaintext = room(into, length);
    const over = into && plaintext;
    const isRight = this.openInto(
      plaintext,
      apartFrom(over, nonce),
      inPlaceOrApart(over, sealed),
      apartFrom(over, associatedData),
    );
    if (!isRight) throw new AuthenticationError();
    return plaintext;
  }

  abstract wipe(): void;

  /** The longest plaintext that the mode's standard allows under such a nonce. */
  protected abstract maxBytes(nonce: Uint8Array): number;

  /**
   * @param sealed receives ciphertext ‖ tag: has the length of both; may begin where `plaintext` begins, and overlaps no
   * argument otherwise
   */
  protected abstract sealInto(
    sealed: Uint8Array,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData: Uint8Array,
  ): void;

  /**
   * @param plaintext receives the plaintext: as long as `sealed` without its tag; may begin where `sealed`
   * does, and overlaps no argument otherwise
   * @returns whether the tag is right; if it is not, `plaintext` contains zeros
   */
  protected abstract openInto(
    plaintext: Uint8Array,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): boolean;

  /** The standards allow more associated data than an array can hold. */
  private checkAssociatedData(associatedData: Uint8Array): void {
    if (associatedData !== EMPTY) checkBytes('associatedData', associatedData);
  }
}
