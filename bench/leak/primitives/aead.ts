import type { Aead } from '../../../src/crypto/contracts.ts';
import type { Primitive, WasmEngine } from '../primitive.ts';

/** An AEAD under one key, with nonces of one length. */
export interface TestedAead {
  seal(nonce: Uint8Array, plaintext: Uint8Array, into: Uint8Array): Uint8Array;
  /** @throws AuthenticationError */
  open(nonce: Uint8Array, sealed: Uint8Array, into: Uint8Array): Uint8Array;
  wipe(): void;
}

export interface AeadFamily {
  readonly name: string;
  readonly family: Primitive['family'];
  readonly keyBytes: number;
  readonly nonceBytes: number;
  /** Where the tag stands in what is sealed; SIV has it in front. */
  readonly tagFirst?: boolean;
  load(engine: WasmEngine): Promise<(key: Uint8Array) => TestedAead>;
}

const TAG_BYTES = 16;
/** One that takes the ways of few blocks, one of many and a part of one. */
const FEW_BYTES = 64;
const MANY_BYTES = 1037;

/**
 * What an attacker would like to learn from the time of an AEAD: the plaintext, the key, how much of
 * a forged tag is right. Nonces are public and drawn anew for each call.
 */
export function aeadPrimitives(aead: AeadFamily): Primitive[] {
  return [
    seals(aead, FEW_BYTES),
    seals(aead, MANY_BYTES),
    opens(aead, FEW_BYTES),
    opens(aead, MANY_BYTES),
    keys(aead),
    forgeries(aead),
  ];
}

function seals(aead: AeadFamily, bytes: number): Primitive {
  return {
    ...named(aead, `seal ${bytes.toLocaleString('en')} B, plaintext`),
    secretBytes: bytes,
    publicBytes: aead.nonceBytes,
    setUp: async (engine) => {
      const keyed = (await aead.load(engine))(somethingOf(aead.keyBytes));
      const target = new Uint8Array(bytes + TAG_BYTES);
      return {
        call: (input) => keyed.seal(input.subarray(bytes), input.subarray(0, bytes), target),
      };
    },
  };
}

function opens(aead: AeadFamily, bytes: number): Primitive {
  const sealedBytes = bytes + TAG_BYTES;
  return {
    ...named(aead, `open ${bytes.toLocaleString('en')} B, plaintext`),
    secretBytes: bytes,
    publicBytes: TAG_BYTES + aead.nonceBytes,
    setUp: async (engine) => {
      const keyed = (await aead.load(engine))(somethingOf(aead.keyBytes));
      const target = new Uint8Array(bytes);
      return {
        prepare: (input) => {
          keyed.seal(input.subarray(sealedBytes), input.slice(0, bytes), input);
        },
        call: (input) =>
          keyed.open(input.subarray(sealedBytes), input.subarray(0, sealedBytes), target),
      };
    },
  };
}

/** From the key's bytes to its first message. */
function keys(aead: AeadFamily): Primitive {
  return {
    ...named(aead, 'key'),
    secretBytes: aead.keyBytes,
    publicBytes: aead.nonceBytes,
    setUp: async (engine) => {
      const withKey = await aead.load(engine);
      const [plaintext, target] = [
        new Uint8Array(FEW_BYTES),
        new Uint8Array(FEW_BYTES + TAG_BYTES),
      ];
      return {
        call: (input) => {
          const keyed = withKey(input.subarray(0, aead.keyBytes));
          keyed.seal(input.subarray(aead.keyBytes), plaintext, target);
          keyed.wipe();
        },
      };
    },
  };
}

/** Tags of which all but the last byte is right, or nothing. */
function forgeries(aead: AeadFamily): Primitive {
  const sealedBytes = FEW_BYTES + TAG_BYTES;
  const messageAt = TAG_BYTES;
  const nonceAt = messageAt + sealedBytes;
  const tagAt = messageAt + (aead.tagFirst ? 0 : FEW_BYTES);
  return {
    ...named(aead, 'forged tag'),
    secretBytes: TAG_BYTES,
    publicBytes: sealedBytes + aead.nonceBytes,
    setUp: async (engine) => {
      const keyed = (await aead.load(engine))(somethingOf(aead.keyBytes));
      const target = new Uint8Array(FEW_BYTES);
      return {
        prepare: (input) => {
          const message = input.subarray(messageAt, nonceAt);
          keyed.seal(input.subarray(nonceAt), message.slice(0, FEW_BYTES), message);
          input[TAG_BYTES - 1]! |= 1;
          for (let i = 0; i < TAG_BYTES; i++) input[tagAt + i]! ^= input[i]!;
        },
        call: (input) =>
          refuses(keyed, input.subarray(nonceAt), input.subarray(messageAt, nonceAt), target),
      };
    },
  };
}

function refuses(
  keyed: TestedAead,
  nonce: Uint8Array,
  sealed: Uint8Array,
  target: Uint8Array,
): void {
  try {
    keyed.open(nonce, sealed, target);
  } catch {
    return;
  }
  throw new Error('a forged tag was taken for a true one');
}

/** An AEAD of src/crypto, without associated data. */
export function tested(aead: Aead): TestedAead {
  return {
    seal: (nonce, plaintext, into) => aead.seal(nonce, plaintext, undefined, into),
    open: (nonce, sealed, into) => aead.open(nonce, sealed, undefined, into),
    wipe: () => aead.wipe(),
  };
}

/** Key bytes that are no special case; the same in each run. */
export function somethingOf(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => (167 * i + 89) & 0xff);
}

function named({ name, family }: AeadFamily, what: string) {
  return { name: `${name}, ${what}`, family, expected: 'constant' } as const;
}
