/*
 * Fields that are never sealed, whoever asks: a password or a card number in ciphertext helps nobody,
 * and what is typed there is what a person most regrets to lose (security.md A12).
 */

/** HTML, "Autofill", field names; `cc-*` and `transaction-*` are told by their beginning. */
const PROTECTED_TOKENS: ReadonlySet<string> = new Set([
  'current-password',
  'new-password',
  'one-time-code',
  'webauthn',
]);
const PROTECTED_PREFIXES = ['cc-', 'transaction-'] as const;

/** Whether this is a field for a password, a payment or a one-time code, as it says itself. */
export function isProtected(field: Element): boolean {
  if (field.localName === 'input' && (field as HTMLInputElement).type === 'password') return true;
  const tokens = (field.getAttribute('autocomplete') ?? '').toLowerCase().split(/\s+/);
  return tokens.some(isProtectedToken);
}

function isProtectedToken(token: string): boolean {
  return (
    PROTECTED_TOKENS.has(token) || PROTECTED_PREFIXES.some((prefix) => token.startsWith(prefix))
  );
}
