import { checkOptions, checkProvider } from '../../errors.ts';
import type { Sealwright } from '../../page-api.ts';
import { base64 } from './values.ts';

/** Options of `blindIndexer`. */
export interface BlindIndexOptions {
  /** Id of the key; default: this origin's app key. */
  readonly key?: string | undefined;
  /** Generation of the key, 1 by default, so that stored indexes stay valid when the key is rotated. */
  readonly generation?: number | undefined;
}

/**
 * Makes keyed hashes of the values of a field, for equality search in data whose values are sealed. Equal values have
 * equal indexes: a reader of the data sees which records have the same value, and how often. Needs the capability
 * `blindIndex`.
 *
 * @param field 1 to 256 characters. Indexes of different fields cannot be compared
 * @returns a function that gives 43 characters of base64url for a text of up to 64 KiB; upper and lower case differ
 *
 * @example
 *   const emailIndex = blindIndexer(sealwright, 'contacts.email');
 *   const found = await contacts.find({ selector: { email: await emailIndex('ada@example.org') } });
 */
export function blindIndexer(
  sealwright: Pick<Sealwright, 'blindIndex'>,
  field: string,
  options: BlindIndexOptions = {},
): (value: string) => Promise<string> {
  checkOptions(options, 'key', 'generation');
  checkProvider(sealwright, 'blindIndex');
  return async (value) => {
    const index = base64(await sealwright.blindIndex(value, field, options));
    return index.replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
  };
}
