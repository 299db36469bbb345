import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

/*
 * Loaded by dynamic import where a passphrase is chosen: the word lists have 1.5 MB.
 */

/** Words that are easy to guess for a passphrase of this extension. */
const OUR_WORDS = ['sealwright', 'seal', 'vault', 'encryption'];

/** Words of the list that make no pleasant passphrase: about one in a hundred. */
const GRIM: ReadonlySet<string> = new Set(
  `
  agony anguished arson backstab buckshot carnage casualty choking coma crazed crazy cruelly
  cruelness cruelty decay deranged despair disfigure dread dreaded dreadful egomaniac enslave
  entomb evil famine filth fool gallows gangrene garbage glaucoma gore gory graves graveyard grief
  grievance grieving grievous groin handgun hate hatred imbecile impale imprison jailbird
  jailhouse maggot maimed mortality mortally mortician mortified mortify mortuary mourner mournful
  mutilated mutilator onslaught overkill panic paralyses paralysis paralyze phobia poison prison
  pureblood racism reburial rotten rotting savage scabbed scabby shriek sinister skeletal skeleton
  smother starved starving stench strangle sufferer suffering suffocate theft trash undead undying
  unisexual venomous virus widow womb wound wreckage zombie
  `.match(/\w+/g),
);

const SUGGESTED = common.dictionary['diceware-common'].filter((word: string) => !GRIM.has(word));

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
    words: SUGGESTED,
  };
}
