import { expect } from 'chai';
import { MODULES } from '../../scripts/make-wasm.ts';
import { AesModule } from '../../src/engine/wasm/aes/aes.ts';
import { WasmAesKey } from '../../src/engine/wasm/aes/block-cipher.ts';
import type { AesFunctions } from '../../src/engine/wasm/aes/aes.ts';
import { WasmGcm } from '../../src/engine/wasm/aes/gcm.ts';
import { loadModule } from '../../src/engine/wasm/loader.ts';
import { enableRelaxedSimd, loadWasm } from '../support/wasm.ts';
import { problemsOf, proveModule } from './prove.ts';
import { PROVED } from './tables.ts';

enableRelaxedSimd();

describe('no secret reaches an address, a branch, a division or a call', () => {
  it('in one of two modules that differ in who makes their memory alone', () => {
    const [own, shared] = ['argon2', 'argon2.shared'].map((name) => MODULES[name]!().split('\n'));
    const others = shared!.filter((line, i) => line !== own![i]);
    expect(others).to.deep.equal(['(import "env" "memory" (memory 1 65536 shared))']);
    expect(shared).to.have.lengthOf(own!.length);
  });

  for (const module of PROVED) {
    it(`in any function of ${module}`, async () => {
      expect(problemsOf(await proveModule(module))).to.deep.equal([]);
    });
  }
});

describe('the table of exceptions', () => {
  it('lets no other leak pass, and has no entry that does not occur', async () => {
    const report = await proveModule('scrypt');
    const [known] = report.leaks;
    expect(problemsOf({ ...report, leaks: [known!, { ...known!, func: 'fill' }] })).to.deep.equal([
      'scrypt: a secret reaches address in fill',
    ]);
    expect(problemsOf({ ...report, leaks: [] })).to.deep.equal([
      'not so any more: scrypt: a secret reaches address in mix',
    ]);
    const untaken = report.untaken.slice(1);
    expect(problemsOf({ ...report, untaken })).to.have.lengthOf(1);
  });
});

describe('what the proof takes for public, JavaScript keeps public', () => {
  it('counts a secret J_0 of GCM in registers, at every length', async () => {
    const module = await loadModule<AesFunctions>(loadWasm, 'aes');
    const called = new Set<string>();
    const functions = new Proxy(module.functions, {
      get: (target, name): unknown => {
        called.add(String(name));
        return Reflect.get(target, name);
      },
    });
    const gcm = new WasmGcm(
      new WasmAesKey(new AesModule({ ...module, functions }), new Uint8Array(16)),
    );
    const message = new Uint8Array(70_000);
    for (const nonceBytes of [1, 11, 13, 16]) {
      gcm.open(new Uint8Array(nonceBytes), gcm.seal(new Uint8Array(nonceBytes), message));
    }
    expect([...called])
      .to.include('counterFew')
      .and.not.include.members(['counterMany', 'prepareCounter']);
    gcm.seal(new Uint8Array(12), message);
    expect([...called]).to.include('counterMany');
  });
});
