import type { Keepsakes } from '../environment/environment.ts';
import { isPicture, newPicture, type Picture } from './picture.ts';

const KEPT_AS = 'picture';

/**
 * This installation's picture, drawn by the first page that asks; two that ask at once see the same.
 *
 * @param exclusive runs one piece of work at a time, in all of our pages
 */
export async function ownPicture(
  keepsakes: Keepsakes,
  exclusive: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Picture> {
  const kept = await keepsakes.get(KEPT_AS);
  return isPicture(kept) ? kept : exclusive(() => keptOrNew(keepsakes));
}

async function keptOrNew(keepsakes: Keepsakes): Promise<Picture> {
  const kept = await keepsakes.get(KEPT_AS);
  if (isPicture(kept)) return kept;
  const picture = newPicture((target) => crypto.getRandomValues(target));
  await keepsakes.set(KEPT_AS, picture);
  return picture;
}
