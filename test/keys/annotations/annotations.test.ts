import { expect } from 'chai';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import type { ContactValue } from '../../../src/keys/annotations/contact.ts';
import { NO_DETAILS } from '../../../src/keys/annotations/key-details.ts';
import type { KeyDetails } from '../../../src/keys/annotations/key-details.ts';
import {
  missingAnnotations,
  mergeAnnotations,
  annotationsOf,
  recordsOfAnnotations,
} from '../../../src/keys/annotations/annotations.ts';
import type { UserAnnotations } from '../../../src/keys/annotations/annotations.ts';
import {
  SITE_FIELDS_MAX,
  type KnownField,
  type SiteFields,
} from '../../../src/keys/annotations/site-fields.ts';

const [R, S] = ['R'.repeat(22), 'S'.repeat(22)];

const details = (change: Partial<KeyDetails>): KeyDetails => ({ ...NO_DETAILS, ...change });
const contact = (key: number, change: Partial<ContactValue> = {}): ContactValue => ({
  name: 'Ada',
  publicKey: publicKeyText({ type: 'X25519', bytes: new Uint8Array(32).fill(key) }),
  created: 1,
  verified: null,
  ...change,
});
const annotationsWith = (
  of: Record<string, KeyDetails> = {},
  contacts: Record<string, ContactValue> = {},
  ...sites: SiteFields[]
): UserAnnotations => ({
  details: new Map(Object.entries(of)),
  contacts: new Map(Object.entries(contacts)),
  siteFields: new Map(sites.map((site) => [site.origin, site])),
});
const field = (value: string): KnownField => ({ tag: 'textarea', by: 'name', value });
const site = (host: string, ref: string | null, ...values: string[]): SiteFields => ({
  origin: `https://${host}`,
  ref,
  alwaysSealed: values.map(field),
});
const merged = (own: UserAnnotations, other: UserAnnotations, keys: string[] = []) =>
  mergeAnnotations(own, other, (ref) => keys.includes(ref));

const NOTHING = { contacts: 0, notes: 0, siteSettings: 0 };

describe('Annotations of the user', () => {
  it('round-trip through records', () => {
    const both = annotationsWith(
      { [R]: details({ note: 'n', tone: 'red', archived: 3 }) },
      { a: contact(1) },
      site('a.example', R, 'message'),
    );
    expect(annotationsOf(recordsOfAnnotations(both))).to.deep.equal(both);
  });

  it('add what is missing, and count it', () => {
    const settled = site('a.example', null, 'message');
    const other = annotationsWith(
      { [R]: details({ note: 'n', archived: 3 }) },
      { a: contact(1) },
      settled,
    );
    const { annotations: all, added } = merged(annotationsWith(), other);
    expect(all).to.deep.equal(other);
    expect(added).to.deep.equal({ contacts: 1, notes: 1, siteSettings: 1 });
    expect(merged(all, other).added).to.deep.equal(NOTHING);
  });

  it('keeps own annotations, and fills empty ones', () => {
    const own = annotationsWith({ [R]: details({ note: 'mine' }), [S]: details({ tone: 'blue' }) });
    const other = annotationsWith({
      [R]: details({ note: 'other', tone: 'red' }),
      [S]: details({ tone: 'blue' }),
    });
    const { annotations: all, added } = merged(own, other, [R, S]);
    expect(all.details.get(R)).to.deep.equal(details({ note: 'mine', tone: 'red' }));
    expect(added.notes).to.equal(1);
  });

  it('archives no key that is in use in the own vault', () => {
    const other = annotationsWith({ [R]: details({ archived: 3 }), [S]: details({ archived: 3 }) });
    const { details: all } = merged(annotationsWith({ [R]: NO_DETAILS }), other, [
      R,
      S,
    ]).annotations;
    expect([all.get(R)?.archived, all.get(S)?.archived]).to.deep.equal([null, null]);
  });

  it('matches contacts by public key: one for each, under the own name', () => {
    const own = annotationsWith(
      {},
      { a: contact(1, { name: 'Ada L.' }), b: contact(2, { verified: 5 }) },
    );
    const other = annotationsWith(
      {},
      { x: contact(1, { verified: 7 }), y: contact(2), z: contact(3) },
    );
    const { annotations: all, added } = merged(own, other);
    expect(Object.fromEntries(all.contacts)).to.deep.equal({
      a: contact(1, { name: 'Ada L.', verified: 7 }),
      b: contact(2, { verified: 5 }),
      z: contact(3),
    });
    expect(added.contacts).to.equal(1);
  });

  it('counts by what a backup is behind: what it lacks, or has otherwise', () => {
    const backup = annotationsWith(
      { [R]: details({ note: 'old' }) },
      { a: contact(1), b: contact(2) },
    );
    const now = annotationsWith(
      { [R]: details({ note: 'new' }), [S]: details({ tone: 'red' }) },
      { a: contact(1, { name: 'Ada L.' }), c: contact(3) },
    );
    expect(missingAnnotations(backup, now)).to.deep.equal({ ...NOTHING, contacts: 2, notes: 2 });
    expect(missingAnnotations(backup, backup)).to.deep.equal(NOTHING);
    expect(missingAnnotations(backup, annotationsWith())).to.deep.equal(NOTHING);
  });

  it('never replaces a contact that has the same id', () => {
    const own = annotationsWith({}, { a: contact(1) });
    expect(merged(own, annotationsWith({}, { a: contact(2) })).annotations).to.deep.equal(own);
  });

  describe('of the fields of a site', () => {
    const of = (...sites: SiteFields[]) => annotationsWith({}, {}, ...sites);
    const own = of(site('a.example', R, 'one'), site('b.example', null));

    it('keeps the own key, and marks what either side has marked', () => {
      const other = of(site('a.example', S, 'two', 'one'), site('b.example', S));
      const { annotations: all, added } = merged(own, other);
      expect([...all.siteFields.values()]).to.deep.equal([
        site('a.example', R, 'one', 'two'),
        site('b.example', S),
      ]);
      expect(added.siteSettings).to.equal(2);
      expect(missingAnnotations(other, all).siteSettings).to.equal(1);
    });

    it('has no more of them than a site may have', () => {
      const names = Array.from({ length: SITE_FIELDS_MAX }, (_, i) => `field ${i}`);
      const { annotations: all, added } = merged(own, of(site('a.example', null, ...names)));
      const { alwaysSealed } = all.siteFields.get('https://a.example')!;
      expect(alwaysSealed).to.have.length(SITE_FIELDS_MAX);
      expect(alwaysSealed[0]).to.deep.equal(field('one'));
      expect(added.siteSettings).to.equal(1);
    });
  });
});
