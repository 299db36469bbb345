import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { openWeaveRecord } from '../../../src/sync/weave/weave-record.ts';
import { recordCipher } from '../../../src/sync/record-cipher.ts';
import type { RecordCipher } from '../../../src/sync/record-cipher.ts';
import { algorithmsOf } from '../engines.ts';
import { nodeSeal } from '../node-weave.ts';
import { errorNameOf } from '../../support/outcomes.ts';

/*
 * The behaviour of five real decoders was measured. This one accepts
 * what Firefox accepts, but requires the id, so that a server cannot swap two records.
 */

const BUNDLE = {
  encryptionKey: new Uint8Array(32).fill(7),
  hmacKey: new Uint8Array(32).fill(9),
};
const IV = Uint8Array.from({ length: 16 }, (_, i) => i);
const ID = 'record-1';
const RIGHT = JSON.stringify({ id: ID, title: 'Übung macht den Meister', n: 1 });

type Members = Record<'ciphertext' | 'IV' | 'hmac', string>;

function sealed(cleartext: string | Uint8Array, iv = IV): Members {
  return JSON.parse(nodeSeal(BUNDLE, iv, cleartext)) as Members;
}

/** The ciphertext in another spelling, and the HMAC over that spelling. */
function respelled(spell: (text: string) => string): Members {
  const { ciphertext, ...rest } = sealed(RIGHT);
  const text = spell(ciphertext);
  const hmac = createHmac('sha256', BUNDLE.hmacKey).update(text).digest('hex');
  return { ...rest, ciphertext: text, hmac };
}

const unpadded = (text: string): string => text.replace(/=+$/, '');
const urlSafe = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');
const ivOf = (bytes: number): Members => ({
  ...sealed(RIGHT),
  IV: Buffer.alloc(bytes, 3).toString('base64'),
});
const hmacOf = (change: (hmac: string) => string): Members => {
  const members = sealed(RIGHT);
  return { ...members, hmac: change(members.hmac) };
};
/** A text whose Base64 has padding and digits that differ in URL-safe Base64. */
const overBytes = (): Members => {
  const members = sealed(RIGHT);
  const bytes = Buffer.from(members.ciphertext, 'base64');
  return { ...members, hmac: createHmac('sha256', BUNDLE.hmacKey).update(bytes).digest('hex') };
};

const PADDING_OFF = (() => {
  const members = sealed(RIGHT);
  const bytes = Buffer.from(members.ciphertext, 'base64');
  bytes[bytes.length - 1]! ^= 0x55;
  const ciphertext = bytes.toString('base64');
  const hmac = createHmac('sha256', BUNDLE.hmacKey).update(ciphertext).digest('hex');
  return { ...members, ciphertext, hmac };
})();

const invalidUtf8 = Buffer.concat([
  Buffer.from(`{"id":"${ID}","x":"`),
  Buffer.of(0xff, 0xfe),
  Buffer.from('"}'),
]);

