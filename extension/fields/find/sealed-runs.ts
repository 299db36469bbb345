/*
 * Finds armored text in a text. It may be divided by line breaks, with quotation marks after them as in
 * mail, and by invisible characters. A line feed is also the border between elements (page-text.ts).
 * Where the armored text really ends is known only when it is opened.
 */

/** An armored text, divided at its breaks. */
export interface SealedRun {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly string[];
}

const BREAK = '[ \\t\\r]*\\n[ \\t\\r\\n]*(?:>[> \\t]*)?|[\\u00ad\\u200b\\u2060\\ufeff]+';
const PREFIX = 's\\n?w\\n?1\\n?\\.\\n?(?=[\\w-])';
/** Base64url with breaks in it. It ends where another armored text begins. */
const RUN = `(?<![\\w.-])${PREFIX}(?:[\\w-]+(?:(?:${BREAK})(?!${PREFIX})(?=[\\w-]))?)+`;

/** All armored texts in a text. */
export function sealedRuns(text: string): SealedRun[] {
  return Array.from(text.matchAll(new RegExp(RUN, 'g')), ({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
    pieces: piecesOf(run),
  }));
}

/** Divides a run at its breaks. The first piece has the whole prefix, even if it contained breaks. */
function piecesOf(run: string): string[] {
  const body = run.replace(new RegExp(PREFIX), '');
  const [first = '', ...others] = body.split(new RegExp(BREAK));
  return [`sw1.${first}`, ...others];
}
