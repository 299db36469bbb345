import { utf8 } from '../../src/crypto/bytes.ts';
import { digestsOf, sha256Hex } from '../../src/release/digest-list.ts';
import type { DigestList } from '../../src/release/digest-list.ts';
import { canonicalJson } from '../../src/release/rewritten.ts';

/** Files by path. */
export type Files = Map<string, Uint8Array>;

const png = (content: string) => Uint8Array.of(0x89, ...utf8('PNG\r\n\x1a\n'), ...utf8(content));
const json = (path: string, value: unknown) => canonicalJson(path, utf8(JSON.stringify(value)));

/** A small extension of the same kind, as it is packed for a browser. */
export function packedFor(target: 'chromium' | 'firefox'): Files {
  const manifest = {
    name: '__MSG_extName__',
    version: '1.2.3',
    permissions: ['storage'],
    ...{
      icons: { 16: 'icons/icon-16.png' },
      action: { default_icon: { 16: 'icons/icon-16.png' } },
    },
    ...(target === 'firefox' && { browser_specific_settings: { gecko: { id: 'a@b' } } }),
  };
  const messages = '_locales/en/messages.json';
  return new Map([
    ['manifest.json', json('manifest.json', manifest)],
    [messages, json(messages, { extName: { message: 'Sealwright', description: 'A name' } })],
    ['background.js', utf8(`run(${JSON.stringify(target)});`)],
    ['files.json', utf8('["background.js","icons/icon-16.png","manifest.json"]')],
    ['icons/icon-16.png', png('drawn')],
    ['icons/icon-locked-16.png', png('drawn locked')],
  ]);
}

/** A small page of the same kind. */
export const PAGE =
  '<!DOCTYPE html><html><head><meta name="sealwright-key" content=""></head><body>é</body></html>';

/** The list of a release of both. */
export async function listOf(version = '1.2.3'): Promise<DigestList> {
  return {
    version,
    page: await sha256Hex(utf8(PAGE)),
    targets: new Map([
      ['chromium', await digestsOf(packedFor('chromium'))],
      ['firefox', await digestsOf(packedFor('firefox'))],
    ]),
  };
}

/** Sets values of its manifest, in the form of a store: unsorted, another indentation. */
export function withManifest(files: Files, values: object): Files {
  const text = new TextDecoder().decode(files.get('manifest.json'));
  const manifest = { ...values, ...(JSON.parse(text) as object) };
  return files.set('manifest.json', utf8(JSON.stringify(manifest, null, 3)));
}

/** As Chromium leaves a copy from its store in a profile. */
export function asInstalled(files: Files): Files {
  withManifest(files, {
    update_url: 'https://clients2.google.com/service/update2/crx',
    key: 'MIIB',
    differential_fingerprint: '1.0a',
  });
  const path = '_locales/en/messages.json';
  const messages = JSON.parse(new TextDecoder().decode(files.get(path))) as unknown;
  return files
    .set(path, utf8(JSON.stringify(messages)))
    .set('icons/icon-16.png', png('drawn again'))
    .set('_metadata/verified_contents.json', utf8('[]'))
    .set('_metadata/computed_hashes.json', utf8('{}'));
}
