import { expect } from 'chai';
import { bundleCodec } from '../../../src/sync/weave/bundle-codec.ts';
import type { KeyBundle } from '../../../src/sync/key-bundle.ts';
import { mapResult, valueOf, type Result } from '../../../src/sync/results.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { withoutJson } from '../one-record.ts';
import { algorithmsOf, ENGINES } from '../engines.ts';
import { nodeOpen, nodeSeal } from '../node-weave.ts';

const newBundle = (): KeyBundle => ({ encryptionKey: randomBytes(32), hmacKey: randomBytes(32) });
const random = { bytes: randomBytes };
const [newest, older, foreign] = [newBundle(), newBundle(), newBundle()];

/** The name of the error, or the value. */
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const outcome = <T>(result: Result<T>): unknown =>
  result.status === 'fulfilled' ? result.value : (result.reason as Error).name;

for (const engine of ENGINES) {
  for (const format of ['weave-5', 'kinto'] as const) {
    describe(`sync/many records of ${format}, ${engine}`, () => {
      const bound = (id: string) => (iv: string) => (format === 'kinto' ? id + iv : '');
      const sealedBy = (bundle: KeyBundle, id: string): string =>
        nodeSeal(bundle, randomBytes(16), JSON.stringify({ id, n: id }), bound(id));

      it('are encrypted as if separately, and invalid records fail at their positions', async () => {
        const codec = await bundleCodec(format, [newest], await algorithmsOf(engine), random);
        for (const count of [0, 1, 2, 15, 16, 17, 40]) {
          const records = Array.from({ length: count }, (_, i) => ({
            id: `r${i}`,
            payload: i % 9 === 5 ? 'no object' : { text: 'é'.repeat((i * 31) % 400) },
          }));
          // Every other record has its JSON with it, as records of pages have.
          const encrypted = await codec.encrypt(
            records.map((one, i) =>
              i % 2 === 0 ? one : { ...one, json: utf8(JSON.stringify(one.payload)) },
            ),
          );
          expect(encrypted.length).to.equal(count);
          encrypted.forEach((one, i) => {
            const { id, payload } = records[i]!;
            if (one.status === 'rejected') return expect(outcome(one)).to.equal('SyncError');
            const opened = nodeOpen(newest, Buffer.from(one.value).toString(), bound(id));
            return expect(JSON.parse(opened)).to.deep.equal({ id, ...(payload as object) });
          });
          const failed = encrypted.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []));
          expect(failed).to.deep.equal([5, 14, 23, 32].filter((at) => at < count));
        }
        codec.wipe();
      });

      it('open under any of the bundles; the others fail separately', async () => {
        const codec = await bundleCodec(
          format,
          [newest, older],
          await algorithmsOf(engine),
          random,
        );
        const records = Array.from({ length: 40 }, (_, i) => {
          const id = `r${i}`;
          const whose = [newest, older, newest, foreign][i % 4]!;
          return { id, payload: sealedBy(whose, id) };
        });
        records[8] = { id: 'r8', payload: 'no JSON' };
        records[9] = { id: 'r9', payload: records[12]!.payload };
        const inBytes = records.map(({ id, payload }, i) =>
          i % 3 === 0 ? { id, payload } : { id, payload: utf8(payload) },
        );
        const opened = (await codec.decrypt(inBytes)).map((one) =>
          outcome(mapResult(one, withoutJson)),
        );
        const expected = records.map(({ id }, i) => {
          if (i === 8) return 'SyncError';
          return i === 9 || i % 4 === 3 ? 'AuthenticationError' : { payload: { id, n: id } };
        });
        expect(opened).to.deep.equal(expected);
        expect(await codec.decrypt([])).to.deep.equal([]);
        codec.wipe();
      });
    });
  }
}

describe('sync/IVs of a batch', () => {
  it('are those that the source gave, in their order, each for one record', async () => {
    for (const count of [0, 1, 63, 64, 65, 200]) {
      const drawn: Uint8Array[] = [];
      const source = {
        bytes: (length: number) => {
          const bytes = randomBytes(length);
          drawn.push(bytes);
          return bytes;
        },
      };
      const codec = await bundleCodec('weave-5', [newest], await algorithmsOf('js'), source);
      const records = Array.from({ length: count }, (_, i) => ({ id: `r${i}`, payload: {} }));
      const encrypted = await codec.encrypt(records);
      const ivs = encrypted.map((one) => {
        const { IV: iv } = JSON.parse(Buffer.from(valueOf(one)).toString()) as { IV: string };
        return Buffer.from(iv, 'base64').toString('hex');
      });
      const given = Buffer.concat(drawn).toString('hex').match(/.{32}/gu) ?? [];
      expect(ivs).to.deep.equal([...given]);
      codec.wipe();
    }
  });
});
