/* What friends and the owner of a recovery file take from files and messages. */
import { concat, fromBase64url, toBase64url, utf8 } from '../../../src/crypto/bytes.ts';
import { sha256 } from '../../../src/crypto/hash/sha256.ts';
import {
  encodeFacts,
  FACTS_BYTES,
  openRecoveryFile,
  parseFacts,
  parseRecoveryFile,
  SEALED_SHARE_BYTES,
  dealRecoveryFile,
} from '../../../src/keys/recovery/recovery-file.ts';
import type { DealtFile, RecoveryFile } from '../../../src/keys/recovery/recovery-file.ts';
import {
  answerText,
  parseAnswer,
  parseRequest,
  requestText,
} from '../../../src/keys/recovery/recovery-messages.ts';
import type { Asked } from '../../../src/keys/recovery/recovery-messages.ts';
import { VaultError } from '../../../src/keys/values/errors.ts';
import { accepted, acceptedLater, counting, require, requireSame } from '../target.ts';
import type { FuzzTarget } from '../target.ts';

/** Not random, so that seeds are the same in every run. */
const random = { bytes: (length: number) => counting(length, 3) };
const sealing = (from: number) => () => Promise.resolve(counting(SEALED_SHARE_BYTES, from));

const dealt = (count: number): Promise<DealtFile> =>
  dealRecoveryFile(utf8('{}'), {
    threshold: 2,
    friends: Array.from({ length: count }, (_, i) => sealing(i)),
    created: 1_780_000_000_000,
    random,
  });

const recoveryFile: FuzzTarget = {
  name: 'recovery-file',
  files: ['src/keys/recovery/recovery-file.ts'],
  maxBytes: 8192,
  sample: 800,
  seeds: async () => [(await dealt(2)).file, (await dealt(3)).file],
  async fuzz(data) {
    const file = accepted(() => parseRecoveryFile(data), VaultError);
    if (!file) return;
    const { head, sealedShares, message } = file;
    requireSame('a file', Buffer.concat([head, ...sealedShares, message]), data);
    require('facts', parseFacts(encodeFacts(file))?.count === file.count);
    const shares = [1, 2].map((index) => ({ index, bytes: counting(32, index) }));
    const opened = await acceptedLater(() => openRecoveryFile(data, shares), VaultError);
    require('no file opens with other shares', opened === undefined);
  },
};

const PREFIX_CHARACTERS = 5;
const CHECK_BYTES = 16;

/** The bytes of a text without their check, which a mutation would never meet. */
const unchecked = (text: string): Uint8Array =>
  fromBase64url(text.slice(PREFIX_CHARACTERS)).slice(0, -CHECK_BYTES);

const checked = (prefix: string, data: Uint8Array): string =>
  prefix + toBase64url(concat(data, sha256(data).subarray(0, CHECK_BYTES)));

async function requests(): Promise<string[]> {
  const texts: string[] = [];
  for (const count of [2, 3]) {
    const file: RecoveryFile = parseRecoveryFile((await dealt(count)).file);
    const kinds: Asked[] = [
      { kind: 'recovery', offerKey: counting(1_216), name: 'Anna' },
      { kind: 'drill', challenge: counting(32) },
    ];
    for (const asked of kinds) {
      const { sealedShares } = file;
      texts.push(requestText({ facts: file, askedAt: file.created, asked, sealedShares }));
    }
  }
  return texts;
}

const recoveryRequest: FuzzTarget = {
  name: 'recovery-request',
  files: ['src/keys/recovery/recovery-messages.ts', 'src/keys/recovery/recovery-file.ts'],
  maxBytes: 16_384,
  sample: 1_000,
  seeds: async () => (await requests()).map(unchecked),
  fuzz(data) {
    accepted(() => parseRequest(new TextDecoder().decode(data)), VaultError);
    const text = checked('swr1.', data);
    const request = accepted(() => parseRequest(text), VaultError);
    if (!request) return;
    require('facts', encodeFacts(request.facts).length === FACTS_BYTES);
    require('written again', requestText(request) === text);
  },
};

const recoveryAnswer: FuzzTarget = {
  name: 'recovery-answer',
  files: ['src/keys/recovery/recovery-messages.ts'],
  seeds: () =>
    [
      answerText({ kind: 'recovery', id: counting(32), index: 3, body: counting(1_317) }),
      answerText({ kind: 'drill', id: counting(32), index: 10, body: counting(32) }),
    ].map(unchecked),
  fuzz(data) {
    accepted(() => parseAnswer(new TextDecoder().decode(data)), VaultError);
    const text = checked('swa1.', data);
    const answer = accepted(() => parseAnswer(text), VaultError);
    if (answer) require('written again', answerText(answer) === text);
  },
};

export const RECOVERY_TARGETS: readonly FuzzTarget[] = [
  recoveryFile,
  recoveryRequest,
  recoveryAnswer,
];
