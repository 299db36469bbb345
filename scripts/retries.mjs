/*
 * The rule about second tries. mocha repeats a browser test that failed (`retries: 1`), so that the
 * report says which test depends on luck. Such a test fails the run, unless
 * test/browser/known-flaky.json lists it with the reason and the date of the entry.
 */

const DATE = /^\d{4}-\d\d-\d\d$/;

/** Entries of the list that say no reason or no date. */
export function malformed(list) {
  return list
    .filter(({ test, reason, since }) => !test || !reason || !DATE.test(since ?? ''))
    .map(({ test }) => `known-flaky.json: "${test}" needs a reason and a date (since: YYYY-MM-DD)`);
}

/**
 * @param repeated full titles of tests that were tried again
 * @param failed full titles of tests that failed in the end; they are not counted twice
 * @returns full titles of tests that passed in their second try and are not in the list
 */
export function unlisted(repeated, failed, list) {
  const listed = new Set(list.map(({ test }) => test));
  const inTheEnd = new Set(failed);
  return [...new Set(repeated)].filter((test) => !listed.has(test) && !inTheEnd.has(test));
}
