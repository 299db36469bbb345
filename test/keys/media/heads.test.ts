import { expect } from 'chai';
import fc from 'fast-check';
import { fromHex, toBase64url, toHex } from '../../../src/crypto/bytes.ts';
import { sha256 } from '../../../src/crypto/hash/sha256.ts';
import { compareHeads, nextHead, NO_HEADS } from '../../../src/keys/media/heads.ts';
import type { FoundHead, Heads, HeadsReport } from '../../../src/keys/media/heads.ts';

/* Heads alone, without the files: a digest stands for the contents. */

const [EARLIER, NOW] = ['11'.repeat(32), '22'.repeat(32)];
const CHAIN = [EARLIER, NOW];
const idOf = (at: number): string => toBase64url(new Uint8Array(16).fill(at));
const memberOf = (at: number): string => toHex(new Uint8Array(16).fill(100 + at));
const MEMBERS = [1, 2, 3, 4].map(memberOf);

/** A device that makes and reads files. */
class Device {
  heads: Heads = NO_HEADS;
  readonly at: number;
  readonly device: string;
  /** What its files say beside their heads. */
  salt = 0;

  constructor(at: number) {
    this.at = at;
    this.device = idOf(at);
  }

  /** Makes a file in an epoch, by default the newest. */
  make(epoch = NOW): FoundHead {
    const head = nextHead(this.heads, this.device, fromHex(memberOf(this.at)));
    const text = `${this.device} ${head.generation} ${this.salt++} ${epoch}`;
    const digest = toHex(sha256(new TextEncoder().encode(text)));
    const own = { device: this.device, generation: head.generation, digest };
    this.heads = { ...this.heads, own };
    return { head, digest, epoch };
  }

  read(files: readonly FoundHead[]): HeadsReport {
    const report = compareHeads(this.heads, files, {
      ...{ device: this.device, chain: CHAIN, members: MEMBERS },
    });
    this.heads = report.heads;
    return report;
  }

  /** The same with all that it remembers. */
  copied(): Device {
    const copy = new Device(this.at);
    copy.heads = this.heads;
    copy.salt = 1_000_000 + this.salt;
    return copy;
  }
}

const alarms = ({ isCopy, wentBack, copied }: HeadsReport) => ({ isCopy, wentBack, copied });
const QUIET = { isCopy: false, wentBack: [], copied: [] };

