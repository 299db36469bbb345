import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Banner } from '../../../extension/ui/components/banner.tsx';

/*
 * How a screen reader learns of an error. Each comes by one of two components: beside its control (`FieldError`, which
 * also moves the focus there), or as a banner. people/keys-alone.test.ts has the focus after what was done.
 */
const FIELD = 'extension/ui/components/forms/field.tsx';
const BANNER = 'extension/ui/components/banner.tsx';

const SOURCES = readdirSync('extension', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.tsx'))
  .map((path) => `extension/${path}`)
  .map((path) => [path, readFileSync(path, 'utf8')] as const);

const filesWith = (pattern: RegExp): string[] =>
  SOURCES.filter(([, source]) => pattern.test(source)).map(([path]) => path);

describe('errors', () => {
  it('of a control are made by one component, which is a live region before there is one', () => {
    expect(filesWith(/field-error/)).to.deep.equal([FIELD]);
    expect(filesWith(/aria-invalid'?[:=]/)).to.deep.equal([FIELD]);
    const [, source] = SOURCES.find(([path]) => path === FIELD)!;
    expect(source).to.match(/<p class="field-error" id=\{id\} aria-live="polite">\s*\{error\}/);
  });

  it('of a form are banners, which are announced at once', () => {
    expect(filesWith(/`banner banner-/)).to.deep.equal([BANNER]);
    const roleOf = (tone: 'error' | 'warning') =>
      (Banner({ tone }) as unknown as { props: { role?: string } }).props.role;
    expect(roleOf('error')).to.equal('alert');
    expect(roleOf('warning')).to.equal(undefined);
  });

  it('that follow a refused question of the browser are announced by the view', () => {
    const asking = SOURCES.filter(([, source]) => /requestSite\(/.test(source));
    expect(asking.length).to.be.above(2);
    const silent = asking.filter(
      ([, source]) => !source.includes("announce(text.t('siteDeclined'))"),
    );
    expect(silent.map(([path]) => path)).to.deep.equal([]);
  });
});
