import { expect } from 'chai';
import { createHmac, createPrivateKey, createPublicKey } from 'node:crypto';
import { fromBase64url } from '../../../src/crypto/bytes.ts';
import { userKeyOf } from '../../../src/keys/ring/user-key.ts';
import { pageCaller } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const SIGNING = { key: { kind: 'signing' }, capabilities: ['sign', 'publicKey'] } as const;
const requested = { key: SIGNING.key, capabilities: [...SIGNING.capabilities] };

/** docs/keys.md by node:crypto alone: one block of HKDF-Expand, and RFC 8410 around the result. */
function expectedText(named: Uint8Array): string {
  const info = Buffer.from('SWM1 sign ed25519\x01', 'latin1');
  const seed = createHmac('sha512', named).update(info).digest().subarray(0, 32);
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  const bytes = Buffer.concat([Buffer.of(0x11), Buffer.from(x!, 'base64url')]);
  return `swp1.${bytes.toString('base64url')}`;
}

async function storedKey(world: World, ref: string): Promise<Uint8Array> {
  const value = userKeyOf((await world.vault.read(ref))!);
  return fromBase64url(value.generations.at(-1)!.key);
}

describe('The public key of a signing key', () => {
  let world: World;
  let keyId: string;
  let ref: string;

  beforeEach(async () => {
    world = await World.unlocked();
    const [grant] = await world.connect(requested, A, { newKeyLabel: 'Signature' });
    ({ keyId } = grant!);
    ({ ref } = (await world.surface('ui.keys', {})).at(-1)!);
  });

  it('is that of Ed25519 under the derived key, for the page and for its owner', async () => {
    const shown = await world.call('publicKey', { keyId });
    expect(shown).to.equal(expectedText(await storedKey(world, ref)));
    expect(await world.surface('ui.publicKey', { ref })).to.deep.equal({ text: shown });
    world.restart();
    expect(await world.call('publicKey', { keyId })).to.equal(shown);
  });

  it('is the same on every origin that may see it, under ids that differ', async () => {
    const [other] = await world.connect(requested, B, { ref });
    expect(other!.keyId).to.not.equal(keyId);
    const there = await world.call('publicKey', { keyId: other!.keyId }, B);
    expect(there).to.equal(await world.call('publicKey', { keyId }));
  });

  it('needs its own permission, takes no use, and is in the log', async () => {
    await world.call('revoke', {});
    expect(await codeOf(world.call('publicKey', { keyId }))).to.equal('NOT_GRANTED');
    await world.connect({ ...requested, capabilities: ['sign'] }, A, { ref });
    expect(await codeOf(world.call('publicKey', { keyId }))).to.equal('NOT_GRANTED');
    await world.connect({ ...requested, capabilities: ['publicKey'], maxUses: 1 }, A, { ref });
    await world.call('publicKey', { keyId });
    await world.call('publicKey', { keyId });
    const [grant] = (await world.call('grants', {})).filter(({ usesLeft }) => usesLeft !== null);
    expect(grant!.usesLeft).to.equal(1);
    const { entries } = await world.surface('ui.activity', { by: 'site', offset: 0, limit: 50 });
    const ours = entries.filter(({ operation }) => operation === 'publicKey');
    expect(ours.map(({ result }) => result)).to.include.members(['ok', 'NOT_GRANTED']);
  });

  it('is of the newest generation', async () => {
    const before = await world.call('publicKey', { keyId });
    await world.vault.commit(async (draft) => {
      const record = (await draft.get(ref))!;
      const value = userKeyOf(record);
      const added = { generation: 2, key: 'A'.repeat(43), created: 1 };
      const generations = [...value.generations, added];
      draft.put({ ...record, value: { ...value, generations } as never });
    });
    const after = await world.call('publicKey', { keyId });
    expect(after).to.not.equal(before);
    expect(after).to.equal(expectedText(new Uint8Array(32)));
  });

  it('is nothing that a sealing key or an unknown one has', async () => {
    const sealing = await world.surface('ui.createKey', { label: 'Notes' });
    for (const wrong of [sealing.ref, 'app', 'unknown', '']) {
      const shown = world.surface('ui.publicKey', { ref: wrong });
      expect(await codeOf(shown), wrong).to.equal('INVALID_ARGUMENT');
    }
    expect(await codeOf(world.call('publicKey', { keyId: 'unknown' }))).to.equal('NOT_GRANTED');
    await world.connect();
    const [app] = (await world.call('keys', {})).filter(({ kind }) => kind === 'app');
    expect(await codeOf(world.call('publicKey', { keyId: app!.id }))).to.equal('NOT_GRANTED');
  });
});

describe('A prompt for a signing key', () => {
  it('offers signing keys alone, and makes one under the name that is given', async () => {
    const world = await World.unlocked();
    await world.surface('ui.createKey', { label: 'Notes' });
    const mine = await world.surface('ui.createKey', { kind: 'signing', label: 'Mine' });
    expect(mine).to.include({ kind: 'signing', algorithm: 'Ed25519' });
    const asking = world.call('connect', { purpose: 'Log in', ...requested });
    await new Promise(setImmediate);
    while (world.prompter.shown.length === 0) await new Promise(setImmediate);
    const promptId = world.prompter.shown[0]!;
    const prompt = await world.surface('ui.prompt', { promptId });
    expect(prompt.keys.map(({ label }) => label)).to.deep.equal(['Mine']);
    expect(prompt.key).to.deep.equal({ kind: 'signing' });
    await world.surface('ui.answerPrompt', { promptId, allow: true, newKeyLabel: 'New' });
    const [granted] = await asking;
    const [key] = await world.call('keys', {});
    expect(key).to.include({ id: granted!.keyId, kind: 'signing', label: 'New', generation: 1 });
  });

  it('is no answer to a request for a sealing key', async () => {
    const world = await World.unlocked();
    await world.connect(requested, A, { newKeyLabel: 'Mine' });
    const shown = world.prompter.shown.length;
    await world.connect({ key: { kind: 'sealing' } }, A, { newKeyLabel: 'Notes' });
    expect(world.prompter.shown).to.have.length(shown + 1);
    await world.connect(requested, A);
    expect(world.prompter.shown).to.have.length(shown + 1);
  });

  it('never gives a signing key to what seals', async () => {
    const world = await World.unlocked();
    const [grant] = await world.connect(requested, A, { newKeyLabel: 'Mine' });
    const plaintext = new Uint8Array(3);
    for (const method of ['seal', 'mac'] as const) {
      const params = method === 'seal' ? { plaintext } : { data: plaintext };
      const call = world.begin(method, { ...params, key: grant!.keyId }, A).answer;
      expect(await codeOf(call)).to.equal('NOT_GRANTED');
    }
  });
});
