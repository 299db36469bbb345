import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import sinon from 'sinon';
import { packagedArgon2id } from '../../../../extension/platform/workers/argon2-wasm.ts';
import { argon2idFromNode } from '../../../../src/engine/argon2id/node-loader.ts';
import { argon2id } from '../../../../src/engine/argon2id/argon2id.ts';

describe('The packaged Argon2id', () => {
  afterEach(() => sinon.restore());

  it('is read from the extension’s own files, and derives what the library derives', async () => {
    const asked: string[] = [];
    sinon.replace(globalThis, 'fetch', async (input) => {
      const url = input as string;
      asked.push(url);
      const file = url.replace('ext:/wasm/argon2id-', '');
      return new Response(await readFile(`node_modules/argon2id/dist/${file}`));
    });
    const cost = { memoryKiB: 64, passes: 1, parallelism: 1 };
    const salt = new Uint8Array(16).fill(2);
    const passphrase = new TextEncoder().encode('passphrase');
    const key = await argon2id(packagedArgon2id((path) => `ext:/${path}`))(passphrase, salt, cost);
    expect(key).to.deep.equal(await argon2id(argon2idFromNode())(passphrase, salt, cost));
    expect(asked).to.include('ext:/wasm/argon2id-simd.wasm');
    expect(
      asked.filter((url) => !/^ext:\/wasm\/argon2id-(no-)?simd\.wasm$/.test(url)),
    ).to.deep.equal([]);
  });
});
