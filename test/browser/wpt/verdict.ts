import { EXPECTED_FAILURES, type ExpectedFailure, type Place } from './expected.ts';

/** What a page of tests came to (runner.js). A status of 0 is good, of the file as of a subtest. */
export interface Report {
  readonly status: number;
  readonly message: string | null;
  readonly tests: readonly (readonly [name: string, status: number, message: string | null])[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** @param file below WebCryptoAPI */
export function expectedIn(file: string, place: Place): ExpectedFailure[] {
  return EXPECTED_FAILURES.filter(
    (one) => one.file.test(file) && (one.places?.includes(place) ?? true),
  );
}

export function countsOf({ tests }: Report): Counts {
  const passed = tests.filter(([, status]) => status === 0).length;
  return { passed, failed: tests.length - passed };
}

/** Whatever is not as it was expected, in words; nothing, if all is. */
export function surprises(
  { status, message, tests }: Report,
  expected: readonly ExpectedFailure[],
): string[] {
  const found = status === 0 ? [] : [`the file itself: ${message}`];
  if (tests.length === 0) found.push('no subtest ran');
  for (const [name, outcome, why] of tests) {
    const isExpected = expected.some((one) => one.name.test(name));
    if (outcome !== 0 && !isExpected) found.push(`failed: ${name}: ${why}`);
    if (outcome === 0 && isExpected) found.push(`passed, and ought not to: ${name}`);
  }
  return found;
}

/** Failures that are said to be the browser's own, and are not. */
export function unshared(browsersOwn: Report, expected: readonly ExpectedFailure[]): string[] {
  const shared = expected.filter(({ inBrowserToo }) => inBrowserToo);
  return browsersOwn.tests
    .filter(([name, status]) => status === 0 && shared.some((one) => one.name.test(name)))
    .map(([name]) => `passes in the browser itself: ${name}`);
}
