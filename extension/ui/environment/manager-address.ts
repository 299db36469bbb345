/**
 * The origin in an address such as manager.html#activity?site=https%3A%2F%2Fexample.org; '' if
 * none.
 */
export function siteOfAddress(hash: string): string {
  const [, query = ''] = hash.split('?');
  return new URLSearchParams(query).get('site') ?? '';
}

/** The manager's activity screen, filtered by one site, as `openManager` takes it. */
export function activityOfSite(origin: string): string {
  return `activity?${new URLSearchParams({ site: origin }).toString()}`;
}

/** The field for a group file, on the screen of contacts. */
export const GROUP_FILES = 'contacts?group-file';

/** The form that changes the passphrase, on the security screen. */
export const CHANGE_PASSPHRASE = 'security?passphrase';
