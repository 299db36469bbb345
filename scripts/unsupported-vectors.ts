/** The one table of why tests do not run a file of the packages of published vectors: globs, and the reason. */
export const UNSUPPORTED: readonly (readonly [globs: readonly string[], reason: string])[] = [];
