import { expect } from 'chai';
import { inspect } from 'node:util';
import type { VaultDeps } from '../../../src/keys/vault/vault.ts';
import { inDepth } from '../../support/depth.ts';
import { Faults, FAULTS } from '../../support/stores/faults.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { filledWorld, PASSPHRASE, TestBrowser } from '../world.ts';

const MARKER = 'planted-marker-of-a-secret';

/** Every way in which a log could print an error. */
function printed(error: unknown): string {
  const { message, stack, cause } = error as Error;
  return [String(error), message, stack, JSON.stringify(error), inspect(error, { depth: 9 }), cause]
    .map(String)
    .join('\n');
}

/** Random bytes that are easy to find again. */
class MarkedRandom {
  readonly draw: Uint8Array[] = [];

  bytes(length: number): Uint8Array<ArrayBuffer> {
    const bytes = systemRandom.bytes(length);
    this.draw.push(bytes.slice());
    return bytes;
  }
}

describe('keys: secrets', () => {
  it('are in no error, whatever fails', async () => {
    const errors: unknown[] = [];
    const keep = (work: Promise<unknown>) => work.catch((error: unknown) => errors.push(error));
    const random = new MarkedRandom();
    const act = async (
      world: TestBrowser,
      parts: Pick<VaultDeps, 'primary' | 'copy' | 'session'>,
    ) => {
      const vault = world.vault({ random, ...parts });
      await keep(vault.create(MARKER));
      await keep(vault.unlock(`${MARKER} but wrong`));
      await keep(vault.unlock(`${MARKER}\u0000`));
      await keep(vault.create(`${MARKER}\u0000`));
      await keep(vault.create(''));
      await keep(vault.read(MARKER));
      const value = { [MARKER]: MARKER };
      await keep(vault.commit((draft) => draft.put({ id: MARKER, type: MARKER, value })));
      const bad = { id: MARKER, type: MARKER, value: { [MARKER]: undefined } } as never;
      await keep(vault.commit((draft) => draft.put(bad)));
      const keys = world.keyRing(vault);
      await keep(keys.createSealingKey(MARKER));
      await keep((async () => keys.sealingMaterial('app', MARKER))());
      await keep(keys.relabel(MARKER, MARKER));
      await keep((async () => keys.pairwiseId(MARKER, MARKER))());
    };
    for (const fault of FAULTS.filter((name) => !name.startsWith('die'))) {
      for (let at = 1; at < 60; at += inDepth(3, 9)) {
        const world = new TestBrowser();
        const faults = new Faults(fault, at);
        await act(world, {
          primary: faults.store(world.primary, true),
          copy: faults.store(world.copy, false),
          session: faults.session(world.session),
        });
      }
    }
    expect(errors.length).to.be.greaterThan(inDepth(500, 150));
    const secrets = random.draw
      .filter((bytes) => bytes.length === 32)
      .flatMap((bytes) =>
        ['hex', 'base64url'].map((to) => Buffer.from(bytes).toString(to as 'hex')),
      );
    // Most are equal: the text of a call that was refused.
    for (const text of new Set(errors.map(printed))) {
      expect(text).not.to.contain(MARKER);
      for (const secret of secrets) expect(text.includes(secret)).to.equal(false);
    }
  });

  it('are wiped where they were copied: passphrase bytes and vault key', async () => {
    const world = new TestBrowser();
    const seen: Uint8Array[] = [];
    const vault = world.vault({
      derive: (passphrase) => {
        seen.push(passphrase);
        return Promise.resolve(new Uint8Array(32).fill(passphrase.length));
      },
    });
    await vault.create(PASSPHRASE);
    await vault.unlock(PASSPHRASE);
    await vault.unlock('x').catch(() => undefined);
    expect(seen).to.have.lengthOf(3);
    for (const bytes of seen) expect(bytes.every((byte) => byte === 0)).to.equal(true);
  });

  it('are in no store: neither the vault key nor a record, in any text form', async () => {
    const { world, vault } = await filledWorld();
    const keys = world.keyRing(vault);
    const { ref } = await keys.createSealingKey(MARKER);
    const material = await keys.sealingMaterial(ref, 'https://origin.example');
    const session = JSON.parse(world.session.values.get('vault/key')!) as { key: string };
    const vaultKey = Buffer.from(session.key, 'base64url');
    const secrets = [
      vaultKey,
      Buffer.from(material.key),
      Buffer.from(PASSPHRASE),
      Buffer.from(MARKER),
    ];
    for (const store of [world.primary, world.copy]) {
      for (const [name, bytes] of store.values) {
        const stored = Buffer.concat([Buffer.from(name), bytes]);
        for (const secret of secrets) {
          for (const form of ['latin1', 'hex', 'base64', 'base64url'] as const) {
            expect(stored.includes(secret.toString(form), 0, 'latin1')).to.equal(false);
          }
        }
        expect(stored.includes('origin.example')).to.equal(false);
      }
    }
  });
});
