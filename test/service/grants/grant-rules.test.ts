import { expect } from 'chai';
import fc from 'fast-check';
import { CAPABILITIES } from '../../../src/rpc/key-kinds.ts';
import {
  REMEMBER_SPENT_MS,
  UNUSED_MS,
  charged,
  coveringGrant,
  decide,
  decideAnyKey,
  hasEndedUnused,
  liveGrants,
  mustCharge,
  withGrant,
  type Ask,
  type Grant,
} from '../../../src/service/grants/grant-rules.ts';

const NOW = 1_800_000_000_000;
const SCOPE = { origin: 'https://a.example', topOrigin: 'https://a.example', container: null };

function grant(differences: Partial<Grant> = {}): Grant {
  return {
    id: 'g1',
    scope: SCOPE,
    ref: 'app',
    capabilities: ['seal', 'open'],
    asked: { key: { kind: 'app' }, expiresInMs: null, maxUses: null, maxPerHour: null },
    created: NOW - 1000,
    expiresAt: null,
    usesLeft: null,
    maxPerHour: null,
    opened: [],
    bulk: null,
    lastUsed: null,
    ...differences,
  };
}

const ASK = { scope: SCOPE, ref: 'app', capability: 'seal' } as const;

describe('A decision about a grant', () => {
  const rows: [string, Grant[], 'allowed' | 'NOT_GRANTED' | 'EXPIRED'][] = [
    ['no grant', [], 'NOT_GRANTED'],
    ['a grant', [grant()], 'allowed'],
    ['one use left', [grant({ usesLeft: 1 })], 'allowed'],
    ['no use left', [grant({ usesLeft: 0 })], 'EXPIRED'],
    ['ends in a moment', [grant({ expiresAt: NOW + 1 })], 'allowed'],
    ['ends now', [grant({ expiresAt: NOW })], 'EXPIRED'],
    ['ended', [grant({ expiresAt: NOW - 1 })], 'EXPIRED'],
    ['another key', [grant({ ref: 'k1' })], 'NOT_GRANTED'],
    ['another capability', [grant({ capabilities: ['open'] })], 'NOT_GRANTED'],
    [
      'another origin',
      [grant({ scope: { ...SCOPE, origin: 'https://b.example' } })],
      'NOT_GRANTED',
    ],
    [
      'another port',
      [grant({ scope: { ...SCOPE, origin: 'https://a.example:1' } })],
      'NOT_GRANTED',
    ],
    [
      'under another page',
      [grant({ scope: { ...SCOPE, topOrigin: 'https://x.a.example' } })],
      'NOT_GRANTED',
    ],
    ['in another container', [grant({ scope: { ...SCOPE, container: 'c2' } })], 'NOT_GRANTED'],
  ];
  for (const [name, grants, answer] of rows) {
    it(`${name}: ${answer}`, () => {
      const decision = decide(grants, ASK, NOW);
      expect(decision.allowed ? 'allowed' : decision.code).to.equal(answer);
    });
  }

  it('says what is missing, and repeats the id of a key only where there is a grant for it', () => {
    const missing = (grants: Grant[], ask: Ask) => {
      const decision = decide(grants, ask, NOW);
      return 'missing' in decision ? decision.missing : undefined;
    };
    const named = { ...ASK, keyId: 'K' };
    const seal = { capability: 'seal' };
    expect(missing([], ASK)).to.deep.equal(seal);
    expect(missing([grant({ capabilities: ['open'] })], named)).to.deep.equal({
      ...seal,
      keyId: 'K',
    });
    // Unknown (no ref), of another site, and never granted: all the same.
    const others = [
      grant({ ref: 'k1' }),
      grant({ scope: { ...SCOPE, origin: 'https://b.example' } }),
    ];
    expect(missing(others, named)).to.deep.equal(seal);
    expect(missing(others, { ...named, ref: '' })).to.deep.equal(seal);
    const sync = grant({ capabilities: ['sync'], collections: ['notes'] });
    const collections = ['notes', 'tabs'];
    const ask = { ...ASK, capability: 'sync', collections } as const;
    expect(missing([sync], ask)).to.deep.equal({ capability: 'sync', collection: 'tabs' });
    expect(missing([], ask)).to.deep.equal({ capability: 'sync', collection: 'notes' });
  });

  it('about any key is EXPIRED only when no grant is valid', () => {
    const spent = grant({ usesLeft: 0 });
    const other = grant({ id: 'g2', ref: 'k1' });
    expect(decideAnyKey([], ASK, NOW)).to.deep.equal({
      allowed: false,
      code: 'NOT_GRANTED',
      missing: { capability: 'seal' },
    });
    expect(decideAnyKey([spent], ASK, NOW)).to.deep.equal({ allowed: false, code: 'EXPIRED' });
    expect(decideAnyKey([spent, other], ASK, NOW)).to.deep.equal({ allowed: true });
  });
});

