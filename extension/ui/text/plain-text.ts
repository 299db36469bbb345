/**
 * Controls, line separators and format characters: they change the order or the look of what
 * stands beside them, or show nothing. The two joiners stay, because Persian, Indic scripts and
 * emoji are written with them.
 */
export const DECEPTIVE = /(?!\u200c|\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A site's own words on one line, so that they cannot imitate ours: line breaks, bidirectional
 * overrides and invisible characters become spaces, runs of spaces one, and length is bounded.
 *
 * @param maxLength - in Unicode code points
 */
export function plainText(text: string, maxLength = 300): string {
  const line = text.replace(DECEPTIVE, ' ').replace(/\s+/gu, ' ').trim();
  const characters = Array.from(line);
  if (characters.length <= maxLength) return line;
  return `${characters.slice(0, maxLength - 1).join('')}…`;
}
