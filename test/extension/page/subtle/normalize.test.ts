import { expect } from 'chai';
import type { Calls } from '../../../../extension/page/connection/calls.ts';
import { normalize } from '../../../../extension/page/subtle/normalize.ts';
import { SealwrightSubtle } from '../../../../extension/page/subtle/subtle.ts';
import { errorName } from '../../../support/page-subtle.ts';

/** An object whose members tell, in a list, that they were read. */
function telling(members: Readonly<Record<string, unknown>>, reads: string[]): object {
  return new Proxy(members, {
    get: (target, name) => {
      reads.push(String(name));
      return target[String(name)];
    },
  });
}

/** Nothing behind it: whatever gets through fails otherwise. */
function pageAlone() {
  const sent: { method: string; params: Record<string, unknown> }[] = [];
  const call = (method: string, params: Record<string, unknown>) => {
    sent.push({ method, params });
    return Promise.resolve({ error: { name: 'DataError', message: 'sent' } });
  };
  const subtle = new SealwrightSubtle({ call } as unknown as Calls) as unknown as SubtleCrypto;
  return { subtle, sent };
}

const GCM = { name: 'AES-GCM', length: 256 };
const generated = (algorithm: object | string, usages: KeyUsage[] = ['encrypt']) => {
  const { subtle, sent } = pageAlone();
  const work = subtle.generateKey(algorithm as AesKeyGenParams, true, usages);
  return errorName(work).then((name) => ({ name, sent }));
};

describe('Algorithms, as a page’s subtle reads them', () => {
  it('are refused at once, without a call to the extension', async () => {
    for (const algorithm of ['MD5', 'AES', '', 'SHA-256', { name: 'RSA' }, 'AES-\u212aW']) {
      const { name, sent } = await generated(algorithm);
      expect([name, sent.length], JSON.stringify(algorithm)).to.deep.equal([
        'NotSupportedError',
        0,
      ]);
    }
    const hmac = { name: 'HMAC', hash: 'MD5' };
    expect(await generated(hmac, ['sign'])).to.deep.equal({ name: 'NotSupportedError', sent: [] });
  });

  it('are named in the error, with the name that may be meant', () => {
    const messageOf = (name: string) => {
      try {
        normalize('digest', { name }, []);
        return 'none';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(messageOf('sha256')).to.equal('There is no algorithm "sha256"; did you mean SHA-256');
    expect(messageOf('AES-GMC')).to.equal('There is no algorithm "AES-GMC"; did you mean AES-GCM');
    expect(messageOf('AES-GCM')).to.equal('AES-GCM has no operation digest');
    expect(messageOf('x'.repeat(99))).to.equal('There is no algorithm of that name');
  });

  it('are named without regard to the case of letters, and travel as the standard writes them', async () => {
    const { sent } = await generated({ name: 'aEs-GcM', length: '128' });
    expect(sent[0]!.params.algorithm).to.deep.equal({ name: 'AES-GCM', length: 128 });
  });

  it('have a name and their own members, read once each in the order of Web IDL, and no others', async () => {
    const reads: string[] = [];
    const members = {
      name: 'RSA-PSS',
      saltLength: 1,
      iv: 1,
      length: 9,
      modulusLength: 2048.9,
      publicExponent: Uint8Array.of(1, 0, 1),
      hash: { name: 'sha-256' },
    };
    const { sent } = await generated(telling(members, reads), ['sign']);
    expect(reads).to.deep.equal(['name', 'modulusLength', 'publicExponent', 'hash']);
    const wire = { modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1), hash: 'SHA-256' };
    expect(sent[0]!.params.algorithm).to.deep.equal({ name: 'RSA-PSS', ...wire });
  });

  it('are refused with a parameter that they do not have, where it would promise something', () => {
    const aad = new Uint8Array(1);
    for (const [operation, algorithm, words] of [
      ['encrypt', { name: 'AES-SIV', iv: aad }, 'iv must be absent'],
      ['deriveBits', { name: 'Argon2id', salt: aad }, 'salt must be absent'],
    ] as const) {
      expect(() => normalize(operation, algorithm, [])).to.throw(TypeError, words);
    }
    expect(normalize('encrypt', { name: 'AES-SIV', iv: undefined }, [])).to.not.have.property('iv');
  });

  it('are read after the arguments, and no further than the first mistake', async () => {
    const reads: string[] = [];
    const algorithm = telling({ name: 'AES-GCM', length: 256 }, reads);
    expect((await generated(algorithm, ['eat' as KeyUsage])).name).to.equal('TypeError');
    expect(reads).to.deep.equal([]);
    const unknown = telling({ name: 'MD5', length: 256 }, reads);
    expect((await generated(unknown)).name).to.equal('NotSupportedError');
    expect(reads).to.deep.equal(['name']);
  });

  it('want numbers that are in range', async () => {
    for (const length of [0, 65535, 65535.9, '7', true, null, [3]]) {
      const { name, sent } = await generated({ ...GCM, length });
      expect([name, sent.length], typeof length).to.deep.equal(['DataError', 1]);
    }
    for (const length of [-1, 65536, NaN, Infinity, 'x', 1n, Symbol('s'), {}, undefined]) {
      const { name, sent } = await generated({ ...GCM, length });
      expect([name, sent.length], typeof length).to.deep.equal(['TypeError', 0]);
    }
  });

  it('copy bytes when all has been converted', async () => {
    const publicExponent = Uint8Array.of(1, 0, 1);
    const algorithm = {
      name: 'RSA-PSS',
      modulusLength: 2048,
      publicExponent,
      get hash() {
        publicExponent[0] = 3;
        return 'SHA-1';
      },
    };
    const { sent } = await generated(algorithm, ['sign']);
    publicExponent[0] = 5;
    expect(sent[0]!.params.algorithm).to.deep.include({ publicExponent: Uint8Array.of(3, 0, 1) });
    const wide = { ...algorithm, publicExponent: new Uint16Array([3]) };
    expect((await generated(wide, ['sign'])).name).to.equal('TypeError');
  });
});
