/*
 * Where armored text stands in a text. It may be cut: by line breaks, as mail programs do, with the
 * marks of a quotation after them, and by characters that show nothing. A line feed also stands for the
 * border of an element (page-text.ts). What is the text's own end shows only when it is opened.
 */

/** One run of armor, cut where a break stood. */
export interface SealedRun {
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly string[];
}

const BREAK = '[ \\t\\r]*\\n[ \\t\\r\\n]*(?:>[> \\t]*)?|[\\u00ad\\u200b\\u2060\\ufeff]+';
const PREFIX = 's\\n?w\\n?1\\n?\\.\\n?(?=[\\w-])';
/** Base64url, and breaks with more of it after them; where another begins, this one has ended. */
const RUN = `(?<![\\w.-])${PREFIX}(?:[\\w-]+(?:(?:${BREAK})(?!${PREFIX})(?=[\\w-]))?)+`;

export function sealedRuns(text: string): SealedRun[] {
  return Array.from(text.matchAll(new RegExp(RUN, 'g')), ({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
    pieces: piecesOf(run),
  }));
}

/** The prefix is whole in the first of them, however it was cut. */
function piecesOf(run: string): string[] {
  const body = run.replace(new RegExp(PREFIX), '');
  const [first = '', ...others] = body.split(new RegExp(BREAK));
  return [`sw1.${first}`, ...others];
}
