import { expect } from 'chai';
import sinon from 'sinon';
import { sealedCollection } from '../../../src/client/adapters/collection.ts';
import {
  kintoTransformer,
  gatheredUp,
  laidOut,
  type KintoRecord,
  type KintoTransformer,
} from '../../../src/client/adapters/kinto.ts';
import { quarantineOf, type Quarantined } from '../../../src/client/adapters/quarantine.ts';
import { FakeProvider } from '../fake-provider.ts';
import { errorOf } from '../../support/outcomes.ts';

const NOTE: KintoRecord = { id: 'n1', _status: 'created', text: 'Meet me at nine', tags: ['a'] };

describe('kintoTransformer', () => {
  let provider: FakeProvider;
  let transformer: KintoTransformer;
  const onQuarantine = sinon.spy();
  /** A record as a server returns it. */
  const stored = async (record: KintoRecord, last_modified = 1000): Promise<KintoRecord> => {
    const { _status, ...plain } = record;
    expect(_status).to.not.equal('deleted');
    return { ...(await transformer.encode({ ...plain, id: record.id })), last_modified };
  };

  beforeEach(() => {
    provider = new FakeProvider();
    onQuarantine.resetHistory();
    transformer = kintoTransformer(sealedCollection(provider.api, 'notes'), { onQuarantine });
  });

  it('leaves only the members that Kinto needs unsealed', async () => {
    const sealed = await transformer.encode({ ...NOTE, last_modified: 7 });
    expect(sealed).to.have.all.keys('id', '_status', 'last_modified', 'payload');
    expect(sealed).to.include({ id: 'n1', _status: 'created', last_modified: 7 });
    expect(JSON.stringify(sealed)).to.not.include('Meet');
  });

  it('returns the record with the server’s times', async () => {
    const record = await transformer.decode(await stored(NOTE));
    expect(record).to.deep.equal({
      id: 'n1',
      text: 'Meet me at nine',
      tags: ['a'],
      last_modified: 1000,
    });
  });

  it('does not take sealed members for Kinto’s own', async () => {
    const collection = sealedCollection(provider.api, 'notes');
    const payload = { id: 'other', last_modified: 9, _status: 'deleted', deleted: true, text: 'x' };
    const sealed = await collection.seal({ id: 'n1', payload });
    const record = await transformer.decode({ ...sealed, last_modified: 1 });
    expect(record).to.deep.equal({ id: 'n1', text: 'x', last_modified: 1 });
  });

  it('sends deletions without the record’s content', async () => {
    const deleted = await transformer.encode({ ...NOTE, _status: 'deleted', last_modified: 7 });
    expect(deleted).to.deep.equal({ id: 'n1', _status: 'deleted', last_modified: 7 });
    const vaultMarker = { id: 'n1', deleted: true, last_modified: 8 };
    expect(await transformer.decode(vaultMarker)).to.deep.equal(vaultMarker);
    const talking = { ...vaultMarker, text: 'not sealed' };
    expect(await transformer.decode(talking)).to.deep.equal(vaultMarker);
    // In a conflict kinto.js decodes this in place of its own record, which it does not have any more.
    expect(await transformer.decode({ id: 'n1' })).to.deep.equal({ id: 'n1' });
    expect(onQuarantine.called).to.equal(false);
  });

  it('has a deletion announced before it is sent, by a collection with heads', async () => {
    const deleting = sinon.stub().resolves();
    const withHeads = { ...sealedCollection(provider.api, 'notes'), deleting };
    await kintoTransformer(withHeads).encode(NOTE);
    expect(deleting.called).to.equal(false);
    await kintoTransformer(withHeads).encode({ ...NOTE, _status: 'deleted' });
    expect(deleting.args).to.deep.equal([['n1']]);
    deleting.rejects(new Error('offline'));
    const unsent = kintoTransformer(withHeads).encode({ ...NOTE, _status: 'deleted' });
    expect(await errorOf(unsent)).to.have.property('message', 'offline');
  });

  it('quarantines a record whose content the server took away', async () => {
    await transformer.encode(NOTE);
    for (const emptied of [
      { id: 'n1', last_modified: 9 },
      { id: 'n1' },
      { id: 'n1', last_modified: 9, deleted: false },
    ]) {
      const found = await transformer.decode(emptied);
      expect(quarantineOf(found)).to.deep.equal({ code: 'NOT_SEALED', sealed: emptied });
    }
    expect(onQuarantine.callCount).to.equal(3);
    await transformer.encode({ ...NOTE, _status: 'deleted' });
    await transformer.encode(NOTE);
    expect(quarantineOf(await transformer.decode({ id: 'n1' })), 'made again').to.not.equal(
      undefined,
    );
  });

  it('refuses a version that is older than the one that was seen', async () => {
    const newest = new Map<string, number>();
    const device = kintoTransformer(sealedCollection(provider.api, 'notes'), { newest });
    const first = await stored(NOTE);
    const second = await stored({ ...NOTE, last_modified: 1000, text: 'two' }, 2000);
    const third = await stored({ ...NOTE, last_modified: 2000, text: 'three' }, 3000);
    for (const record of [first, second, third, third]) {
      expect(quarantineOf(await device.decode(record))).to.equal(undefined);
    }
    expect([...newest]).to.deep.equal([['n1', 2000]]);
    for (const old of [first, second]) {
      const again = await device.decode({ ...old, last_modified: 4000 });
      expect(quarantineOf(again)).to.have.property('code', 'AUTH_FAILED');
      expect(quarantineOf(await transformer.decode(old)), 'without the option').to.equal(undefined);
    }
  });

  it('does not seal local fields', async () => {
    const collection = sealedCollection(provider.api, 'notes');
    const withLocal = kintoTransformer(collection, { localFields: ['open'] });
    const sealed = await withLocal.encode({ ...NOTE, open: true });
    const back = await withLocal.decode(sealed);
    expect(back).to.not.have.property('open');
    expect(back).to.have.property('text');
  });

  it('opens a pull in one call, in order, and quarantines records that do not open', async () => {
    const records = Array.from({ length: 50 }, (_, i) => ({ id: `n${i}`, text: `note ${i}` }));
    const server = await Promise.all(records.map((record) => stored(record)));
    const swapped = { ...server[7]!, payload: server[8]!['payload'] };
    const plain = { id: 'n9', text: 'not sealed', last_modified: 1 };
    const pull = server.with(7, swapped).with(9, plain);
    provider.calls.length = 0;
    const pulled = await Promise.all(pull.map((record) => transformer.decode(record)));
    expect(pulled.map(({ id }) => id)).to.deep.equal(records.map(({ id }) => id));
    // The record that is not sealed is not sent.
    expect(provider.calls).to.deep.equal([49]);
    const bad = pulled.flatMap((record, i) => (quarantineOf(record) ? [i] : []));
    expect(bad).to.deep.equal([7, 9]);
    expect(quarantineOf(pulled[7]!)).to.deep.equal({ code: 'AUTH_FAILED', sealed: swapped });
    expect(quarantineOf(pulled[9]!)).to.deep.equal({ code: 'NOT_SEALED', sealed: plain });
    expect(onQuarantine.args.map(([id]) => id as string).sort()).to.deep.equal(['n7', 'n9']);
  });

  it('ends the pull if the vault is locked, without a quarantine', async () => {
    const record = await stored(NOTE);
    provider.locked = true;
    expect(await errorOf(transformer.decode(record))).to.include({ code: 'LOCKED' });
    expect(await errorOf(transformer.encode(NOTE))).to.include({ code: 'LOCKED' });
    expect(onQuarantine.called).to.equal(false);
  });

  it('ends the pull if keys must be loaded first', async () => {
    const record = await stored(NOTE);
    provider.refused.set('n1', 'NEEDS_KEY');
    expect(await errorOf(transformer.decode(record))).to.include({ code: 'NEEDS_KEY' });
    expect(onQuarantine.called).to.equal(false);
  });

  describe('with a record in quarantine', () => {
    let server: KintoRecord;
    let quarantined: KintoRecord;

    beforeEach(async () => {
      server = { ...(await stored(NOTE)), id: 'n2' };
      quarantined = await transformer.decode(server);
      expect(quarantineOf(quarantined)).to.have.property('code', 'AUTH_FAILED');
    });

    it('sends it back unchanged if it was not edited', async () => {
      const pushed = await transformer.encode({ ...quarantined, _status: 'created' });
      expect(pushed).to.deep.equal({ ...server, _status: 'created' });
    });

    for (const [what, sealed] of Object.entries({
      'clear text': { id: 'n2', text: 'Meet me', secret: 'in clear' },
      'clear text as a payload': { id: 'n2', payload: 'Meet me at nine' },
      'clear text as members of version 5': { id: 'n2', ciphertext: 'Meet', IV: 'me', hmac: 'at' },
      'a payload that begins as a token': { id: 'n2', content: 'Meet.me.at.nine.', kid: 'clear' },
      'no record': 'Meet me at nine',
      nothing: null,
    })) {
      it(`seals one that an app brought with ${what}`, async () => {
        const foreign = { id: 'n2', sealwrightQuarantine: { code: 'NEEDS_KEY', sealed } };
        const pushed = await transformer.encode(foreign);
        expect(pushed).to.have.all.keys('id', 'payload');
        expect(JSON.stringify(pushed)).to.not.match(/Meet|clear/);
        expect(await transformer.decode(pushed)).to.deep.equal(foreign);
      });
    }

    it('sends nothing beside the sealed payload', async () => {
      const { sealwrightQuarantine, ...others } = quarantined as Quarantined & KintoRecord;
      const sealed = { ...server, secret: 'in clear' };
      const altered = { ...others, sealwrightQuarantine: { ...sealwrightQuarantine, sealed } };
      expect(await transformer.encode(altered)).to.deep.equal(server);
    });

    it('seals an edit together with the quarantine', async () => {
      const edited = { ...quarantined, _status: 'updated', text: 'new words' };
      const back = await transformer.decode(await transformer.encode(edited));
      expect(back).to.include({ text: 'new words' });
      expect(quarantineOf(back)).to.deep.equal(quarantineOf(quarantined));
    });

    it('drops it after a later version has opened', async () => {
      const later = await transformer.decode(await stored({ id: 'n2', text: 'good' }, 2000));
      // The result of kinto.js's merge.
      const merged = { ...quarantined, ...later, _status: 'updated' };
      expect(quarantineOf(merged)).to.not.equal(undefined);
      const back = await transformer.decode(await transformer.encode(merged));
      expect(back).to.deep.equal({ ...later, _status: 'updated' });
    });

    it('opens the quarantined record as soon as it can be opened', async () => {
      const { sealed } = quarantineOf(quarantined)!;
      const mended = { ...(sealed as KintoRecord), id: 'n1' };
      expect(await transformer.decode(mended)).to.include({ text: 'Meet me at nine' });
    });
  });
});

