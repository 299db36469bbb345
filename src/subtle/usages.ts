import { syntaxError } from './errors.ts';

/** KeyUsage of the Web Cryptography API, in the order in which a key lists them. */
export const USAGES = [
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'deriveKey',
  'deriveBits',
  'wrapKey',
  'unwrapKey',
] as const;
export type Usage = (typeof USAGES)[number];

/** "If usages contains a value which is not one of …, then throw a SyntaxError." */
export function checkUsages(
  name: string,
  usages: readonly Usage[],
  allowed: readonly Usage[],
): void {
  const wrong = usages.find((usage) => !allowed.includes(usage));
  if (wrong !== undefined) throw syntaxError(`A key for ${name} cannot be used to ${wrong}`);
}

/** Each once, in the order of the standard. */
export function normalizeUsages(usages: readonly Usage[]): Usage[] {
  return USAGES.filter((usage) => usages.includes(usage));
}
