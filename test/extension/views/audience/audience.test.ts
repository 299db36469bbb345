import { expect } from 'chai';
import {
  audienceProblem,
  takesOwnKey,
  toggled,
  type Audience,
} from '../../../../extension/views/audience/audience.ts';
import { sealingKeys } from '../../../../extension/ui/components/sealing-key.tsx';
import { signingKeys } from '../../../../extension/views/audience/signing-choice.tsx';
import { appKey, photos } from '../../ui/harness/fake-ui-client.ts';

const people = (count: number, meToo: boolean): Audience => ({
  who: 'people',
  ref: 'k1',
  meToo,
  contacts: Array.from({ length: count }, (_, i) => `c${i}`),
  groups: [],
  signs: false,
  signer: '',
});

describe('the audience of a text', () => {
  it('has at least one recipient and at most 15', () => {
    expect(audienceProblem({ ...people(0, true), who: 'me' })).to.equal(undefined);
    expect(audienceProblem({ ...people(0, true), who: 'words' })).to.equal(undefined);
    expect(audienceProblem(people(0, true))).to.equal('sealPeopleMissing');
    expect(audienceProblem(people(1, false))).to.equal(undefined);
    expect(audienceProblem(people(15, false))).to.equal(undefined);
    expect(audienceProblem(people(14, true))).to.equal(undefined);
    expect(audienceProblem(people(15, true))).to.equal('sealPeopleTooMany');
    expect(audienceProblem(people(16, false))).to.equal('sealPeopleTooMany');
    const groups = ['g1'];
    expect(audienceProblem({ ...people(0, true), groups })).to.equal(undefined);
    expect(audienceProblem({ ...people(15, false), groups })).to.equal('sealPeopleTooMany');
  });

  it('includes a key of the user if the user can open it', () => {
    expect(takesOwnKey({ ...people(1, false), who: 'me' })).to.equal(true);
    expect(takesOwnKey(people(1, true))).to.equal(true);
    expect(takesOwnKey(people(1, false))).to.equal(false);
    expect(takesOwnKey({ ...people(1, true), who: 'words' })).to.equal(false);
  });

  it('offers keys for signatures of messages: of Ed25519, own, not archived, those of no site first', () => {
    const signing = { ...photos, kind: 'signing' as const, algorithm: 'Ed25519', sites: 0 };
    const ofSite = { ...signing, ref: 'k2', sites: 1 };
    const others = [
      { ...signing, algorithm: 'RSA-PSS' },
      { ...signing, archived: 1 },
      { ...signing, guest: true },
      photos,
    ];
    expect(signingKeys([ofSite, ...others, signing])).to.deep.equal([signing, ofSite]);
  });

  it('offers sealing keys that are not archived', () => {
    const [sharing, archived] = [{ kind: 'sharing' as const }, { archived: 1 }];
    const keys = [appKey, photos, { ...photos, ...sharing }, { ...photos, ...archived }];
    expect(sealingKeys(keys)).to.deep.equal([photos]);
  });

  it('adds a contact that was not chosen and removes one that was', () => {
    expect(toggled(['a', 'b'], 'c')).to.deep.equal(['a', 'b', 'c']);
    expect(toggled(['a', 'b'], 'a')).to.deep.equal(['b']);
  });
});
