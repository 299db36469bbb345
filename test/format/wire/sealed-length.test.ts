import { expect } from 'chai';
import fc from 'fast-check';
import { sealMessage } from '../../../src/format/message.ts';
import {
  STREAM_BYTES_MAX,
  bodyLength,
  chunkedLength,
  paddedLength,
  sealedLength,
} from '../../../src/format/wire/sealed-length.ts';
import { KEY, KEY_ID, MESSAGE_EDGES } from '../support.ts';

describe('sealedLength', () => {
  const sampled = Array.from({ length: 80 }, (_, i) => 503 * i);

  for (const pad of [false, true]) {
    it(`is the length of the output of sealMessage, ${pad ? 'padded' : 'not padded'}`, async () => {
      for (const length of [...MESSAGE_EDGES, ...sampled]) {
        const options = { key: KEY, keyId: KEY_ID, purpose: 'page', pad } as const;
        const sealed = await sealMessage(options, new Uint8Array(length));
        expect(sealedLength(length, { pad }), `${length} bytes`).to.equal(sealed.length);
      }
    });
  }

  it('adds 96 bytes to a message shorter than one chunk', () => {
    expect(sealedLength(0)).to.equal(96);
    expect(sealedLength(16_383)).to.equal(16_383 + 96);
    expect(sealedLength(16_384)).to.equal(16_384 + 96 + 16);
  });

  it('counts the recipients with their length field', () => {
    expect(sealedLength(5, { recipientsBytes: 123 })).to.equal(sealedLength(5) + 125);
  });

  it('is exact up to 32 GiB', () => {
    const chunks = STREAM_BYTES_MAX / 2 ** 20 + 1;
    expect(sealedLength(STREAM_BYTES_MAX)).to.equal(24 + 56 + STREAM_BYTES_MAX + 16 * chunks);
  });

  it('throws RangeError for any other value', () => {
    const wrong = [-1, 1.5, NaN, Infinity, STREAM_BYTES_MAX + 1, '5', undefined, 5n];
    for (const length of wrong) {
      expect(() => sealedLength(length as number), String(length)).to.throw(RangeError);
    }
  });
});

describe('bodyLength', () => {
  for (const chunkBytes of [16_384, 1_048_576]) {
    it(`inverts chunkedLength and refuses all other lengths (${chunkBytes})`, () => {
      const possible = fc.property(fc.nat(2 ** 40), (body) => {
        expect(bodyLength(chunkedLength(body, chunkBytes), chunkBytes)).to.equal(body);
      });
      fc.assert(possible);
      const impossible = fc.property(
        fc.nat(1000),
        fc.integer({ min: 0, max: 15 }),
        (full, rest) => {
          expect(bodyLength(full * (chunkBytes + 16) + rest, chunkBytes)).to.equal(undefined);
        },
      );
      fc.assert(impossible);
      expect(bodyLength(-1, chunkBytes)).to.equal(undefined);
    });
  }
});

describe('paddedLength', () => {
  it('is at least 32, then rounds to few significant binary digits', () => {
    const table = [
      ...[
        [0, 32],
        [30, 32],
        [31, 32],
        [32, 36],
        [35, 36],
        [36, 40],
        [63, 64],
        [64, 72],
      ],
      ...[
        [127, 128],
        [128, 144],
        [999, 1024],
        [1023, 1024],
        [1024, 1088],
        [65_535, 65_536],
      ],
      ...[
        [65_536, 67_584],
        [1_048_576, 1_081_344],
        [2 ** 32, 2 ** 32 + 2 ** 26],
      ],
    ] as [number, number][];
    for (const [message, padded] of table) {
      expect(paddedLength(message), `${message} bytes`).to.equal(padded);
    }
  });

  it('always has space for the marker, adds at most 12 % above 32 bytes, and never decreases', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 36), (length) => {
        const padded = paddedLength(length);
        expect(padded).to.be.greaterThan(length);
        expect(padded).to.be.at.most(Math.max(32, Math.ceil((length + 1) * 1.12)));
        expect(paddedLength(length + 1)).to.be.at.least(padded);
        expect(paddedLength(padded - 1)).to.equal(padded);
      }),
    );
  });
});
