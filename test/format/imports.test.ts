import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const SOURCE = new URL('../../src/', import.meta.url);

describe('imports of the format', () => {
  it('the chunk files import no algorithm into a content script', () => {
    const chunkFiles = ['chunks/chunks', 'chunks/body', 'chunks/stream'];
    const entries = [...chunkFiles, 'keys/chunk-keys', 'wire/envelope', 'native-crypto'];
    const files = bundled(entries.map((name) => new URL(`format/${name}.ts`, SOURCE)));
    expect(files.filter((file) => file.startsWith('crypto/'))).to.have.members([
      'crypto/bytes.ts',
      'crypto/errors.ts',
    ]);
    expect(files.filter((file) => !/^(crypto|format|engine\/native)\//.test(file))).to.deep.equal(
      [],
    );
  });

  it('sealed-length.ts imports only the table of recipient types into a page', () => {
    const entry = new URL('format/wire/sealed-length.ts', SOURCE);
    expect(bundled([entry])).to.deep.equal([
      'format/wire/sealed-length.ts',
      'format/wire/recipient-table.ts',
    ]);
  });
});

/** The files that these import at run time, themselves included, below src/. */
function bundled(entries: readonly URL[]): string[] {
  const seen = new Set<string>();
  const open = [...entries];
  for (let url = open.pop(); url; url = open.pop()) {
    if (seen.has(url.href)) continue;
    seen.add(url.href);
    const imports = readFileSync(url, 'utf8').matchAll(
      /^(?:import|export) (?!type )[^;]*? from '([^']+)';/gm,
    );
    for (const [, path] of imports) open.push(new URL(path!, url));
  }
  return [...seen].map((href) => href.slice(SOURCE.href.length));
}
