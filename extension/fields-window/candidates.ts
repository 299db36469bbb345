import { EnvelopeError } from '../../src/format/errors.ts';
import { unarmor } from '../../src/format/wire/armor.ts';
import { armorCandidates } from '../../src/format/wire/find-armor.ts';
import type { SealedCandidate } from '../../src/rpc/methods/ui-fields.ts';

/**
 * The messages that a sealed text may be, the likely ones first: the background tries to open them.
 *
 * @param found UTF-8, with a line feed at each break
 * @returns at most 16; none for what is not a sealed text
 */
export function candidatesIn(found: Uint8Array): SealedCandidate[] {
  const pieces = new TextDecoder().decode(found).split('\n');
  return armorCandidates(pieces).flatMap(({ text, beyond }) => {
    try {
      return [{ sealed: unarmor(text), isFollowed: beyond > 0 }];
    } catch (error) {
      if (error instanceof EnvelopeError) return []; // not base64url
      throw error;
    }
  });
}