describe('The heads of files', () => {
  it('tell a file that went back, until a newer one is there, and forget nothing by it', () => {
    const [one, other] = [new Device(1), new Device(2)];
    const files = [one.make(), one.make(), one.make()];
    expect(alarms(other.read([files[1]!]))).to.deep.equal(QUIET);
    for (const _ of [1, 2]) {
      expect(other.read([files[0]!]).wentBack).to.deep.equal([memberOf(1)]);
    }
    expect(alarms(other.read([files[2]!]))).to.deep.equal(QUIET);
    expect(other.read([files[1]!]).wentBack).to.deep.equal([memberOf(1)]);
  });

  it('tell one that went back beyond a change of members', () => {
    const [one, other] = [new Device(1), new Device(2)];
    const [old, next] = [one.make(EARLIER), one.make()];
    other.read([next]);
    expect(other.read([old]).wentBack).to.deep.equal([memberOf(1)]);
  });

  it('believe no file of an earlier epoch: a removed member can still make them', () => {
    const [one, other] = [new Device(1), new Device(2)];
    const first = one.make();
    other.read([first]);
    const forged = { ...first, digest: '77'.repeat(32), epoch: EARLIER };
    const high = { ...forged, head: { ...first.head, generation: 900, read: { [idOf(2)]: 900 } } };
    const ofOther = { ...high, head: { ...high.head, device: idOf(2) } };
    expect(alarms(other.read([first, forged, high, ofOther]))).to.deep.equal(QUIET);
    expect(alarms(other.read([one.make()]))).to.deep.equal(QUIET);
  });

  it('say nothing of files that are missing, or are there twice', () => {
    const [one, other] = [new Device(1), new Device(2)];
    const [first, second] = [one.make(), one.make()];
    other.read([first]);
    expect(alarms(other.read([]))).to.deep.equal(QUIET);
    expect(alarms(other.read([second, first, second]))).to.deep.equal(QUIET);
  });

  it('tell a copied profile on both copies, and on others', () => {
    const [one, other] = [new Device(1), new Device(2)];
    other.read([one.make()]);
    const copy = one.copied();
    const [ofOne, ofCopy] = [one.make(), copy.make()];
    expect(one.copied().read([ofCopy]).isCopy).to.equal(true);
    expect(copy.copied().read([ofOne]).isCopy).to.equal(true);
    expect(other.copied().read([ofOne, ofCopy]).copied).to.deep.equal([memberOf(1)]);
    other.read([ofOne]);
    expect(other.read([ofCopy]).copied).to.deep.equal([memberOf(1)]);
    expect(other.read([copy.make()]).copied).to.deep.equal([memberOf(1)]);
  });

  it('tell a device that its old state came back, also where its own file is gone', () => {
    const [one, other] = [new Device(1), new Device(2)];
    one.make();
    const old = one.copied();
    other.read([one.make()]);
    expect(old.read([other.make()]).isCopy).to.equal(true);
    expect(alarms(one.read([other.make()]))).to.deep.equal(QUIET);
  });

  it('tell after two exchanges that a file is older than another device has read it', () => {
    const [one, other, third] = [new Device(1), new Device(2), new Device(3)];
    const [first, second] = [one.make(), one.make()];
    other.read([second]);
    const witness = other.make();
    expect(third.read([first, witness]).late).to.deep.equal([]);
    expect(third.read([first, witness]).late).to.deep.equal([memberOf(1)]);
    expect(third.read([witness]).late).to.deep.equal([]); // a missing file is no old one
    expect(third.read([first, witness]).late).to.deep.equal([]);
    expect(third.read([second, witness]).late).to.deep.equal([]);
  });

  it('forget the devices of members that were removed', () => {
    const [one, other] = [new Device(1), new Device(2)];
    other.read([one.make()]);
    const chain = [...CHAIN, '33'.repeat(32)];
    const reader = { device: other.device, chain, members: MEMBERS.slice(1) };
    expect(compareHeads(other.heads, [], reader).heads.known).to.deep.equal([]);
  });

  it('alarm in no honest run, however late files come and whichever are missing', () => {
    const step = fc.record({
      device: fc.nat(3),
      // Of each device: how much later than the newest its file is, which never goes back, and whether it is there.
      late: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
      missing: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      makes: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const devices = [1, 2, 3, 4].map((at) => new Device(at));
        const made: FoundHead[][] = devices.map(() => []);
        const arrived = devices.map(() => devices.map(() => -1));
        for (const { device, late, missing, makes } of steps) {
          const reader = devices[device]!;
          const folder = made.flatMap((files, at) => {
            const newest = files.length - 1;
            const place =
              at === device ? newest : Math.max(arrived[device]![at]!, newest - late[at]!);
            if (missing[at] || place < 0) return [];
            arrived[device]![at] = place;
            return [files[place]!];
          });
          expect(alarms(reader.read(folder))).to.deep.equal(QUIET);
          if (makes) made[device]!.push(reader.make());
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('tell every file that a folder puts in the place of a later one that was read', () => {
    const steps = fc.array(fc.record({ makes: fc.nat(3), to: fc.nat() }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const [one, other] = [new Device(1), new Device(2)];
        const made = [one.make()];
        let newest = -1;
        for (const { makes, to } of all) {
          for (let count = 0; count < makes; count++) made.push(one.make());
          const place = to % made.length;
          const { wentBack, copied } = other.read([made[place]!]);
          expect(wentBack).to.deep.equal(place < newest ? [memberOf(1)] : []);
          expect(copied).to.deep.equal([]);
          newest = Math.max(newest, place);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
