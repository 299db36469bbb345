import { expect } from 'chai';
import {
  isSitePattern,
  patternCovers,
  patternOf,
  patternWithin,
} from '../../../src/service/ports/sites.ts';

describe('Site patterns', () => {
  it('enable an origin with all its ports', () => {
    expect(patternOf('https://a.example')).to.equal('https://a.example/*');
    expect(patternOf('http://localhost:8080')).to.equal('http://localhost/*');
  });

  const COVERS: readonly [string, string, boolean][] = [
    ['https://a.example/*', 'https://a.example', true],
    ['https://a.example/*', 'https://a.example:8443', true],
    ['https://a.example/*', 'http://a.example', false],
    ['https://a.example/*', 'https://x.a.example', false],
    ['https://*.a.example/*', 'https://x.a.example', true],
    ['https://*.a.example/*', 'https://a.example', true],
    ['https://*.a.example/*', 'https://aa.example', false],
    ['*://*/*', 'http://localhost:1', true],
    ['https://*/*', 'http://localhost', false],
    ['<all_urls>', 'https://a.example', true],
    ['nonsense', 'https://a.example', false],
    ['https://a.example/*', 'null', false],
  ];
  for (const [pattern, origin, answer] of COVERS) {
    it(`${pattern} ${answer ? 'covers' : 'does not cover'} ${origin}`, () => {
      expect(patternCovers(pattern, origin)).to.equal(answer);
    });
  }

  it('lie within broader ones', () => {
    expect(patternWithin('https://a.example/*', '*://*/*')).to.equal(true);
    expect(patternWithin('https://x.a.example/*', 'https://*.a.example/*')).to.equal(true);
    expect(patternWithin('https://*.a.example/*', 'https://a.example/*')).to.equal(false);
    expect(patternWithin('*://*/*', 'https://*/*')).to.equal(false);
    expect(patternWithin('nonsense', '*://*/*')).to.equal(false);
  });

  it('are one scheme, one host and every path', () => {
    for (const good of [
      'https://a.example/*',
      '*://*.a.example/*',
      'http://localhost/*',
      '*://*/*',
    ]) {
      expect(isSitePattern(good), good).to.equal(true);
    }
    for (const bad of [
      '',
      'https://a.example',
      'https://a.example/x',
      'https://a:1/*',
      'ftp://a/*',
    ]) {
      expect(isSitePattern(bad), bad).to.equal(false);
    }
  });
});
