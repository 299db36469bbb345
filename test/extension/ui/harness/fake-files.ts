import { needsKey, SealwrightError } from '../../../../src/rpc/errors.ts';
import type { NeededGroup } from '../../../../src/rpc/methods/ui-contacts.ts';
import { needsGroup } from '../../../../src/service/errors.ts';
import type { ParamsOf, ResultOf } from '../../../../src/rpc/methods/methods.ts';
import type { OpenedFile, ReleasedOpening } from '../../../../src/rpc/methods/ui-files.ts';
import type { UiKey } from '../../../../extension/ui/environment/ui-client.ts';

/** What the next file opens to; null: it needs a passphrase. */
export interface FilesWorld {
  openedFile: OpenedFile | null;
  /** The keys of `SEALED_FILE`; null: no key opens it. */
  releasedOpening: ReleasedOpening | null;
  /** Where a sealed file is for a group that does not open it; null: it is for none. */
  neededGroup: NeededGroup | null;
  keys: UiKey[];
}

const NOW = Date.now();

/** What a text is sealed to, in place of a message. */
export const SEALED_TEXT = Uint8Array.from({ length: 150 }, (_, i) => 37 * i);

const utf8 = (text: string) => new TextEncoder().encode(text);

export const openedOcb2: OpenedFile = {
  format: 'sjcl',
  contents: utf8('Dear diary,\nin 2011 I kept all this in a text file.'),
  trust: 'forgeable',
};

export const openedWeak: OpenedFile = { ...openedOcb2, trust: 'weak' };

/** A sealed file, as text: 80 bytes before its one chunk, under a key and a nonce of zeros. */
export const SEALED_FILE =
  'sw1.9VNXTQECAAMHBwcHBwcHBwcHBwcHBwcHAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACZwmBQKAUfTmgg5YfShu9rFgF66lbSCgC5x9XhGWIV47Qm3QbSFKkvbEJPQI5L3fMw6-aw';

/** An age file, armored, whose payload is sealed under a key of zeros. */
export const AGE_FILE = `-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBBQUFBQUFBQUFBQUFBQUFB
QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBCkFBQUFBQUFBQUFBQUFBQUFBQUFB
QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUEKLS0tIEFBQUFBQUFBQUFBQUFBQUFBQUFB
QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUEKAAAAAAAAAAAAAAAAAAAAAHxdIsOju2GU
WHtsAVWXP7HW5sexphtIoOeda1hG9kJCkUVX2Fxnq5wsPowmEt186e16LIpy
-----END AGE ENCRYPTED FILE-----
`;

/** A sealed text whose only recipient is a passphrase, in web armor. */
export const SEALED_WITH_WORDS =
  'swt1aaarz7lul7grcajbanaaaaaaaaaaaaaaaaaaaaaaaaaabejeachetgoef3g2s7dps36y5l2288wccaabaaaagbcm97l2ykpzd84g2pdkuhlbn3qb9tojgj77hv8w2rmn8m6zu9n8m8vsg3yh68udwwqkq7s8kzr934now4mmnluha5p4d297qfbcqvkwvn7epr449wf2udk8bostmbqg7hd2aqwbpgwewl43f6jqgkcnansovy8eylkwugpen8uc6ducsptjqser29jeelua6kb2u8phy2dk9f8qck99qug92uz5cfugdjava83ykbcuhszbuc8a4uvmknetlan54uqmt5ttjzlf77rf87ud6hc3zaffuh76k2nyvllwlk3mos2ye7cgf5elf8n6hb4swryvrcf7kpf5w3a9oeptwt78z34t6sgrkkr0';

export const releasedFile: ReleasedOpening = {
  key: new Uint8Array(32),
  baseNonce: new Uint8Array(12),
  chunkBytes: 1_048_576,
  padded: false,
  chunksOffset: 80,
  origin: null,
  openedBy: { kind: 'sharing', label: 'Messages to me', guest: false },
  shared: true,
  file: { name: 'Minutes of the meeting (final).txt.exe', type: 'text/plain' },
};

/** As if words opened `SEALED_FILE`. */
export const releasedByWords: ReleasedOpening = { ...releasedFile, openedBy: null };

export const filesWorld = (): Omit<FilesWorld, 'keys'> => ({
  openedFile: openedOcb2,
  releasedOpening: null,
  neededGroup: null,
});

type FileMethods =
  | 'ui.openFile'
  | 'ui.releaseAgeOpen'
  | 'ui.releaseAgeSeal'
  | 'ui.releaseOpen'
  | 'ui.senderOf'
  | 'ui.releaseSeal'
  | 'ui.sealText'
  | 'ui.importAgeKey';

/** The file methods over a fake background. */
export function filesImplementations(world: FilesWorld): {
  [M in FileMethods]: (params: ParamsOf<M>) => ResultOf<M>;
} {
  return {
    'ui.openFile': () => {
      if (!world.openedFile) throw new SealwrightError('NEEDS_KEY', 'a passphrase');
      return world.openedFile;
    },
    'ui.releaseAgeOpen': () => ({
      key: new Uint8Array(32),
      openedBy: { kind: 'age', label: 'Laptop of 2021', guest: false },
    }),
    'ui.releaseAgeSeal': () => ({ head: new Uint8Array(200), key: new Uint8Array(32) }),
    'ui.releaseOpen': ({ passphrase }) => {
      if (world.neededGroup) throw needsGroup(world.neededGroup);
      if (!world.releasedOpening && passphrase !== undefined) throw needsKey('');
      if (!world.releasedOpening) throw new SealwrightError('NEEDS_KEY', 'a passphrase');
      return world.releasedOpening;
    },
    'ui.senderOf': () => ({
      sender: { name: 'Amira Haddad', verified: NOW - 3 * 86_400_000 },
      signed: null,
    }),
    'ui.releaseSeal': () => ({
      key: new Uint8Array(32),
      baseNonce: new Uint8Array(12),
      prefix: new Uint8Array(80),
      chunkBytes: 1_048_576,
      padded: false,
    }),
    'ui.sealText': () => ({ sealed: SEALED_TEXT }),
    'ui.importAgeKey': ({ label, file }) => {
      const text = new TextDecoder().decode(file);
      if (!text.includes('AGE-SECRET-KEY-')) throw new SealwrightError('INVALID_ARGUMENT', 'file');
      const made = {
        ...world.keys.at(-1)!,
        ref: `k${world.keys.length}`,
        kind: 'age' as const,
        label,
      };
      world.keys = [...world.keys, made];
      return made;
    },
  };
}
