import { expect } from 'chai';
import {
  allowance,
  isComplete,
  NEW_KEY,
  refusal,
  type Choice,
} from '../../../extension/prompt/answer.ts';
import { request } from '../ui/harness/fake-ui-client.ts';

const pick = { ...request, key: { kind: 'sealing' } } as const;
const choice = (part: Partial<Choice> = {}): Choice => ({
  key: null,
  newKeyLabel: '',
  duration: { ms: null, once: false },
  perHour: null,
  ...part,
});

describe('answers of the consent window', () => {
  it('contain no key if the request is for the site’s own key', () => {
    expect(allowance(request, choice({ duration: { ms: 1000, once: false } }))).to.deep.equal({
      promptId: 'p1',
      allow: true,
      expiresInMs: 1000,
    });
  });

  it('allow a single use if that was chosen', () => {
    const answer = allowance(request, choice({ duration: { ms: 1000, once: true } }));
    expect(answer).to.deep.equal({ promptId: 'p1', allow: true, expiresInMs: 1000, maxUses: 1 });
  });

  it('limit what is opened in an hour, if that was chosen', () => {
    const answer = allowance(request, choice({ perHour: 100 }));
    expect(answer).to.deep.equal({
      promptId: 'p1',
      allow: true,
      expiresInMs: null,
      maxPerHour: 100,
    });
  });

  it('contain the chosen key', () => {
    const answer = allowance(pick, choice({ key: 'k1', newKeyLabel: 'not this' }));
    expect(answer).to.deep.equal({ promptId: 'p1', allow: true, expiresInMs: null, ref: 'k1' });
  });

  it('contain the trimmed name of a new key', () => {
    const answer = allowance(pick, choice({ key: NEW_KEY, newKeyLabel: ' Recipes ' }));
    expect(answer).to.include({ newKeyLabel: 'Recipes' }).and.not.have.property('ref');
  });

  it('cannot allow before a key is chosen or named', () => {
    for (const incomplete of [choice(), choice({ key: NEW_KEY, newKeyLabel: '  ' })]) {
      expect(isComplete(pick, incomplete)).to.be.false;
      expect(() => allowance(pick, incomplete)).to.throw('chosen first');
    }
  });

  it('deny without further fields', () => {
    expect(refusal(request)).to.deep.equal({ promptId: 'p1', allow: false });
  });
});
