import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { reportOf } from '../../engine/fixture-run.ts';

/*
 * The steps to add a kind of user key: the files below, and its messages in all languages. They are changed in a copy of
 * the tree, in which the tests of new-kind.fixture.ts run. Everything else is derived from them: where another
 * file had to name the kind, one of these tests would fail.
 */

/** Puts text before what is there already. */
const before =
  (there: string, added: string) =>
  (text: string): string => {
    expect(text.split(there), there).to.have.length(2);
    return text.replace(there, () => added + there);
  };

/** Private keys of Ed448 (RFC 8410, section 7), derived as those of JOSE are. */
const IMPLEMENTATION = `
import { concat, fromHex, wipe } from '../../../crypto/bytes.ts';
import { deriveSubtleKey } from '../../../keys/ring/key-derivation.ts';
import type { NamedPrivateKey } from '../key-record.ts';
import { generationOf, type NamedAlgorithms } from './named-algorithms.ts';

const BEFORE_KEY = fromHex('3047020100300506032b6571043b0439');

export const STAMP_KEYS: NamedAlgorithms<NamedPrivateKey> = {
  format: 'bytes',
  nameOf: (name) => (name.toLowerCase() === 'ed448' ? 'Ed448' : undefined),
  capabilities: () => ['stamp'],
  publicHalf: () => 'stamp',
  example: () => ({ format: 'pkcs8', keyData: concat(BEFORE_KEY, new Uint8Array(57)) }),
  async imported(_, of, wanted, deps) {
    const { key, generation } = await generationOf('stamp', of, wanted, deps);
    wipe(key);
    return { type: 'private', generation };
  },
  async derived({ generation }, of, deps) {
    const { key } = await generationOf('stamp', of, generation, deps);
    const bytes = deriveSubtleKey(key, { origin: of.origin, algorithm: 'Ed448', bits: 456 });
    wipe(key);
    return bytes;
  },
};
`;

/** What changes in each file of production. */
const PRODUCTION: Readonly<Record<string, (text: string) => string>> = {
  // 1. Its name, what a grant of it allows, and who makes it.
  'src/rpc/key-kinds.ts': before(
    '  age: {',
    "  stamp: { capabilities: ['stamp'], isForSubtle: true, isMadeByUser: true },\n",
  ),
  // 2. The types of the page API.
  'src/client/page-api.ts': (text) =>
    text
      .replace("  | 'signToken'", "  | 'stamp'\n  | 'signToken'")
      .replace("'sharing' | 'jose'; label", "'sharing' | 'jose' | 'stamp'; label")
      .replace("'sharing' | 'jose';\n", "'sharing' | 'jose' | 'stamp';\n"),
  // 3. Its record, its generations and its backups.
  'src/keys/ring/kinds.ts': before(
    '} as const satisfies',
    "  stamp: { recordType: 'stamp-key', purpose: 'stamps', backupFormat: 10, drawn: NO_ALGORITHM },\n",
  ),
  // 4. Its own work: here, what subtle does with it, …
  'src/service/subtle/named/stamp-keys.ts': () => IMPLEMENTATION,
  // 5. … and its place there.
  'src/service/subtle/named/named-keys.ts': (text) =>
    before(
      'import { SECRET_KEYS }',
      "import { STAMP_KEYS } from './stamp-keys.ts';\n",
    )(text).replace('[JOSE_KEYS, ', '[JOSE_KEYS, STAMP_KEYS, '),
  // 6. What users read.
  'extension/ui/text/key-words.ts': (text) =>
    before(
      '  jose: {',
      "  stamp: { made: 'keyKindStamp', purpose: (_, text) => text.t('keyStamps') },\n",
    )(text).replace(
      '  signToken: {',
      "  stamp: { name: 'capabilityStamp', detail: 'capabilityStampDetail' },\n  signToken: {",
    ),
};
const MESSAGES = ['keyKindStamp', 'keyStamps', 'capabilityStamp', 'capabilityStampDetail'];

describe('A new kind of user key', () => {
  it('is made, listed, granted, used, rotated, backed up and restored by six files', async () => {
    const root = mkdtempSync(join(tmpdir(), 'sealwright-kind-'));
    try {
      copyTree(root);
      for (const [path, change] of Object.entries(PRODUCTION)) patch(join(root, path), change);
      const locales = readdirSync(join(root, '_locales'));
      for (const locale of locales) {
        patch(join(root, '_locales', locale, 'messages.json'), (text) =>
          withMessages(text, locale),
        );
      }
      expect(Object.keys(PRODUCTION)).to.have.length.at.most(6);
      const { failures, passes } = await reportOf('test/keys/ring/new-kind.fixture.ts', root);
      expect(failures.map(({ fullTitle, err }) => [fullTitle, err])).to.deep.equal([]);
      expect(passes).to.have.length(7);
    } finally {
      rmSync(root, { recursive: true });
    }
  }).timeout(180_000);
});

/** Links would lead the imports of the copy back here. */
function copyTree(root: string): void {
  for (const part of ['src', 'extension', '_locales', 'scripts', 'test', 'package.json']) {
    const isNeeded = (path: string) => !/^test\/(browser|dist|fuzz|repo)\b/.test(path);
    cpSync(part, join(root, part), { recursive: true, filter: isNeeded });
  }
  for (const part of ['node_modules', '.cache', 'tsconfig.json', 'tsconfig.base.json']) {
    symlinkSync(resolve(part), join(root, part));
  }
}

function patch(path: string, change: (text: string) => string): void {
  const text = path.endsWith('stamp-keys.ts') ? '' : readFileSync(path, 'utf8');
  const changed = change(text);
  expect(changed, path).to.not.equal(text);
  writeFileSync(path, changed);
}

function withMessages(text: string, locale: string): string {
  const words = (key: string) => ({ message: `${key} in ${locale}`, description: 'For a test.' });
  const added = MESSAGES.map((key) => [key, words(key)] as const);
  return JSON.stringify({ ...(JSON.parse(text) as object), ...Object.fromEntries(added) });
}
