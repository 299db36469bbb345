/** Of the extension: the version in manifest.json, which a page's script cannot ask for (a test compares). */
export const VERSION = '0.1.0';

/** Of the contract, contract/page-api.d.ts. */
export const API_VERSION = '1.0.0';
