import type { LocalValues } from '../environment/environment.ts';
import { isPicture, newPicture, type Picture } from './picture.ts';

const PICTURE_KEY = 'picture';

/**
 * This installation's picture, drawn by the first page that asks; two that ask at once see the same.
 *
 * @param exclusive runs one piece of work at a time, in all of our pages
 */
export async function ownPicture(
  localValues: LocalValues,
  exclusive: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Picture> {
  const kept = await localValues.get(PICTURE_KEY);
  return isPicture(kept) ? kept : exclusive(() => storedOrNew(localValues));
}

async function storedOrNew(localValues: LocalValues): Promise<Picture> {
  const kept = await localValues.get(PICTURE_KEY);
  if (isPicture(kept)) return kept;
  const picture = newPicture((target) => crypto.getRandomValues(target));
  await localValues.set(PICTURE_KEY, picture);
  return picture;
}