describe('the payload’s place in Kinto records', () => {
  it('is Firefox’s members for version 5 and Kinto', () => {
    const payload = '{"ciphertext":"yX7Y","IV":"KdrO","hmac":"7b9e"}';
    expect(laidOut(payload)).to.deep.equal({ ciphertext: 'yX7Y', IV: 'KdrO', hmac: '7b9e' });
    expect(gatheredUp({ id: 'a', ...laidOut(payload), _status: 'created' })).to.equal(payload);
  });

  it('is content with the key id for a JWE of Firefox Notes', () => {
    const header = Buffer.from('{"alg":"A256KW","kid":"1526414944666-zgTjf5"}').toString(
      'base64url',
    );
    const jwe = `${header}.a.b.c.d`;
    expect(laidOut(jwe)).to.deep.equal({ content: jwe, kid: '1526414944666-zgTjf5' });
    expect(gatheredUp({ id: 'a', ...laidOut(jwe) })).to.equal(jwe);
  });

  it('is payload for all other formats', () => {
    expect(laidOut('9VNXTQE')).to.deep.equal({ payload: '9VNXTQE' });
    expect(gatheredUp({ id: 'a', payload: '9VNXTQE' })).to.equal('9VNXTQE');
    expect(() => gatheredUp({ id: 'a', text: 'x' })).to.throw('not sealed');
    expect(() => gatheredUp({ id: 'a', payload: 7 })).to.throw('not sealed');
  });
});
