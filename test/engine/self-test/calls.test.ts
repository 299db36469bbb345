import { pbkdf2Sync, scryptSync } from 'node:crypto';
import { expect } from 'chai';
import { defaultRegistry } from '../../../src/engine/default-engines.ts';
import type { EngineName } from '../../../src/engine/contract.ts';
import { CALLS, type FixedCall } from '../../../src/engine/self-test/calls.ts';
import { keyOf, messageOf } from '../../../src/engine/self-test/tasks.ts';
import { loadWasm } from '../../support/wasm.ts';

const registry = defaultRegistry({ loadWasm });
const ENGINES = ['native', 'wasm-simd', 'js'] as const;

async function resultIn(engine: EngineName, call: FixedCall): Promise<Uint8Array | undefined> {
  const run = await call.prepare(registry.algorithmsOf(engine));
  return run?.();
}

const named = (name: string): FixedCall => CALLS.find((call) => call.name === name)!;

describe('the calls of a fixed size that the self-test times', () => {
  before(() => registry.ready());

  it('have names of their own within an operation', () => {
    const names = CALLS.map(({ operation, name }) => `${operation} ${name}`);
    expect(new Set(names).size).to.equal(names.length);
  });

  for (const call of CALLS) {
    it(`${call.operation} ${call.name}: js has it, and all engines that have it agree`, async () => {
      const results = await Promise.all(ENGINES.map((engine) => resultIn(engine, call)));
      const [first, ...others] = results.filter((result) => result !== undefined);
      expect(results[2], 'js').to.not.equal(undefined);
      for (const other of others) expect(other).to.deep.equal(first);
      if (call.operation === 'decrypt') expect(first).to.deep.equal(messageOf(call.bytes));
    });
  }

  it('derive what the platform derives', async () => {
    const [secret, salt] = [keyOf(16), new Uint8Array(16)];
    expect(await resultIn('js', named('PBKDF2, SHA-256, c = 1000'))).to.deep.equal(
      Uint8Array.from(pbkdf2Sync(secret, salt, 1000, 32, 'sha256')),
    );
    expect(await resultIn('js', named('scrypt, N = 1024, r = 8, p = 1'))).to.deep.equal(
      Uint8Array.from(scryptSync(secret, salt, 32, { N: 1024, r: 8, p: 1 })),
    );
  });
});
