import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

/*
 * Loaded by dynamic import where a passphrase is chosen: the word lists have 1.5 MB.
 */

/** Words that are easy to guess for a passphrase of this extension. */
const OUR_WORDS = ['sealwright', 'seal', 'vault', 'encryption'];

const DICEWARE: readonly string[] = common.dictionary['diceware-common'];

/** Estimates the strength of passphrases. */
export interface Estimator {
  /** The number of guesses that an attacker with common word lists needs, at least 1. */
  guesses(passphrase: string): number;
  /** The words for suggestions. */
  readonly words: readonly string[];
}

/** Builds an estimator from the English and common word lists. */
export function createEstimator(): Estimator {
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
  });
  return {
    guesses: (passphrase) => zxcvbn.check(passphrase, OUR_WORDS).guesses,
    words: DICEWARE,
  };
}