const TABLE: readonly (readonly [string, unknown, 'yes' | 'AuthenticationError' | 'SyncError'])[] =
  [
    ['normal', sealed(RIGHT), 'yes'],
    ['extra member in the payload', { ...sealed(RIGHT), more: 1 }, 'yes'],
    ['no id inside (Firefox: yes)', sealed('{"title":"x"}'), 'AuthenticationError'],
    ['another id inside', sealed('{"id":"record-2"}'), 'AuthenticationError'],
    ['an inherited id', sealed('{"__proto__":{"id":"record-1"}}'), 'AuthenticationError'],
    ['cleartext an array (Firefox: yes)', sealed(`["${ID}"]`), 'AuthenticationError'],
    ['cleartext text', sealed(`"${ID}"`), 'AuthenticationError'],
    ['cleartext null', sealed('null'), 'AuthenticationError'],
    ['cleartext empty', sealed(''), 'AuthenticationError'],
    ['cleartext no JSON', sealed(`${RIGHT},`), 'AuthenticationError'],
    ['invalid UTF-8', sealed(invalidUtf8), 'AuthenticationError'],
    ['a byte order mark', sealed(`\ufeff${RIGHT}`), 'AuthenticationError'],
    ['IV of 8 bytes', ivOf(8), 'AuthenticationError'],
    ['IV of 24 bytes', ivOf(24), 'AuthenticationError'],
    ['IV of 32 bytes', ivOf(32), 'AuthenticationError'],
    ['IV that is no Base64', { ...sealed(RIGHT), IV: '!' }, 'AuthenticationError'],
    ['wrong padding', PADDING_OFF, 'AuthenticationError'],
    [
      'ciphertext of part of a block',
      respelled((text) => text.slice(0, 20)),
      'AuthenticationError',
    ],
    ['no ciphertext at all', respelled(() => ''), 'AuthenticationError'],
    ['Base64 unpadded', respelled(unpadded), 'yes'],
    ['Base64 padded by half', respelled((text) => text.replace(/==$/, '=')), 'AuthenticationError'],
    [
      'Base64 with line ends',
      respelled((text) => text.replace(/(.{8})/, '$1\r\n')),
      'AuthenticationError',
    ],
    ['Base64 with a blank', respelled((text) => `${text} `), 'AuthenticationError'],
    ['hmac upper-case', hmacOf((hmac) => hmac.toUpperCase()), 'AuthenticationError'],
    [
      'hmac Base64',
      hmacOf((hmac) => Buffer.from(hmac, 'hex').toString('base64')),
      'AuthenticationError',
    ],
    ['hmac cut off', hmacOf((hmac) => hmac.slice(0, -2)), 'AuthenticationError'],
    ['hmac empty', hmacOf(() => ''), 'AuthenticationError'],
    ['hmac over raw bytes', overBytes(), 'AuthenticationError'],
    ['no hmac', { ciphertext: 'AA==', IV: 'AA==' }, 'SyncError'],
    ['hmac no text', { ...sealed(RIGHT), hmac: 5 }, 'SyncError'],
    ['payload null', null, 'SyncError'],
    ['payload a list', [], 'SyncError'],
  ];

describe('sync/inputs that the decoder accepts', () => {
  let cipher: RecordCipher;
  before(async () => {
    cipher = await recordCipher(await algorithmsOf('js'), BUNDLE);
  });

  const outcome = async (payload: string): Promise<string> => {
    const name = await errorNameOf(openWeaveRecord(cipher, ID, payload));
    return name === 'none' ? 'yes' : name;
  };

  for (const [name, payload, expected] of TABLE) {
    it(`${name}: ${expected}`, async () => {
      expect(await outcome(JSON.stringify(payload))).to.equal(expected);
    });
  }

  it('URL-safe Base64: refused if it differs', async () => {
    // A ciphertext with + and / in its Base64.
    for (let i = 0; ; i++) {
      const members = sealed(JSON.stringify({ id: ID, i }));
      if (!/\+.*\/|\/.*\+/.test(members.ciphertext)) continue;
      const ciphertext = urlSafe(members.ciphertext);
      const hmac = createHmac('sha256', BUNDLE.hmacKey).update(ciphertext).digest('hex');
      expect(await outcome(JSON.stringify(members))).to.equal('yes');
      expect(await outcome(JSON.stringify({ ...members, ciphertext, hmac }))).to.equal(
        'AuthenticationError',
      );
      return;
    }
  });

  it('text that is not JSON: a SyncError that does not quote it', async () => {
    for (const text of ['', 'secret words', '{"ciphertext":"secret']) {
      const error = await openWeaveRecord(cipher, ID, text).catch((reason: unknown) => reason);
      expect((error as Error).name).to.equal('SyncError');
      expect((error as Error).message).to.not.contain('secret');
    }
  });

  it('no error contains a computed HMAC, a key or cleartext', async () => {
    for (const [, payload] of TABLE) {
      const text = JSON.stringify(payload);
      const error = await openWeaveRecord(cipher, ID, text).catch((reason: unknown) => reason);
      if (!(error instanceof Error)) continue;
      expect(error.message).to.match(/^(Authentication failed|payload: expected JSON of [\w, ]+)$/);
      expect(error.cause).to.equal(undefined);
    }
  });
});
