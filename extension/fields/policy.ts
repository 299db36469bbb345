/*
 * Fields that are never read or written: sites cannot use a sealed password or card number, and the
 * user could lose important input.
 */

/** HTML, "Autofill", field names; `cc-*` and `transaction-*` are matched by prefix. */
const PROTECTED_TOKENS: ReadonlySet<string> = new Set([
  'current-password',
  'new-password',
  'one-time-code',
  'webauthn',
]);
const PROTECTED_PREFIXES = ['cc-', 'transaction-'] as const;

/** Whether a field declares itself for a password, a payment or a one-time code. */
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
