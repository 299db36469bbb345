import { expect } from 'chai';
import { Dice } from '../../../bench/stress-engines/dice.ts';
import { readArchive } from '../../../src/cli/verify/archive.ts';
import { CommandError } from '../../../src/cli/exit-codes.ts';
import { utf8 } from '../../../src/crypto/bytes.ts';
import { DIFFERENTIAL, ORDINARY, REFUSED, oddZip } from './odd-zips.ts';
import {
  UNPACKERS,
  asRead,
  asStream,
  has,
  unpackedWith,
  withFflate,
  withPython,
} from './zip-readers.ts';
import { fields, zipBytes } from './zips.ts';

/** What verify reads; undefined if it refuses. */
function read(zip: Buffer) {
  try {
    return asRead(readArchive(zip, 'a.zip'));
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

const SEED = process.env['SEALWRIGHT_FUZZ_SEED'] ?? String(Date.now() % 1_000_000);
const ODD_ZIPS = Number(process.env['SEALWRIGHT_ARCHIVES'] ?? 4_000);

describe('the archives that sealwright verify reads', () => {
  for (const [name, [words, zip]] of Object.entries({ ...DIFFERENTIAL, ...REFUSED })) {
    it(`refuses ${name}`, () => {
      expect(() => readArchive(zip, 'a.zip')).to.throw(CommandError, words);
    });
  }

  it('refuses zips of which other readers do read different files', () => {
    const zips = Object.entries(DIFFERENTIAL);
    const byPython = withPython(zips.map(([, [, zip]]) => zip));
    for (const [i, [name, [, zip]]] of zips.entries()) {
      const readings = [withFflate(zip), asStream(zip), byPython[i]].map((files) =>
        JSON.stringify(files),
      );
      expect(new Set(readings).size, `${name}: ${readings.join(' ')}`).to.be.greaterThan(1);
    }
  });

  it('reads what tools of stores write, as fflate, Python and a reader of streams do', () => {
    const zips = Object.values(ORDINARY);
    const byPython = withPython(zips);
    for (const [i, name] of Object.keys(ORDINARY).entries()) {
      const files = read(zips[i]!);
      expect(files, name).to.have.keys('background.js', 'manifest.json');
      for (const other of [withFflate(zips[i]!), asStream(zips[i]!), byPython[i]]) {
        expect(other, name).to.deep.equal(files);
      }
    }
  });

  for (const program of Object.keys(UNPACKERS)) {
    const isHere = has(program);
    it(`reads what ${program} unpacks alike${isHere ? '' : ': not on this machine'}`, function () {
      if (!isHere) this.skip();
      for (const [name, zip] of Object.entries(ORDINARY)) {
        expect(unpackedWith(program, zip), name).to.deep.equal(read(zip));
      }
    });
  }

  it(`reads no combination of features otherwise than others do, seed ${SEED}`, () => {
    const dice = new Dice(SEED);
    const zips = Array.from({ length: ODD_ZIPS }, () =>
      oddZip((count) => dice.integer(0, count - 1)),
    );
    const accepted = zips.flatMap((zip) => {
      const files = read(zip);
      return files === undefined ? [] : [{ zip, files }];
    });
    expect(accepted.length)
      .to.be.greaterThan(ODD_ZIPS / 20)
      .and.lessThan(ODD_ZIPS);
    const byPython = withPython(accepted.map(({ zip }) => zip));
    for (const [i, { zip, files }] of accepted.entries()) {
      for (const other of [withFflate(zip), asStream(zip), byPython[i]]) {
        expect(other, zip.toString('base64')).to.deep.equal(files);
      }
    }
  });

  it('reads a CRX whose header ends where it says, and has nothing that a reader could take for a zip', () => {
    const zip = zipBytes({ entries: [{ name: 'manifest.json', content: utf8('{}') }] });
    const crx = (header: Uint8Array, length = header.length) =>
      Buffer.concat([utf8('Cr24'), fields([4, 3], [4, length]), header, zip]);
    expect(read(crx(utf8('keys')))).to.deep.equal({ 'manifest.json': '{}' });
    for (const [broken, words] of [
      [crx(utf8('keys'), 3), 'not at its end'],
      [crx(utf8('keys'), 5), 'not at its end'],
      [crx(utf8('keys'), 2 ** 31), 'longer than the file'],
      [crx(zip), 'record of a zip'],
      [Buffer.concat([crx(utf8('keys')), utf8('more')]), 'does not end'],
    ] as const) {
      expect(() => readArchive(broken, 'a.crx')).to.throw(CommandError, words);
    }
  });
});
