import { expect } from 'chai';
import { argon2id, deriveArgon2id } from '../../../src/engine/argon2id/argon2id.ts';
import type { Argon2idParams, Argon2idWasm } from '../../../src/engine/argon2id/argon2id.ts';
import { argon2idFromNode } from '../../../src/engine/argon2id/node-loader.ts';
import { describeVectors, hex, parseRsp } from '../../support/vectors.ts';
import type { Fields } from '../../support/vectors.ts';

const wasm = argon2idFromNode();

const RFC_9106: Argon2idParams = {
  password: new Uint8Array(32).fill(1),
  salt: new Uint8Array(16).fill(2),
  secret: new Uint8Array(8).fill(3),
  associatedData: new Uint8Array(12).fill(4),
  memoryKiB: 32,
  passes: 3,
  parallelism: 4,
  tagBytes: 32,
};
const RFC_9106_TAG = '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659';

async function derive(params: Partial<Argon2idParams>, loader: Argon2idWasm = wasm) {
  return Buffer.from(await deriveArgon2id({ ...RFC_9106, ...params }, loader)).toString('hex');
}

describe('Argon2id', () => {
  it('RFC 9106, section 5.3', async () => {
    expect(await derive({})).to.equal(RFC_9106_TAG);
  });

  it('gives the same without WebAssembly SIMD', async () => {
    const noSimd: Argon2idWasm = { simd: wasm.noSimd, noSimd: wasm.noSimd };
    expect(await derive({}, noSimd)).to.equal(RFC_9106_TAG);
  });

  describeVectors(
    'mac_kdf/argon2id.txt',
    parseRsp,
    async (v) => {
      const given: Argon2idParams = {
        password: hex(v, 'pass'),
        salt: hex(v, 'salt'),
        memoryKiB: Number(v['memcost']),
        passes: Number(v['iter']),
        parallelism: Number(v['lanes']),
        tagBytes: Number(v['length']),
        ...('secret' in v && { secret: hex(v, 'secret') }),
        ...('ad' in v && { associatedData: hex(v, 'ad') }),
      };
      expect(Buffer.from(await deriveArgon2id(given, wasm)).toString('hex')).to.equal(v['output']);
    },
    3,
  );

  describeVectors(
    'mac_kdf/botan_argon2.vec',
    botan,
    async (v) => {
      const output = hex(v, 'output');
      const given: Argon2idParams = {
        password: hex(v, 'passphrase'),
        salt: hex(v, 'salt'),
        memoryKiB: Number(v['m']),
        passes: Number(v['t']),
        parallelism: Number(v['p']),
        tagBytes: output.length,
        ...('secret' in v && { secret: hex(v, 'secret') }),
        ...('ad' in v && { associatedData: hex(v, 'ad') }),
      };
      expect(await deriveArgon2id(given, wasm)).to.deep.equal(output);
    },
    3,
  );

  // The package would compare the arrays with its limits, and refuse some of them.
  it('accepts empty passwords, and passwords of one byte of any value', async () => {
    const tags = new Set<string>();
    for (const password of [[], [0], [5], [7], [8], [255]]) {
      tags.add(await derive({ password: Uint8Array.from(password), memoryKiB: 32 }));
    }
    expect(tags.size).to.equal(6);
  });

  it('accepts memory that is not a multiple of 4 lanes, and more than the package begins with', async () => {
    const large = { memoryKiB: 66_560 - 1, passes: 1, parallelism: 16 };
    expect(await derive(large)).to.have.length(64);
  });

  it('overwrites its memory afterwards', async () => {
    const memories: WebAssembly.Memory[] = [];
    const watching: Argon2idWasm = {
      ...wasm,
      simd: (imports) => {
        memories.push(imports['env']!['memory'] as WebAssembly.Memory);
        return wasm.simd(imports);
      },
    };
    await derive({}, watching);
    expect(memories.length).to.equal(1);
    expect(Buffer.from(memories[0]!.buffer).every((byte) => byte === 0)).to.equal(true);
  });

  it('copies its inputs at once and does not change them', async () => {
    const password = new Uint8Array(32).fill(1);
    const pending = derive({ password });
    password.fill(9);
    expect(await pending).to.equal(RFC_9106_TAG);
    expect(password.every((byte) => byte === 9)).to.equal(true);
  });

  it('derives 32-byte keys from passphrases for the vault', async () => {
    const kdf = argon2id(wasm);
    const cost = { memoryKiB: 64, passes: 2, parallelism: 2 };
    const key = await kdf(new Uint8Array(9), new Uint8Array(16), cost);
    expect(key).to.deep.equal(
      await deriveArgon2id(
        { password: new Uint8Array(9), salt: new Uint8Array(16), ...cost, tagBytes: 32 },
        wasm,
      ),
    );
  });

  for (const [name, wrong] of [
    ['memoryKiB', { memoryKiB: 31 }],
    ['memoryKiB', { memoryKiB: 1_048_577 }],
    ['memoryKiB', { memoryKiB: 32.5 }],
    ['passes', { passes: 0 }],
    ['passes', { passes: 17 }],
    ['parallelism', { parallelism: 0 }],
    ['parallelism', { parallelism: 17, memoryKiB: 1024 }],
    ['tagBytes', { tagBytes: 3 }],
    ['tagBytes', { tagBytes: 1025 }],
    ['salt', { salt: new Uint8Array(7) }],
    ['password', { password: 'secret' as never }],
    ['secret', { secret: [1, 2] as never }],
    ['associatedData', { associatedData: 'x' as never }],
  ] as const) {
    it(`refuses ${name} of ${JSON.stringify(wrong)} before any work`, async () => {
      const untouched = { simd: unexpected, noSimd: unexpected };
      const error = await deriveArgon2id({ ...RFC_9106, ...wrong }, untouched).then(
        () => undefined,
        (reason: unknown) => reason as Error,
      );
      expect(error?.name).to.match(/^(TypeError|RangeError)$/);
      expect(error?.message).to.match(new RegExp(`^${name} must`));
    });
  }
});

function unexpected(): never {
  throw new Error('work was begun');
}

/** The Argon2id vectors within our limits (p ≤ 16, tags of 4 … 64 bytes). */
function botan(text: string): Fields[] {
  return parseRsp(text).filter(
    (v) =>
      v['section'] === 'Argon2id' &&
      'output' in v &&
      Number(v['p']) <= 16 &&
      Number(v['t']) <= 16 &&
      v['output'].length <= 128 &&
      v['salt']!.length >= 16,
  );
}
