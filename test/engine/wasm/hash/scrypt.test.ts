import { expect } from 'chai';
import { restore, stub } from 'sinon';
import { toHex, utf8 } from '../../../../src/crypto/bytes.ts';
import { EngineError } from '../../../../src/engine/contract.ts';
import { loadScrypt } from '../../../../src/engine/wasm/hash/scrypt.ts';
import { loadSha } from '../../../../src/engine/wasm/hash/sha.ts';
import { describeScryptFunction } from '../../../crypto/kdf/scrypt-suite.ts';
import { loadWasm } from '../../../support/wasm.ts';
import { once } from './hash-suite.ts';

const load = once(async () => loadScrypt(loadWasm, await loadSha(loadWasm)));

describeScryptFunction('scrypt in WebAssembly', load);

describe('scrypt in WebAssembly: memory', () => {
  afterEach(() => restore());

  it('throws EngineError if WebAssembly does not get enough', async () => {
    const scrypt = await load();
    const salt = utf8('salt');
    const steps = scrypt.steps(salt, salt, { N: 2 ** 30, r: 8, p: 1 }, 32);
    expect(() => steps.next()).to.throw(EngineError, 'memory');
  });

  it('gives the same keys in kept memory, in grown memory, and after its release', async () => {
    const scrypt = await load();
    const derive = (N: number): string =>
      toHex(scrypt.derive(utf8('password'), utf8('salt'), { N, r: 8, p: 2 }, 32));
    const first = [16, 4096, 65536, 1024].map(derive);
    scrypt.release();
    expect([1024, 65536, 4096, 16].map(derive)).to.deep.equal([...first].reverse());
  });

  it('leaves nothing of a derivation in its memory, completed or stopped', async () => {
    const memories: WebAssembly.Memory[] = [];
    const { Instance } = WebAssembly;
    stub(WebAssembly, 'Instance').callsFake(function (module: WebAssembly.Module) {
      const instance = new Instance(module);
      memories.push(instance.exports['memory'] as WebAssembly.Memory);
      return instance;
    });
    const scrypt = await loadScrypt(loadWasm, await loadSha(loadWasm));
    const used = (): number[] =>
      memories.map(({ buffer }) => new Uint8Array(buffer).findIndex((byte) => byte !== 0));
    scrypt.derive(utf8('password'), utf8('salt'), { N: 1024, r: 8, p: 2 }, 32);
    expect(used()).to.deep.equal([-1]);
    const steps = scrypt.steps(utf8('password'), utf8('salt'), { N: 16384, r: 8, p: 1 }, 32);
    for (let i = 0; i < 4; i++) steps.next();
    expect(used()[0]).to.be.at.least(0);
    steps.return(new Uint8Array(0));
    expect(used()).to.deep.equal([-1]);
  });
});
