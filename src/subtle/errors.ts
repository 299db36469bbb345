/**
 * The errors of the Web Cryptography API. It names a DOMException for each kind of mistake; wrong
 * types are TypeErrors, by Web IDL.
 */
import { isAuthenticationError } from '../crypto/errors.ts';
import { isEngineError } from '../engine/contract.ts';
import { NoEngineError } from '../engine/registry.ts';

/** The algorithm, format or operation is unknown, or no engine has it. */
export function notSupported(message: string): DOMException {
  return new DOMException(message, 'NotSupportedError');
}

/** The key is not for this algorithm or not for this use. */
export function invalidAccess(message: string): DOMException {
  return new DOMException(message, 'InvalidAccessError');
}

/** Key data that cannot be a key. */
export function dataError(message: string): DOMException {
  return new DOMException(message, 'DataError');
}

/** Empty or impossible usages. */
export function syntaxError(message: string): DOMException {
  return new DOMException(message, 'SyntaxError');
}

/** Parameters that the algorithm does not allow, or data that do not verify. */
export function operationError(message: string): DOMException {
  return new DOMException(message, 'OperationError');
}

/**
 * An engine's error as an error of the API. All data that do not verify give the same message.
 * TypeError and RangeError (an `into` that is too short) are not changed.
 */
export function translated(error: unknown): unknown {
  if (isAuthenticationError(error)) return operationError(error.message);
  if (error instanceof NoEngineError) return notSupported(error.message);
  if (isEngineError(error)) return operationError(error.message);
  return error;
}
