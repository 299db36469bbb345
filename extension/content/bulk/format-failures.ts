import { formatErrorCode } from '../../../src/format/errors.ts';
import { SealwrightError } from '../../../src/rpc/errors.ts';

/** What the format throws, in the words of the page contract; all else passes as it is. */
export async function inContractWords<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = formatErrorCode(error);
    if (code === undefined) throw error;
    if (code === 'AUTH_FAILED') {
      throw new SealwrightError(code, 'The message could not be opened');
    }
    throw new SealwrightError(code, (error as Error).message);
  }
}
