import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

/*
 * Loaded by dynamic import on the first run only: the word lists weigh a megabyte and a half.
 */

/** Words that someone choosing a passphrase for this extension would think of first. */
const OUR_WORDS = ['sealwright', 'seal', 'vault', 'encryption'];

const DICEWARE: readonly string[] = common.dictionary['diceware-common'];

export interface Estimator {
  /** The number of guesses that an informed attacker needs. */
  guesses(passphrase: string): number;
  /** The words that suggestions are drawn from. */
  readonly words: readonly string[];
}

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
