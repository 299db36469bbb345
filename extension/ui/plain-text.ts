/** Characters that change the order or the look of what stands beside them, or show nothing. */
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const DECEPTIVE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/**
 * A site's own words on one line, so that they cannot imitate ours: line breaks, bidirectional
 * overrides and invisible characters become spaces, runs of spaces one, and length is bounded.
 */
export function plainText(text: string, maxLength = 300): string {
  const line = text.replace(DECEPTIVE, ' ').replace(/\s+/gu, ' ').trim();
  const characters = [...line];
  if (characters.length <= maxLength) return line;
  return `${characters.slice(0, maxLength - 1).join('')}…`;
}
