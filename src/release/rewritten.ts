/*
 * What stores add to the extension's files, and what Chromium writes anew when it installs them. All else in a copy
 * is as it was packed.
 */
import { utf8 } from '../crypto/bytes.ts';

/** The extension is packed for each of them. */
export type Target = 'chromium' | 'firefox';

/** Files that a store's signature consists of. No script or page among them, and nothing names them. */
const STORE_FILES: Readonly<Record<Target, RegExp>> = {
  chromium: /^_metadata\/(verified_contents|computed_hashes)\.json$/,
  firefox: /^META-INF\/(cose\.(manifest|sig)|manifest\.mf|mozilla\.(rsa|sf))$/,
};

/** Where browsers look for the next version. Another address would be another publisher's. */
const STORE_UPDATES: Readonly<Record<string, string>> = {
  'https://clients2.google.com/service/update2/crx': 'Chrome Web Store',
  'https://edge.microsoft.com/extensionwebstorebase/v1/crx': 'Microsoft Edge Add-ons',
};

/** What finds differences between versions: a text, and no code. */
const FINGERPRINT = 'differential_fingerprint';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const MANIFEST = 'manifest.json';
const JSON_FILES = /^(manifest|_locales\/\w+\/messages)\.json$/;

/** Whether a store adds this file when it signs. */
export function isStoreFile(path: string, target: Target): boolean {
  return STORE_FILES[target].test(path);
}

/** Whether a browser may write a file with the same content in other bytes. */
export function isJsonFile(path: string): boolean {
  return JSON_FILES.test(path);
}

/**
 * A JSON file of the package in the one form in which it is packed: without what stores add, keys sorted, indented
 * by two spaces. A file that is not such JSON stays as it is.
 */
export function canonicalJson(path: string, bytes: Uint8Array): Uint8Array {
  const value = parsed(bytes);
  if (!isObject(value)) return bytes;
  const kept = path === MANIFEST ? withoutAdditions(value) : value;
  return utf8(`${JSON.stringify(sorted(kept), null, 2)}\n`);
}

/** The store that a manifest gets updates from; undefined if it names none. */
export function storeOf(manifest: Uint8Array): string | undefined {
  const value = parsed(manifest);
  return isObject(value) ? STORE_UPDATES[String(value.update_url)] : undefined;
}

/**
 * The publisher's public key in a manifest, in base64. Chromium computes the extension's id of it, and takes updates
 * from who has the private key. Undefined where the manifest has no key.
 */
export function publisherKeyOf(manifest: Uint8Array): string | undefined {
  const value = parsed(manifest);
  return isObject(value) && isPublisherKey(value.key) ? value.key : undefined;
}

/** The pictures that a manifest names. Chromium decodes them and writes them anew. */
export function manifestPictures(manifest: Uint8Array): ReadonlySet<string> {
  const value = parsed(manifest);
  const { icons, action } = isObject(value) ? value : {};
  const sets = [icons, isObject(action) ? action.default_icon : undefined].filter(isObject);
  return new Set(sets.flatMap((set) => Object.values(set).map(String)));
}

/** The version that a copy gives itself. */
export function versionOf(manifest: Uint8Array): unknown {
  const value = parsed(manifest);
  return isObject(value) ? value.version : undefined;
}

/** What a copy calls itself: its names in every language, and its ids. */
export function namesOf(files: ReadonlyMap<string, Uint8Array>): readonly string[] {
  const manifest = parsed(files.get(MANIFEST) ?? new Uint8Array());
  if (!isObject(manifest)) return [];
  const { name, short_name, action, browser_specific_settings, applications } = manifest;
  const shown = [name, short_name, isObject(action) ? action.default_title : undefined];
  const gecko = [browser_specific_settings, applications].map((settings) =>
    isObject(settings) && isObject(settings.gecko) ? settings.gecko.id : undefined,
  );
  const keys = new Set(
    shown.map((text) => /^__MSG_(\w+)__$/.exec(String(text))?.[1]?.toLowerCase()),
  );
  const translated = [...files]
    .filter(([path]) => isJsonFile(path) && path !== MANIFEST)
    .map(([, bytes]) => parsed(bytes))
    .flatMap((messages) => (isObject(messages) ? Object.entries(messages) : []))
    .filter(([key]) => keys.has(key.toLowerCase()))
    .map(([, message]) => (isObject(message) ? message.message : undefined));
  return [...shown, ...gecko, ...translated].filter((text) => typeof text === 'string');
}

function withoutAdditions(manifest: Record<string, unknown>): Record<string, unknown> {
  const isAddition = ([name, value]: [string, unknown]) =>
    (name === 'update_url' && Object.hasOwn(STORE_UPDATES, String(value))) ||
    (name === 'key' && isPublisherKey(value)) ||
    (name === FINGERPRINT && typeof value === 'string');
  return Object.fromEntries(Object.entries(manifest).filter((entry) => !isAddition(entry)));
}

function isPublisherKey(value: unknown): value is string {
  return typeof value === 'string' && BASE64.test(value);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, sorted(each)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
