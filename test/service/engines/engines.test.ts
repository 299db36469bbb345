import { expect } from 'chai';
import { ENGINE_NAMES } from '../../../src/engine/contract.ts';
import { MessageCrypto } from '../../../src/engine/message-crypto.ts';
import type { MessagePrimitives } from '../../../src/engine/message-primitives.ts';
import { sharedModules } from '../../../src/engine/wasm/shared-modules.ts';
import { wasmCrypto } from '../../../src/engine/wasm/wasm-crypto.ts';
import { Engines } from '../../../src/service/engines/engines.ts';
import { MemorySession } from '../../support/stores/memory-store.ts';
import { loadWasm } from '../../support/wasm.ts';

const gone = new Error('no module');

describe('The engines of the background', () => {
  let session: MemorySession;
  let notes: MemorySession;
  let loads: number;

  beforeEach(() => {
    [session, notes, loads] = [new MemorySession(), new MemorySession(), 0];
  });

  /** Those of a fresh worker, of this version of the extension. */
  const wake = (
    version = '1.0.0',
    load = (): Promise<MessagePrimitives> => Promise.reject(gone),
  ) => {
    const messageCrypto = new MessageCrypto(() => {
      loads += 1;
      return load();
    });
    return new Engines({ messageCrypto, session, notes, version });
  };

  it('are named in the order of preference', async () => {
    expect(await wake().names()).to.deep.equal(['native', 'js']);
    session = new MemorySession();
    const names = await wake('1.0.0', () => wasmCrypto(sharedModules(loadWasm))).names();
    expect(names).to.deep.equal(['native', 'wasm-simd', 'js']);
    expect(names).to.deep.equal(ENGINE_NAMES.filter((name) => names.includes(name)));
  });

  it('are not asked again by each worker that wakes', async () => {
    const first = await wake().names();
    expect(await wake().names()).to.deep.equal(first);
    expect(loads).to.equal(1);
  });

  describe('on a graphics card', () => {
    const FASTER = [{ algorithm: 'AES-CTR', engine: 'webgpu', fromBytes: 1 << 20 }];

    it('are for long messages, where the user has switched the card on and it was measured to be faster', async () => {
      const engines = wake();
      expect(await engines.cardFor(1 << 24)).to.equal(undefined);
      await engines.keepThresholds(FASTER);
      expect(await engines.cardFor(1 << 24)).to.equal(undefined);
      await engines.switchCard(true);
      expect(await engines.cardFor(1 << 20)).to.deep.equal(FASTER);
      expect(await engines.cardFor((1 << 20) - 1)).to.equal(undefined);
      expect(await wake().cardFor(1 << 20)).to.deep.equal(FASTER);
      expect(await wake('1.0.1').cardFor(1 << 20), 'after an update').to.equal(undefined);
      await engines.switchCard(false);
      expect(await engines.cardFor(1 << 20)).to.equal(undefined);
    });

    it('are not used where the card is never faster', async () => {
      const engines = wake();
      await engines.switchCard(true);
      await engines.keepThresholds([{ ...FASTER[0]!, fromBytes: Number.MAX_SAFE_INTEGER }]);
      expect(await engines.cardFor(1 << 30)).to.equal(undefined);
      expect(await engines.card()).to.deep.equal({ on: true, fasterFrom: [] });
    });
  });
});
