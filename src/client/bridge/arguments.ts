import { CONTENT_METHODS } from '../../rpc/methods/content.ts';
import { argumentsOf, methodsOfGroup } from '../../rpc/methods/method.ts';

/**
 * The methods that a worker may call, and how many arguments come before their options: a column of
 * the table of methods. The package's build replaces this module by its value (scripts/evaluated.mjs),
 * because the rest of the table would be larger than the client.
 */
export const ARGUMENTS: Readonly<Record<string, number>> = argumentsOf(CONTENT_METHODS);

/** The methods of `subtle`, which have no options: their arguments are passed as they come. */
export const SUBTLE: readonly string[] = methodsOfGroup(CONTENT_METHODS, 'subtle');
