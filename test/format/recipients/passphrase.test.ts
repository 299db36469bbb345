import { expect } from 'chai';
import sinon from 'sinon';
import { concat, fromHex, u32be } from '../../../src/crypto/bytes.ts';
import { ARGON2ID_MIN, preparePassphrase } from '../../../src/format/passphrase.ts';
import type { Argon2idCost, PassphraseKdf } from '../../../src/format/passphrase.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../../../src/format/native-crypto.ts';
import {
  PASSPHRASE_ENTRY_BYTES,
  PASSPHRASE_RECIPIENT,
  passphraseRecipient,
} from '../../../src/format/recipients/passphrase.ts';
import {
  derivePassphrase,
  openingWithPassphrase,
  sealingWithPassphrase,
} from '../../../src/format/recipients/sharing.ts';
import { sealedLength } from '../../../src/format/wire/sealed-length.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { readSharedVectors } from '../shared-vectors.ts';
import { outcome } from '../support.ts';

const MESSAGE = Buffer.from('meet at noon');
const WORDS = 'unpaved shiny cactus ladder ozone wrist';
const COST = { cost: ARGON2ID_MIN };

const sealed = (words = WORDS, options: object = COST) =>
  sealMessage({ purpose: 'page', ...sealingWithPassphrase(words, options) }, MESSAGE);
const opened = (words: string, bytes: Uint8Array) =>
  openMessage({ purpose: 'page', accept: 'shared', ...openingWithPassphrase(words) }, bytes);

describe('a passphrase as the recipient of a message', () => {
  it('opens it, as it is typed on any keyboard; another does not', async () => {
    const bytes = await sealed('café du monde');
    expect(await opened('cafe\u0301 du\u00a0monde', bytes)).to.deep.equal(new Uint8Array(MESSAGE));
    expect(await outcome(opened('Café du monde', bytes))).to.equal('AUTH_FAILED');
    const unasked = { purpose: 'page', accept: 'own', key: randomBytes(32) } as const;
    expect(await outcome(openMessage(unasked, bytes))).to.equal('AUTH_FAILED');
  });

  it('makes another message each time, of the length that is declared', async () => {
    const [one, two] = [await sealed(), await sealed()];
    expect(one).to.not.deep.equal(two);
    const recipientsBytes = PASSPHRASE_ENTRY_BYTES;
    expect(recipientsBytes).to.equal(145);
    expect(one.length).to.equal(sealedLength(MESSAGE.length, { recipientsBytes }));
    expect(inspect(one)).to.include({ recipients: 1, headerKeyId: null });
  });

  it('loads Argon2id for the first message alone', async () => {
    await sealed();
    const compile = sinon.spy(WebAssembly, 'compile');
    try {
      expect(await opened(WORDS, await sealed())).to.deep.equal(new Uint8Array(MESSAGE));
      expect(compile.callCount).to.equal(0);
    } finally {
      compile.restore();
    }
  });

  it('is the only one: beside another, also another passphrase, nothing is sealed', async () => {
    const { recipients, recipientTypes: types } = sealingWithPassphrase(WORDS, COST);
    const named = { type: 3, key: randomBytes(32) };
    for (const list of [
      [...recipients, named],
      [named, ...recipients],
      [...recipients, ...recipients],
    ]) {
      const options = { purpose: 'page', recipients: list, recipientTypes: types } as const;
      expect(await outcome(sealMessage(options, MESSAGE))).to.match(/^RangeError: .*only recip/);
    }
  });

  it('does no work for a message that asks for too much, or has other recipients', async () => {
    let derivations = 0;
    const derive: PassphraseKdf = (passphrase, salt, cost) => {
      derivations++;
      return derivePassphrase(passphrase, salt, cost);
    };
    const type = passphraseRecipient({ derive, crypto: NATIVE_CRYPTO, random: NATIVE_RANDOM });
    const types = new Map([[PASSPHRASE_RECIPIENT, type]]);
    const { opened: made, refused } = readSharedVectors('passphrase');
    const openWith = ({ sealed: hex }: { sealed: string }) =>
      outcome(
        openMessage(
          {
            purpose: 'page',
            accept: 'shared',
            identities: [{ type: PASSPHRASE_RECIPIENT, key: preparePassphrase(WORDS) }],
            recipientTypes: types,
          },
          fromHex(hex),
        ),
      );
    const early = refused.filter(({ error }) => error !== 'AUTH_FAILED');
    expect(early).to.have.length.above(10);
    for (const vector of early) {
      expect(await openWith(vector), vector.comment).to.equal(vector.error);
    }
    expect(derivations).to.equal(0);
    expect(await openWith(made[1]!)).to.equal('resolved');
    expect(derivations).to.equal(1);
  });

  it('refuses costs that no reader accepts, at either side of each limit', async () => {
    const limits: Record<keyof Argon2idCost, [least: number, most: number]> = {
      memoryKiB: [19_456, 262_144],
      passes: [2, 8],
      parallelism: [1, 16],
    };
    const context = new Uint8Array(44);
    const derive: PassphraseKdf = () => Promise.resolve(new Uint8Array(32));
    const made = (cost: Argon2idCost) =>
      passphraseRecipient({ derive, crypto: NATIVE_CRYPTO, random: NATIVE_RANDOM, cost });
    const reader = made(ARGON2ID_MIN);
    for (const [name, [least, most]] of Object.entries(limits)) {
      for (const value of [least, most]) {
        const cost = { ...ARGON2ID_MIN, [name]: value };
        const body = await made(cost).wrap(new Uint8Array(5), new Uint8Array(32), context);
        expect(await reader.unwrap(new Uint8Array(5), body, context)).to.have.length(32);
      }
      for (const value of [least - 1, most + 1]) {
        const cost = { ...ARGON2ID_MIN, [name]: value };
        expect(() => made(cost), `${name} ${value}`).to.throw(RangeError, 'cost');
        const { memoryKiB, passes, parallelism } = cost;
        const body = concat(
          u32be(memoryKiB),
          Uint8Array.of(passes, parallelism),
          new Uint8Array(120),
        );
        const refused = await outcome(reader.unwrap(new Uint8Array(5), body, context));
        expect(refused).to.equal(value > most ? 'TOO_LARGE' : 'BAD_ENVELOPE');
      }
    }
  });

  it('refuses what cannot be a passphrase, and quotes nothing of it', () => {
    for (const words of ['', 'wrist\u0007', 'wrist'.repeat(205), 7 as unknown as string]) {
      for (const use of [sealingWithPassphrase, openingWithPassphrase]) {
        expect(() => use(words)).to.throw(/^passphrase: (?!.*wrist)/);
      }
    }
    expect(() => sealingWithPassphrase(WORDS, { cots: ARGON2ID_MIN } as object)).to.throw(
      TypeError,
    );
  });
});
