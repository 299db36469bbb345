/** Six words or more, with spaces or hyphens between them: a word of the list may have a hyphen in it. */
const WORDS = /^[a-z]+(?:[\s-]+[a-z]+){5,}$/i;

/**
 * What somebody means who types a passphrase. Six words are made in lower case with hyphens between them; who was told them
 * may type spaces, or begin with a capital as keyboards of telephones do.
 *
 * @param typed as it stands in the field
 * @returns what to try, in this order: the words as they are made, and what was typed if it differs
 */
export function passphrasesMeant(typed: string): readonly string[] {
  const words = typed.trim();
  if (!WORDS.test(words)) return [typed];
  const made = words
    .toLowerCase()
    .split(/[\s-]+/)
    .join('-');
  return made === typed ? [typed] : [made, typed];
}
