import type { MessageKey } from '../../ui/text/i18n.ts';

/**
 * Guesses a second by someone who has the stored vault and a rack of graphics cards. zxcvbn's
 * own figure for slow password hashes; Argon2id with 64 MiB a guess is slower than those.
 */
const GUESSES_PER_SECOND = 10_000;

/** The least number of guesses that is accepted: eleven days at that rate. */
const ACCEPTED_GUESSES = 1e10;

const SECOND = 1000;
const CENTURY_MS = 100 * 365.2425 * 86_400 * SECOND;

export interface Strength {
  /** 0 (very weak) … 4 (strong). */
  readonly level: 0 | 1 | 2 | 3 | 4;
  readonly name: MessageKey;
  readonly acceptable: boolean;
  /** How long the search would take in all; 'instant' under a second, 'centuries' over one. */
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

/** What a number of guesses means. @param guesses - expected by zxcvbn, ≥ 1 */
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
