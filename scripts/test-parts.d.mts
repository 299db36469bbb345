/** Browser tests that `npm test` runs in Chromium alone. */
export const IN_CHROMIUM: readonly string[];
