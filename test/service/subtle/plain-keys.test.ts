import { expect } from 'chai';
import { jsEngine } from '../../../src/engine/js/js.ts';
import { nativeEngine } from '../../../src/engine/native/native.ts';
import { Registry } from '../../../src/engine/registry.ts';
import type { WireAlgorithm } from '../../../src/rpc/methods/subtle-values.ts';
import { plainKey } from '../../../src/service/subtle/plain-keys.ts';
import type { Usage } from '../../../src/subtle/key.ts';
import { subtleOperations } from '../../../src/workshop/subtle.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';

const HASHED = ['SHA-1', 'SHA-256', 'SHA-512', 'SHA3-256', 'sha-256'].flatMap((hash) => [
  { name: 'HMAC', hash },
  { name: 'HMAC', hash: { name: hash } },
]);
const ALGORITHMS: readonly WireAlgorithm[] = [
  ...['AES-GCM', 'AES-CTR', 'AES-CBC', 'AES-KW', 'aes-gcm'].flatMap((name) =>
    [128, 192, 256, 64, '256', null].map((length) => ({ name, length })),
  ),
  ...[...HASHED, { name: 'HMAC', hash: 'SHA-256', length: 9 }, { name: 'HMAC' }],
];
const USAGES: readonly Usage[][] = [
  ...[['decrypt', 'encrypt', 'encrypt'], ['wrapKey'], ['verify', 'sign']],
  ...[[], ['encrypt', 'sign'], ['deriveKey']],
] as Usage[][];
const LENGTHS = [16, 24, 32, 0, 9];

/** The keys, or the name of the error. */
async function outcome(work: () => Promise<unknown>): Promise<unknown> {
  return work().catch((error: unknown) => (error as Error).name);
}

describe('Keys that are bytes as they are', () => {
  const operations = subtleOperations(new Registry([nativeEngine(), jsEngine()]));
  const secrets = () => ({ keys: [], seed: new Uint8Array(32) });
  const asked = ALGORITHMS.flatMap((algorithm) =>
    USAGES.map((usages) => ({ algorithm, usages, extractable: usages.length === 1 })),
  );

  it('are generated as the workshop does it, or not here', async () => {
    const names = new Set<string>();
    for (const params of asked) {
      const [made] = plainKey('subtle.generateKey', params, systemRandom) ?? [];
      if (made === undefined) continue;
      names.add(made.algorithm.name);
      const input = { secrets: secrets(), params };
      const [same] = (await operations['subtle.generateKey'](input, () => undefined)) as [object];
      const { content } = made;
      expect(8 * Buffer.from(content, 'base64url').length).to.equal(made.algorithm.length);
      expect(made, JSON.stringify(params)).to.deep.equal({ ...same, content });
    }
    expect([...names].sort()).to.deep.equal(['AES-CBC', 'AES-CTR', 'AES-GCM', 'HMAC']);
  });

  it('are imported as the workshop does it, or not here', async () => {
    let count = 0;
    for (const of of asked) {
      for (const length of LENGTHS) {
        const params = () => ({
          ...of,
          format: 'raw' as const,
          keyData: new Uint8Array(length).fill(7),
        });
        const made = plainKey('subtle.importKey', params(), systemRandom);
        if (made === undefined) continue;
        count++;
        const input = { secrets: secrets(), params: params() };
        const same = await outcome(() => operations['subtle.importKey'](input, () => undefined));
        expect(made, JSON.stringify([of, length])).to.deep.equal(same);
      }
    }
    expect(count).to.be.above(20);
  });

  it('are not imported here where they are so long that their text takes a while', () => {
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    const made = (length: number) => {
      const params = { algorithm: hmac, extractable: true, usages: ['sign'] as Usage[] };
      const keyData = new Uint8Array(length);
      return plainKey('subtle.importKey', { ...params, format: 'raw', keyData }, systemRandom);
    };
    expect(made(65_536)).to.have.length(1);
    expect(made(65_537)).to.equal(undefined);
  });
});
