import { expect } from 'chai';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import type { ContactValue } from '../../../src/keys/annotations/contact.ts';
import { NO_DETAILS } from '../../../src/keys/annotations/key-details.ts';
import type { KeyDetails } from '../../../src/keys/annotations/key-details.ts';
import {
  lackOf,
  mergeNoted,
  notedOf,
  recordsOfNoted,
} from '../../../src/keys/annotations/annotations.ts';
import type { Noted } from '../../../src/keys/annotations/annotations.ts';
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
const noted = (
  of: Record<string, KeyDetails> = {},
  contacts: Record<string, ContactValue> = {},
  ...sites: SiteFields[]
): Noted => ({
  details: new Map(Object.entries(of)),
  contacts: new Map(Object.entries(contacts)),
  siteFields: new Map(sites.map((site) => [site.origin, site])),
});
const field = (value: string): KnownField => ({ tag: 'textarea', by: 'name', value });
const site = (host: string, ref: string | null, ...values: string[]): SiteFields => ({
  ...{ origin: `https://${host}`, ref, alwaysSealed: values.map(field) },
});
const merged = (mine: Noted, theirs: Noted, keys: string[] = []) =>
  mergeNoted(mine, theirs, (ref) => keys.includes(ref));

const NOTHING = { contacts: 0, notes: 0, siteSettings: 0 };

describe('keys/noted', () => {
  it('comes out of records as it went in', () => {
    const both = noted(
      { [R]: details({ note: 'n', tone: 'red', archived: 3 }) },
      { a: contact(1) },
      site('a.example', R, 'message'),
    );
    expect(notedOf(recordsOfNoted(both))).to.deep.equal(both);
  });

  it('brings what is missing, and counts it', () => {
    const settled = site('a.example', null, 'message');
    const theirs = noted({ [R]: details({ note: 'n', archived: 3 }) }, { a: contact(1) }, settled);
    const { noted: all, added } = merged(noted(), theirs);
    expect(all).to.deep.equal(theirs);
    expect(added).to.deep.equal({ contacts: 1, notes: 1, siteSettings: 1 });
    expect(merged(all, theirs).added).to.deep.equal(NOTHING);
  });

  it('leaves what one has written oneself, and fills what is empty', () => {
    const mine = noted({ [R]: details({ note: 'mine' }), [S]: details({ tone: 'blue' }) });
    const theirs = noted({
      [R]: details({ note: 'theirs', tone: 'red' }),
      [S]: details({ tone: 'blue' }),
    });
    const { noted: all, added } = merged(mine, theirs, [R, S]);
    expect(all.details.get(R)).to.deep.equal(details({ note: 'mine', tone: 'red' }));
    expect(added.notes).to.equal(1);
  });

  it('archives no key that is in use here, and none that has been brought back', () => {
    const theirs = noted({ [R]: details({ archived: 3 }), [S]: details({ archived: 3 }) });
    const { details: all } = merged(noted({ [R]: NO_DETAILS }), theirs, [R, S]).noted;
    expect([all.get(R)?.archived, all.get(S)?.archived]).to.deep.equal([null, null]);
  });

  it('knows people by their keys: one contact for each, under the name that it has here', () => {
    const mine = noted({}, { a: contact(1, { name: 'Ada L.' }), b: contact(2, { verified: 5 }) });
    const theirs = noted({}, { x: contact(1, { verified: 7 }), y: contact(2), z: contact(3) });
    const { noted: all, added } = merged(mine, theirs);
    expect(Object.fromEntries(all.contacts)).to.deep.equal({
      a: contact(1, { name: 'Ada L.', verified: 7 }),
      b: contact(2, { verified: 5 }),
      z: contact(3),
    });
    expect(added.contacts).to.equal(1);
  });

  it('tells what a backup is behind by: what is missing in it, or says otherwise', () => {
    const backup = noted({ [R]: details({ note: 'old' }) }, { a: contact(1), b: contact(2) });
    const now = noted(
      { [R]: details({ note: 'new' }), [S]: details({ tone: 'red' }) },
      { a: contact(1, { name: 'Ada L.' }), c: contact(3) },
    );
    expect(lackOf(backup, now)).to.deep.equal({ ...NOTHING, contacts: 2, notes: 2 });
    expect(lackOf(backup, backup)).to.deep.equal(NOTHING);
    expect(lackOf(backup, noted())).to.deep.equal(NOTHING);
  });

  it('puts no contact over another one, should two have one id', () => {
    const mine = noted({}, { a: contact(1) });
    expect(merged(mine, noted({}, { a: contact(2) })).noted).to.deep.equal(mine);
  });

  describe('of the fields of a site', () => {
    const of = (...sites: SiteFields[]) => noted({}, {}, ...sites);
    const mine = of(site('a.example', R, 'one'), site('b.example', null));

    it('keeps the key that is settled here, and marks what either has marked', () => {
      const theirs = of(site('a.example', S, 'two', 'one'), site('b.example', S));
      const { noted: all, added } = merged(mine, theirs);
      expect([...all.siteFields.values()]).to.deep.equal([
        site('a.example', R, 'one', 'two'),
        site('b.example', S),
      ]);
      expect(added.siteSettings).to.equal(2);
      expect(lackOf(theirs, all).siteSettings).to.equal(1);
    });

    it('has no more of them than a site may have', () => {
      const names = Array.from({ length: SITE_FIELDS_MAX }, (_, i) => `field ${i}`);
      const { noted: all, added } = merged(mine, of(site('a.example', null, ...names)));
      const { alwaysSealed } = all.siteFields.get('https://a.example')!;
      expect(alwaysSealed).to.have.length(SITE_FIELDS_MAX);
      expect(alwaysSealed[0]).to.deep.equal(field('one'));
      expect(added.siteSettings).to.equal(1);
    });
  });
});
