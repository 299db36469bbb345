import type { LocalValues } from '../environment/environment.ts';
import { isPicture, newPicture, type Picture } from './picture.ts';

const PICTURE_KEY = 'picture';

/**
 * This installation's picture. The first page that needs it creates and stores it.
 *
 * @param exclusive runs one piece of work at a time over all extension pages, so that two pages
 *   that need the picture at once do not create two
 */
export async function ownPicture(
  localValues: LocalValues,
  exclusive: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<Picture> {
  const stored = await localValues.get(PICTURE_KEY);
  return isPicture(stored) ? stored : exclusive(() => storedOrNew(localValues));
}

async function storedOrNew(localValues: LocalValues): Promise<Picture> {
  const stored = await localValues.get(PICTURE_KEY);
  if (isPicture(stored)) return stored;
  const picture = newPicture((target) => crypto.getRandomValues(target));
  await localValues.set(PICTURE_KEY, picture);
  return picture;
}
