import type { WireAlgorithm } from '../../rpc/methods/subtle-values.ts';
import { WorkshopFailed, type SubtleOperation } from '../../rpc/workshop.ts';
import type { Usage } from '../../subtle/key.ts';
import type { StoredKey } from '../../subtle/stored-key.ts';
import { checkModulus } from './effort.ts';

type Types = readonly StoredKey['type'][];

const SECRET: readonly Types[] = [['secret']];
const ANY: readonly Types[] = [['secret'], ['private'], ['public']];

/** The methods that make keys, and of which types these may be. */
const TYPES = {
  'subtle.decapsulateKey': SECRET,
  'subtle.deriveKey': SECRET,
  'subtle.encapsulateKey': SECRET,
  'subtle.generateKey': [['secret'], ['public', 'private']],
  'subtle.getPublicKey': [['public']],
  'subtle.importKey': ANY,
  'subtle.unwrapKey': ANY,
} as const satisfies Partial<Record<SubtleOperation, readonly Types[]>>;

/** A method that makes keys. */
export type Making = keyof typeof TYPES;

/** What its parameters say of the keys. */
export interface Asked {
  readonly algorithm?: WireAlgorithm;
  readonly derivedKeyType?: WireAlgorithm;
  readonly sharedKeyAlgorithm?: WireAlgorithm;
  readonly unwrappedKeyAlgorithm?: WireAlgorithm;
  readonly extractable?: boolean;
  readonly usages: readonly Usage[];
}

/**
 * Checks keys that the workshop made: of the types, the algorithm and the usages that were asked for, and not
 * extractable unless that was.
 *
 * @throws WorkshopFailed for others; OperationError (DOMException) for a modulus that is too long
 */
export function checkMade(
  method: Making,
  asked: Asked,
  made: readonly StoredKey[],
): readonly StoredKey[] {
  const types = made.map(({ type }) => type).join();
  const allowed: readonly Types[] = TYPES[method];
  if (!allowed.some((each) => each.join() === types) || !made.every((key) => fits(key, asked))) {
    throw new WorkshopFailed('The worker made other keys than were asked for');
  }
  for (const { algorithm } of made) checkModulus(algorithm);
  // The public key of a pair, or of a private key, is extractable whatever was asked.
  const isHalf = types !== 'public' || method === 'subtle.getPublicKey';
  const hidden = made.filter(({ type }) => !isHalf || type !== 'public');
  if (asked.extractable !== true && hidden.some(({ extractable }) => extractable)) {
    throw new WorkshopFailed('The worker made a key extractable');
  }
  return made;
}

function fits({ algorithm, usages }: StoredKey, asked: Asked): boolean {
  const { derivedKeyType, sharedKeyAlgorithm, unwrappedKeyAlgorithm } = asked;
  const wanted = derivedKeyType ?? sharedKeyAlgorithm ?? unwrappedKeyAlgorithm ?? asked.algorithm;
  const isNamed = wanted?.name.toLowerCase() === algorithm.name.toLowerCase();
  return (wanted === undefined || isNamed) && usages.every((usage) => asked.usages.includes(usage));
}
