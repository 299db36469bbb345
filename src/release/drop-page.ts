/*
 * The page that opens and seals without the extension (open-page/): one file, into a copy of which a public key may be
 * written. Only the place of the key may differ from the release's file, and only by the characters of a key.
 */

const KEY_PLACE = /<meta name="sealwright-key" content="([\w.-]*)">/;

/** The page's name in a release and in its list of digests. */
export const PAGE_NAME = 'open.html';

/** The same file in the extension, where it is a text that no address shows as a page. */
export const PACKED_PAGE = 'open-page.txt';

/** The key that is written into a copy; '' if there is none, undefined if this is not the page. */
export function keyIn(page: string): string | undefined {
  return KEY_PLACE.exec(page)?.[1];
}

/**
 * A copy with another key.
 *
 * @param key a public key's text, "swp1.…"; '' for the file of the release
 * @throws RangeError for a page without the place, and for characters that no key has
 */
export function withKey(page: string, key: string): string {
  if (keyIn(page) === undefined || !/^[\w.-]*$/.test(key)) {
    throw new RangeError('page: it has no place for this key');
  }
  return page.replace(KEY_PLACE, `<meta name="sealwright-key" content="${key}">`);
}
