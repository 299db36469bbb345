/** Browser tests that `npm test` runs in Chromium alone. */
export const IN_CHROMIUM: readonly string[];
/** The parts of `npm run nightly`, those beside each other and those that need the machine to themselves. */
export function nightlyParts(): Readonly<
  Record<'together' | 'alone', readonly { readonly title: string }[]>
>;
