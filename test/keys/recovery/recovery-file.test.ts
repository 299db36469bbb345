import { expect } from 'chai';
import { toHex, utf8 } from '../../../src/crypto/bytes.ts';
import { sha256 } from '../../../src/crypto/hash/sha256.ts';
import type { Share } from '../../../src/crypto/secret-sharing.ts';
import type { SharingIdentity } from '../../../src/format/recipients/sharing.ts';
import {
  dealRecoveryFile,
  isDealtShare,
  isRecoveryFile,
  openRecoveryFile,
  parseRecoveryFile,
  RECOVERY_FILE_MAX_BYTES,
  SEALED_SHARE_BYTES,
  shareContext,
} from '../../../src/keys/recovery/recovery-file.ts';
import type { DealtFile } from '../../../src/keys/recovery/recovery-file.ts';
import {
  drillMac,
  parseRequest,
  requestText,
} from '../../../src/keys/recovery/recovery-messages.ts';
import { codeOf } from '../../support/outcomes.ts';
import { CREATED, deal, fromFile, newFriends, sealingTo, shareOf } from './deal.ts';

const CONTENTS = utf8('{"format":"sealwright-backup/1"} and what else a backup holds');

describe('A recovery file', function () {
  this.timeout(30_000);
  let friends: readonly SharingIdentity[];
  let dealt: DealtFile;
  let shares: readonly Share[];
  before(async () => {
    friends = await newFriends(5);
    dealt = await deal(CONTENTS, friends, 3);
    shares = await Promise.all(
      friends.map((friend, i) => shareOf(friend, i + 1, fromFile(parseRecoveryFile(dealt.file)))),
    );
  });

  it('has the bytes of version 1, which never change', async () => {
    const counting = (length: number) => Uint8Array.from({ length }, (_, i) => (3 + i) & 255);
    const { file, facts, drillKeys } = await dealRecoveryFile(utf8('{}'), {
      threshold: 2,
      friends: [1, 2].map(
        (fill) => () => Promise.resolve(new Uint8Array(SEALED_SHARE_BYTES).fill(fill)),
      ),
      created: CREATED,
      random: { bytes: counting },
    });
    const asked = { kind: 'drill', challenge: counting(32) } as const;
    const { sealedShares } = parseRecoveryFile(file);
    const text = requestText({ facts, askedAt: CREATED, asked, sealedShares });
    const mac = drillMac(drillKeys[1]!, parseRequest(text).id);
    const found = { file: sha256(file), digest: facts.digest, request: sha256(utf8(text)), mac };
    // all but the sealed message were computed by a second implementation, in Python
    expect(Object.fromEntries(Object.entries(found).map(([k, v]) => [k, toHex(v)]))).to.deep.equal({
      file: 'be54bdd13e5298910dd0a35c5b895e5ddbb6355f5a31f72e71293eba406f6bf0',
      digest: 'd4bb4ba56fe5ae92eec14a964ca7485c5136f7bbc2011e25485a61b0f55a76b4',
      request: 'fd96175e6352f7b5206e2c1bbf80f35d361937d664143d6b07c037eb513a2ecd',
      mac: '2de91cc6cf942f91780a494ed4bee8b55474a8978a6d2d5601456be1109f11f0',
    });
  });

  it('opens with any three of five shares, and with more', async () => {
    for (const chosen of [
      [0, 1, 2],
      [4, 2, 0],
      [1, 3, 4],
      [0, 1, 2, 3, 4],
    ]) {
      const opened = await openRecoveryFile(
        dealt.file,
        chosen.map((i) => shares[i]!),
      );
      expect(opened).to.deep.equal(CONTENTS);
    }
  });

  it('opens with fewer for no one, nor with a share that was not dealt', async () => {
    const wrong = { index: 3, bytes: shares[2]!.bytes.map((byte) => byte ^ 1) };
    const exchanged = { index: 3, bytes: shares[3]!.bytes };
    for (const given of [
      [],
      shares.slice(0, 2),
      [...shares.slice(0, 2), wrong],
      [...shares.slice(0, 3), { ...wrong, index: 4 }],
      [...shares.slice(0, 2), exchanged],
    ]) {
      expect(await codeOf(openRecoveryFile(dealt.file, given))).to.equal('WRONG_PASSPHRASE');
    }
  });

  it('names by its commitment a share that is wrong, or of another friend', () => {
    const { head } = parseRecoveryFile(dealt.file);
    expect(shares.map((share) => isDealtShare(share, head))).to.deep.equal(Array(5).fill(true));
    for (const { index, bytes } of shares) {
      expect(isDealtShare({ index: (index % 5) + 1, bytes }, head)).to.equal(false);
      expect(isDealtShare({ index, bytes: bytes.with(31, bytes[31]! ^ 128) }, head)).to.equal(
        false,
      );
    }
  });

  it('has a share for each friend that no other friend opens, nor the same one in another place', async () => {
    const file = fromFile(parseRecoveryFile(dealt.file));
    expect(await codeOf(shareOf(friends[0]!, 2, file))).to.equal('AUTH_FAILED');
    const [first, second, ...rest] = file.sealedShares;
    const exchanged = { ...file, sealedShares: [second!, first!, ...rest] };
    expect(await codeOf(shareOf(friends[1]!, 1, exchanged))).to.equal('AUTH_FAILED');
  });

  it('binds each share to the file, its date, and the numbers of friends', async () => {
    const { facts, sealedShares } = fromFile(parseRecoveryFile(dealt.file));
    for (const change of [
      { digest: facts.digest.with(0, facts.digest[0]! ^ 1) },
      { created: facts.created + 1 },
      { threshold: 2 },
      { count: 6 },
    ]) {
      const planted = { facts: { ...facts, ...change }, sealedShares };
      expect(await codeOf(shareOf(friends[0]!, 1, planted))).to.equal('AUTH_FAILED');
    }
    expect(shareContext(facts, 1)).to.not.deep.equal(shareContext(facts, 2));
  });

  it('shows no name and no key, and as many bytes for each friend', () => {
    const { created, threshold, count, sealedShares } = parseRecoveryFile(dealt.file);
    expect({ created, threshold, count }).to.deep.equal({
      created: CREATED,
      threshold: 3,
      count: 5,
    });
    expect(sealedShares.map(({ length }) => length)).to.deep.equal(
      Array(5).fill(SEALED_SHARE_BYTES),
    );
  });

  it('fails whichever bit of the head or the message is changed, for all friends', async () => {
    const small = await deal(utf8('{}'), friends.slice(0, 2), 2);
    const sealedAt = 47 + 2 * 32;
    const sealedEnd = sealedAt + 2 * SEALED_SHARE_BYTES;
    for (let at = 0; at < small.file.length; at++) {
      if (at >= sealedAt && at < sealedEnd) continue;
      const altered = small.file.with(at, small.file[at]! ^ 4);
      const opening = (async () => {
        const file = fromFile(parseRecoveryFile(altered));
        const one = await shareOf(friends[0]!, 1, file);
        return openRecoveryFile(altered, [one, await shareOf(friends[1]!, 2, file)]);
      })();
      expect(await codeOf(opening), `byte ${at}`).to.be.oneOf([
        'BAD_BACKUP',
        'NEWER',
        'AUTH_FAILED',
      ]);
    }
  });

  it('fails for a friend whichever bit of the sealed share is changed', async () => {
    const file = fromFile(parseRecoveryFile(dealt.file));
    const [first, ...rest] = file.sealedShares;
    for (let at = 0; at < SEALED_SHARE_BYTES; at += 1) {
      const altered = { ...file, sealedShares: [first!.with(at, first![at]! ^ 16), ...rest] };
      const code = await codeOf(shareOf(friends[0]!, 1, altered));
      // the entry of attributes says who dealt, and opens nothing; it is bound to the message all the same
      expect(code, `byte ${at}`).to.be.oneOf(['AUTH_FAILED', 'BAD_ENVELOPE', 'TOO_LARGE']);
    }
  });

  it('is refused cut off, of another version, and of more than 16 MiB before any work', () => {
    const codeFor = (file: Uint8Array): string => {
      try {
        parseRecoveryFile(file);
        return 'ok';
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    for (let length = 0; length < 47 + 5 * (32 + SEALED_SHARE_BYTES); length += 97) {
      expect(codeFor(dealt.file.subarray(0, length))).to.equal('BAD_BACKUP');
    }
    expect(codeFor(dealt.file.with(4, 2))).to.equal('NEWER');
    expect(codeFor(dealt.file.with(4, 0))).to.equal('BAD_BACKUP');
    for (const [threshold, count] of [
      [1, 5],
      [6, 5],
      [0, 0],
      [3, 11],
      [11, 11],
    ] as const) {
      expect(codeFor(dealt.file.with(5, threshold).with(6, count))).to.equal('BAD_BACKUP');
    }
    expect(codeFor(dealt.file.with(7, 1))).to.equal('BAD_BACKUP');
    const long = new Uint8Array(RECOVERY_FILE_MAX_BYTES + 1);
    long.set(dealt.file);
    expect(codeFor(long)).to.equal('BAD_BACKUP');
    expect(isRecoveryFile(dealt.file)).to.equal(true);
    expect(isRecoveryFile(utf8('SWBK'))).to.equal(false);
  });

  it('is not made for one friend, for eleven, nor with a threshold that they do not reach', async () => {
    const refused = async (count: number, threshold: number) => {
      const some = Array.from({ length: count }, (_, i) => friends[i % 5]!);
      return deal(CONTENTS, some, threshold).then(
        () => 'made',
        (error: unknown) => (error as Error).message,
      );
    };
    expect(await refused(1, 1)).to.include('friends must be 2 to 10');
    expect(await refused(11, 3)).to.include('friends must be 2 to 10');
    expect(await refused(3, 4)).to.include('threshold must be 2 to 3');
    expect(await refused(3, 1)).to.include('threshold must be 2 to 3');
    const { publicKey } = friends[0]!;
    const sealed = await sealingTo({ publicKey })(new Uint8Array(32), new Uint8Array(0));
    expect(sealed.length).to.equal(SEALED_SHARE_BYTES);
  });
});
