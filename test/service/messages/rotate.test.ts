import { expect } from 'chai';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { codeOf } from '../../support/outcomes.ts';

const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const PLAINTEXT = new TextEncoder().encode('The quick brown fox');
const ALL: ('seal' | 'open' | 'mac' | 'blindIndex')[] = ['seal', 'open', 'mac', 'blindIndex'];
const SEALING = { kind: 'sealing' } as const;
const headerKeyId = (sealed: Uint8Array) => Buffer.from(sealed.subarray(8, 24)).toString('hex');

describe('Rotating an app key', () => {
  let world: World;
  let keyId: string;

  beforeEach(async () => {
    world = await World.unlocked();
    keyId = (await world.connect({ capabilities: ALL }))[0]!.keyId;
  });

  it('opens no prompt; what was made before still opens, verifies and matches', async () => {
    const data = { data: PLAINTEXT };
    const value = { value: PLAINTEXT, field: 'f' };
    const sealed = await world.call('seal', { plaintext: PLAINTEXT });
    const tag = await world.call('mac', data);
    const index = await world.call('blindIndex', value);
    const shown = world.prompter.shown.length;
    const [before] = await world.call('keys', {});
    const rotated = await world.call('rotateKey', { keyId });
    const { headerKeyId: newest } = rotated;
    expect(rotated).to.deep.equal({ ...before, generation: 2, headerKeyId: newest });
    expect(newest).to.be.a('string').and.not.equal(before!.headerKeyId);
    expect(world.prompter.shown).to.have.length(shown);
    world.restart();
    const newer = await world.call('seal', { plaintext: PLAINTEXT });
    expect(headerKeyId(newer)).to.not.equal(headerKeyId(sealed));
    for (const message of [sealed, newer]) {
      expect(await world.call('open', { sealed: message })).to.deep.equal(PLAINTEXT);
    }
    const newTag = await world.call('mac', data);
    expect(newTag).to.not.deep.equal(tag);
    for (const each of [tag, newTag]) {
      expect(await world.call('verifyMac', { ...data, tag: each })).to.equal(true);
    }
    expect(await world.call('blindIndex', value)).to.deep.equal(index);
    const second = await world.call('blindIndex', { ...value, generation: 2 });
    expect(second).to.not.deep.equal(index);
  });

  it('is done once, however often the call is repeated', async () => {
    const first = await world.call('rotateKey', { keyId }, A, 'again');
    world.restart();
    expect(await world.call('rotateKey', { keyId }, A, 'again')).to.deep.equal(first);
    expect(await world.call('keys', {})).to.deep.equal([first]);
    expect((await world.call('rotateKey', { keyId })).generation).to.equal(3);
    // Even a late replay tells what its own call came to.
    expect(await world.call('rotateKey', { keyId }, A, 'again')).to.deep.equal(first);
  });

  it('concerns this origin alone', async () => {
    await world.connect({}, B);
    await world.call('rotateKey', { keyId });
    expect((await world.call('keys', {}, B))[0]!.generation).to.equal(1);
  });

  it('needs a live grant on the key, and no foreign name of it', async () => {
    await world.connect({}, B);
    expect(await codeOf(world.call('rotateKey', { keyId }, B))).to.equal('NOT_GRANTED');
    expect(await codeOf(world.call('rotateKey', { keyId: 'unknown' }))).to.equal('NOT_GRANTED');
    await world.call('revoke', {});
    expect(await codeOf(world.call('rotateKey', { keyId }))).to.equal('NOT_GRANTED');
    await world.surface('ui.lock', {});
    expect(await codeOf(world.call('rotateKey', { keyId }))).to.equal('LOCKED');
  });
});

describe('Rotating a key that the user picked', () => {
  let world: World;
  let keyId: string;
  let ref: string;

  beforeEach(async () => {
    world = await World.unlocked();
    const [grant] = await world.connect({ key: SEALING }, A, { newKeyLabel: 'Letters' });
    keyId = grant!.keyId;
    ref = (await world.surface('ui.keys', {})).at(-1)!.ref;
  });

  async function asked(id: string) {
    const { answer } = world.begin('rotateKey', { keyId }, A, id);
    await settled();
    return { answer, promptId: world.prompter.shown.at(-1)! };
  }

  it('asks the user, who sees which key it is; all who use it get the new one', async () => {
    const [theirs] = await world.connect({ key: SEALING }, B, { ref });
    const old = await world.call('seal', { plaintext: PLAINTEXT, key: theirs!.keyId }, B);
    const { answer, promptId } = await asked('1');
    const question = await world.surface('ui.prompt', { promptId });
    const key = { kind: 'sealing', label: 'Letters' };
    expect(question).to.deep.include({ rotates: true, key, keys: [], capabilities: [] });
    await world.surface('ui.answerPrompt', { promptId, allow: true });
    expect(await answer).to.include({ id: keyId, generation: 2 });
    const newer = await world.call('seal', { plaintext: PLAINTEXT, key: theirs!.keyId }, B);
    expect(headerKeyId(newer)).to.not.equal(headerKeyId(old));
    expect(await world.call('open', { sealed: old }, B)).to.deep.equal(PLAINTEXT);
    expect(await world.call('grants', {})).to.have.length(1);
  });

  it('rotates once for a question, however often asked and answered', async () => {
    const first = await asked('1');
    const second = await asked('2');
    expect(second.promptId).to.equal(first.promptId);
    const yes = { promptId: first.promptId, allow: true };
    await Promise.all([1, 2].map(() => world.surface('ui.answerPrompt', yes)));
    expect(await first.answer).to.include({ generation: 2 });
    expect(await second.answer).to.include({ generation: 2 });
    world.restart();
    expect(await world.call('rotateKey', { keyId }, A, '1')).to.include({ generation: 2 });
    expect((await world.surface('ui.keys', {})).at(-1)).to.include({ generation: 2 });
  });

  it('leaves the key as it is when the user says no', async () => {
    const { answer, promptId } = await asked('1');
    await world.surface('ui.answerPrompt', { promptId, allow: false });
    expect(await codeOf(answer)).to.equal('USER_REJECTED');
    expect((await world.surface('ui.keys', {})).at(-1)).to.include({ generation: 1 });
  });
});
