import { expect } from 'chai';
import { concat, fromBase64url, toBase64url, toHex, utf8 } from '../../../src/crypto/bytes.ts';
import { sha256 } from '../../../src/crypto/hash/sha256.ts';
import { generateIdentity, SHARING_TYPES } from '../../../src/format/recipients/sharing.ts';
import type { SharingIdentity } from '../../../src/format/recipients/sharing.ts';
import { openMessage } from '../../../src/format/message.ts';
import { parsePublicKey } from '../../../src/format/wire/public-key.ts';
import {
  drillKey,
  isDealtShare,
  parseRecoveryFile,
} from '../../../src/keys/recovery/recovery-file.ts';
import type { RecoveryFile } from '../../../src/keys/recovery/recovery-file.ts';
import {
  answerContext,
  answerText,
  drillMac,
  parseAnswer,
  parseRequest,
  RECOVERY_TEXT_MAX,
  requestText,
} from '../../../src/keys/recovery/recovery-messages.ts';
import type { Asked } from '../../../src/keys/recovery/recovery-messages.ts';
import { VaultError } from '../../../src/keys/values/errors.ts';
import { codeOf } from '../../support/outcomes.ts';
import { answerOf, CREATED, deal, newFriends, shareOf } from './deal.ts';

const ASKED_AT = CREATED + 1000;

/** What reading a text gives: the code of the error, or 'ok'. */
function outcome(read: () => unknown): string {
  try {
    read();
    return 'ok';
  } catch (error) {
    if (error instanceof VaultError) return error.code;
    throw error;
  }
}

/** The text with one character of its bytes' text replaced by another one of the alphabet. */
const altered = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

const withCheck = (bytes: Uint8Array): Uint8Array => concat(bytes, sha256(bytes).subarray(0, 16));

