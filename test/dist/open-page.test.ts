import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { listOf } from '../../open-page/word-list.ts';
import { keyIn, withKey } from '../../src/release/drop-page.ts';
import { parseList, sha256Hex } from '../../src/release/digest-list.ts';

/* dist/open.html, as it is given out. */
const BYTES = readFileSync('dist/open.html');
const PAGE = BYTES.toString('utf8');
const only = (pattern: RegExp): string => {
  const found = [...PAGE.matchAll(pattern)];
  expect(found, String(pattern)).to.have.length(1);
  return found[0]![1]!;
};
const script = () => only(/<script>(.*?)<\/script>/gs);
const style = () => only(/<style>(.*?)<\/style>/gs);
const hashOf = (text: string) =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('the page open.html', () => {
  it('has at most 250 kB', () => {
    expect(BYTES.length).to.be.at.most(250_000);
    expect(Buffer.from(PAGE, 'utf8').equals(BYTES)).to.equal(true);
  });

  it('has a policy that allows its one script and its one style, a worker of its own, and nothing else', () => {
    const policy = only(/<meta http-equiv="content-security-policy" content="([^"]*)">/g);
    expect(policy.split('; ')).to.deep.equal([
      "default-src 'none'",
      `script-src ${hashOf(script())} 'wasm-unsafe-eval'`,
      `style-src ${hashOf(style())}`,
      'img-src data:',
      'worker-src blob:',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    // It holds for all that stands after it.
    expect(PAGE.indexOf(policy)).to.be.lessThan(PAGE.search(/<(?:script|style|link|body)/));
  });

  it('refers to nothing outside of itself', () => {
    const markup = PAGE.replace(script(), '').replace(style(), '').replace(/<!--.*?-->/s, '');
    const addresses = Array.from(markup.matchAll(/(?:src|href)="([^"]*)"/g), ([, one]) => one!);
    expect(addresses.filter((address) => !address.startsWith('data:image/svg+xml'))).to.be.empty;
    expect(markup).to.not.match(/\son\w+=|\sstyle=/);
    expect(style()).to.not.match(/url\(|@import/);
    const calls = /\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|importScripts|\bimport\(/;
    expect(script()).to.not.match(calls);
    expect(script()).to.not.match(/\beval\(|new Function\b|localStorage|indexedDB|document\.cookie/);
  });

  it('has one place for a key, which is empty', () => {
    expect(keyIn(PAGE)).to.equal('');
    only(/<meta name="sealwright-key" content="([\w.-]*)">/g);
    expect(withKey(PAGE, '')).to.equal(PAGE);
  });

  it('is in the list of the release', async () => {
    const list = parseList(readFileSync('dist/lib/extension-files.sha256', 'utf8'));
    expect(list?.page).to.equal(await sha256Hex(BYTES));
  });

  it('has the licences of the packages in it', () => {
    const notices = only(/<!--(.*?)-->/gs);
    for (const name of ['preact', 'lucide-preact', '@zxcvbn-ts/language-common']) {
      expect(notices).to.include(`\n${name} `);
    }
  });

  it('has the words that people compare, and every language', async () => {
    const packed = Array.from(script().matchAll(/"([\w+/=]{5000,})"/g), ([, one]) => one!);
    const values = await Promise.all(packed.map(inflated));
    const texts = values.filter((value) => value !== undefined);
    const words = texts.find((value): value is string => typeof value === 'string');
    expect(listOf(words!)).to.have.length(7776);
    const languages = texts.find((value) => typeof value === 'object') as Record<string, object>;
    expect(Object.keys(languages)).to.have.length(12);
    for (const messages of Object.values(languages)) {
      expect(Object.keys(messages)).to.deep.equal(Object.keys(languages.en!));
    }
  });
});

/** @returns the value, undefined for a module of WebAssembly */
async function inflated(packed: string): Promise<unknown> {
  const stream = new Blob([Buffer.from(packed, 'base64')])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'));
  const bytes = Buffer.from(await new Response(stream).arrayBuffer());
  return bytes[0] === 0 ? undefined : (JSON.parse(bytes.toString('utf8')) as unknown);
}
