import { expect } from 'chai';
import { ED25519_TYPE, publicKeyText } from '../../../../src/format/wire/public-key.ts';
import { verificationOf } from '../../../../src/service/sharing/verification.ts';
import { adminKeyIn } from '../../../../extension/manager/groups/admin-key.ts';

const BYTES = new Uint8Array(32).fill(9);
const KEY = publicKeyText({ type: 'Ed25519', bytes: BYTES });

describe('the admin key in what was typed', () => {
  it('is found as it is, in a message, and broken by a mail program, with its six words', () => {
    const { words } = verificationOf(ED25519_TYPE, BYTES);
    expect(words).to.have.length(6);
    const found = { text: KEY, words };
    for (const typed of [
      KEY,
      `  ${KEY}\n`,
      `Here is my key: ${KEY}\nBye, Bob`,
      `> ${KEY.slice(0, 20)}\n> ${KEY.slice(20)}`,
      `${KEY.slice(0, 9)}\u00ad\u200b${KEY.slice(9)}`,
    ]) {
      expect(adminKeyIn(typed), typed).to.deep.equal(found);
    }
  });

  it('is not found in another text, a key that is cut or changed, and a key to seal to', () => {
    const sharing = publicKeyText({ type: 'X-Wing', bytes: new Uint8Array(1_216) });
    const old = publicKeyText({ type: 'X25519', bytes: BYTES });
    for (const typed of ['', 'Bob', KEY.slice(0, -1), `${KEY.slice(0, -1)}!`, sharing, old]) {
      expect(adminKeyIn(typed), typed).to.equal(undefined);
    }
  });
});
