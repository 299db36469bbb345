import type { MessageKey } from '../../ui/text/i18n.ts';

/**
 * Assumed guesses per second of an attacker who has the stored vault and many graphics cards. This
 * is zxcvbn's figure for slow password hashes; Argon2id with 64 MiB per guess is slower.
 */
const GUESSES_PER_SECOND = 10_000;

/** The minimum that is accepted: eleven days at that rate. */
const ACCEPTED_GUESSES = 1e10;

const SECOND = 1000;
const CENTURY_MS = 100 * 365.2425 * 86_400 * SECOND;

/** The strength of a passphrase, for display. */
export interface Strength {
  /** 0 (very weak) … 4 (strong). */
  readonly level: 0 | 1 | 2 | 3 | 4;
  readonly name: MessageKey;
  readonly acceptable: boolean;
  /** Time that guessing takes; 'instant' below a second, 'centuries' above a hundred years. */
  readonly crackMs: number | 'instant' | 'centuries';
}

/** Upper bounds, in guesses, of the levels below the last. */
const LEVELS = [
  [1e8, 0, 'strengthVeryWeak'],
  [ACCEPTED_GUESSES, 1, 'strengthWeak'],
  [1e12, 2, 'strengthFair'],
  [1e14, 3, 'strengthGood'],
  [Infinity, 4, 'strengthStrong'],
] as const satisfies readonly (readonly [number, Strength['level'], MessageKey])[];

/** The strength that follows from a number of guesses. @param guesses - from the estimator, ≥ 1 */
export function strengthOf(guesses: number): Strength {
  const [, level, name] = LEVELS.find(([below]) => guesses < below) ?? LEVELS[4];
  const ms = (guesses / GUESSES_PER_SECOND) * SECOND;
  return {
    level,
    name,
    acceptable: guesses >= ACCEPTED_GUESSES,
    crackMs: ms < SECOND ? 'instant' : ms > CENTURY_MS ? 'centuries' : ms,
  };
}