describe('A new grant', () => {
  it('takes what it covers from the older ones of the same scope and key', () => {
    const old = grant();
    const added = grant({ id: 'g2', capabilities: ['seal'], usesLeft: 2 });
    const [rest, last] = withGrant([old], added, NOW);
    expect(rest).to.deep.equal({ ...old, capabilities: ['open'] });
    expect(last).to.equal(added);
  });

  it('leaves other keys, origins and containers alone', () => {
    const others = [
      grant({ id: 'o1', ref: 'k1' }),
      grant({ id: 'o2', scope: { ...SCOPE, origin: 'https://b.example' } }),
      grant({ id: 'o3', scope: { ...SCOPE, container: 'c2' } }),
    ];
    const added = grant({ id: 'g2' });
    expect(withGrant(others, added, NOW)).to.deep.equal([...others, added]);
  });

  it('forgets spent grants after thirty days, and not before', () => {
    const spent = grant({ ref: 'k1', expiresAt: NOW });
    const added = grant({ id: 'g2' });
    const justBefore = NOW + REMEMBER_SPENT_MS - 1;
    expect(withGrant([spent], added, justBefore)).to.include(spent);
    expect(withGrant([spent], added, justBefore + 1)).to.deep.equal([added]);
  });

  it('leaves at most one grant for each capability on a key, whatever came before', () => {
    const anyGrant = fc.record({
      ref: fc.constantFrom('app', 'k1'),
      capabilities: fc.subarray([...CAPABILITIES], { minLength: 1 }),
      usesLeft: fc.option(fc.nat(3)),
    });
    fc.assert(
      fc.property(fc.array(anyGrant, { maxLength: 12 }), (answers) => {
        const grants = answers.reduce<Grant[]>(
          (before, answer, i) => withGrant(before, grant({ ...answer, id: `g${i}` }), NOW),
          [],
        );
        const held = grants.flatMap(({ ref, capabilities }) =>
          capabilities.map((capability) => `${ref} ${capability}`),
        );
        expect(new Set(held).size).to.equal(held.length);
      }),
    );
  });
});

describe('A grant that covers a request', () => {
  const requested = {
    scope: SCOPE,
    key: { kind: 'app' },
    capabilities: ['seal'],
    expiresInMs: null,
    maxUses: null,
    maxPerHour: null,
    bulk: null,
  } as const;

  it('has all capabilities, the same kind of key and the same limits', () => {
    expect(coveringGrant([grant()], requested, NOW)).to.deep.equal(grant());
    expect(coveringGrant([grant({ capabilities: ['open'] })], requested, NOW)).to.equal(undefined);
    expect(coveringGrant([grant()], { ...requested, maxUses: 3 }, NOW)).to.equal(undefined);
    expect(coveringGrant([grant()], { ...requested, expiresInMs: 3 }, NOW)).to.equal(undefined);
    expect(coveringGrant([grant()], { ...requested, maxPerHour: 3 }, NOW)).to.equal(undefined);
    expect(coveringGrant([grant()], { ...requested, bulk: 3 }, NOW)).to.equal(undefined);
    expect(coveringGrant([grant({ usesLeft: 0 })], requested, NOW)).to.equal(undefined);
  });

  it('is for the label asked for, when one is asked for', () => {
    const picked = grant({
      ref: 'k1',
      asked: {
        key: { kind: 'sealing', label: 'Notes' },
        expiresInMs: null,
        maxUses: null,
        maxPerHour: null,
      },
    });
    const want = (label: string | null) =>
      coveringGrant([picked], { ...requested, key: { kind: 'sealing', label } }, NOW);
    expect(want(null)).to.equal(picked);
    expect(want('Notes')).to.equal(picked);
    expect(want('Mail')).to.equal(undefined);
    expect(coveringGrant([picked], requested, NOW)).to.equal(undefined);
  });
});

describe('A use', () => {
  it('of a limited grant is always charged, down to none', () => {
    const once = charged(grant({ usesLeft: 1 }), NOW);
    expect(once.usesLeft).to.equal(0);
    expect(mustCharge(grant({ usesLeft: 2, lastUsed: NOW }))).to.equal(true);
    expect(liveGrants([once], SCOPE, NOW)).to.deep.equal([]);
  });

  it('of an unlimited grant is not', () => {
    expect(mustCharge(grant())).to.equal(false);
    expect(charged(grant(), NOW)).to.include({ usesLeft: null, lastUsed: NOW });
  });
});

describe('An unused grant', () => {
  const unused = grant({ created: NOW - UNUSED_MS });

  it('ends ninety days after its last use, or after it was given', () => {
    expect(decide([unused], ASK, NOW)).to.deep.equal({ allowed: false, code: 'EXPIRED' });
    expect(decide([unused], ASK, NOW - 1).allowed).to.equal(true);
    expect(decide([{ ...unused, lastUsed: NOW - 1 }], ASK, NOW).allowed).to.equal(true);
    const longUnused = { ...unused, lastUsed: NOW - UNUSED_MS, expiresAt: NOW + 1 };
    expect(decide([longUnused], ASK, NOW).allowed).to.equal(false);
  });

  it('has ended by that alone unless it ended before', () => {
    expect(hasEndedUnused(unused, NOW)).to.equal(true);
    expect(hasEndedUnused(unused, NOW - 1)).to.equal(false);
    expect(hasEndedUnused({ ...unused, expiresAt: NOW + 1 }, NOW)).to.equal(true);
    expect(hasEndedUnused({ ...unused, expiresAt: NOW }, NOW)).to.equal(false);
    expect(hasEndedUnused({ ...unused, usesLeft: 0 }, NOW)).to.equal(false);
  });
});