describe('A request to friends and its answers', function () {
  this.timeout(30_000);
  let friends: readonly SharingIdentity[];
  let asker: SharingIdentity;
  let file: RecoveryFile;
  let drillKeys: readonly Uint8Array[];
  let text: string;
  const textFor = (asked: Asked, from: RecoveryFile = file): string =>
    requestText({ facts: from, askedAt: ASKED_AT, asked, sealedShares: from.sealedShares });
  const recovery = (name = 'Anna'): Asked => {
    const offerKey = parsePublicKey(asker.publicKey).bytes;
    return { kind: 'recovery', offerKey, name };
  };
  before(async () => {
    friends = await newFriends(3);
    asker = await generateIdentity();
    const dealt = await deal(utf8('{}'), friends, 2);
    ({ drillKeys } = dealt);
    file = parseRecoveryFile(dealt.file);
    text = textFor(recovery());
  });

  /** What the asker opens of an answer. */
  async function opened(answer: string, id = parseRequest(text).id) {
    const { index, body } = parseAnswer(answer);
    const opening = {
      identities: [asker],
      recipientTypes: SHARING_TYPES,
      accept: 'shared',
    } as const;
    const associatedData = answerContext(id, index);
    return {
      index,
      bytes: await openMessage({ purpose: 'backup', associatedData, ...opening }, body),
    };
  }

  it('gives back what was written, also with line ends and spaces from a mail', () => {
    const read = parseRequest(text);
    expect(read.facts.digest).to.deep.equal(file.digest);
    expect(read).to.deep.include({ askedAt: ASKED_AT, asked: recovery() });
    expect(read.sealedShares).to.deep.equal(file.sealedShares);
    const wrapped = text.replace(/(.{70})/g, '$1\r\n  ');
    expect(parseRequest(` ${wrapped}\n`)).to.deep.equal(read);
    const drill = { kind: 'drill', challenge: new Uint8Array(32).fill(9) } as const;
    expect(parseRequest(textFor(drill)).asked).to.deep.equal(drill);
  });

  it('carries all that a friend needs: the answer is a share, for the asker alone', async () => {
    const request = parseRequest(text);
    const answer = await answerOf(friends[1]!, 2, request);
    expect(isDealtShare(await opened(answer), file.head)).to.equal(true);
    const other = await generateIdentity();
    const { body } = parseAnswer(answer);
    const associatedData = answerContext(request.id, 2);
    const opening = {
      identities: [other],
      recipientTypes: SHARING_TYPES,
      accept: 'shared',
    } as const;
    const byOther = openMessage({ purpose: 'backup', associatedData, ...opening }, body);
    expect(await codeOf(byOther)).to.equal('AUTH_FAILED');
  });

  it('binds an answer to its request and its friend', async () => {
    const request = parseRequest(text);
    const answer = await answerOf(friends[0]!, 1, request);
    const later = parseRequest(textFor(recovery('Anna again')));
    expect(later.id).to.not.deep.equal(request.id);
    expect(await codeOf(opened(answer, later.id))).to.equal('AUTH_FAILED');
    const moved = answerText({ ...parseAnswer(answer), index: 2 });
    expect(await codeOf(opened(moved))).to.equal('AUTH_FAILED');
  });

  it('names the friend whose answer is not the share that was dealt', async () => {
    const answer = await answerOf(friends[2]!, 3, parseRequest(text), new Uint8Array(32).fill(1));
    const share = await opened(answer);
    expect([share.index, isDealtShare(share, file.head)]).to.deep.equal([3, false]);
  });

  it('proves a share in a drill without showing it, for one request and one friend', async () => {
    const challenge = new Uint8Array(32).fill(7);
    const request = parseRequest(textFor({ kind: 'drill', challenge }));
    const share = await shareOf(friends[1]!, 2, request);
    const key = drillKey(share, request.facts);
    expect(key).to.deep.equal(drillKeys[1]);
    const body = drillMac(key, request.id);
    const answer = parseAnswer(answerText({ kind: 'drill', id: request.id, index: 2, body }));
    expect(answer.body).to.deep.equal(drillMac(drillKeys[1]!, request.id));
    expect(answer.body).to.not.deep.equal(drillMac(drillKeys[0]!, request.id));
    const other = parseRequest(textFor({ kind: 'drill', challenge: challenge.with(0, 8) }));
    expect(answer.body).to.not.deep.equal(drillMac(drillKeys[1]!, other.id));
    expect(toHex(answer.body).includes(toHex(share.bytes))).to.equal(false);
  });

  it('is refused whichever character was changed, and cut off anywhere', async () => {
    const answer = await answerOf(friends[0]!, 1, parseRequest(text));
    for (const [whole, read] of [
      [text, parseRequest],
      [answer, parseAnswer],
    ] as const) {
      for (let at = 0; at < whole.length; at++) {
        expect(
          outcome(() => read(altered(whole, at))),
          `character ${at}`,
        ).to.equal('BAD_REQUEST');
        if (at % 50 === 0) expect(outcome(() => read(whole.slice(0, at)))).to.equal('BAD_REQUEST');
      }
      expect(outcome(() => read(`${whole}A`))).to.equal('BAD_REQUEST');
    }
    expect(outcome(() => parseAnswer(text))).to.equal('BAD_REQUEST');
    expect(outcome(() => parseRequest(answer))).to.equal('BAD_REQUEST');
  });

  it('refuses longer texts before any work, and names without letters or too long', () => {
    const long = `swr1.${'A'.repeat(2 * RECOVERY_TEXT_MAX)}`;
    expect(outcome(() => parseRequest(long))).to.equal('BAD_REQUEST');
    expect(() => textFor(recovery(''))).to.throw(RangeError, 'name must have 1 to 255');
    expect(() => textFor(recovery('ä'.repeat(128)))).to.throw(RangeError, 'name must have');
    expect(parseRequest(textFor(recovery('ä'.repeat(127)))).asked).to.deep.include({
      name: 'ä'.repeat(127),
    });
  });

  it('refuses what a checksum cannot tell: other kinds, limits, places, names and versions', async () => {
    const answer = await answerOf(friends[0]!, 1, parseRequest(text));
    const planted = (whole: string, at: number, value: number): string => {
      const bytes = fromBase64url(whole.slice(5)).slice(0, -16).with(at, value);
      return `${whole.slice(0, 5)}${toBase64url(withCheck(bytes))}`;
    };
    for (const [at, value, code] of [
      [4, 2, 'NEWER'],
      [4, 0, 'BAD_REQUEST'],
      [5, 0, 'BAD_REQUEST'],
      [5, 2, 'BAD_REQUEST'],
      [46, 1, 'BAD_REQUEST'],
      [46, 4, 'BAD_REQUEST'],
      [47, 2, 'BAD_REQUEST'],
      [47, 11, 'BAD_REQUEST'],
      [38, 255, 'BAD_REQUEST'],
      [48, 255, 'BAD_REQUEST'],
      [56 + 1216, 3, 'BAD_REQUEST'],
      [56 + 1217, 0xff, 'BAD_REQUEST'],
    ] as const) {
      expect(
        outcome(() => parseRequest(planted(text, at, value))),
        `byte ${at}`,
      ).to.equal(code);
    }
    for (const index of [0, 11]) {
      expect(outcome(() => parseAnswer(planted(answer, 38, index)))).to.equal('BAD_REQUEST');
    }
    expect(outcome(() => parseAnswer(planted(answer, 5, 2)))).to.equal('BAD_REQUEST');
    expect(outcome(() => parseRequest(planted(text, 56, 1)))).to.equal('ok');
  });
});
